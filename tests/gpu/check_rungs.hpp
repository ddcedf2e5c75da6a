#pragma once

#include "tests/gpu/device.hpp"

#include "engine/kernels/ladder.hpp"

#include <functional>
#include <string>
#include <vector>

namespace gradus::gpu {

/// What came of a rung at all its legal blocks, on the usual and on odd problems.
struct RungCheck {
    std::string ladder, rung;
    int runs = 0;
    double largest_error = 0; ///< ‖y − reference‖₂ / ‖reference‖₂ of an output
    double tolerance = 0;
    std::vector<std::string> failures; ///< a sentence each
    std::string left_out;              ///< why some or all of it cannot be run on this device

    bool passed() const { return failures.empty(); }
};

/// Runs on the device what tests/kernels runs on the CPU, and compares with rung 0 by the rung's tolerance: an error that is not a number
/// fails. What is written outside of the buffers fails as well.
RungCheck check_rung(const Device& device, const Ladder& ladder, const Rung& rung);

struct LadderRung {
    const Ladder* ladder = nullptr;
    const Rung* rung = nullptr;
};

/// check_rung of each, in their order. References are computed by as many threads as this machine has; the device serves one at a time.
/// `done` hears of each as it ends, one at a time, in any order.
std::vector<RungCheck> check_rungs(const Device& device, const std::vector<LadderRung>& wanted, const std::function<void(const RungCheck&)>& done);

} // namespace gradus::gpu
