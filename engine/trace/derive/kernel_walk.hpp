#pragma once

#include "engine/trace/derive/kernel_block.hpp"

#include <functional>
#include <optional>

namespace gradus {

// Ways through a recorded block, forwards (`by` = 1) and back (-1), of the warp that does `step`. Nothing where the way ends.

/// The warp's next step.
std::optional<std::size_t> next_of_warp(const KernelBlock& block, std::size_t step, int by);
/// Its first step in another line of the source; back: the first step of the run of steps in the line before.
std::optional<std::size_t> next_line(const KernelBlock& block, std::size_t step, int by);
/// Its next step at a barrier.
std::optional<std::size_t> next_barrier(const KernelBlock& block, std::size_t step, int by);
/// Its next step in that line.
std::optional<std::size_t> next_in_line(const KernelBlock& block, std::size_t step, const KernelPlace& line, int by);
/// The first step after (before) `step`, of any warp, for which `wanted` holds.
std::optional<std::size_t> next_that(const KernelBlock& block, std::size_t step, int by, const std::function<bool(std::size_t)>& wanted);

/// Where what a line asks of that kind of memory comes from: its step in the block that moves most sectors or wavefronts; of several that do, the
/// first after `step`, else the first.
std::optional<std::size_t> costliest_in_line(const KernelBlock& block, std::size_t step, const KernelPlace& line, simt::Space space);

/// The step at which a finding was made, if it was recorded: its first thread's, at its place. Of one that ended the launch that is its
/// last, Op::fault; where the log was full before, the thread's last one there is.
std::optional<std::size_t> step_of_finding(const KernelTrace& trace, const KernelTrace::Finding& finding);

/// Every step that touches some byte of a range, ascending. Looks at all of them: for a thread that may take its time.
std::vector<std::uint32_t> steps_touching(const KernelTrace& trace, std::size_t range, std::uint64_t offset, std::uint64_t bytes);

} // namespace gradus
