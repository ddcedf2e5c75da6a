#pragma once

#include "engine/trace/derive/kernel_block.hpp"

#include <array>

namespace gradus {

/// What two kernels that compute the same both have to do, so that one can say of both how far they are.
enum class Work : std::uint8_t {
    multiply_adds, ///< of the warp's lanes
    bytes,         ///< that its lanes load from global memory or store there
    steps,         ///< its warp steps
};

/// A warp's way through its block: what is done once each of its steps has begun, which is when its lanes have come there. Counted.
struct WarpWork {
    std::vector<std::uint32_t> steps;              ///< of the trace, ascending
    std::array<std::vector<std::int64_t>, 3> done; ///< of each Work, up to each step
    std::vector<std::int64_t> sectors, wavefronts; ///< the same
    std::int64_t loads = 0;                        ///< and stores of lanes in global memory, in all

    const std::vector<std::int64_t>& of(Work work) const { return done[static_cast<std::size_t>(work)]; }
    std::int64_t total(Work work) const { return steps.empty() ? 0 : of(work).back(); }
    /// The number of the last of these steps that is not after `step`; 0 before them all.
    std::size_t number_at(std::size_t step) const;
};
WarpWork work_of(const KernelBlock& block, int warp);

/// Multiply-adds, where they are what both do; else bytes of global memory, where both touch it; else steps.
Work common_work(const WarpWork& a, const WarpWork& b);

/// The step of `to`, by its number, at which the same share of the work is done as at step `number` of `from`: the first at which it is no less.
/// Where both rest at the same share (they load what comes next) it is as far through the rest. Never goes back while `number` goes on; first
/// and last steps are each other's.
std::size_t same_share(const WarpWork& from, std::size_t number, const WarpWork& to, Work work);

} // namespace gradus
