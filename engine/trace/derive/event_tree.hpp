#pragma once

#include "engine/trace/kernel/kernel_events.hpp"
#include "engine/trace/run.hpp"

#include <string_view>
#include <vector>

namespace gradus {

/// The events of one iteration as a tree, in the order in which they begin: iteration, phases, modules, ops. Made from
/// a Run's sites, so it is the same for every iteration, recorded or not; only launches may be an iteration's own. The sites it points to
/// are the Run's.
class EventTree {
public:
    explicit EventTree(const Run& run);
    /// With the launches of that iteration, and what it recorded below them: blocks, warp instructions, lanes, bits. These are found as all
    /// others are, but do not stand in events().
    EventTree(const Run& run, StepIndex iteration);
    /// The same with what a re-computation kept of that iteration; null: nothing.
    EventTree(const Run& run, StepIndex iteration, const std::shared_ptr<const IterationTensors>& tensors);

    /// All of them, by ordinal; the first is the iteration itself.
    const std::vector<const EventSite*>& events() const { return events_; }
    /// Null where there is no such event.
    const EventSite* find(std::int32_t ordinal) const;
    /// The event whose path begins so: "forward/layer1/matmul" is "forward/layer1/matmul x·W1"; null if there is none. Of "A | B" it is A, or
    /// B where there is no A.
    const EventSite* find(std::string_view path) const;
    /// From the iteration down to the event; empty where there is no such event.
    std::vector<const EventSite*> path(std::int32_t ordinal) const;
    /// The event of that level that holds this one (or is it); null if the event lies above that level.
    const EventSite* enclosing(std::int32_t ordinal, Level level) const;
    /// The first event within this one, or itself, at that level or the deepest above it.
    const EventSite* first_inside(std::int32_t ordinal, Level level) const;
    /// The next (`by` = 1) or previous (-1) event of that level, as seen from `ordinal`; null at the iteration's end.
    /// From an event above the level, the next one is the first inside it.
    const EventSite* step(std::int32_t ordinal, Level level, int by) const;
    const EventSite* last(Level level) const;

    /// What lies below kernels; null where nothing was recorded.
    const std::shared_ptr<const KernelEvents>& kernels() const { return kernels_; }

private:
    void take(const Run& run, const std::vector<bool>& left_out);

    std::vector<const EventSite*> events_;
    std::shared_ptr<const KernelEvents> kernels_;
};

} // namespace gradus
