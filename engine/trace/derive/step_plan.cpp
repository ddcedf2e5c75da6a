#include "engine/trace/derive/step_plan.hpp"

#include "engine/trace/derive/launch_sites.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {
/// Launches after the first leave room for the ordinals of what lies below; a plan, which holds its events by their ordinals, has none.
constexpr std::int32_t most_ordinal = 1 << 20;
} // namespace

StepPlan step_plan(const Run& run, StepIndex iteration) {
    StepPlan plan;
    const std::vector<bool> foreign = foreign_launches(run, iteration);
    const std::size_t count = std::min(run.sites().size(), foreign.size()); // others may have been added since
    for (std::size_t i = 0; i < count; ++i) {
        const EventSite& site = run.sites()[i];
        // The tensors of setup have ordinals of their own, and no event around them.
        const bool whole = site.level == Level::iteration;
        if (site.ordinal < 0 || site.ordinal > most_ordinal || (!whole && site.parent < 0) || foreign[i]) continue;
        const auto ordinal = static_cast<std::size_t>(site.ordinal);
        if (ordinal >= plan.site.size()) {
            plan.site.resize(ordinal + 1, -1);
            plan.parent.resize(ordinal + 1, -1);
        }
        plan.site[ordinal] = static_cast<std::int32_t>(i);
        plan.parent[ordinal] = whole ? -1 : site.parent;
        if (whole) plan.iteration = site.ordinal;
    }
    plan.inner.resize(plan.site.size());
    for (std::size_t ordinal = 0; ordinal < plan.parent.size(); ++ordinal) {
        const std::int32_t parent = plan.parent[ordinal];
        if (plan.has(parent)) plan.inner[static_cast<std::size_t>(parent)].push_back(static_cast<std::int32_t>(ordinal));
    }
    return plan;
}

std::vector<Extent> lay_out_step(const StepPlan& plan, std::span<const double> weight) {
    std::vector<Extent> out(plan.site.size());
    if (plan.iteration < 0) return out;
    out[static_cast<std::size_t>(plan.iteration)] = {0, 1};
    const auto weight_of = [&](std::int32_t ordinal) {
        const auto i = static_cast<std::size_t>(ordinal);
        return i < weight.size() && std::isfinite(weight[i]) ? std::max(0.0, weight[i]) : 0.0;
    };
    std::vector<std::int32_t> open{plan.iteration};
    while (!open.empty()) {
        const std::int32_t outer = open.back();
        open.pop_back();
        const auto& inner = plan.inner[static_cast<std::size_t>(outer)];
        const Extent whole = out[static_cast<std::size_t>(outer)];
        double total = 0, before = 0;
        for (const std::int32_t ordinal : inner) total += weight_of(ordinal);
        const bool equal = !(total > 0);
        if (equal) total = static_cast<double>(inner.size());
        double from = whole.from;
        for (std::size_t i = 0; i < inner.size(); ++i) {
            before += equal ? 1 : weight_of(inner[i]);
            // The last one ends exactly where they all end.
            const double until = i + 1 == inner.size() ? whole.until : whole.from + whole.length() * (before / total);
            out[static_cast<std::size_t>(inner[i])] = {from, until};
            from = until;
            open.push_back(inner[i]);
        }
    }
    return out;
}

} // namespace gradus
