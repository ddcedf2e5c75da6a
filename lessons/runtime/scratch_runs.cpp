#include "lessons/runtime/scratch_runs.hpp"

#include "engine/core/error.hpp"
#include "engine/core/give_way.hpp"
#include "lessons/runtime/branching.hpp"

#include <algorithm>
#include <exception>
#include <fmt/format.h>

namespace gradus {

namespace {

constexpr StepIndex rounds = 16; // in so many turns a fork comes to its horizon

/// A fork keeps two iterations in full and no checkpoint but its ends.
constexpr RunBudget budget{std::size_t{64} << 20, std::size_t{64} << 20, std::size_t{4} << 20};

} // namespace

/// A fork under way, with the state in which its turn left the process.
struct ScratchRuns::Growing {
    ScratchRun shown;
    std::shared_ptr<Run> run;
    std::unique_ptr<RunWriter> writer;
    std::shared_ptr<const Checkpoint> state;
};

ScratchRuns::ScratchRuns(const Experiment& experiment, Setup setup)
    : experiment_(&experiment), setup_(std::move(setup)),
      thread_([this](const std::stop_token& stop) { work(stop); }) {}

ScratchRuns::~ScratchRuns() {
    cancel();
    thread_.request_stop();
}

void ScratchRuns::request(std::shared_ptr<const Run> run, StepIndex iteration, std::vector<Edit> edits, StepIndex horizon) {
    std::vector<ScratchRun> empty(edits.size());
    for (std::size_t i = 0; i < edits.size(); ++i) empty[i].edit = edits[i];
    replace(Wish{std::nullopt, std::move(run), iteration, std::move(edits), horizon}, std::move(empty));
}

void ScratchRuns::request_anew(Setup setup, StepIndex iteration, StepIndex until) {
    replace(Wish{std::move(setup), nullptr, iteration, {}, until - iteration}, std::vector<ScratchRun>(1));
}

void ScratchRuns::cancel() { replace(std::nullopt, {}); }

void ScratchRuns::replace(std::optional<Wish> wish, std::vector<ScratchRun> empty) {
    {
        const std::lock_guard lock(mutex_);
        current_.request_stop();
        current_ = std::stop_source();
        wish_ = std::move(wish);
        runs_ = std::move(empty);
        failure_.clear();
    }
    wake_.notify_one();
}

std::vector<ScratchRun> ScratchRuns::runs() const {
    const std::lock_guard lock(mutex_);
    return runs_;
}

bool ScratchRuns::done() const {
    const std::lock_guard lock(mutex_);
    return !wish_ && !busy_;
}

std::string ScratchRuns::failure() const {
    const std::lock_guard lock(mutex_);
    return failure_;
}

// --- the worker ----------------------------------------------------------------------------------------------

void ScratchRuns::work(const std::stop_token& stop) {
    give_way();
    std::unique_lock lock(mutex_);
    while (wake_.wait(lock, stop, [this] { return wish_.has_value(); })) {
        const Wish wish = std::move(*wish_);
        wish_.reset();
        busy_ = true;
        const std::stop_token outdated = current_.get_token();
        lock.unlock();
        std::string failure;
        try {
            if (wish.anew) compute_anew(wish, outdated);
            else compute(wish, outdated);
        } catch (const std::exception& error) {
            failure = error.what();
        }
        lock.lock();
        busy_ = false;
        if (!outdated.stop_requested()) failure_ = std::move(failure);
    }
}

void ScratchRuns::compute(const Wish& wish, const std::stop_token& outdated) {
    if (!wish.run || wish.iteration < 0 || wish.iteration > wish.run->head() || wish.iteration >= setup_.steps)
        throw ArgumentError(fmt::format("a fork at iteration {} has no place", wish.iteration));
    if (!process_) process_ = experiment_->start(setup_);
    bring_to(*process_, *wish.run, wish.iteration, true, outdated);
    if (outdated.stop_requested()) return; // it stands somewhere before
    const auto start = process_->checkpoint(wish.iteration);
    std::vector<Growing> all(wish.edits.size());
    for (std::size_t i = 0; i < all.size() && !outdated.stop_requested(); ++i) {
        begin(wish, i, all[i], *start);
        tell(i, all[i].shown, outdated);
    }
    if (outdated.stop_requested()) return; // some have not begun
    const StepIndex until = std::min(wish.iteration + std::max<StepIndex>(1, wish.horizon), setup_.steps);
    const StepIndex turn = std::max<StepIndex>(1, (until - wish.iteration) / rounds);
    for (bool left = true; left;) {
        left = false;
        for (std::size_t i = 0; i < all.size(); ++i) {
            Growing& fork = all[i];
            if (fork.shown.done) continue;
            if (all.size() > 1) process_->restore(*fork.state); // another fork's turn was between
            // One iteration first, so that every fork is there to be looked at as soon as can be.
            const StepIndex head = fork.run->head(), stop = head == wish.iteration ? head + 1 : std::min(head + turn, until);
            for (StepIndex at = head; at < stop && !fork.shown.broken; ++at) {
                if (outdated.stop_requested()) return;
                process_->iterate(*fork.writer, at, at == wish.iteration || at + 1 == until);
                fork.shown.broken = process_->not_finite();
            }
            fork.state = process_->checkpoint(fork.run->head());
            fork.shown.done = fork.shown.broken || fork.run->head() >= until;
            left = left || !fork.shown.done;
            if (fork.shown.done) {
                fork.writer->add_checkpoint(fork.state);
                fork.writer->finish(fork.run->head() >= setup_.steps ? RunState::finished : RunState::stopped);
            }
            tell(i, fork.shown, outdated);
        }
    }
}

/// With a process of its own: another set-up is another net.
void ScratchRuns::compute_anew(const Wish& wish, const std::stop_token& outdated) {
    const Setup& setup = *wish.anew;
    const std::unique_ptr<Process> process = experiment_->start(setup);
    Manifest manifest;
    manifest.experiment = experiment_->id();
    manifest.parameters = setup.parameters;
    manifest.seed = setup.seed;
    manifest.planned_steps = setup.steps;
    manifest.id = "scratch";
    manifest.clock = calibrated_clock();
    process->describe(manifest);
    const auto run = std::make_shared<Run>(manifest, process->series(), nullptr, budget);
    RunWriter writer(run);
    process->begin(writer, true);
    ScratchRun shown;
    shown.run = run;
    const StepIndex until = std::min(wish.iteration + std::max<StepIndex>(1, wish.horizon), setup.steps);
    for (StepIndex at = 0; at < until && !shown.broken; ++at) {
        if (outdated.stop_requested()) return;
        process->iterate(writer, at, at == wish.iteration);
        shown.broken = process->not_finite();
        if (at == wish.iteration) tell(0, shown, outdated);
    }
    writer.finish(run->head() >= setup.steps ? RunState::finished : RunState::stopped);
    shown.done = true;
    tell(0, shown, outdated);
}

/// The process stands where the fork leaves; a refused edit leaves no Run behind.
void ScratchRuns::begin(const Wish& wish, std::size_t i, Growing& growing, const Checkpoint& start) {
    const Edit& edit = wish.edits[i];
    growing.shown.edit = edit;
    process_->restore(start);
    try {
        experiment_->check_edit(edit);
        process_->apply(edit, wish.iteration);
    } catch (const Error& error) {
        growing.shown.refusal = error.what();
        growing.shown.done = true;
        return;
    }
    Manifest manifest = fork_manifest(*wish.run, wish.iteration, fmt::format("scratch {}", i + 1));
    process_->describe(manifest);
    growing.run = std::make_shared<Run>(manifest, process_->series(), wish.run, budget);
    growing.writer = std::make_unique<RunWriter>(growing.run);
    process_->begin(*growing.writer, false);
    growing.writer->log_edit(edit, wish.iteration);
    growing.state = process_->checkpoint(wish.iteration);
    growing.shown.run = growing.run;
}

void ScratchRuns::tell(std::size_t i, const ScratchRun& now, const std::stop_token& outdated) {
    const std::lock_guard lock(mutex_);
    if (!outdated.stop_requested()) runs_[i] = now;
}

} // namespace gradus
