#pragma once

#include "engine/trace/kernel/kernel_trace.hpp"

#include <array>
#include <optional>
#include <string_view>

namespace gradus {

/// The first line of the kernel's own files that holds these words and at which something was counted; none: there is none.
std::optional<KernelPlace> counted_line(const KernelTrace& trace, std::string_view words);

/// What the lanes of one warp did at a line of the source.
struct TurnsAtLine {
    std::int64_t turns = 0;                ///< warp steps there
    std::int64_t lanes = 0;                ///< that took part, over all of them
    std::array<std::int64_t, 32> of_lane{}; ///< in how many of them each did
    std::int64_t longest() const;
};
/// Counted. `block`: its number in log.blocks; `op`: where only such steps count.
TurnsAtLine turns_at_line(const KernelTrace& trace, std::size_t block, int warp, const KernelPlace& line, std::optional<simt::Op> op = {});

/// The lanes that a warp begins with, as a mask; 0: it has no step in that block.
std::uint32_t first_mask(const KernelTrace& trace, std::size_t block, int warp);
/// The step at which all lanes that a warp began with are together again, after they had parted; none: they never part, or never meet.
std::optional<std::size_t> meeting_step(const KernelTrace& trace, std::size_t block, int warp);

/// The elements of a buffer that one warp of a block writes, ascending, each once. `range`: among the trace's.
std::vector<std::int64_t> elements_of_warp(const KernelTrace& trace, std::size_t block, int warp, std::size_t range);

/// Accesses of one kind to a buffer by all threads of a block, one for each lane.
std::int64_t accesses_of_block(const KernelTrace& trace, std::size_t block, std::size_t range, simt::Op op);

} // namespace gradus
