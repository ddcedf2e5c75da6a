#pragma once

#include "engine/trace/derive/kernel_block.hpp"
#include "engine/trace/derive/launch_sites.hpp"
#include "engine/trace/derive/line_counters.hpp"
#include "engine/trace/derive/source_diff.hpp"
#include "engine/trace/derive/warp_work.hpp"
#include "engine/trace/kernel/kernel_events.hpp"
#include "views/rungs/rungs_counts.hpp"
#include "views/state/look.hpp"

#include <QString>

namespace gradus {

/// A line of a rung's source, and what it costs in its launch.
struct RungLine {
    std::int32_t number = 0; ///< in the file, from 1
    QString text;
    std::vector<LineAccess> sectors, wavefronts;
};

/// One of the two rungs.
struct RungSide {
    StepIndex iteration = -1;
    QString name;                             ///< "3_shared"
    bool drives = false;                      ///< the cursor stands in it; the other keeps up
    std::shared_ptr<const KernelTrace> trace; ///< null: no longer in memory
    std::shared_ptr<const KernelBlock> block; ///< null: no step was recorded
    std::shared_ptr<const WarpWork> work;     ///< of `warp`
    std::shared_ptr<const std::vector<RungLine>> code; ///< without the head of the file
    int warp = 0;
    std::int32_t file = -1;
    std::size_t number = 0; ///< of the step that is shown, among those of `work`
    int line = -1;          ///< of `code`, at which that step is
    QString why;            ///< one sentence: it has no steps, or not all of them
    std::size_t step() const { return work->steps[number]; } ///< of the trace
    bool steps() const { return work && !work->steps.empty(); }
};

/// A rung that can be compared.
struct RungChoice {
    StepIndex iteration = 0;
    QString name, label; ///< "3_shared", "3"
    int side = -1;       ///< 0 and 1 are on stage, left and right
};

/// What is kept while the cursor moves: it depends on less, and takes longer to make.
struct RungsKept {
    struct Side {
        std::shared_ptr<const KernelTrace> trace;
        std::size_t block_number = 0;
        std::shared_ptr<const KernelBlock> block;
        std::shared_ptr<const WarpWork> work;
        int warp = -1;
        std::shared_ptr<const std::vector<RungLine>> code;
        std::int32_t file = -1;
        std::size_t launch = 0;
    };
    std::array<Side, 2> sides;
    std::array<std::shared_ptr<const std::vector<RungLine>>, 2> compared;
    std::shared_ptr<const std::vector<SourceRow>> rows; ///< of `compared`
};

/// Two rungs of a ladder at one cursor.
struct RungsModel {
    std::vector<RungChoice> rungs;
    std::array<RungSide, 2> sides; ///< the lower rung first
    std::shared_ptr<const KernelEvents> events; ///< of the side that drives
    std::shared_ptr<const std::vector<SourceRow>> rows;
    std::vector<RungCount> counts;
    QString chip;
    QString sentence;     ///< why there is nothing to compare; empty: there is
    Work work = Work::steps;
    bool at_step = false; ///< the cursor stands on a step or below; else it is before the first
    bool there() const { return sentence.isEmpty(); }
    const RungSide& driver() const { return sides[sides[1].drives ? 1 : 0]; }
    const RungSide& other() const { return sides[sides[1].drives ? 0 : 1]; }
    bool walks() const { return sides[0].steps() && sides[1].steps(); } ///< both have steps
    /// Of that side's warp, what is done at the step that is shown.
    std::int64_t done(std::size_t side) const;
    double share(std::size_t side) const;
};

RungsModel make_rungs(const Look& look, RungsKept& kept);

/// A step of the driver's trace: the first at which so large a share of its work is done; nothing where it has no steps.
std::optional<std::size_t> step_at_share(const RungsModel& model, double share);
/// The driver's step at which that side comes to a line of its code: the next time, else for the first time; nothing where it never does.
std::optional<std::size_t> step_at_line(const RungsModel& model, std::size_t side, int line);

} // namespace gradus
