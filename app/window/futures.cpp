#include "app/window/futures.hpp"

#include "lessons/runtime/session.hpp"

#include <QString>
#include <algorithm>
#include <cmath>

namespace gradus {

namespace {
constexpr qint64 patience_ms = 2000; // for the fork that the session makes of a decision
constexpr qint64 least_ms = 50;      // a fork under way is given up for a newer one no sooner
constexpr StepIndex shortest = 10, longest = 200; // iterations ahead: some tens of milliseconds for a lesson's net
} // namespace

std::vector<double> fan_rates(double rate, int count, double reach) {
    std::vector<double> out;
    for (int i = 0; i < count; ++i) {
        const double factor = std::pow(reach, count > 1 ? 2.0 * i / (count - 1) - 1 : 0);
        out.push_back(2 * i + 1 == count ? rate : QString::number(rate * factor, 'g', 3).toDouble());
    }
    return out;
}

Futures::Futures(const Session& session) : planned_(session.planned_steps()), scratch_(session.experiment(), session.setup()) {}

StepIndex Futures::horizon(StepIndex share, StepIndex iteration) const {
    return std::min(std::clamp(planned_ / share, shortest, longest), planned_ - iteration);
}

void Futures::preview(const Edit& edit) {
    if (mode_ != Mode::preview) drop();
    mode_ = Mode::preview;
    wanted_ = edit;
    wanted_anew_.reset();
}

void Futures::previewAnew(Setup setup, StepIndex until) {
    if (mode_ != Mode::preview) drop();
    mode_ = Mode::preview;
    wanted_anew_ = std::move(setup);
    anew_until_ = until;
    wanted_.reset();
}

void Futures::openFan(const Place& place, double rate) {
    drop();
    mode_ = Mode::fan;
    fan_ = {};
    fan_.run = place.number;
    fan_.now = rate;
    fan_.iteration = place.iteration;
    fan_.horizon = horizon(8, place.iteration);
    std::vector<Edit> edits;
    for (const double value : fan_rates(rate, fan_size, fan_reach)) {
        fan_.futures.push_back({value, nullptr, false, false});
        Edit edit;
        edit.target = fan_.setting;
        edit.values = {value};
        edits.push_back(std::move(edit));
    }
    scratch_.request(place.run, place.iteration, std::move(edits), fan_.horizon);
}

void Futures::choose(int future) {
    if (mode_ == Mode::fan) fan_.chosen = std::clamp(future, -1, static_cast<int>(fan_.futures.size()) - 1);
}

void Futures::hold() {
    if (mode_ == Mode::none) return;
    if (!shown_) return drop();
    mode_ = Mode::decided;
    wanted_.reset();
    wanted_anew_.reset();
    scratch_.cancel();
    since_.start();
}

void Futures::drop() {
    mode_ = Mode::none;
    wanted_.reset();
    wanted_anew_.reset();
    asked_ = {};
    asked_anew_ = false;
    scratch_.cancel();
    shown_.reset();
}

void Futures::look(const Place& place, bool still) {
    switch (mode_) {
    case Mode::none: return;
    case Mode::decided:
        if (since_.elapsed() > patience_ms) drop();
        return;
    case Mode::fan: return lookAtFan();
    case Mode::preview: break;
    }
    const auto runs = scratch_.runs();
    const bool asked = (asked_anew_ || !asked_.target.empty()) && !runs.empty();
    // What acts on updates only is seen where they have added up.
    const bool later = !asked_anew_ && asked_.kind == Edit::Kind::setting;
    const bool ready = asked && runs[0].run && (runs[0].done || (!later && runs[0].run->head() > asked_at_));
    if (ready) show(runs[0]);
    const bool over = !asked || scratch_.done() || (ready && since_.elapsed() > least_ms);
    if (!(wanted_ || wanted_anew_) || !still || !over) return;
    asked_at_ = place.iteration;
    asked_anew_ = wanted_anew_.has_value();
    asked_ = wanted_.value_or(Edit{});
    since_.start();
    if (wanted_anew_) scratch_.request_anew(std::move(*wanted_anew_), place.iteration, anew_until_);
    else scratch_.request(place.run, place.iteration, {asked_}, horizon(10, place.iteration));
    wanted_.reset();
    wanted_anew_.reset();
}

void Futures::lookAtFan() {
    const auto runs = scratch_.runs();
    for (std::size_t i = 0; i < std::min(runs.size(), fan_.futures.size()); ++i) {
        Future& future = fan_.futures[i];
        future.run = runs[i].run;
        future.done = runs[i].done;
        future.broken = runs[i].broken;
    }
    shown_.reset();
    if (fan_.chosen < 0 || static_cast<std::size_t>(fan_.chosen) >= runs.size()) return;
    const ScratchRun& chosen = runs[static_cast<std::size_t>(fan_.chosen)];
    if (chosen.run && chosen.done) show(chosen);
}

void Futures::show(const ScratchRun& scratch) {
    shown_ = scratch.run;
    if (asked_anew_) {
        cursor_ = std::clamp<StepIndex>(asked_at_, 0, std::max<StepIndex>(0, shown_->head() - 1));
        return;
    }
    const StepIndex first = shown_->first_iteration();
    const bool later = scratch.edit.kind == Edit::Kind::setting && scratch.done && !scratch.broken;
    cursor_ = later ? std::max(first, shown_->head() - 1) : first;
}

} // namespace gradus
