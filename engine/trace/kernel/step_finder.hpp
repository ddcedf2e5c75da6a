#pragma once

#include "engine/trace/kernel/kernel_trace.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace gradus {

/// A warp step as a card names it: by what stands in its line, not by the line's number, which changes when somebody writes above it.
struct StepWanted {
    int warp = -1, lane = -1;   ///< -1: any
    std::optional<simt::Op> op; ///< "load" means asynchronous copies, too
    std::int64_t time = 0;      ///< so many that fit come before it
    std::string fragment;       ///< of the source line
};

/// "at FRAGMENT", with words before it: "warp 1", "lane 5", "load", "store", "atomic", "barrier", "meet", "fault", "time 2". Nothing where it is
/// none of these.
std::optional<StepWanted> read_step_wanted(std::string_view words);

/// The step of a block, by its number in log.blocks; trace.steps() where there is none. A lane that is asked for takes part in it.
std::size_t find_step(const KernelTrace& trace, std::size_t block, const StepWanted& wanted);

/// The text of a line of a file of the trace, from 1; empty where it is not there.
std::string_view source_line(const KernelTrace& trace, std::int32_t file, std::int32_t line);

} // namespace gradus
