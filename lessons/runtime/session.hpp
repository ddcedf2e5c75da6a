#pragma once

#include "lessons/experiments/experiment.hpp"
#include "lessons/runtime/observation_pacer.hpp"
#include "lessons/runtime/recomputer.hpp"

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace gradus {

/// What a session runs.
struct RunRequest {
    std::string experiment = "train_mlp";
    Parameters parameters; ///< those that differ from the defaults
    std::uint64_t seed = 1;
    StepIndex steps = -1;         ///< -1: the experiment's standard
    StepIndex observe_every = 0;  ///< every n-th iteration in full; 0: some fifty over the run
    DeviceOptions device;
    std::string card;
    RunBudget budget;
    bool gives_way = false; ///< its threads leave the processors to the window's when there are not enough
    /// Runs as they were recorded, forks after their parents: computed again from manifests and input logs before
    /// anything else, to the same bits, and then gone on with.
    std::vector<std::shared_ptr<const Run>> past;
};

/// What goes on where a recorded session ended. Throws ArgumentError if there is no Run.
RunRequest request_from_past(std::vector<std::shared_ptr<const Run>> runs);
/// Of Runs, forks after their parents, what is needed to compute them again, and no more: manifests, edits, heads, and the
/// losses that what is computed again is compared with. Takes 16 bytes per iteration, where a Run may keep 448 MiB.
std::vector<std::shared_ptr<const Run>> outlines_of(const std::vector<std::shared_ptr<const Run>>& runs);

/// Owns the engine's thread, the Runs it writes and the queue of edits. Everything here returns at once: a window
/// looks at status() and the Runs once per frame and submits intents; nobody waits for anybody.
///
/// Runs are numbered in the order in which they came into being: 0 is the first, the others are its forks.
class Session {
public:
    /// Called by the engine's thread with every Run it starts, before it writes to it: a recorder attaches here.
    using RunStarted = std::function<void(RunWriter&)>;

    /// Throws ArgumentError for unusable parameters; what the engine meets later stands in status().failure.
    explicit Session(RunRequest request, std::shared_ptr<DataStore> data = nullptr, RunStarted started = nullptr);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    // --- intents --------------------------------------------------------------------------------------------
    void play();
    void pause();
    /// Computes so many iterations more of the selected Run and pauses.
    void step(StepIndex count = 1);
    /// Computes until the selected Run's head is at `iteration`, and pauses; at once if it is there already.
    void run_to(StepIndex iteration);
    /// Iterations per second after play(); 0 is as fast as it goes, and so is run_to().
    void set_speed(double iterations_per_second);
    /// Changes `run` before `iteration`: at its head the edit takes effect there, ahead of it once it is reached,
    /// behind it a fork grows and is selected. A refused edit's sentence stands in status().refusal.
    void submit(Edit edit, std::size_t run, StepIndex iteration);
    /// As submit(), but always on a fork, also at the head.
    void submit_fork(Edit edit, std::size_t run, StepIndex iteration);
    void select(std::size_t run);
    /// The next iteration is recorded in full: a cursor stands on the head. At once after a pause; while it plays, as
    /// often as the pacer allows.
    void observe_next() { observe_next_.store(true, std::memory_order_relaxed); }
    /// Ends the engine's thread; what is recorded stays readable.
    void stop();

    // --- state ----------------------------------------------------------------------------------------------
    struct Status {
        bool loading = true;   ///< the process is being made
        bool playing = false;
        bool busy = false;     ///< intents are waiting or under way
        std::size_t selected = 0;
        std::size_t runs = 0;
        std::string stopped_by; ///< the breakpoint that paused it last, as it was written
        std::optional<double> stopped_at; ///< the gradient norm that it met, where that stopped it
        std::uint64_t stops = 0;          ///< how many so far, so that one can be told from the next
        std::vector<Edit> breakpoints;    ///< of the selected run
        std::string refusal;    ///< why the last edit was refused
        std::string failure;    ///< why the engine ended; a branch that fails alone says so itself, Run::failure()
        std::uint64_t refusals = 0; ///< how many so far, so that one can be told from the next
        bool retracing = false; ///< computes again what was recorded
        int evaluated = 0, to_evaluate = 0; ///< pieces of the test set, or blocks of a kernel; 0 to evaluate: it is not at it, or at one block's steps of lanes
    };
    Status status() const;
    std::shared_ptr<const Run> run(std::size_t index) const;
    std::vector<std::shared_ptr<const Run>> runs() const;
    const Experiment& experiment() const { return *experiment_; }
    const Setup& setup() const { return setup_; }
    StepIndex planned_steps() const { return setup_.steps; }

    /// A Run that holds this iteration's events and tensors: the Run itself, or a re-computation that is started
    /// if needed. Never waits; ask again.
    Detail detail(std::size_t run, StepIndex iteration);

    /// Waits until the engine has nothing to do (paused, finished or failed). For the command line and tests.
    void wait();

private:
    struct Intent {
        enum class Kind { play, pause, run_to, step, edit, fork, select } kind;
        StepIndex iteration = 0;
        std::size_t run = 0;
        Edit edit;
    };
    struct Branch {
        std::shared_ptr<Run> run;
        std::unique_ptr<RunWriter> writer;
        std::vector<LoggedEdit> planned;     ///< edits ahead of the head
        std::vector<Edit> breakpoints; ///< changed under the mutex: status() reads them
    };

    void submit(Intent intent);
    void work(const std::stop_token& stop);
    void loop(const std::stop_token& stop);
    bool take_intents(const std::stop_token& stop);
    void obey(const Intent& intent);
    void start_branch(std::size_t parent, StepIndex iteration, const Manifest* recorded = nullptr, const Edit* edit = nullptr);
    void retrace(const std::stop_token& stop);
    void bring_process_to_head(std::size_t run);
    void apply_now(Branch& branch, const Edit& edit, StepIndex iteration);
    void set_breakpoint(Branch& branch, const Edit& edit, StepIndex iteration);
    void stopped(const Edit& by, std::optional<double> at);
    bool advance(Branch& branch, const std::stop_token& stop);
    void advance_whole(Branch& branch);
    bool breaks_before(const Branch& branch, StepIndex iteration);
    bool breaks_after(const Branch& branch);
    void add_checkpoint(Branch& branch);
    void finish_branch(Branch& branch, const std::stop_token& stop);
    void refuse(const std::string& sentence);
    void set_playing(bool playing);

    RunRequest request_;
    const Experiment* experiment_;
    Setup setup_;
    StepIndex observe_every_ = 1;
    RunStarted started_;

    const std::shared_ptr<Evaluating> evaluating_ = std::make_shared<Evaluating>();
    std::unique_ptr<Process> process_; // engine thread only, as are the next five
    std::size_t process_run_ = 0;
    StepIndex target_ = 0; ///< where playing pauses
    bool paced_ = true;    ///< at the speed of somebody who watches
    Ticks last_checkpoint_ = 0, checkpoint_interval_ = 0;
    ClockScale clock_;
    Ticks next_due_ = 0;
    ObservationPacer pacer_;

    std::vector<std::unique_ptr<Branch>> branches_; ///< grown by the engine thread under mutex_
    mutable std::mutex mutex_;                      // protects branches_' growth, intents_, status_, ended_
    std::condition_variable wake_, idle_;
    std::deque<Intent> intents_;
    Status status_;
    bool ended_ = false; ///< the engine's thread is done
    std::atomic<bool> has_intents_{false}, observe_next_{false};
    std::atomic<double> speed_{0};
    std::unique_ptr<Recomputer> recomputer_;
    std::jthread thread_;
};

} // namespace gradus
