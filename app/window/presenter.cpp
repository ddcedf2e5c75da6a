#include "app/window/presenter.hpp"

#include "app/window/stops.hpp"
#include "engine/core/error.hpp"
#include "engine/data/dataset.hpp"
#include "lessons/runtime/card.hpp"

#include <QDateTime>
#include <algorithm>
#include <cmath>
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
    resumed_path_.clear();
    resumed_selection_.reset();
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
    if (state_.card_step < card.lesson.size()) lookAt(card.lesson[state_.card_step]);
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
        resumed_ = moment.state.cursor;
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

// --- one look per frame --------------------------------------------------------------------------------------

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
    status_ = status;
    status_.busy = status.busy || session_->status().busy; // what was adopted may have asked for more
    if (tree_run_ != run() || tree_sites_ != run()->sites().size()) {
        tree_run_ = run();
        tree_sites_ = run()->sites().size();
        tree_.emplace(*run());
    }
    if (resumed_ && run()->head() > resumed_->iteration) {
        const Cursor wanted = *std::exchange(resumed_, std::nullopt);
        state_.cursor = wanted;
        if (!resumed_path_.empty()) putOnPath(wanted.iteration, std::exchange(resumed_path_, {}));
        if (const auto selection = std::exchange(resumed_selection_, std::nullopt)) state_.selection = *selection;
        state_.cursor.at_head = wanted.at_head; // the first step there is may be the last one of now, too
        if (state_.cursor.ordinal >= 0 && !tree_->find(state_.cursor.ordinal)) { // a state of another version
            state_.cursor.ordinal = -1;
            state_.cursor.level = Level::iteration;
        }
    }
    moveWithHead();
    if (events_play_) playEvents();
    if (replays_) replay();
    detail_ = session_->detail(state_.run, state_.cursor.iteration);
    if (detail_.run != run()) last_owner_.share(detail_.run);
    keepInSight();
    lookAtFutures();
    lookAtParent();
    lookAtData();
    return Sight::there;
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
        return {runsInSight(), stateInSight(), there ? detail_.run : nullptr, detail_.progress, session_->planned_steps(), playing(), 0, fan(), left_.run, data_};
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

/// The session has made the branch that was asked for: it plays on, or takes the step in which the change is seen. What was
/// seen of its future while it was dragged is computed, too; one stands before it.
void Presenter::seeFork(const Session::Status& status) {
    const StepIndex seen = futures_->shown() ? futures_->shown()->head() : 0;
    Cursor& cursor = state_.cursor;
    cursor.at_head = true;
    said_.clear();
    futures_->drop(); // the fork itself is there now
    if (std::exchange(play_on_, false)) return session_->play();
    if (status.playing) return;
    session_->observe_next();
    const StepIndex first = run()->first_iteration();
    if (seen <= first + 1) return session_->step();
    ahead_run_ = state_.run;
    ahead_ = seen;
    cursor.at_head = false;
    resumed_ = cursor;
    resumed_->iteration = first;
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

// --- intents: where one stands ---------------------------------------------------------------------------------

void Presenter::playOrPause() {
    said_.clear(); // what stopped it may do so again, and is said again then
    futures_->drop();
    play_on_ = false;
    if (playing()) {
        events_play_ = replays_ = false;
        if (!status_.playing || computesAhead()) return; // what is computed for later goes on
        promised_ = ahead_ = 0;
        session_->pause();
        return;
    }
    if (state_.cursor.level > Level::iteration) {
        events_play_ = true;
        next_event_ms_ = 0;
        return;
    }
    if (!state_.cursor.at_head && state_.cursor.iteration < last_iteration()) {
        replays_ = true;
        replayed_ = static_cast<double>(state_.cursor.iteration);
        replayed_ms_ = QDateTime::currentMSecsSinceEpoch();
        return;
    }
    state_.cursor.at_head = true;
    if (saysTheEnd()) return;
    session_->play();
}

/// Says so where there is no step left to compute.
bool Presenter::saysTheEnd() {
    if (runs_.empty() || run()->head() < session_->planned_steps()) return false;
    said_ = tr("That was the last step. Ctrl+Home goes to the first; a changed parameter begins a new run.");
    return true;
}

void Presenter::putOn(StepIndex iteration, std::int32_t ordinal) {
    futures_->drop();
    replays_ = false;
    said_.clear(); // it was said of another place
    if (status_.playing && !computesAhead()) session_->pause();
    if (owes()) session_->run_to(promised()); // what a lesson speaks of is computed while one stands elsewhere
    Cursor& cursor = state_.cursor;
    cursor.iteration = std::clamp<StepIndex>(iteration, 0, last_iteration());
    cursor.at_head = cursor.iteration == last_iteration() && !owes();
    cursor.ordinal = ordinal;
}

void Presenter::goTo(qint64 iteration, bool drag) {
    if (runs_.empty()) return;
    remember("cursor", drag);
    putOn(iteration, state_.cursor.ordinal);
}

void Presenter::chooseEvent(int ordinal) {
    if (!tree_) return;
    const EventSite* site = tree_->find(ordinal);
    if (!site) return;
    remember("event");
    putOn(state_.cursor.iteration, ordinal);
    state_.cursor.level = site->level;
    if (!site->outputs.empty()) state_.selection = {site->outputs.front().name, {}};
    emit stateChanged();
}

void Presenter::goLast() {
    if (runs_.empty()) return;
    remember("cursor");
    replays_ = false;
    state_.cursor.at_head = true;
}

void Presenter::step(int by) {
    if (runs_.empty() || !tree_) return;
    if (!events_play_) remember("step", true);
    Cursor& cursor = state_.cursor;
    if (cursor.level == Level::run) {
        nextRun(by);
        return;
    }
    if (cursor.level > Level::iteration) {
        if (const EventSite* site = tree_->step(cursor.ordinal, cursor.level, by)) {
            putOn(cursor.iteration, site->ordinal);
            if (!site->outputs.empty()) state_.selection = {site->outputs.front().name, {}};
            return;
        }
        const EventSite* edge = by > 0 ? tree_->first_inside(0, cursor.level) : tree_->last(cursor.level);
        if (by < 0 && cursor.iteration == 0) return;
        if (edge) cursor.ordinal = edge->ordinal;
    }
    if (by < 0) {
        putOn(cursor.iteration - 1, cursor.ordinal);
        cursor.at_head = false;
    } else if (cursor.iteration < last_iteration()) {
        putOn(cursor.iteration + 1, cursor.ordinal);
    } else {
        cursor.at_head = true;
        if (!events_play_ && saysTheEnd()) return;
        session_->observe_next();
        session_->step();
    }
}

void Presenter::levelIn() {
    Cursor& cursor = state_.cursor;
    if (!tree_ || cursor.level >= Level::op) return;
    remember("level");
    cursor.level = static_cast<Level>(static_cast<int>(cursor.level) + 1);
    if (cursor.level <= Level::iteration) return;
    replays_ = false;
    if (status_.playing && !computesAhead()) session_->pause();
    if (const EventSite* site = tree_->first_inside(std::max(cursor.ordinal, 0), cursor.level)) cursor.ordinal = site->ordinal;
    emit stateChanged();
}

void Presenter::levelOut() {
    Cursor& cursor = state_.cursor;
    if (!tree_ || cursor.level <= Level::run) return;
    remember("level");
    events_play_ = false;
    cursor.level = static_cast<Level>(static_cast<int>(cursor.level) - 1);
    const EventSite* site = cursor.level > Level::iteration ? tree_->enclosing(cursor.ordinal, cursor.level) : nullptr;
    cursor.ordinal = site ? site->ordinal : -1;
    emit stateChanged();
}

void Presenter::putOnPath(StepIndex iteration, const std::string& path) {
    const EventSite* site = path.empty() ? nullptr : tree_->find(path);
    putOn(iteration, site ? site->ordinal : -1);
    state_.cursor.level = site ? site->level : Level::iteration;
    if (site && !site->outputs.empty()) state_.selection = {site->outputs.front().name, {}};
}

void Presenter::toggleBookmark() {
    if (runs_.empty()) return;
    remember("bookmark");
    auto& marks = state_.bookmarks;
    const auto at = std::lower_bound(marks.begin(), marks.end(), state_.cursor.iteration);
    if (at != marks.end() && *at == state_.cursor.iteration) marks.erase(at);
    else marks.insert(at, state_.cursor.iteration);
    emit stateChanged();
}

void Presenter::nextBookmark(int by) {
    const auto& marks = state_.bookmarks;
    const StepIndex here = state_.cursor.iteration;
    if (by > 0) {
        const auto at = std::upper_bound(marks.begin(), marks.end(), here);
        if (at != marks.end()) goTo(*at);
    } else {
        const auto at = std::lower_bound(marks.begin(), marks.end(), here);
        if (at != marks.begin()) goTo(*std::prev(at));
    }
}

// --- intents: what one changes -----------------------------------------------------------------------------------

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
    if (const auto before = history_.undo(moment())) apply(*before);
}

void Presenter::redo() {
    if (const auto after = history_.redo(moment())) apply(*after);
}

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
