#include "app/cli/bench/bench.hpp"
#include "engine/core/error.hpp"
#include "lessons/runtime/session.hpp"

#include <atomic>
#include <chrono>
#include <ctime>
#include <fmt/format.h>
#include <thread>

namespace gradus::cli {

namespace {

/// What the window's views read in one frame: status, new points of every series, events of the newest observed
/// iteration, a norm of each of its tensors.
class Frame {
public:
    double look(Session& session) {
        const auto run = session.run(session.status().selected);
        if (!run) return 0;
        session.observe_next();
        double sum = 0;
        for (const auto& series : run->series()) {
            std::size_t& seen = seen_[series.get()];
            for (const std::size_t size = series->size(); seen < size; ++seen) sum += series->at(seen).value;
        }
        if (run->observed().empty()) return sum;
        const StepIndex iteration = run->observed().back().iteration;
        for (const EventRecord& event : run->events_of(iteration)) sum += static_cast<double>(event.end - event.start);
        if (iteration == last_) return sum;
        last_ = iteration;
        if (const auto kept = run->tensors_of(iteration))
            for (const RecordedTensor& recorded : kept->tensors) {
                if (recorded.tensor.dtype() != DType::f32 || !recorded.tensor.contiguous()) continue;
                const float* values = recorded.tensor.data<float>();
                float part[16] = {};
                for (Dim i = 0; i + 16 <= recorded.tensor.elements(); i += 16)
                    for (int lane = 0; lane < 16; ++lane) part[lane] += values[i + lane] * values[i + lane];
                for (const float lane : part) sum += static_cast<double>(lane);
            }
        return sum;
    }

private:
    std::map<const Series*, std::size_t> seen_;
    StepIndex last_ = -2;
};

double cpu_seconds(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

struct StepTime {
    double wall = 0; ///< seconds per iteration, as on the clock
    double cpu = 0;  ///< seconds per iteration, in all threads but the reader's: what other guests take is not in it
};

/// Mean step of a stretch of training, with or without the readers looking sixty times a second.
StepTime stretch(Session& session, StepIndex steps, bool readers) {
    pass_evaluation(session, steps);
    std::atomic<bool> over{false};
    std::atomic<double> reading{0};
    std::thread reader;
    if (readers)
        reader = std::thread([&] {
            Frame frame;
            volatile double sink = 0;
            while (!over.load()) {
                sink = frame.look(session);
                reading.store(cpu_seconds(CLOCK_THREAD_CPUTIME_ID));
                std::this_thread::sleep_for(std::chrono::microseconds(16'667));
            }
            static_cast<void>(sink);
        });
    const Ticks start = now_ticks();
    const double cpu = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID), read = reading.load();
    session.step(steps);
    session.wait();
    StepTime time{calibrated_clock().seconds(start, now_ticks()),
                  cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu - (reading.load() - read)};
    over.store(true);
    if (reader.joinable()) reader.join();
    time.wall /= static_cast<double>(steps);
    time.cpu /= static_cast<double>(steps);
    return time;
}

} // namespace

std::vector<BenchRow> bench_readers() {
    RunRequest request;
    request.parameters = {{"data", "fashion-mnist"}, {"layers", "784,256,10"}, {"batch", "64"}, {"lr", "0.1"}};
    request.device.threads = 1; // readers have the other core; at equal engine threads
    constexpr StepIndex piece = 300;
    constexpr int rounds = 60; // single stretches scatter by several percent where other guests share the machine
    request.steps = 500 * (2 * rounds + 3);
    request.observe_every = request.steps; // only what readers ask for
    std::unique_ptr<Session> session;
    try {
        session = std::make_unique<Session>(request);
        session->run_to(piece);
        session->wait();
        if (!session->status().failure.empty()) throw Error(session->status().failure);
    } catch (const Error& error) {
        return {{"readers", "784-256-10 step, readers / none", 0, "ratio", 0, false, error.what(), true}};
    }
    std::vector<double> wall_ratios, cpu_ratios, alone, watched;
    for (int round = 0; round < rounds; ++round) {
        const bool readers_first = round % 2 == 1;
        const StepTime first = stretch(*session, piece, readers_first);
        const StepTime second = stretch(*session, piece, !readers_first);
        const StepTime& with = readers_first ? first : second;
        const StepTime& without = readers_first ? second : first;
        wall_ratios.push_back(with.wall / without.wall);
        cpu_ratios.push_back(with.cpu / without.cpu);
        watched.push_back(with.wall);
        alone.push_back(without.wall);
    }
    const std::string note = fmt::format("1 thread, {} rounds", rounds);
    return {{"readers", "784-256-10 step, every reader / none", median(wall_ratios), "ratio", 1.02, false,
             fmt::format("{:.0f} µs / {:.0f} µs, {}", median(watched) * 1e6, median(alone) * 1e6, note)},
            {"readers", "the same in processor time", median(cpu_ratios), "ratio", 1.02, false, note}};
}

} // namespace gradus::cli
