// One look per frame: what Presenter takes over from the session, and what the views see of it.
#include "app/window/presenter.hpp"
#include "app/window/stops.hpp"
#include "engine/data/dataset.hpp"

#include <QDateTime>
#include <algorithm>
#include <cmath>
#include <utility>

namespace gradus {

Presenter::Sight Presenter::look() {
    if (!session_) return Sight::loading;
    const Session::Status status = session_->status();
    runs_ = session_->runs();
    if (!status.failure.empty()) {
        if (runs_.empty() || runs_.front()->head() == 0) {
            status_ = status;
            runs_.clear();
            return Sight::failed;
        }
        if (status_.failure.empty()) said_ = QString::fromStdString(status.failure); // what was computed stays in sight
    }
    if (runs_.empty()) return Sight::loading;
    adopt(status);
    if (status.stops != status_.stops) {
        said_ = stop_words(status);
        promised_ = ahead_ = 0; // it is not run past
    }
    if (run()->state() == RunState::failed && std::exchange(told_failure_, run()) != run()) said_ = QString::fromStdString(run()->failure());
    status_ = status;
    const Session::Status now = session_->status(); // what was adopted may have asked for more, and that may have begun already
    status_.busy = status.busy || now.busy || (now.playing && !status.playing);
    lookAtTree();
    if (resumed_ && run()->head() > resumed_->cursor.iteration) {
        const Place wanted = *std::exchange(resumed_, std::nullopt);
        state_.cursor = wanted.cursor;
        if (!wanted.path.empty()) putOnPath(wanted.cursor.iteration, wanted.path);
        if (state_.cursor.ordinal < 0 && wanted.cursor.level > Level::iteration) // another kernel has other steps: it is stepped through from its first one
            if (const EventSite* first = tree_->step(-1, wanted.cursor.level, 1)) state_.cursor.ordinal = first->ordinal, state_.cursor.level = first->level;
        if (wanted.selection) state_.selection = *wanted.selection;
        state_.cursor.at_head = wanted.cursor.at_head; // the first step there is may be the last one of now, too
        if (state_.cursor.ordinal >= 0 && !tree_->find(state_.cursor.ordinal)) { // a state of another version
            state_.cursor.ordinal = -1;
            state_.cursor.level = Level::iteration;
        }
    }
    moveWithHead();
    if (events_play_) playEvents();
    if (replays_) replay();
    detail_ = session_->detail(state_.run, state_.cursor.iteration);
    detail_of_ = {state_.run, state_.cursor.iteration};
    lookAtTree();
    if (detail_.run != run()) last_owner_.share(detail_.run);
    keepInSight();
    lookAtFutures();
    lookAtParent();
    lookAtData();
    return Sight::there;
}

/// The events of the cursor's iteration, with those below its kernels where they were recorded: then, or when it was computed again.
void Presenter::lookAtTree() {
    auto tensors = run()->tensors_of(state_.cursor.iteration);
    if (!tensors && detail_.run && detail_of_ == std::pair(state_.run, state_.cursor.iteration)) tensors = detail_.run->tensors_of(state_.cursor.iteration);
    std::shared_ptr<const KernelTrace> kernels = tensors ? tensors->kernels : nullptr;
    if (tree_run_ == run() && tree_sites_ == run()->sites().size() && tree_kernels_ == kernels) return;
    tree_run_ = run();
    tree_sites_ = run()->sites().size();
    tree_kernels_ = std::move(kernels);
    tree_.emplace(*run(), state_.cursor.iteration, tensors);
}

/// A Run that is there has loaded what it reads.
void Presenter::lookAtData() {
    if (data_) return;
    const Setup& setup = session_->setup();
    if (const auto name = setup.parameters.find("data"); name != setup.parameters.end()) data_ = setup.data->loaded(name->second, setup.seed);
}

void Presenter::keepInSight() {
    std::vector<std::size_t>& dropped = state_.dropped;
    kept_runs_.clear();
    if (status_.busy && std::find(dropped.begin(), dropped.end(), state_.run) != dropped.end()) return; // another is about to be selected
    for (std::shared_ptr<const Run> at = run(); at && !dropped.empty(); at = at->parent()) // what one stands on is in sight, and so is what it left
        std::erase_if(dropped, [&](std::size_t number) { return number < runs_.size() && runs_[number] == at; });
    if (dropped.empty()) return;
    kept_state_ = state_;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
        if (std::find(dropped.begin(), dropped.end(), i) != dropped.end()) continue;
        if (i == state_.run) kept_state_.run = kept_runs_.size();
        kept_runs_.push_back(runs_[i]);
    }
}

/// While something is played no step stays long enough to be compared with another, which may have to be computed again.
void Presenter::lookAtParent() {
    left_ = {};
    const StepIndex iteration = state_.cursor.iteration;
    if (status_.playing || detail_.state != Detail::State::present) return;
    if (!shown_runs_.empty() && futures_->shown()) {
        if (futures_->cursor() == iteration) left_ = detail_;
        return;
    }
    const auto parent = std::find(runs_.begin(), runs_.end(), run()->parent());
    if (parent == runs_.end() || iteration < run()->first_iteration() || iteration >= (*parent)->head()) return;
    left_ = session_->detail(static_cast<std::size_t>(parent - runs_.begin()), iteration);
    if (left_.run != *parent) last_owner_.share(left_.run);
}

Look Presenter::frame() const {
    const bool there = detail_.state == Detail::State::present;
    if (shown_runs_.empty() || !futures_->shown())
        return {runsInSight(), stateInSight(), there ? detail_.run : nullptr, detail_.progress, session_->planned_steps(), playing(), 0, fan(), left_.run, data_, tree_ ? tree_->kernels() : nullptr};
    const std::shared_ptr<const Run>& scratch = shown_runs_.back();
    return {shown_runs_, shown_state_, scratch->tensors_of(futures_->cursor()) ? scratch : nullptr, 1,
            session_->planned_steps(), false, 1, fan(), left_.run, data_};
}

Look Presenter::frameOfRows() const {
    if (!fan()) return frame();
    const bool there = detail_.state == Detail::State::present;
    return {runsInSight(), stateInSight(), there ? detail_.run : nullptr, detail_.progress, session_->planned_steps(), playing(), 0, nullptr};
}

/// Takes over what the session decided: a fork it selected, an edit it refused.
void Presenter::adopt(const Session::Status& status) {
    if (resume_) {
        resume(status);
        return;
    }
    if (status.selected != state_.run && status.selected < runs_.size()) {
        const bool forked = status.runs > status_.runs;
        state_.run = status.selected;
        if (forked) seeFork(status);
    }
    state_.run = std::min(state_.run, runs_.size() - 1);
    if (status.refusals == status_.refusals) return;
    said_ = QString::fromStdString(status.refusal);
    endPreview();
}

/// The session has made the branch that was asked for: it plays on, or is computed as far as what is dragged is looked at, so
/// that what the change does to the loss is seen, however it was made; one stands on the first step that it reaches.
void Presenter::seeFork(const Session::Status& status) {
    const StepIndex first = run()->first_iteration();
    const StepIndex seen = std::max(futures_->shown() ? futures_->shown()->head() : 0, futures_->seenUntil(first));
    Cursor& cursor = state_.cursor;
    cursor.at_head = true;
    said_.clear();
    futures_->drop(); // the fork itself is there now
    if (std::exchange(play_on_, false)) return session_->play();
    if (status.playing) return;
    session_->observe_next();
    if (seen <= first + 1) return session_->step();
    ahead_run_ = state_.run;
    ahead_ = seen;
    cursor.at_head = false;
    resumed_ = Place{cursor};
    resumed_->cursor.iteration = first;
    session_->run_to(ahead_);
}

/// Until the recorded Runs are computed again, the cursor goes along with the one that is at work; then it stands where it
/// stood.
void Presenter::resume(const Session::Status& status) {
    if (status.retracing || status.loading) {
        state_.run = runs_.size() - 1;
        return;
    }
    const std::size_t wanted = std::min(resume_->run, runs_.size() - 1);
    if (status.selected != wanted) {
        if (!resume_selected_) session_->select(wanted);
        resume_selected_ = true;
        return;
    }
    state_.run = wanted;
    state_.cursor = resume_->cursor;
    state_.selection = resume_->selection;
    state_.example = resume_->example;
    state_.compared = resume_->compared;
    state_.open_modules = resume_->open_modules;
    state_.dropped = resume_->dropped;
    resume_.reset();
    emit stateChanged();
}

/// At the head the cursor goes along, to the last iteration that was recorded in full while it plays.
void Presenter::moveWithHead() {
    Cursor& cursor = state_.cursor;
    cursor.iteration = std::clamp<StepIndex>(cursor.iteration, 0, last_iteration());
    if (!cursor.at_head) return;
    cursor.iteration = last_iteration();
    if (!status_.playing) return;
    session_->observe_next();
    for (std::size_t i = run()->observed().size(); i > 0; --i) {
        const StepIndex observed = run()->observed()[i - 1].iteration;
        if (observed > cursor.iteration || observed < run()->first_iteration()) continue;
        cursor.iteration = observed;
        break;
    }
}

/// One event after the other, as they ran; the speed is that of reading, not that of the machine.
void Presenter::playEvents() {
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    if (now < next_event_ms_) return;
    next_event_ms_ = now + (state_.event_speed > 0 ? std::lround(1000 / state_.event_speed) : 0);
    const StepIndex before = state_.cursor.iteration;
    const std::int32_t ordinal = state_.cursor.ordinal;
    step(1);
    if (state_.cursor.iteration != before || state_.cursor.ordinal != ordinal) return;
    events_play_ = false;
    saysTheEnd();
}

/// One recorded iteration after the other at the speed of playing, and on where they end.
void Presenter::replay() {
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    const double whole = static_cast<double>(session_->planned_steps()) / 10; // as fast as it goes: a whole Run in ten seconds
    replayed_ += static_cast<double>(now - replayed_ms_) / 1000 * (state_.speed > 0 ? state_.speed : whole);
    replayed_ms_ = now;
    replayed_ = std::min(replayed_, static_cast<double>(last_iteration()));
    state_.cursor.iteration = static_cast<StepIndex>(replayed_);
    if (state_.cursor.iteration < last_iteration() || computesAhead()) return;
    replays_ = false;
    state_.cursor.at_head = true;
    if (run()->head() < session_->planned_steps()) session_->play();
}

/// What was made to stand still goes on: a lesson's Run as far as it was promised, another as it was played.
void Presenter::goOnPlaying() {
    if (std::exchange(play_on_, false)) session_->play();
    else if (owes()) session_->run_to(promised());
}

StepIndex Presenter::last_iteration() const {
    return runs_.empty() ? 0 : std::max<StepIndex>(0, run()->head() - 1);
}

StepIndex Presenter::edit_iteration() const {
    if (runs_.empty()) return 0;
    const bool at_head = state_.cursor.at_head && run()->head() < session_->planned_steps();
    return at_head ? run()->head() : state_.cursor.iteration;
}

} // namespace gradus
