#pragma once

#include "engine/kernels/ladder.hpp"
#include "engine/simt/simt.h"

#include <cstdint>

namespace gradus::simt {

/// A kernel that was compiled for the CPU: calls it once, as one lane, with arguments[i] pointing at the i-th argument.
using KernelEntry = void (*)(void** arguments);

struct LaunchShape {
    Dim3 grid, block;
    std::int64_t shared_bytes = 0; ///< dynamic

    std::int64_t blocks() const { return grid.count(); }
    int threads() const { return static_cast<int>(block.count()); }
};

constexpr int warp_size = 32;

/// Where the lane of that rank in that block stands; x runs first in both.
inline SimtLane lane_at(const LaunchShape& shape, std::int64_t block, int rank) {
    const auto u = [](std::int64_t value) { return static_cast<std::uint32_t>(value); };
    const Dim3 &g = shape.grid, &b = shape.block;
    SimtLane lane{};
    lane.thread[0] = u(rank % b.x), lane.thread[1] = u(rank / b.x % b.y), lane.thread[2] = u(rank / b.x / b.y);
    lane.block[0] = u(block % g.x), lane.block[1] = u(block / g.x % g.y), lane.block[2] = u(block / g.x / g.y);
    lane.block_size[0] = u(b.x), lane.block_size[1] = u(b.y), lane.block_size[2] = u(b.z);
    lane.grid_size[0] = u(g.x), lane.grid_size[1] = u(g.y), lane.grid_size[2] = u(g.z);
    lane.rank = u(rank), lane.lane = u(rank % warp_size), lane.warp = u(rank / warp_size);
    lane.shared_bytes = u(shape.shared_bytes);
    return lane;
}

} // namespace gradus::simt
