#pragma once

#include "engine/trace/kernel/kernel_trace.hpp"

#include <string>
#include <vector>

namespace gradus {

/// What one line of a kernel's source asked of one buffer in one way, in a whole launch: all its places on the line together.
struct LineAccess {
    simt::Op op = simt::Op::none;
    simt::Space space = simt::Space::global;
    std::string buffer;
    std::int64_t steps = 0, lanes = 0, bytes = 0; ///< bytes that the lanes asked for
    std::int64_t transfers = 0, ideal = 0;        ///< sectors of global memory, wavefronts of shared memory
    double each() const { return steps ? static_cast<double>(transfers) / static_cast<double>(steps) : 0; }
    double ideal_each() const { return steps ? static_cast<double>(ideal) / static_cast<double>(steps) : 0; }
    double active() const { return steps ? static_cast<double>(lanes) / static_cast<double>(steps) : 0; } ///< lanes of a warp step
};

struct LineCounters {
    std::int32_t line = 0;
    std::vector<LineAccess> accesses;  ///< to global and shared memory, in the order in which they are written
    std::int64_t steps = 0, lanes = 0; ///< of all that is done there, barriers and branches too
};

/// By line, ascending, of one file of a launch. Counted at source level.
std::vector<LineCounters> line_counters(const KernelTrace& trace, std::size_t launch, std::int32_t file);

/// All of a launch in one space: the sum of its lines.
LineAccess launch_total(const KernelTrace& trace, std::size_t launch, simt::Space space);

} // namespace gradus
