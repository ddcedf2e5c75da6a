#include "views/derive/step_reach.hpp"

#include "engine/trace/derive/event_tree.hpp"

namespace gradus {

StepReach reach_at(const Run& run, std::int32_t ordinal) {
    if (ordinal < 0) return {};
    StepReach reach = StepReach::on(ordinal);
    const EventTree tree(run);
    for (const EventSite* site : tree.events()) { // each after the one around it, so what is inside comes without a gap
        if (site->ordinal == ordinal && site->level < Level::module) reach.here = -1;
        if (site->ordinal > ordinal && site->parent >= ordinal && site->parent <= reach.last) reach.last = site->ordinal;
    }
    return reach;
}

} // namespace gradus
