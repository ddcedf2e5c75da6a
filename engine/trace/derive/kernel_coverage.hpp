#pragma once

#include "engine/trace/kernel/kernel_trace.hpp"

#include <string_view>

namespace gradus {

/// How often each element of a buffer was written, by all that was recorded of a kernel's launches: a lane's write counts once.
struct KernelCoverage {
    std::size_t range = 0;            ///< among the trace's
    std::vector<std::int64_t> writes; ///< by the element's number, row-major
    std::int64_t written = 0, untouched = 0, most = 0;
};
/// Counted. `buffer`: its name; empty: the first output. Throws ArgumentError where there is no such buffer.
KernelCoverage kernel_coverage(const KernelTrace& trace, std::string_view buffer);

/// Whether every write of every launch is in the trace, so that what has none was written by nobody.
bool knows_all_writes(const KernelTrace& trace);

/// The elements of a buffer that a step touches, by their numbers, ascending, each once. `lane`: that one alone; -1: all. Empty for a buffer that
/// there is not.
std::vector<std::int64_t> elements_of_step(const KernelTrace& trace, std::size_t step, std::string_view buffer, int lane = -1);

/// An element as one writes it: "y[5]", "C[2,7]".
std::string element_name(const KernelTrace::Range& range, std::int64_t element);
/// Elements that fill a rectangle, of a buffer with one or two axes: "y[32:64]", "y[2:4,0:16]", each end one past the last. Empty: they
/// fill none. `elements`: ascending, each once.
std::string rectangle_name(const KernelTrace::Range& range, const std::vector<std::int64_t>& elements);

} // namespace gradus
