#pragma once

#include "tests/gpu/device.hpp"

#include "engine/kernels/ladder.hpp"

#include <functional>
#include <string>
#include <vector>

namespace gradus::gpu {

/// How long a rung's launches take with one block.
struct BlockTime {
    Dim3 block;
    struct Step {
        std::string kernel;
        double us = 0;
        bool counts = true; ///< false: it only prepares
    };
    std::vector<Step> steps;
    double us = 0; ///< of those that count
};

struct RungTime {
    std::string rung;
    std::vector<BlockTime> blocks; ///< as the rung has them; those that the device can run
    std::string left_out;          ///< why some or all were not timed
    std::string failure;
    const BlockTime* best() const;
};

/// A ladder's rungs on its large problem.
struct LadderTimes {
    std::string ladder;
    Problem problem;
    double bytes = 0, flops = 0; ///< least_bytes and LargeProblem::flops
    std::vector<RungTime> rungs;
    std::string peer; ///< "cuBLAS sgemm", where there is one
    double peer_us = 0;
    std::string peer_left_out;
};

/// Times the rungs that are wanted. What goes wrong with one is its failure; throws DeviceError where the device cannot go on.
LadderTimes time_ladder(const Device& device, const Ladder& ladder, const std::function<bool(const Rung&)>& wanted);

/// Bytes per µs that a copy within the device's memory reads and writes.
double copy_rate(const Device& device);

} // namespace gradus::gpu
