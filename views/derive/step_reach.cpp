#include "views/derive/step_reach.hpp"

#include "engine/trace/derive/event_tree.hpp"
#include "engine/trace/tape_trace.hpp"

namespace gradus {

bool StepReach::before(EventId event) const { return last >= 0 && event.ordinal > last && event.ordinal < first_edit_ordinal; }

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

const StepReach& ReachHere::of(const std::shared_ptr<const Run>& run, const Cursor& cursor) {
    const std::int32_t ordinal = cursor.level > Level::iteration ? cursor.ordinal : -1;
    if (ordinal != ordinal_ || run != run_.lock()) {
        ordinal_ = ordinal;
        run_ = run;
        reach_ = reach_at(*run, ordinal);
    }
    return reach_;
}

} // namespace gradus
