#include "engine/core/hash.hpp"
#include "lessons/runtime/session.hpp"
#include "tests/support/check.hpp"

#include <chrono>
#include <map>
#include <thread>

namespace gradus::test {

namespace {

using Hashes = std::map<TensorId, std::uint64_t>;

Hashes hashes_of(const Run& run, StepIndex iteration) {
    Hashes out;
    if (const auto kept = run.tensors_of(iteration))
        for (const RecordedTensor& recorded : kept->tensors) out[recorded.id] = hash_tensor(recorded.tensor);
    return out;
}

RunRequest million_steps() {
    RunRequest request;
    request.parameters = {{"data", "xor"}, {"layers", "2,2,1"}, {"batch", "4"}, {"lr", "0.1"}};
    request.steps = 1'000'000;
    request.observe_every = request.steps;
    request.device.threads = 1;
    request.budget.tensors = std::size_t{16} << 20;
    request.budget.checkpoints = std::size_t{1} << 20;
    request.budget.events = std::size_t{8} << 20;
    return request;
}

} // namespace

SLOW_TEST(a_million_steps_can_be_walked_back) {
    constexpr StepIndex edited = 700'000;
    const std::vector<StepIndex> places{3, 500'000, edited - 1, edited};
    std::map<StepIndex, Hashes> kept_aside;
    {
        Session session(million_steps());
        session.submit(Edit::parse("W1[0, 0] = 0.25"), 0, edited);
        for (const StepIndex place : places) {
            session.run_to(place);
            session.wait();
            session.observe_next();
            session.step();
            session.wait();
            kept_aside[place] = hashes_of(*session.run(0), place);
            CHECK(kept_aside[place].size() > 20);
        }
    }
    Session session(million_steps());
    session.submit(Edit::parse("W1[0, 0] = 0.25"), 0, edited);
    session.play();
    session.wait();
    const auto run = session.run(0);
    CHECK_EQUAL(run->head(), StepIndex{1'000'000});
    const Run::Memory memory = run->memory();
    CHECK(memory.tensors <= run->budget().tensors);
    CHECK(memory.checkpoints <= run->budget().checkpoints);
    CHECK(memory.events <= run->budget().events);
    CHECK(memory.series <= 40u << 20, std::to_string(memory.series));
    for (const StepIndex place : places) {
        const Row row(fmt::format("back to step {}", place));
        const Ticks start = now_ticks();
        Detail detail;
        while ((detail = session.detail(0, place)).state == Detail::State::computing)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        const double seconds = calibrated_clock().seconds(start, now_ticks());
        REQUIRE(detail.run != nullptr, detail.reason);
        CHECK_ERROR(seconds, 2.0, "seconds");
        CHECK(hashes_of(*detail.run, place) == kept_aside[place], "other bits than were there");
    }
}

} // namespace gradus::test
