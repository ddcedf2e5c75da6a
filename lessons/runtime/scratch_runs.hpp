#pragma once

#include "lessons/experiments/experiment.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace gradus {

/// One fork, or one whole Run, that nobody has decided on: a Run like any other, but in no session's list.
struct ScratchRun {
    Edit edit;
    std::shared_ptr<const Run> run; ///< null until it has begun
    bool done = false;              ///< it has come as far as it will
    bool broken = false;            ///< its last loss is not finite, so it was not computed further
    std::string refusal;            ///< why the edit cannot be
};

/// Computes short forks of a Run, each with an edit of its own, with an engine of its own: the session's process is never
/// touched, and what is computed has the bits that the session's fork would have. They grow side by side, a few
/// iterations each in turn, so that all can be looked at while they do. A newer wish drops what is there.
class ScratchRuns {
public:
    explicit ScratchRuns(const Experiment& experiment, Setup setup);
    ~ScratchRuns();
    ScratchRuns(const ScratchRuns&) = delete;
    ScratchRuns& operator=(const ScratchRuns&) = delete;

    /// Wants a fork for each edit, leaving `run` before `iteration` and going on for `horizon` iterations or to the last
    /// planned one. The first and the last are recorded in full. Returns at once.
    void request(std::shared_ptr<const Run> run, StepIndex iteration, std::vector<Edit> edits, StepIndex horizon);
    /// Wants a whole Run of this set-up, through `iteration`, which is recorded in full, and on to the one before `until`.
    /// Returns at once.
    void request_anew(Setup setup, StepIndex iteration, StepIndex until);
    /// Drops what was wanted and what is there.
    void cancel();

    /// The last wish's forks as they stand, in the order of its edits. Never waits.
    std::vector<ScratchRun> runs() const;
    /// True once there is nothing left to compute of the last wish.
    bool done() const;
    /// Why nothing could be computed: the engine's own sentence, or empty.
    std::string failure() const;

private:
    struct Wish {
        std::optional<Setup> anew; ///< else forks
        std::shared_ptr<const Run> run;
        StepIndex iteration = 0;
        std::vector<Edit> edits;
        StepIndex horizon = 0;
    };
    struct Growing;
    void replace(std::optional<Wish> wish, std::vector<ScratchRun> empty);
    void work(const std::stop_token& stop);
    void compute(const Wish& wish, const std::stop_token& outdated);
    void compute_anew(const Wish& wish, const std::stop_token& outdated);
    void begin(const Wish& wish, std::size_t i, Growing& growing, const Checkpoint& start);
    void tell(std::size_t i, const ScratchRun& now, const std::stop_token& outdated);

    const Experiment* experiment_;
    Setup setup_;
    std::unique_ptr<Process> process_; // worker thread only

    mutable std::mutex mutex_; // protects what follows
    std::condition_variable_any wake_;
    std::optional<Wish> wish_;
    std::vector<ScratchRun> runs_;
    std::string failure_;
    bool busy_ = false;
    std::stop_source current_; ///< stopped when a newer wish comes
    std::jthread thread_;
};

} // namespace gradus
