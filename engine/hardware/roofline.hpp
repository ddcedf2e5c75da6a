#pragma once

#include "engine/hardware/chips.hpp"

namespace gradus {

/// The least time that arithmetic and memory leave to a piece of work, where each keeps its peak and the two overlap wholly. Modelled.
///
///     seconds = max(flops / peak, bytes / bandwidth)
///     rate    = flops / seconds = min(peak, flops / bytes · bandwidth)
///
/// Source: Williams, Waterman, Patterson, "Roofline: an insightful visual performance model", CACM 2009.
struct Roofline {
    double seconds = 0;
    double flops_per_second = 0; ///< 0 where there are no FLOPs
    bool by_memory = false;      ///< memory takes the longer
};
/// FLOPs, bytes moved, FLOP/s and bytes per second. Throws ArgumentError for a rate that is not above 0, or work below 0.
Roofline roofline(double flops, double bytes, double peak, double bandwidth);

/// How long each part of a chip would be at work, were it alone and kept its peak. Modelled: no cache is, so what warps ask of global memory
/// goes at the speed of the chip's memory, which is the longest that it can take.
struct LevelTimes {
    double arithmetic = 0, shared = 0, memory = 0; ///< seconds
};
/// FLOPs; bytes of shared memory's wavefronts (128 each); bytes of the sectors that are asked of global memory (32 each).
LevelTimes level_times(double flops, double shared_bytes, double global_bytes, const Chip& chip);

/// FLOPs per byte at which arithmetic and memory take equally long: peak / bandwidth.
constexpr double knee(double peak, double bandwidth) { return peak / bandwidth; }

} // namespace gradus
