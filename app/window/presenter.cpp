// The session on the current lesson, how it begins and begins again: the part of Presenter that the others stand on.
#include "app/window/presenter.hpp"

#include "engine/core/error.hpp"
#include "engine/data/dataset.hpp"
#include "lessons/runtime/card.hpp"

#include <algorithm>
#include <utility>

namespace gradus {

Presenter::Presenter(AppState state, QObject* parent) : QObject(parent), state_(std::move(state)) {}

void Presenter::begin(RunRequest request) {
    request.gives_way = true;
    auto fresh = std::make_unique<Session>(request, shared_data(), run_hook_ ? run_hook_() : nullptr); // throws before anything is given up
    futures_.reset(); // it looks at the old session's Runs
    if (session_) last_owner_.take(std::move(session_), keepFormer());
    request.past.clear();
    session_ = std::move(fresh);
    futures_ = std::make_unique<Futures>(*session_);
    play_on_ = false;
    request_ = std::move(request);
    card_ = nullptr;
    promised_ = ahead_ = 0;
    runs_.clear();
    data_.reset();
    tree_.reset();
    tree_run_.reset();
    tree_kernels_.reset();
    status_ = {};
    detail_ = left_ = {};
    events_play_ = replays_ = false;
    said_.clear();
    resume_.reset();
    state_.run = 0;
    state_.dropped.clear();
    kept_runs_.clear();
    state_.cursor = {};
    session_->set_speed(state_.speed);
    resumed_.reset();
}

/// Undo brings forks back, too, as long as they are among the last few that were given up.
std::shared_ptr<FormerRuns> Presenter::keepFormer() {
    constexpr std::size_t most = 3;
    if (runs_.size() < 2) return nullptr;
    former_.push_back(std::exchange(forks_, std::make_shared<FormerRuns>()));
    former_.back()->keep(runs_);
    if (former_.size() > most) former_.pop_front();
    return former_.back();
}

Moment Presenter::moment() const {
    Moment out{state_, std::max(promised(), runs_.empty() ? 0 : run()->head()), runs_.size()};
    if (runs_.size() > 1) out.forked = forks_;
    return out;
}

void Presenter::open(RunRequest request) {
    begin(std::move(request));
    session_->play();
    emit opened();
}

RunRequest Presenter::requestOf(const Card& card) const {
    RunRequest request = card.request();
    for (const auto& [name, value] : state_.parameters) request.parameters[name] = value;
    if (state_.seed > 0) request.seed = state_.seed;
    return request;
}

void Presenter::open(const Card& card) {
    open(requestOf(card));
    card_ = &card;
    state_.card = card.id;
    if (state_.card_step >= card.lesson.size()) return;
    const Scene& part = card.lesson[state_.card_step];
    lookAt(part);
    // A Run of one step is over before anybody has watched it: one stands where the part begins.
    if (part.iteration && session_->planned_steps() == 1) resumed_ = Place{{.iteration = *part.iteration, .at_head = false}, part.cursor};
}

void Presenter::openPrepared(const Card& card) {
    const Scene* part = state_.card_step < card.lesson.size() ? &card.lesson[state_.card_step] : nullptr;
    part && part->iteration ? standAt(card, *part) : open(card);
}

void Presenter::resume(const Card& card, const Moment& moment) {
    if (goOnWithForks(card, moment)) return;
    begin(requestOf(card));
    if (moment.head > 0) {
        promised_ = std::min(moment.head, session_->planned_steps());
        session_->run_to(promised_);
        resumed_ = Place{moment.state.cursor};
    } else {
        session_->play();
    }
    emit opened();
    card_ = &card;
    state_.card = card.id;
}

/// The Runs of that moment with their forks, computed again from their edits; false where there were none, or they are gone.
bool Presenter::goOnWithForks(const Card& card, const Moment& moment) {
    const auto forked = moment.forked.lock();
    if (!forked) return false;
    std::vector<std::shared_ptr<const Run>> runs = forked == forks_ ? runs_ : forked->runs();
    if (runs.size() < moment.runs) return false;
    runs.resize(moment.runs); // those that came later are not of that moment
    try {
        goOn(std::move(runs), moment.state);
    } catch (const Error&) { // a manifest that this build cannot go on with
        return false;
    }
    card_ = &card;
    state_.card = card.id;
    return true;
}

void Presenter::goOn(std::vector<std::shared_ptr<const Run>> runs, const AppState& state) {
    RunRequest request = request_from_past(std::move(runs));
    const Card* card = card_;
    const auto past = request.past.size();
    begin(std::move(request));
    card_ = card;
    resume_ = state;
    resume_->run = std::min(state.run, past - 1);
    resume_selected_ = false;
    emit opened();
}

void Presenter::replaceCard(const Card& card) {
    const RunRequest before = card_ ? requestOf(*card_) : RunRequest{}, now = requestOf(card);
    const bool same = card_ && before.experiment == now.experiment && before.parameters == now.parameters &&
                      before.seed == now.seed && before.steps == now.steps;
    if (!same) {
        const Cursor cursor = state_.cursor;
        begin(requestOf(card)); // throws before the card is changed
        if (cursor.at_head) session_->play();
        else session_->run_to(cursor.iteration + 1);
        state_.cursor.level = cursor.level;
        state_.cursor.ordinal = cursor.ordinal;
        emit opened();
    }
    card_ = &card;
    if (!card.lesson.empty()) state_.card_step = std::min(state_.card_step, card.lesson.size() - 1);
    emit stateChanged();
}

} // namespace gradus
