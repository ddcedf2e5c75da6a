#pragma once

#include "engine/backend/interface.h"

namespace gradus {

/// Computes ops with the CUDA kernels of the ladders (engine/kernels), compiled for the CPU and run in this process (engine/simt). What no
/// rung computes is refused; nothing falls back to another device.
const GradusBackend& simt_backend();

} // namespace gradus
