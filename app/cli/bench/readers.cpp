#include "app/cli/bench/bench.hpp"
#include "engine/core/error.hpp"
#include "lessons/runtime/session.hpp"

#include <atomic>
#include <chrono>
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

/// Median step of a stretch of training, with or without the readers looking sixty times a second.
double stretch(Session& session, StepIndex steps, bool readers) {
    pass_evaluation(session, steps);
    std::atomic<bool> over{false};
    std::thread reader;
    if (readers)
        reader = std::thread([&] {
            Frame frame;
            volatile double sink = 0;
            while (!over.load()) {
                sink = frame.look(session);
                std::this_thread::sleep_for(std::chrono::microseconds(16'667));
            }
            static_cast<void>(sink);
        });
    const Ticks start = now_ticks();
    session.step(steps);
    session.wait();
    const double seconds = calibrated_clock().seconds(start, now_ticks());
    over.store(true);
    if (reader.joinable()) reader.join();
    return seconds / static_cast<double>(steps);
}

} // namespace

std::vector<BenchRow> bench_readers() {
    RunRequest request;
    request.parameters = {{"data", "fashion-mnist"}, {"layers", "784,256,10"}, {"batch", "64"}, {"lr", "0.1"}};
    request.device.threads = 1; // readers have the other core; at equal engine threads
    constexpr StepIndex piece = 400;
    constexpr int rounds = 15;
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
    std::vector<double> ratios, alone, watched;
    for (int round = 0; round < rounds; ++round) {
        const bool readers_first = round % 2 == 1;
        const double first = stretch(*session, piece, readers_first);
        const double second = stretch(*session, piece, !readers_first);
        alone.push_back(readers_first ? second : first);
        watched.push_back(readers_first ? first : second);
        ratios.push_back(watched.back() / alone.back());
    }
    return {{"readers", "784-256-10 step, every reader / none", median(ratios), "ratio", 1.02, false,
             fmt::format("{:.0f} µs / {:.0f} µs, 1 thread, {} rounds", median(watched) * 1e6, median(alone) * 1e6, rounds)}};
}

} // namespace gradus::cli
