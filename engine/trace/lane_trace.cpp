#include "engine/trace/lane_trace.hpp"

#include <fmt/format.h>

namespace gradus {

void LaneTrace::begin(RunWriter& writer, std::int32_t first_lane) {
    first_site_ = -1;
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane)
        for (const Work& work : works_) {
            EventSite site;
            site.level = Level::op;
            site.phase = Phase::data;
            site.name = work.name;
            site.cost = work.cost;
            site.path = fmt::format("{}/{}/{}", module_, lanes_[lane], work.name);
            site.module = module_;
            site.lane = first_lane + static_cast<std::int32_t>(lane);
            site.provenance = Provenance::measured;
            const std::int32_t made = writer.add_site(std::move(site));
            if (first_site_ < 0) first_site_ = made;
        }
}

void LaneTrace::write(RunWriter& writer, std::span<const Event> events) const {
    if (!writer.observing()) return;
    for (const Event& event : events)
        writer.publish(first_site_ + event.lane * static_cast<int>(works_.size()) + event.work, event.start, event.end);
}

} // namespace gradus
