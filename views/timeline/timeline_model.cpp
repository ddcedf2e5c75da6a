#include "views/timeline/timeline_model.hpp"

#include "engine/trace/derive/clock_step.hpp"

#include <algorithm>
#include <map>

namespace gradus {

const TimelineBar* TimelineModel::find(std::int32_t ordinal) const {
    for (const TimelineLane& lane : lanes)
        for (const TimelineBar& bar : lane.bars)
            if (bar.ordinal == ordinal) return &bar;
    return nullptr;
}

TimelineModel make_timeline(std::shared_ptr<const Run> run, StepIndex iteration, bool again) {
    TimelineModel model;
    model.iteration = iteration;
    model.again = again;
    const std::vector<EventRecord> events = run->events_of(iteration);
    // A fork's past is its ancestor's: so are the sites that those records name.
    while (iteration < run->first_iteration() && run->parent()) run = run->parent();
    model.run = run;
    if (events.empty()) return model;
    Ticks origin = events.front().start;
    for (const EventRecord& event : events) origin = std::min(origin, event.start);
    const ClockScale& clock = run->manifest().clock;
    model.clock_step = clock_step(events, clock);
    std::map<std::pair<std::int32_t, Level>, TimelineLane> lanes;
    for (const EventRecord& event : events) {
        const EventSite& site = run->sites()[static_cast<std::size_t>(event.site)];
        const double start = clock.seconds(origin, event.start), end = clock.seconds(origin, event.end);
        model.end = std::max(model.end, end);
        if (site.level <= Level::iteration) {
            model.step_end = std::max(model.step_end, end);
            continue;
        }
        TimelineLane& lane = lanes[{site.lane, site.level}];
        lane.lane = site.lane;
        lane.level = site.level;
        lane.bars.push_back({event.ordinal, event.site, site.phase, start, end});
    }
    if (model.step_end <= 0) model.step_end = model.end;
    for (auto& [key, lane] : lanes) {
        std::sort(lane.bars.begin(), lane.bars.end(),
                  [](const TimelineBar& a, const TimelineBar& b) { return a.start < b.start; });
        model.lanes.push_back(std::move(lane));
    }
    return model;
}

} // namespace gradus
