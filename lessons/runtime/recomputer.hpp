#pragma once

#include "lessons/experiments/experiment.hpp"

#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace gradus {

/// An iteration in full, or how far it is.
struct Detail {
    enum class State : std::uint8_t { present, computing, unavailable };
    State state = State::unavailable;
    std::shared_ptr<const Run> run; ///< holds the iteration's events and tensors when present
    double progress = 0;            ///< 0 to 1 while computing
    std::string reason;             ///< why unavailable
};

/// Brings iterations back that a Run did not keep: a second engine restores the nearest checkpoint, computes
/// forward with the logged edits, and compares the loss with the recorded one. Results stay in a cache beside
/// the Run.
class Recomputer {
public:
    explicit Recomputer(const Experiment& experiment, Setup setup);
    ~Recomputer();

    /// Never waits. `run` must have completed `iteration`.
    Detail get(const std::shared_ptr<const Run>& run, StepIndex iteration);

private:
    struct Job {
        std::shared_ptr<const Run> run;
        StepIndex iteration = 0;
    };
    struct Cached {
        Job job;
        Detail detail;
    };
    void work(const std::stop_token& stop);
    Detail compute(const Job& job, const std::stop_token& stop);

    const Experiment* experiment_;
    Setup setup_;
    std::unique_ptr<Process> process_; // worker thread only

    std::mutex mutex_; // protects what follows
    std::condition_variable_any wake_;
    std::list<Cached> cache_; // most recent first
    std::optional<Job> wanted_, running_;
    std::atomic<double> progress_{0};
    std::jthread thread_;
};

} // namespace gradus
