#include "views/overview/step_widths.hpp"

#include "engine/trace/derive/launch_sites.hpp"

#include <algorithm>

namespace gradus {

namespace {

constexpr std::size_t events_per_frame = 20'000; // half a millisecond
constexpr std::size_t most_kept = 8192;          // iterations

std::vector<double> costs(const Run& run, const StepPlan& plan, Ruler ruler) {
    std::vector<double> weight(plan.site.size());
    for (std::size_t ordinal = 0; ordinal < weight.size(); ++ordinal) {
        if (!plan.has(static_cast<std::int32_t>(ordinal))) continue;
        const Cost& cost = plan.site_of(run, static_cast<std::int32_t>(ordinal)).cost;
        weight[ordinal] = ruler == Ruler::flops ? cost.flops : cost.bytes_read + cost.bytes_written;
    }
    return weight;
}

} // namespace

bool StepWidths::look(const Look& look) {
    bool changed = false;
    const std::shared_ptr<const Run>& run = look.run();
    const bool other = varies_ && (look.state.cursor.iteration != plan_of_ || run->sites().size() != sites_);
    if (run != run_ || other || (plan_.iteration < 0 && !run->sites().empty())) {
        run_ = run;
        plan_of_ = look.state.cursor.iteration;
        sites_ = run->sites().size();
        varies_ = !launches_of(*run, -1).empty();
        plan_ = step_plan(*run, plan_of_);
        measured_.clear();
        typical_of_ = 0;
        changed = true;
    }
    if (look.state.ruler != ruler_) {
        ruler_ = look.state.ruler;
        measured_.clear();
        changed = true;
    }
    full_ = look.full;
    cursor_ = look.state.cursor.iteration;
    times_.grow(run, events_per_frame);
    const bool counted = ruler_ == Ruler::flops || ruler_ == Ruler::bytes;
    // Medians settle: after the first few they are taken anew for every twentieth iteration more.
    if (times_.iterations() > typical_of_ + typical_of_ / 20) {
        typical_of_ = times_.iterations();
        typical_weight_ = typical();
        changed = true;
    }
    if (changed) {
        if (counted) other_ = phases_by(costs(*run_, plan_, ruler_), Kind::counted);
        else if (typical_of_ > 0) other_ = phases_by(typical_weight_, Kind::typical);
        else other_ = phases_by({}, Kind::unknown);
    }
    return changed;
}

const StepWidths::Phases& StepWidths::phases(StepIndex iteration) {
    if (!run_ || other_.kind == Kind::counted || iteration >= run_->head()) return other_;
    auto found = measured_.find(iteration);
    if (found == measured_.end()) {
        if (measured_.size() >= most_kept) measured_.clear();
        const std::vector<double> weight = measured(*run_, iteration);
        found = measured_.emplace(iteration, weight.empty() ? Phases{} : phases_by(weight, Kind::measured)).first;
    }
    return found->second.extents.empty() ? other_ : found->second;
}

std::vector<Extent> StepWidths::extents(StepIndex iteration) {
    if (!run_) return {};
    if (other_.kind == Kind::counted && !even_) return lay_out_step(plan_, costs(*run_, plan_, ruler_));
    std::vector<double> weight = even_ ? std::vector<double>() : measured(*run_, iteration);
    // Inside the phases the re-computed times say where an event lies; the phases keep the widths they are drawn with.
    if (weight.empty() && !even_ && full_ && iteration == cursor_) weight = measured(*full_, iteration);
    if (weight.empty() && !even_) weight = typical_weight_;
    const Phases& drawn = phases(iteration);
    const auto& ordinals = plan_.phases();
    weight.resize(plan_.site.size());
    for (std::size_t i = 0; i < ordinals.size() && i < drawn.extents.size(); ++i)
        weight[static_cast<std::size_t>(ordinals[i])] = drawn.extents[i].length();
    return lay_out_step(plan_, weight);
}

std::vector<double> StepWidths::measured(const Run& run, StepIndex iteration) const {
    const std::vector<EventRecord> events = run.events_of(iteration);
    if (events.empty()) return {};
    std::vector<double> seconds(plan_.site.size());
    for (const EventRecord& event : events)
        if (plan_.has(event.ordinal))
            seconds[static_cast<std::size_t>(event.ordinal)] = run.manifest().clock.seconds(event.start, event.end);
    double total = 0;
    for (const std::int32_t phase : plan_.phases()) total += seconds[static_cast<std::size_t>(phase)];
    return total > 0 ? seconds : std::vector<double>{};
}

std::vector<double> StepWidths::typical() const {
    std::vector<double> weight(plan_.site.size());
    for (std::size_t ordinal = 0; ordinal < weight.size(); ++ordinal)
        if (plan_.site[ordinal] >= 0) weight[ordinal] = times_.median_share(plan_.site[ordinal]);
    return weight;
}

StepWidths::Phases StepWidths::phases_by(const std::vector<double>& weight, Kind kind) const {
    Phases out;
    out.kind = kind;
    const std::vector<Extent> all = lay_out_step(plan_, weight);
    for (const std::int32_t phase : plan_.phases()) {
        out.extents.push_back(all[static_cast<std::size_t>(phase)]);
        if (kind == Kind::measured) out.seconds.push_back(weight[static_cast<std::size_t>(phase)]);
    }
    return out;
}

} // namespace gradus
