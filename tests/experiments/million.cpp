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

/// Of the parameters alone, by name: what a step that stands still leaves as it is.
std::map<std::string, std::uint64_t> parameters_of(const Run& run, StepIndex iteration) {
    std::map<std::string, std::uint64_t> out;
    if (const auto kept = run.tensors_of(iteration))
        for (const RecordedTensor& recorded : kept->tensors)
            if (recorded.role == Role::parameter) out.try_emplace(recorded.name, hash_tensor(recorded.tensor));
    return out;
}

RunRequest million_steps() {
    RunRequest request;
    request.parameters = {{"data", "xor"}, {"layers", "2,2,1"}, {"batch", "1"}, {"lr", "0.001"}}; // it moves to its end
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
    const std::vector<StepIndex> places{3, 499'999, 500'000, edited - 1, edited};
    std::map<StepIndex, Hashes> kept_aside;
    std::map<StepIndex, std::map<std::string, std::uint64_t>> parameters;
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
            parameters[place] = parameters_of(*session.run(0), place);
            CHECK(!parameters[place].empty());
        }
        // The bits of another step are others, so that a step that is given back for another one is found out.
        CHECK(parameters[499'999] != parameters[500'000]);
        CHECK(parameters[3] != parameters[499'999]);
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
