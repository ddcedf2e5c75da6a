#pragma once

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace gradus::test {

/// What each processor of a virtual machine could not do because its host ran something else, in milliseconds since it
/// started; zeros on a machine of one's own. Source: proc(5), the field steal of /proc/stat.
inline std::vector<double> stolen_ms() {
    const double per_tick = 1000.0 / static_cast<double>(sysconf(_SC_CLK_TCK));
    std::vector<double> out;
    std::ifstream stat("/proc/stat");
    for (std::string line; std::getline(stat, line);) {
        if (!line.starts_with("cpu") || line.starts_with("cpu ")) continue;
        std::istringstream fields(line.substr(line.find(' ')));
        double ticks = 0;
        for (int field = 0; field < 8; ++field) fields >> ticks; // user nice system idle iowait irq softirq steal
        out.push_back(ticks * per_tick);
    }
    return out;
}

/// The most that one processor lost from then to now, both as stolen_ms() gave them.
inline double most_stolen(const std::vector<double>& then, const std::vector<double>& now) {
    double most = 0;
    for (std::size_t i = 0; i < std::min(now.size(), then.size()); ++i) most = std::max(most, now[i] - then[i]);
    return most;
}

} // namespace gradus::test
