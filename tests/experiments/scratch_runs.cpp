#include "lessons/runtime/scratch_runs.hpp"

#include "engine/core/hash.hpp"
#include "tests/experiments/support.hpp"
#include "tests/support/check.hpp"

#include <chrono>
#include <thread>

using namespace gradus;
using namespace gradus::test;

namespace {

/// Waits until all of the wish is computed; false after a minute.
bool computed(const ScratchRuns& scratch) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!scratch.done() && std::chrono::steady_clock::now() < deadline)
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    return scratch.done();
}

std::vector<Edit> rates(std::initializer_list<const char*> texts) {
    std::vector<Edit> out;
    for (const char* text : texts) out.push_back(Edit::parse(text));
    return out;
}

} // namespace

TEST(scratch_forks_have_the_bits_of_the_sessions_forks) {
    for (const Parameters& parameters : {xor_net(), batch_net()}) {
        Session session(request_of(parameters, 60));
        session.run_to(40);
        settle(session);
        session.submit(Edit::parse("lr = 0.2"), 0, 20); // a fork, whose fork is asked for below
        session.run_to(30);
        settle(session);
        ScratchRuns scratch(session.experiment(), session.setup());
        const struct { std::size_t run; StepIndex iteration; } places[] = {{0, 40}, {0, 13}, {1, 30}, {1, 25}, {1, 5}};
        for (const auto& place : places) {
            const Row row(fmt::format("run {} iteration {}", place.run, place.iteration));
            const auto edits = rates({"lr = 0.01", "W1[1, 2] = 0.75", "point 1 = 0.25, -0.5", "lr = 0.4"});
            scratch.request(session.run(place.run), place.iteration, edits, 12);
            REQUIRE(computed(scratch));
            const auto runs = scratch.runs();
            REQUIRE(runs.size() == edits.size());
            for (std::size_t i = 0; i < edits.size(); ++i) {
                const Row edited(edits[i].text());
                REQUIRE(runs[i].run != nullptr, runs[i].refusal);
                CHECK(runs[i].done && !runs[i].broken);
                const Run& fork = *runs[i].run;
                CHECK(fork.parent() == session.run(place.run) && fork.first_iteration() == place.iteration);
                CHECK_EQUAL(fork.head(), place.iteration + 12);
                CHECK(fork.edits().size() == 1 && fork.edits()[0].edit == edits[i]);
                CHECK(fork.tensors_of(place.iteration) != nullptr && fork.tensors_of(fork.head() - 1) != nullptr);
                session.submit_fork(edits[i], place.run, place.iteration);
                session.run_to(place.iteration + 12);
                settle(session);
                const auto wanted = session.run(session.status().runs - 1);
                CHECK(losses(fork) == losses(*wanted));
                CHECK(final_state(fork) == final_state(*wanted));
                CHECK_EQUAL(fork.manifest().parent_edits, wanted->manifest().parent_edits);
            }
        }
    }
}

TEST(asking_for_scratch_forks_leaves_the_session_as_it_is) {
    Session plain(request_of(batch_net(), 60)), watched(request_of(batch_net(), 60));
    watched.run_to(30);
    settle(watched);
    ScratchRuns scratch(watched.experiment(), watched.setup());
    scratch.request(watched.run(0), 10, rates({"lr = 3", "W1[0, 0] = 9"}), 30);
    watched.play();
    plain.play();
    settle(plain);
    settle(watched);
    CHECK(computed(scratch));
    CHECK_EQUAL(watched.status().runs, 1u);
    CHECK(losses(*watched.run(0)) == losses(*plain.run(0)) && final_state(*watched.run(0)) == final_state(*plain.run(0)));
    CHECK(watched.run(0)->edits().empty());
}

TEST(a_newer_wish_drops_the_older_one) {
    Session session(request_of(batch_net(), 1'000'000));
    session.run_to(10);
    settle(session);
    ScratchRuns scratch(session.experiment(), session.setup());
    scratch.request(session.run(0), 10, rates({"lr = 0.01"}), 900'000); // would take minutes
    scratch.request(session.run(0), 5, rates({"lr = 0.5", "lr = 0.25"}), 4);
    const auto at_once = scratch.runs();
    REQUIRE(at_once.size() == 2);
    CHECK_EQUAL(at_once[0].edit.text(), std::string("lr = 0.5"));
    REQUIRE(computed(scratch));
    CHECK(scratch.runs()[1].run && scratch.runs()[1].run->head() == 9);
    scratch.request(session.run(0), 10, rates({"lr = 0.01"}), 900'000);
    while (!scratch.runs()[0].run) std::this_thread::sleep_for(std::chrono::microseconds(200));
    scratch.cancel();
    CHECK(scratch.runs().empty());
    CHECK(computed(scratch));
}

TEST(a_scratch_fork_ends_where_it_breaks_or_is_refused) {
    Session session(request_of(xor_net(), 60));
    session.run_to(20);
    settle(session);
    ScratchRuns scratch(session.experiment(), session.setup());
    scratch.request(session.run(0), 20, rates({"lr = 1e30", "lr = -1", "W9[0] = 1", "lr = 0.1"}), 100);
    REQUIRE(computed(scratch));
    const auto runs = scratch.runs();
    CHECK(runs[0].broken && runs[0].done && runs[0].run->head() < 60);
    CHECK(runs[1].refusal.find("lr must be a number") != std::string::npos && !runs[1].run);
    CHECK(runs[2].refusal.find("W9") != std::string::npos && !runs[2].run);
    CHECK_EQUAL(runs[3].run->head(), 60); // the last planned step
    CHECK(runs[3].run->state() == RunState::finished);
    scratch.request(session.run(0), 21, rates({"lr = 0.1"}), 4); // beyond the head
    REQUIRE(computed(scratch));
    CHECK(!scratch.runs()[0].run && scratch.failure().find("no place") != std::string::npos);
}
