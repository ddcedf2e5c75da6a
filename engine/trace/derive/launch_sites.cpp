#include "engine/trace/derive/launch_sites.hpp"

#include <algorithm>

namespace gradus {

std::vector<bool> foreign_launches(const Run& run, StepIndex iteration) {
    std::vector<bool> foreign(run.sites().size(), false);
    std::vector<std::size_t> launches;
    for (std::size_t i = 0; i < foreign.size(); ++i)
        if (run.sites()[i].level == Level::kernel) launches.push_back(i);
    if (launches.empty()) return foreign;
    std::vector<bool> own(foreign.size(), false);
    bool any = false;
    const std::vector<EventRecord> events = iteration >= 0 ? run.events_of(iteration) : std::vector<EventRecord>{};
    for (const EventRecord& event : events) {
        const auto site = static_cast<std::size_t>(event.site);
        if (site >= own.size() || run.sites()[site].level != Level::kernel) continue;
        own[site] = any = true;
    }
    std::vector<std::int32_t> seen;
    for (const std::size_t i : launches) {
        const std::int32_t ordinal = run.sites()[i].ordinal;
        const bool again = std::find(seen.begin(), seen.end(), ordinal) != seen.end();
        seen.push_back(ordinal);
        foreign[i] = any ? !own[i] : again;
    }
    return foreign;
}

std::vector<const EventSite*> launches_of(const Run& run, StepIndex iteration) {
    const std::vector<bool> foreign = foreign_launches(run, iteration);
    std::vector<const EventSite*> out;
    for (std::size_t i = 0; i < foreign.size(); ++i)
        if (!foreign[i] && run.sites()[i].level == Level::kernel) out.push_back(&run.sites()[i]);
    std::stable_sort(out.begin(), out.end(), [](const EventSite* a, const EventSite* b) { return a->ordinal < b->ordinal; });
    return out;
}

std::vector<ClimbedRung> climbed_rungs(const Run& run) {
    std::vector<ClimbedRung> out;
    for (StepIndex iteration = run.first_iteration(); iteration < run.head(); ++iteration) {
        if (!run.find_observed(iteration)) continue; // launches of others are not known
        const std::vector<const EventSite*> launches = launches_of(run, iteration);
        if (launches.empty()) continue;
        const std::string& id = launches.front()->module;
        const bool known = std::any_of(out.begin(), out.end(), [&](const ClimbedRung& rung) { return rung.id == id; });
        if (!known) out.push_back({iteration, id});
    }
    return out;
}

} // namespace gradus
