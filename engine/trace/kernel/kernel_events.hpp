#pragma once

#include "engine/trace/event.hpp"
#include "engine/trace/kernel/locals_cursor.hpp"
#include "engine/trace/kernel/step_finder.hpp"

#include <algorithm>
#include <map>
#include <mutex>

namespace gradus {

/// What was recorded below kernels as events of a Run: block, warp instruction, lane, bits. They are made when somebody looks at them, for
/// there may be a hundred million. Within the ordinals that a kernel's event reserves they are numbered as they lie inside each other: a
/// block, its first step, that step's first lane, the multiply-adds of that lane, the second lane, …
class KernelEvents {
public:
    /// `first`: the ordinal of the first launch's event; those of the others follow in steps of KernelTrace::ordinals_of(launches).
    KernelEvents(std::shared_ptr<const KernelTrace> trace, std::int32_t first, std::string path);

    const KernelTrace& trace() const { return *trace_; }
    /// Null where there is no such event below a kernel. What is found lives as long as this; any thread may ask.
    const EventSite* find(std::int32_t ordinal) const;
    /// By its path; a launch by its number alone, too: "launches/0/block 3/step 17". In place of a step's number there may be what
    /// read_step_wanted() reads: "launches/0/block 3/store at tile[".
    const EventSite* find(std::string_view path) const;
    /// The next (`by` = 1) or previous (-1) of that level, as seen from any ordinal.
    const EventSite* step(std::int32_t ordinal, Level level, int by) const;

    /// The ordinals of what the trace numbers otherwise; -1 where there is no event: of a step that is not shown.
    std::int32_t of_block(std::size_t block) const { return blocks_[block]; }
    std::int32_t of_step(std::size_t step) const;
    std::int32_t of_lane(std::size_t step, int lane) const;
    std::int32_t of_fma(std::size_t fma) const;
    std::int32_t of_launch(std::size_t launch) const { return kernel_of(launch); }
    /// The multiply-add that a lane's loads go into: the first that it does after this step, before it goes on to another line; -1 where there is
    /// none, or the event is no lane's.
    std::int32_t multiply_add_after(std::int32_t ordinal) const;
    /// The block, by its number in log.blocks, that the event is or is inside of; that of the launch it is; log.blocks.size() for others.
    std::size_t block_of(std::int32_t ordinal) const;
    /// The step that the event is, or is inside of; steps() for an event above.
    std::size_t step_of(std::int32_t ordinal) const;
    /// The lane (0 to 31), -1 for an event above.
    int lane_of(std::int32_t ordinal) const;
    /// The number in log.fmas, -1 for an event above.
    std::int64_t fma_of(std::int32_t ordinal) const;

private:
    struct Place { ///< what an ordinal is
        Level level = Level::kernel;
        std::size_t block = 0, step = 0;
        int lane = -1;
        std::int64_t fma = -1;
    };
    std::int32_t kernel_of(std::size_t launch) const { return first_ + static_cast<std::int32_t>(launch) * stride_; }
    Place place_of(std::int32_t ordinal) const;
    const EventSite* find(std::size_t launch, std::string_view block, const StepWanted& wanted) const;
    std::int32_t next(std::int32_t ordinal, Level level) const;
    std::int32_t previous(std::int32_t ordinal, Level level) const;
    EventSite make(std::int32_t ordinal, const Place& place) const;
    void describe_step(EventSite& site, std::size_t step) const;
    void describe_lane(EventSite& site, std::size_t step, int lane) const;
    void describe_locals(EventSite& site, std::size_t step, int lane) const;
    void describe_fma(EventSite& site, std::size_t fma) const;
    std::string place_text(const KernelPlace& place) const;

    std::shared_ptr<const KernelTrace> trace_;
    std::int32_t first_, stride_;
    std::string path_;
    std::vector<std::int32_t> blocks_, steps_; ///< ordinals; of a step that is not shown, the one that comes next
    mutable std::mutex mutex_;                 // protects what follows
    mutable LocalsCursor locals_;
    mutable std::map<std::int32_t, EventSite> made_;
};

} // namespace gradus
