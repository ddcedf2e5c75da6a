#include "lessons/runtime/session.hpp"

#include "engine/core/error.hpp"
#include "engine/core/give_way.hpp"
#include "lessons/runtime/branching.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <fmt/format.h>

namespace gradus {

namespace {
constexpr auto never = std::numeric_limits<StepIndex>::max();
}

Session::Session(RunRequest request, std::shared_ptr<DataStore> data, RunStarted started)
    : request_(std::move(request)), experiment_(&find_experiment(request_.experiment)), started_(std::move(started)),
      clock_(calibrated_clock()), pacer_(clock_.ns_per_tick * 1e-9) {
    setup_.parameters = experiment_->complete(request_.parameters);
    setup_.seed = request_.seed;
    setup_.steps = request_.steps >= 0 ? request_.steps : experiment_->standard_steps();
    setup_.device = request_.device;
    setup_.data = data ? std::move(data) : std::make_shared<DataStore>();
    observe_every_ = request_.observe_every > 0 ? request_.observe_every : std::max<StepIndex>(1, setup_.steps / 50);
    checkpoint_interval_ = static_cast<Ticks>(5e6 / clock_.ns_per_tick); // 5 ms
    recomputer_ = std::make_unique<Recomputer>(*experiment_, setup_);
    thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
}

Session::~Session() { stop(); }

void Session::stop() {
    if (!thread_.joinable()) return;
    thread_.request_stop();
    {
        const std::lock_guard lock(mutex_);
        has_intents_.store(true);
    }
    wake_.notify_all();
    thread_.join();
}

// --- intents -------------------------------------------------------------------------------------------------

void Session::submit(Intent intent) {
    {
        const std::lock_guard lock(mutex_);
        if (ended_) return; // nobody is left to obey, and wait() must not wait for it
        intents_.push_back(std::move(intent));
        status_.busy = true;
        has_intents_.store(true, std::memory_order_release);
    }
    wake_.notify_all();
}

void Session::play() { submit({Intent::Kind::play, never, 0, {}}); }
void Session::pause() { submit({Intent::Kind::pause, 0, 0, {}}); }
void Session::step(StepIndex count) { submit({Intent::Kind::step, count, 0, {}}); }
void Session::run_to(StepIndex iteration) { submit({Intent::Kind::run_to, iteration, 0, {}}); }
void Session::submit(Edit edit, std::size_t run, StepIndex iteration) {
    submit({Intent::Kind::edit, iteration, run, std::move(edit)});
}
void Session::submit_fork(Edit edit, std::size_t run, StepIndex iteration) {
    submit({Intent::Kind::fork, iteration, run, std::move(edit)});
}
void Session::select(std::size_t run) { submit({Intent::Kind::select, 0, run, {}}); }

void Session::set_speed(double iterations_per_second) {
    speed_.store(std::max(0.0, iterations_per_second));
    {
        const std::lock_guard lock(mutex_);
        has_intents_.store(true);
    }
    wake_.notify_all();
}

// --- state ---------------------------------------------------------------------------------------------------

Session::Status Session::status() const {
    const std::lock_guard lock(mutex_);
    Status status = status_;
    status.runs = branches_.size();
    status.evaluated = evaluating_->done.load(std::memory_order_relaxed);
    status.to_evaluate = evaluating_->of.load(std::memory_order_relaxed);
    if (status.selected < branches_.size()) status.breakpoints = branches_[status.selected]->breakpoints;
    return status;
}

std::shared_ptr<const Run> Session::run(std::size_t index) const {
    const std::lock_guard lock(mutex_);
    return index < branches_.size() ? branches_[index]->run : nullptr;
}

std::vector<std::shared_ptr<const Run>> Session::runs() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::shared_ptr<const Run>> out;
    for (const auto& branch : branches_) out.push_back(branch->run);
    return out;
}

Detail Session::detail(std::size_t index, StepIndex iteration) {
    Detail detail;
    std::shared_ptr<const Run> owner = run(index);
    if (!owner || iteration < 0 || iteration >= owner->head()) {
        detail.reason = fmt::format("iteration {} has not run yet", iteration);
        return detail;
    }
    while (iteration < owner->first_iteration() && owner->parent()) owner = owner->parent();
    if (owner->find_observed(iteration) && owner->tensors_of(iteration) && !owner->events_of(iteration).empty()) {
        detail.state = Detail::State::present;
        detail.run = owner;
        detail.progress = 1;
        return detail;
    }
    return recomputer_->get(owner, iteration);
}

void Session::wait() {
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [this] { return !status_.busy && !status_.playing && !status_.retracing && (!status_.loading || !status_.failure.empty()); });
}

// --- the engine's thread -------------------------------------------------------------------------------------

namespace {

std::string words_of(const std::exception& error) {
    return dynamic_cast<const std::bad_alloc*>(&error) ? "there is not enough memory for this net" : error.what();
}

} // namespace

void Session::work(const std::stop_token& stop) {
    if (request_.gives_way) give_way(); // before the process starts threads of its own
    try {
        Setup setup = setup_; // what others read is asked questions after a stop
        setup.stop = stop;
        setup.evaluating = evaluating_;
        process_ = experiment_->start(setup);
        start_branch(0, 0, request_.past.empty() ? nullptr : &request_.past.front()->manifest());
        if (!request_.past.empty()) retrace(stop);
        {
            const std::lock_guard lock(mutex_);
            status_.loading = false;
        }
        loop(stop);
    } catch (const Interrupted&) { // the iteration that it was in has not been; it may have been the first
        const std::lock_guard lock(mutex_);
        status_.loading = false;
    } catch (const std::exception& error) {
        const std::lock_guard lock(mutex_);
        status_.failure = words_of(error);
        status_.playing = status_.busy = status_.retracing = false;
        if (process_run_ < branches_.size()) branches_[process_run_]->writer->finish(RunState::failed, status_.failure);
    }
    {
        const std::lock_guard lock(mutex_);
        ended_ = true;
        status_.playing = status_.busy = status_.retracing = false;
        for (const auto& branch : branches_)
            if (branch->run->state() == RunState::growing) branch->writer->finish(RunState::stopped);
    }
    idle_.notify_all();
}

void Session::loop(const std::stop_token& stop) {
    bool playing = false;
    while (!stop.stop_requested()) {
        if (has_intents_.load(std::memory_order_acquire) || !playing) {
            if (!take_intents(stop)) break;
            const std::lock_guard lock(mutex_);
            playing = status_.playing;
            continue;
        }
        const double speed = speed_.load(std::memory_order_relaxed);
        if (speed > 0 && paced_) {
            const Ticks now = now_ticks();
            if (now < next_due_) {
                std::unique_lock lock(mutex_);
                wake_.wait_for(lock, std::chrono::nanoseconds(static_cast<std::int64_t>(
                                         static_cast<double>(next_due_ - now) * clock_.ns_per_tick)),
                               [&] { return has_intents_.load() || stop.stop_requested(); });
                continue;
            }
            const auto interval = static_cast<Ticks>(1e9 / speed / clock_.ns_per_tick);
            next_due_ = std::max(next_due_, now - interval) + interval; // no burst after a pause
        }
        Branch& branch = *branches_[process_run_];
        if (!advance(branch, stop)) {
            playing = false;
            continue;
        }
        const StepIndex head = branch.run->head();
        if (head >= setup_.steps || head >= target_ || breaks_after(branch) || breaks_before(branch, head)) {
            if (head >= setup_.steps) finish_branch(branch, stop);
            else add_checkpoint(branch);
            set_playing(false);
            playing = false;
        }
    }
}

/// Waits for intents where there is nothing to compute, and obeys all that are there. False when stopped.
bool Session::take_intents(const std::stop_token& stop) {
    for (;;) {
        Intent intent;
        {
            std::unique_lock lock(mutex_);
            if (intents_.empty()) {
                has_intents_.store(false);
                status_.busy = false;
                if (status_.playing) return !stop.stop_requested();
                idle_.notify_all();
                wake_.wait(lock, [&] { return !intents_.empty() || stop.stop_requested(); });
                if (stop.stop_requested()) return false;
            }
            intent = std::move(intents_.front());
            intents_.pop_front();
        }
        try {
            obey(intent);
        } catch (const Error& error) {
            refuse(error.what());
            if (status().playing) bring_process_to_head(status().selected); // a refused fork has moved it
        }
        if (stop.stop_requested()) return false;
    }
}

void Session::obey(const Intent& intent) {
    const std::size_t selected = status().selected;
    const auto start_towards = [&](StepIndex target) {
        const Run& run = *branches_[selected]->run;
        if (run.head() >= setup_.steps || run.head() >= target || run.state() == RunState::failed) return;
        if (setup_.steps == 0) return;
        bring_process_to_head(selected);
        target_ = target;
        pacer_.resume();
        set_playing(true);
    };
    const auto pause = [&] {
        if (status().playing) add_checkpoint(*branches_[process_run_]);
        set_playing(false);
    };
    switch (intent.kind) {
    case Intent::Kind::play:
        paced_ = true;
        start_towards(never);
        return;
    case Intent::Kind::run_to:
        if (branches_[selected]->run->head() >= intent.iteration) return pause(); // it is there already, and stays
        paced_ = false;
        start_towards(intent.iteration);
        return;
    case Intent::Kind::step:
        paced_ = true;
        start_towards(branches_[selected]->run->head() + intent.iteration);
        return;
    case Intent::Kind::pause: return pause();
    case Intent::Kind::select: {
        if (intent.run >= branches_.size())
            throw ArgumentError(fmt::format("there is no run {}; there are {}", intent.run, branches_.size()));
        if (intent.run != selected) pause();
        const std::lock_guard lock(mutex_);
        status_.selected = intent.run;
        return;
    }
    case Intent::Kind::edit:
    case Intent::Kind::fork: break;
    }
    if (intent.run >= branches_.size())
        throw ArgumentError(fmt::format("there is no run {} to edit; the last is {}", intent.run, branches_.size() - 1));
    if (intent.iteration < 0 || intent.iteration > setup_.steps)
        throw ArgumentError(fmt::format("an edit at iteration {} has no place: the run has {} steps", intent.iteration, setup_.steps));
    std::size_t owner = intent.run; // an iteration before a fork left is an ancestor's, and so is what leaves there
    while (intent.iteration < branches_[owner]->run->first_iteration())
        for (std::size_t i = 0, child = owner; i < child; ++i)
            if (branches_[i]->run == branches_[child]->run->parent()) owner = i;
    Branch& branch = *branches_[owner];
    if (intent.edit.kind == Edit::Kind::breakpoint && intent.iteration <= branch.run->head()) {
        return set_breakpoint(branch, intent.edit, branch.run->head());
    }
    const StepIndex head = branch.run->head();
    const bool playing = status().playing;
    if (intent.kind == Intent::Kind::edit && intent.iteration > head) {
        branch.planned.push_back({intent.iteration, intent.edit});
        std::stable_sort(branch.planned.begin(), branch.planned.end(),
                         [](const LoggedEdit& a, const LoggedEdit& b) { return a.iteration < b.iteration; });
        return;
    }
    if (intent.kind == Intent::Kind::edit && intent.iteration == head && head < setup_.steps) {
        bring_process_to_head(owner);
        apply_now(branch, intent.edit, head);
        return;
    }
    if (intent.iteration > head)
        throw ArgumentError(fmt::format("a fork at iteration {} has nothing to leave: the run is at {}",
                                        intent.iteration, head));
    if (intent.iteration >= setup_.steps)
        throw ArgumentError(fmt::format("an edit after the last step ({}) would change nothing", setup_.steps));
    // A trial on the process first: a refused edit must leave no fork behind.
    if (playing) add_checkpoint(*branches_[process_run_]);
    process_run_ = branches_.size(); // whatever happens now, the process stands elsewhere
    bring_to(*process_, *branch.run, intent.iteration, true, thread_.get_stop_token());
    const auto before = process_->checkpoint(intent.iteration);
    experiment_->check_edit(intent.edit);
    process_->apply(intent.edit, intent.iteration);
    process_->restore(*before);
    start_branch(owner, intent.iteration, nullptr, &intent.edit);
    target_ = playing ? never : target_;
}

/// A new Run from where the process stands. With an edit it begins with that, and is selected: nobody sees it before both.
void Session::start_branch(std::size_t parent, StepIndex iteration, const Manifest* recorded, const Edit* edit) {
    const bool first = branches_.empty();
    Manifest manifest;
    if (first) {
        manifest.experiment = experiment_->id();
        manifest.parameters = setup_.parameters;
        manifest.seed = setup_.seed;
        manifest.planned_steps = setup_.steps;
        manifest.observe_every = observe_every_;
        manifest.card = request_.card;
        manifest.build = build_description();
        manifest.libraries = library_versions();
        manifest.id = "run";
    } else {
        manifest = fork_manifest(*branches_[parent]->run, iteration, fmt::format("fork {}", branches_.size()));
    }
    manifest.clock = calibrated_clock();
    if (recorded) {
        manifest.id = recorded->id;
        manifest.parent_edits = recorded->parent_edits;
    }
    process_->describe(manifest);
    auto branch = std::make_unique<Branch>();
    branch->run = std::make_shared<Run>(manifest, process_->series(), first ? nullptr : branches_[parent]->run,
                                        request_.budget);
    branch->writer = std::make_unique<RunWriter>(branch->run);
    if (!first) branch->breakpoints = branches_[parent]->breakpoints;
    if (started_) started_(*branch->writer);
    process_->begin(*branch->writer, first);
    add_checkpoint(*branch);
    if (edit) apply_now(*branch, *edit, iteration);
    const std::lock_guard lock(mutex_);
    branches_.push_back(std::move(branch));
    process_run_ = branches_.size() - 1;
    if (edit) status_.selected = process_run_;
}

void Session::bring_process_to_head(std::size_t index) {
    if (process_run_ == index) return;
    const Run& run = *branches_[index]->run;
    process_run_ = branches_.size();
    bring_to(*process_, run, run.head(), true, thread_.get_stop_token());
    process_run_ = index;
}

void Session::apply_now(Branch& branch, const Edit& edit, StepIndex iteration) {
    experiment_->check_edit(edit);
    process_->apply(edit, iteration);
    branch.writer->log_edit(edit, iteration);
}

/// False where a branch has come to its end before its time: what was tried on it failed, and the runs that it left go on.
bool Session::advance(Branch& branch, const std::stop_token& stop) {
    try {
        advance_whole(branch);
        return true;
    } catch (const Interrupted&) {
        throw;
    } catch (const std::exception& error) {
        if (!branch.run->parent() || stop.stop_requested()) throw;
        branch.writer->finish(RunState::failed, words_of(error));
    }
    process_run_ = branches_.size(); // in the middle of an iteration, where no run is
    set_playing(false);
    return false;
}

void Session::advance_whole(Branch& branch) {
    const StepIndex iteration = branch.run->head();
    while (!branch.planned.empty() && branch.planned.front().iteration <= iteration) {
        const Edit edit = branch.planned.front().edit;
        branch.planned.erase(branch.planned.begin());
        try {
            if (edit.kind == Edit::Kind::breakpoint) set_breakpoint(branch, edit, iteration);
            else apply_now(branch, edit, iteration);
        } catch (const Error& error) {
            refuse(error.what());
        }
    }
    const bool observe = iteration % observe_every_ == 0 || iteration + 1 == setup_.steps ||
                         iteration == branch.run->first_iteration() ||
                         (observe_next_.load(std::memory_order_relaxed) && pacer_.due(now_ticks()) &&
                          observe_next_.exchange(false));
    const Ticks start = now_ticks();
    process_->iterate(*branch.writer, iteration, observe);
    pacer_.ran(observe, start, now_ticks());
    if (now_ticks() - last_checkpoint_ > checkpoint_interval_) add_checkpoint(branch);
}

void Session::set_breakpoint(Branch& branch, const Edit& edit, StepIndex iteration) {
    {
        const std::lock_guard lock(mutex_);
        if (!change_breakpoints(branch.breakpoints, edit))
            throw ArgumentError(fmt::format("'{}': there is no such breakpoint", edit.text()));
    }
    branch.writer->log_edit(edit, iteration);
}

void Session::stopped(const Edit& by, std::optional<double> at) {
    const std::lock_guard lock(mutex_);
    status_.stopped_by = by.text();
    status_.stopped_at = at;
    ++status_.stops;
}

bool Session::breaks_before(const Branch& branch, StepIndex iteration) {
    for (const Edit& breakpoint : branch.breakpoints)
        if (breakpoint.target == "iteration" && breakpoint.values[0] == static_cast<double>(iteration)) {
            stopped(breakpoint, std::nullopt);
            return true;
        }
    return false;
}

bool Session::breaks_after(const Branch& branch) {
    for (const Edit& breakpoint : branch.breakpoints) {
        const bool on_norm = breakpoint.target == "gradient_norm";
        const double norm = on_norm ? process_->gradient_norm() : 0;
        if (!(on_norm ? !(norm <= breakpoint.values[0]) : breakpoint.target == "nan" && process_->not_finite())) continue;
        stopped(breakpoint, on_norm ? std::optional(norm) : std::nullopt);
        return true;
    }
    return false;
}

void Session::add_checkpoint(Branch& branch) {
    const StepIndex head = branch.run->head();
    const auto iterations = branch.run->checkpoint_iterations();
    if (iterations.empty() || iterations.back() < head) branch.writer->add_checkpoint(process_->checkpoint(head));
    last_checkpoint_ = now_ticks();
}

void Session::finish_branch(Branch& branch, const std::stop_token& stop) {
    add_checkpoint(branch);
    if (!branch.run->parent()) process_->finish(*branch.writer, stop);
    branch.writer->finish(stop.stop_requested() ? RunState::stopped : RunState::finished);
}

void Session::refuse(const std::string& sentence) {
    const std::lock_guard lock(mutex_);
    status_.refusal = sentence;
    ++status_.refusals;
}

void Session::set_playing(bool playing) {
    {
        const std::lock_guard lock(mutex_);
        status_.playing = playing;
        if (playing) {
            status_.stopped_by.clear();
            status_.stopped_at.reset();
        }
    }
    idle_.notify_all();
}

} // namespace gradus
