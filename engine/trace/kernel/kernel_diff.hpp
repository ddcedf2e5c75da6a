#pragma once

#include "engine/trace/kernel/kernel_trace.hpp"

#include <optional>

namespace gradus {

/// Where two records of the same kernels part: in words, or nothing where all that they count and compute is the same. What stood on a
/// lane's stack before the lane wrote there is nobody's number and not compared.
std::optional<std::string> first_difference(const KernelTrace& a, const KernelTrace& b);

} // namespace gradus
