#pragma once

#include "engine/kernels/ladder.hpp"

#include <cstddef>

namespace gradus::gpu {

/// Fills a buffer in the device's memory as it says, with numbers of the device's own: for measuring, where gigabytes from the CPU would
/// take longer than the kernels. Garbage is all bits set: a NaN, or -1.
void fill(const KernelBuffer& buffer, std::byte* memory);

} // namespace gradus::gpu
