// What is shown before anybody has decided on it: the part of Presenter that looks ahead.
#include "app/window/presenter.hpp"
#include "views/derive/settings.hpp"

#include <algorithm>
#include <utility>

namespace gradus {

void Presenter::lookAtFutures() {
    if (status_.playing && futures_->held()) standStill(); // somebody, or a word that was under way, has set it going
    futures_->look({run(), state_.run, edit_iteration()}, !status_.playing && !status_.busy);
    if (const Fan* fan = this->fan())
        for (const Future& future : fan->futures) last_owner_.share(future.run);
    last_owner_.share(futures_->shown());
    if (!futures_->shown()) return shown_runs_.clear();
    shown_runs_ = runsInSight();
    shown_state_ = state_;
    shown_state_.run = shown_runs_.size();
    shown_runs_.push_back(futures_->shown());
    shown_state_.cursor.iteration = futures_->cursor();
    shown_state_.cursor.at_head = false;
}

/// What is held must not move away under the hand; it plays on afterwards.
void Presenter::standStill() {
    events_play_ = replays_ = false;
    if (!session_->status().playing) return; // as it is now, not as of the last look
    play_on_ = play_on_ || !computesAhead();
    session_->pause();
}

void Presenter::preview(const Edit& edit) {
    if (runs_.empty() || edit_iteration() >= session_->planned_steps()) return;
    standStill();
    futures_->preview(edit);
}

void Presenter::previewAnew(const Parameters& parameters, std::uint64_t seed) {
    if (runs_.empty() || edit_iteration() >= session_->planned_steps()) return;
    standStill();
    Setup setup = session_->setup();
    setup.parameters = parameters;
    setup.seed = seed;
    futures_->previewAnew(std::move(setup), std::max(promised_, run()->head()));
}

void Presenter::endPreview() {
    futures_->drop();
    goOnPlaying();
}

void Presenter::openFan() {
    if (runs_.empty() || futures_->open()) return;
    const StepIndex iteration = edit_iteration();
    const auto rate = setting_at(*run(), "lr", iteration);
    const bool ahead = iteration + 1 < session_->planned_steps(); // a rate is first seen in the step after
    if (!rate || !(*rate > 0) || !ahead) {
        said_ = rate && *rate > 0 ? tr("The last step is computed: nothing lies ahead of it.")
                                  : tr("This experiment has no learning rate.");
        return;
    }
    standStill();
    futures_->openFan({run(), state_.run, iteration}, *rate);
}

void Presenter::chooseFuture(int future) {
    if (fan()) futures_->choose(future);
}

void Presenter::nextFuture(int by) {
    const Fan* fan = this->fan();
    if (!fan) return;
    const int count = static_cast<int>(fan->futures.size());
    const int from = fan->chosen >= 0 ? fan->chosen : by > 0 ? (count - 1) / 2 : count / 2; // from the middle
    futures_->choose(std::clamp(from + by, 0, count - 1));
}

void Presenter::closeFan(bool go) {
    const Fan* fan = this->fan();
    if (!fan) return;
    if (!go || fan->chosen < 0 || fan->is_now(static_cast<std::size_t>(fan->chosen))) return endPreview(); // nothing is changed
    Edit edit;
    edit.target = fan->setting;
    edit.values = {fan->futures[static_cast<std::size_t>(fan->chosen)].value};
    fork(edit, fan->iteration);
}

} // namespace gradus
