#pragma once

#include "tests/gpu/check_rungs.hpp"
#include "tests/gpu/time_rungs.hpp"

#include <string>
#include <vector>

namespace gradus::gpu {

/// All that was found out.
struct Report {
    std::string build; ///< of the program: a commit
    std::string date;  ///< "2026-03-01T12:00:00Z"
    Device device;
    std::vector<RungCheck> checks;
    double copy_gb_per_s = 0; ///< read and written; 0: nothing was timed
    std::vector<LadderTimes> times;
    std::string broken_off; ///< why it did not come to its end

    bool passed() const;
};

std::string date_now();
std::string json_of(const Report& report);
std::string markdown_of(const Report& report);

} // namespace gradus::gpu
