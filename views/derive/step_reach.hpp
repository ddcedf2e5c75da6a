#pragma once

#include "engine/trace/run.hpp"
#include "views/state/app_state.hpp"

#include <memory>

namespace gradus {

/// How far an iteration has come where one stands in it, by the ordinals of its events.
struct StepReach {
    std::int32_t last = -1; ///< the event one stands on, or the last one inside it; what comes after is not reached. -1: all is
    std::int32_t here = -1; ///< ops from this one to `last` are outlined; -1: none
    static StepReach on(std::int32_t op) { return {op, op}; }
    bool operator==(const StepReach&) const = default;
    /// Whether that event of the same iteration is still to come. What is fed is there from the start.
    bool before(EventId event) const;
};

/// On an event: on an op alone, on a module with all its ops. A phase has reached its end, and nothing is outlined.
StepReach reach_at(const Run& run, std::int32_t ordinal);

/// The reach of where one stands, kept from look to look.
class ReachHere {
public:
    const StepReach& of(const std::shared_ptr<const Run>& run, const Cursor& cursor);

private:
    std::weak_ptr<const Run> run_; ///< that lesson may be over
    std::int32_t ordinal_ = -1;
    StepReach reach_;
};

} // namespace gradus
