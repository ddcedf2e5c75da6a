#pragma once

#include "engine/trace/kernel/kernel_trace.hpp"

#include <array>
#include <memory>
#include <span>
#include <vector>

namespace gradus {

/// The recorded steps of one block, warp by warp: where each lane goes on. Never changes once made.
class KernelBlock {
public:
    /// `block`: its number in log.blocks.
    KernelBlock(std::shared_ptr<const KernelTrace> trace, std::size_t block);

    const KernelTrace& trace() const { return *trace_; }
    std::size_t number() const { return block_; }
    const KernelTrace::Launch& launch() const { return trace_->launches[trace_->log.blocks[block_].launch]; }
    std::size_t begin() const { return begin_; } ///< its first step
    std::size_t end() const { return end_; }     ///< one past its last
    int warps() const { return static_cast<int>((launch().block.count() + 31) / 32); }
    /// The lanes of a warp that have a thread: of the last warp perhaps not all.
    std::uint32_t lanes_of(int warp) const;
    /// Its recorded steps, ascending. Of a warp that was not to be recorded: those that write.
    std::span<const std::uint32_t> of_warp(int warp) const { return steps_[static_cast<std::size_t>(warp)]; }
    /// Whether any of its steps is at a barrier of the block.
    bool has_barrier() const { return has_barrier_; }
    /// Each lane's first step at or after `from`; end() where it does nothing more.
    std::array<std::size_t, 32> next_of(int warp, std::size_t from) const;

private:
    std::shared_ptr<const KernelTrace> trace_;
    std::size_t block_, begin_, end_;
    bool has_barrier_ = false;
    std::array<std::vector<std::uint32_t>, 32> steps_;
    std::array<std::array<std::size_t, 32>, 32> after_last_{}; ///< of each warp's lanes; 0: it has no step
};

/// What a lane does while a warp step is done.
enum class LaneState : std::uint8_t {
    active,    ///< takes part
    elsewhere, ///< stands at another instruction: masked off
    waiting,   ///< at a barrier or a collective, for others
    done,      ///< has returned, or does nothing more that is recorded
    absent,    ///< the block has no such thread
};

struct LaneStand {
    LaneState state = LaneState::absent;
    std::size_t next = 0; ///< the step it takes part in next; where it is done or absent, the block's end
    int group = -1;       ///< lanes that stand at the same instruction, numbered by their lowest lane; -1: none
};

/// The lanes of a warp right before `step`; groups as GPUs since Volta have them, by program counter.
struct WarpStand {
    std::array<LaneStand, 32> lanes;
    int groups = 0;
    int count(LaneState state) const;
    std::uint32_t mask(LaneState state) const;
};
WarpStand stand_of(const KernelBlock& block, int warp, std::size_t step);

/// How a block's threads stand towards its next barrier right before `step`.
struct BarrierStand {
    int arrived = 0; ///< threads whose next step is a barrier
    int live = 0;    ///< threads that do anything more
    std::array<int, 32> arrived_of{}, live_of{}; ///< by warp
};
BarrierStand barrier_stand(const KernelBlock& block, std::size_t step);

} // namespace gradus
