#pragma once

#include "engine/trace/derive/kernel_block.hpp"

namespace gradus {

/// A warp's way through its block as a strip: how many turns each of its steps takes, and what it touches. Counted.
struct WarpTurns {
    enum class Kind : std::uint8_t { other, global, shared, local, barrier, meet };
    std::vector<std::uint32_t> steps;
    std::vector<Kind> kinds;
    std::vector<std::int64_t> ends; ///< after each step, in turns: a sector or a wavefront is one, and so is a step that moves nothing
    std::int64_t total() const { return ends.empty() ? 0 : ends.back(); }
    /// The number of a step among them; steps.size() where the warp does not do it.
    std::size_t find(std::size_t step) const;
};
WarpTurns turns_of(const KernelBlock& block, int warp);

} // namespace gradus
