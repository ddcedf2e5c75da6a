// Readers, edits, forks and details while training goes on: what the thread sanitizer looks at.
#include "tests/experiments/support.hpp"
#include "tests/support/check.hpp"

#include <algorithm>
#include <cmath>

using namespace gradus;
using namespace gradus::test;

namespace {

void stress(double seconds, int threads) {
    RunRequest request = request_of(batch_net(), 1'000'000, 5, threads);
    request.budget.tensors = 2 << 20;
    request.budget.checkpoints = 1 << 20;
    request.budget.events = 1 << 20;
    Session session(request);
    settle(session);
    std::atomic<bool> stop{false};
    std::atomic<int> wrong{0};
    std::atomic<long> read{0};
    std::vector<std::thread> others;
    for (int reader = 0; reader < 2; ++reader)
        others.emplace_back([&] {
            while (!stop) {
                for (const auto& run : session.runs()) {
                    const StepIndex head = run->head();
                    if (head == 0) continue;
                    wrong += !run->value_at("loss", head - 1).has_value();
                    for (const StepIndex i : {head - 1, head / 2}) {
                        for (const EventRecord& event : run->events_of(i))
                            wrong += static_cast<std::size_t>(event.site) >= run->sites().size();
                        if (const auto tensors = run->tensors_of(i))
                            for (const RecordedTensor& tensor : tensors->tensors) wrong += !(std::abs(tensor.tensor.at(0)) < 1e30);
                        if (const auto checkpoint = run->checkpoint_before(i)) wrong += checkpoint->iteration > i;
                    }
                    for (std::size_t e = 0; e < run->edits().size(); ++e) wrong += run->edits()[e].edit.text().empty();
                    static_cast<void>(run->memory().total());
                    ++read;
                }
                static_cast<void>(session.status());
            }
        });
    others.emplace_back([&] {
        while (!stop) {
            const auto run = session.run(session.status().selected);
            if (run && run->head() > 3) static_cast<void>(session.detail(session.status().selected, run->head() / 2 + 1));
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    });
    session.play();
    const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    for (int i = 0; std::chrono::steady_clock::now() < until; ++i) {
        const std::size_t selected = session.status().selected;
        const auto run = session.run(selected);
        const StepIndex head = run->head();
        switch (i % 8) {
        case 0: session.submit(Edit::parse(fmt::format("lr = {}", 0.01 + 0.001 * (i % 10))), selected, head); break;
        case 1: session.submit(Edit::parse("W1[0, 3] = 0.5"), selected, head + 20); break;
        case 2: if (i % 40 == 2) session.submit(Edit::parse("b1[2] = 0.25"), selected, std::max<StepIndex>(run->first_iteration(), head - 30)); break;
        case 3: session.pause(); break;
        case 4: session.play(); break;
        case 5: session.observe_next(); break;
        case 6: if (i % 16 == 6) session.select(static_cast<std::size_t>(i) % session.status().runs); break;
        case 7: session.play(); break;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(3));
    }
    session.pause();
    CHECK(settled(session), "it comes to rest");
    stop = true;
    for (std::thread& other : others) other.join();
    CHECK_EQUAL(session.status().failure, "");
    CHECK_EQUAL(wrong.load(), 0);
    CHECK(read.load() > 0 && session.status().runs > 1);
}

} // namespace

TEST(session_under_readers_edits_and_forks) { stress(2, 2); }
SLOW_TEST(session_under_readers_edits_and_forks_for_long) { stress(20, 3); }

TEST(sessions_side_by_side) {
    std::vector<std::unique_ptr<Session>> sessions;
    const auto data = std::make_shared<DataStore>();
    for (int i = 0; i < 3; ++i) sessions.push_back(std::make_unique<Session>(request_of(i == 2 ? xor_net() : batch_net(), 60), data));
    for (const auto& session : sessions) session->play();
    for (const auto& session : sessions) settle(*session);
    CHECK(losses(*sessions[0]->run(0)) == losses(*sessions[1]->run(0)));
}
