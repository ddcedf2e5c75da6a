#include "app/window/why_driver.hpp"

#include "engine/core/error.hpp"
#include "views/derive/engine_words.hpp"
#include "views/state/zoom.hpp"
#include "views/why/why_panel.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace gradus {

namespace {

constexpr std::size_t longest = 96; // links over all iterations

/// The loss, or what the forward pass ends with where there is none.
std::string outcome_of(const Run& run) {
    std::string last = "loss";
    for (std::size_t i = 0; i < run.sites().size(); ++i) {
        const EventSite& site = run.sites()[i];
        if (site.level != Level::op || site.phase != Phase::forward) continue;
        for (const OutputInfo& out : site.outputs) {
            if (out.role == Role::loss) return out.name;
            if (out.role != Role::metric) last = out.name;
        }
    }
    return last;
}

/// The first iteration before `until` whose loss is not finite.
std::optional<StepIndex> first_broken_loss(const Run& run, StepIndex until) {
    if (run.parent())
        if (const auto before = first_broken_loss(*run.parent(), std::min(until, run.first_iteration()))) return before;
    const Series* series = run.find_series("loss");
    for (std::size_t i = 0; series && i < series->size() && series->at(i).iteration < until; ++i)
        if (!std::isfinite(series->at(i).value)) return series->at(i).iteration;
    return std::nullopt;
}

} // namespace

WhyDriver::WhyDriver(Presenter& presenter, WhyPanel* panel, QObject* parent)
    : QObject(parent), presenter_(presenter), panel_(panel) {
    panel_->hide();
    connect(panel_, &WhyPanel::chosen, this, &WhyDriver::go);
    connect(panel_, &WhyPanel::closed, this, &WhyDriver::close);
    connect(&presenter_, &Presenter::opened, this, &WhyDriver::close);
}

WhyDriver::~WhyDriver() = default; // waits for a walk that is under way

void WhyDriver::ask() {
    if (presenter_.runs().empty()) return;
    const AppState& state = presenter_.state();
    story_ = {};
    question_ = state.selection.tensor.empty() ? Selection{outcome_of(*presenter_.run()), {}} : state.selection;
    run_ = state.run;
    iteration_ = state.cursor.iteration;
    story_.computing = iteration_;
    open_ = true;
    show();
    panel_->show();
    panel_->raise();
    take_keys(*panel_);
}

void WhyDriver::close() {
    if (!open_) return;
    open_ = false;
    const bool had = panel_->hasFocus();
    panel_->hide();
    if (had && panel_->window()) panel_->window()->setFocus();
}

void WhyDriver::show() { panel_->present(story_); }

void WhyDriver::look() {
    if (pending_.valid()) {
        if (pending_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
        const Answer answer = pending_.get();
        if (open_) take(answer);
    }
    if (!open_ || story_.computing < 0 || run_ >= presenter_.runs().size()) return;
    const Detail detail = presenter_.session().detail(run_, iteration_);
    if (detail.state == Detail::State::computing) return;
    if (detail.state == Detail::State::unavailable) {
        story_.refusal = engine_words(detail.reason);
        story_.computing = -1;
        return show();
    }
    pending_ = std::async(std::launch::async, [full = detail.run, origin = presenter_.runs()[run_], iteration = iteration_,
                                               question = question_, begun = story_.chain.empty()] {
        Answer out;
        try {
            out.why = why(*full, *origin, iteration, question.tensor, question.element, begun);
            if (out.why.earlier && out.why.broken) out.first_loss = first_broken_loss(*origin, iteration);
        } catch (const Error& error) {
            out.refusal = QString::fromStdString(error.what()); // in the reader's language only on the window's own thread
        }
        return out;
    });
    story_.computing = -1; // until it is known whether there is more
}

void WhyDriver::take(const Answer& answer) {
    story_.refusal = engine_words(answer.refusal.toStdString());
    if (answer.refusal.isEmpty()) {
        const Why& found = answer.why;
        const std::size_t before = story_.chain.size();
        story_.chain.insert(story_.chain.end(), found.chain.begin(), found.chain.end());
        if (before == 0) story_.picked_of = found.picked_of;
        if (before == 0 && found.picked_of > 1 && !found.chain.empty() && presenter_.state().selection.tensor == found.chain.front().tensor &&
            presenter_.state().selection.element.empty())
            presenter_.select({found.chain.front().tensor, found.chain.front().element}); // it is seen which one this is about
        story_.end = found.end;
        story_.broken = story_.broken || found.broken;
        if (found.origin) story_.origin = before + *found.origin;
        if (found.first) story_.first = found.first;
        if (found.earlier && *found.earlier < iteration_ && story_.chain.size() < longest) { // it broke before this step
            const bool jumps = answer.first_loss && *answer.first_loss < iteration_;
            // Of the many steps since it broke only the first one tells something.
            if (jumps) question_ = {"loss", {}};
            else question_ = {story_.chain.back().tensor, story_.chain.back().element};
            story_.computing = iteration_ = jumps ? *answer.first_loss : *found.earlier;
        }
    }
    show();
}

void WhyDriver::go(qint64 iteration, int ordinal, const Selection& selection) {
    if (run_ != presenter_.state().run) presenter_.selectRun(run_);
    if (iteration != presenter_.state().cursor.iteration) presenter_.goTo(iteration);
    if (ordinal >= 0) presenter_.chooseEvent(ordinal);
    presenter_.select(selection);
}

} // namespace gradus
