// What one changes, and takes back: the part of Presenter for edits, branches, and what is selected.
#include "app/window/presenter.hpp"
#include "app/window/step_words.hpp"
#include "lessons/runtime/card.hpp"
#include "views/derive/event_words.hpp"

#include <algorithm>
#include <utility>

namespace gradus {

void Presenter::selectRun(std::size_t run) {
    if (run >= runs_.size() || run == state_.run) return;
    remember("run");
    resumed_.reset();
    state_.cursor.at_head = state_.cursor.at_head && status_.playing; // the same step of the other Run
    session_->select(run);
}

void Presenter::nextRun(int by) {
    auto run = static_cast<std::ptrdiff_t>(state_.run) + by;
    while (run >= 0 && std::find(state_.dropped.begin(), state_.dropped.end(), static_cast<std::size_t>(run)) != state_.dropped.end()) run += by;
    if (run >= 0) selectRun(static_cast<std::size_t>(run));
}

void Presenter::dropBranch() {
    if (runs_.empty()) return;
    const std::shared_ptr<const Run> branch = run();
    const auto parent = std::find(runs_.begin(), runs_.end(), branch->parent());
    if (!branch->parent() || parent == runs_.end()) {
        said_ = tr("The first run stays; what can be dropped is a branch.");
        return;
    }
    remember("drop");
    said_.clear();
    futures_->drop();
    for (std::size_t i = 0; i < runs_.size(); ++i)
        for (std::shared_ptr<const Run> at = runs_[i]; at; at = at->parent())
            if (at == branch && std::find(state_.dropped.begin(), state_.dropped.end(), i) == state_.dropped.end()) state_.dropped.push_back(i);
    state_.run = static_cast<std::size_t>(parent - runs_.begin());
    state_.cursor.at_head = false;
    state_.cursor.iteration = std::min(state_.cursor.iteration, std::max<StepIndex>(0, (*parent)->head() - 1));
    if (status_.playing) session_->pause();
    session_->select(state_.run);
    emit stateChanged();
}

void Presenter::chooseExample(qint64 example) {
    if (example == state_.example) return;
    remember("example");
    state_.example = example;
    emit stateChanged();
}

void Presenter::compareWith(qint64 iteration) {
    if (iteration == state_.compared) return;
    remember("compared");
    state_.compared = iteration;
    emit stateChanged();
}

void Presenter::select(const Selection& selection) {
    if (selection == state_.selection) return;
    remember("selection");
    state_.selection = selection;
    emit stateChanged();
}

void Presenter::submit(const Edit& edit) {
    if (runs_.empty()) return;
    fork(edit, edit_iteration());
}

void Presenter::setBreakpoint(const Edit& edit) {
    if (runs_.empty()) return;
    said_.clear();
    session_->submit(edit, state_.run, run()->head());
}

/// Also at the head, so that undoing selects what was.
void Presenter::fork(const Edit& edit, StepIndex iteration) {
    remember("edit");
    said_.clear();
    replays_ = false;
    if (computesAhead()) session_->pause(); // the fork is looked at
    futures_->hold();
    session_->submit_fork(edit, state_.run, iteration);
}

void Presenter::setSpeed(double per_second) {
    if (state_.cursor.level > Level::iteration) {
        state_.event_speed = per_second;
        next_event_ms_ = 0;
        return;
    }
    state_.speed = per_second;
    if (session_) session_->set_speed(per_second);
}

void Presenter::change(const char* kind, const std::function<void(AppState&)>& how, bool joins) {
    remember(kind, joins);
    how(state_);
    emit stateChanged();
}

void Presenter::undo() {
    const Moment now = moment();
    const auto before = history_.undo(now);
    if (!before) return;
    const QString change = changeOf(before->runs); // the branch that came after
    apply(*before);
    emit told(tr("Undone: %1").arg(step_words(history_.moved(), before->state, now.state, change))); // in the language that is now
}

void Presenter::redo() {
    const Moment now = moment();
    const auto after = history_.redo(now);
    if (!after) return;
    const QString change = changeOf(after->state.run);
    apply(*after);
    emit told(tr("Redone: %1").arg(step_words(history_.moved(), now.state, after->state, change)));
}

QString Presenter::changeOf(std::size_t run) const { return run < runs_.size() ? written_change(*runs_[run]) : QString(); }

/// Goes to a state that was: another Run is selected, never rewritten; other parameters start their Run anew.
void Presenter::apply(const Moment& moment) {
    const AppState& wanted = moment.state;
    const bool other = card_ && wanted.card != card_->id;
    const bool anew = card_ && (wanted.parameters != state_.parameters || wanted.seed != state_.seed);
    const bool ahead = computesAhead();
    state_ = wanted;
    if (futures_) futures_->drop();
    play_on_ = false;
    events_play_ = replays_ = false;
    resumed_.reset();
    if (other) {
        emit cardWanted(moment);
    } else if (anew) {
        resume(*card_, moment);
    } else if (session_) {
        if (status_.playing && !ahead) session_->pause();
        for (std::size_t i = std::max<std::size_t>(1, moment.runs); i < runs_.size(); ++i) // branches that grew since are out of sight until redo
            if (std::find(state_.dropped.begin(), state_.dropped.end(), i) == state_.dropped.end()) state_.dropped.push_back(i);
        if (wanted.run < runs_.size()) session_->select(wanted.run);
        else state_.run = 0;
        if (owes()) session_->run_to(promised());
        // What was the head then has perhaps moved on: one goes back to where one stood.
        if (state_.run < runs_.size() && state_.cursor.iteration + 1 < runs_[state_.run]->head()) state_.cursor.at_head = false;
        session_->set_speed(state_.speed);
    }
    emit stateChanged();
}

} // namespace gradus
