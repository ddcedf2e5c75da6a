// Where one stands: the part of Presenter that moves the cursor.
#include "app/window/presenter.hpp"

#include <QDateTime>
#include <algorithm>

namespace gradus {

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
    resumed_.reset();
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
    resumed_.reset();
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
    resumed_.reset();
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
        if (cursor.level >= Level::kernel && (by > 0 ? cursor.iteration >= session_->planned_steps() - 1 : cursor.iteration == 0)) {
            if (by > 0) said_ = tr("That was the last one. Up goes to what it is a part of.");
            events_play_ = false;
            return;
        }
        if (cursor.level >= Level::kernel && cursor.iteration + by < run()->head()) { // another iteration has kernels of its own
            putOn(cursor.iteration + by, -1);
            lookAtTree();
            const EventSite* edge = by > 0 ? tree_->step(-1, cursor.level, 1) : tree_->last(cursor.level);
            cursor.level = edge ? edge->level : Level::iteration;
            cursor.ordinal = edge ? edge->ordinal : -1;
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

/// Where an iteration launches kernels, they and what lies below them are the next levels that there are.
void Presenter::levelInKernel() {
    Cursor& cursor = state_.cursor;
    const std::int32_t from = std::max(cursor.ordinal, 0);
    const EventSite* inside = nullptr;
    for (int level = static_cast<int>(cursor.level) + 1; level <= static_cast<int>(Level::bits); ++level) {
        inside = tree_->first_inside(from, static_cast<Level>(level));
        if (inside && inside->level == static_cast<Level>(level)) break;
        inside = nullptr;
    }
    if (!inside && cursor.level == Level::lane && tree_->kernels()) // a load has no bits of its own to show, but those it goes into
        inside = tree_->find(tree_->kernels()->multiply_add_after(cursor.ordinal));
    if (!inside) {
        said_ = tr("There is nothing below.");
        return;
    }
    remember("level");
    putOn(cursor.iteration, inside->ordinal);
    cursor.level = inside->level;
    emit stateChanged();
}

void Presenter::levelIn() {
    Cursor& cursor = state_.cursor;
    if (!tree_) return;
    if (cursor.level >= Level::iteration && tree_->last(Level::kernel)) return levelInKernel();
    if (cursor.level >= Level::op) return;
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
    said_.clear(); // it was said of another place
    events_play_ = false;
    if (cursor.level >= Level::kernel) { // not every level lies above a kernel
        const EventSite* here = tree_->find(cursor.ordinal);
        const EventSite* around = here ? tree_->find(here->parent) : nullptr;
        cursor.level = around ? around->level : Level::iteration;
        cursor.ordinal = around && around->level > Level::iteration ? around->ordinal : -1;
        emit stateChanged();
        return;
    }
    cursor.level = static_cast<Level>(static_cast<int>(cursor.level) - 1);
    const EventSite* site = cursor.level > Level::iteration ? tree_->enclosing(cursor.ordinal, cursor.level) : nullptr;
    cursor.ordinal = site ? site->ordinal : -1;
    emit stateChanged();
}

void Presenter::putOnPath(StepIndex iteration, const std::string& path) {
    putOn(iteration, -1);
    lookAtTree(); // what lies below kernels is that iteration's own
    const EventSite* site = path.empty() ? nullptr : tree_->find(path);
    if (site) state_.cursor.ordinal = site->ordinal;
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

} // namespace gradus
