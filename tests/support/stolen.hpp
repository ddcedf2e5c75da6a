#pragma once

#include <algorithm>
#include <chrono>
#include <deque>
#include <fstream>
#include <mutex>
#include <sstream>
#include <stop_token>
#include <string>
#include <thread>
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

/// Looks every ten milliseconds, on a thread of its own, and remembers some seconds.
class StolenTimes {
public:
    /// The most that one processor lost since `then`, or a little before it.
    double since(std::chrono::steady_clock::time_point then) const {
        const std::vector<double> now = stolen_ms();
        const std::lock_guard lock(mutex_);
        const std::vector<double>* before = nullptr;
        for (const auto& [at, stolen] : seen_)
            if (!before || at <= then) before = &stolen;
        return before ? most_stolen(*before, now) : 0;
    }

private:
    void look(const std::stop_token& stop) {
        while (!stop.stop_requested()) {
            {
                std::vector<double> now = stolen_ms();
                const std::lock_guard lock(mutex_);
                seen_.emplace_back(std::chrono::steady_clock::now(), std::move(now));
                if (seen_.size() > 1000) seen_.pop_front();
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
    }

    mutable std::mutex mutex_; // protects seen_
    std::deque<std::pair<std::chrono::steady_clock::time_point, std::vector<double>>> seen_;
    std::jthread thread_{[this](const std::stop_token& stop) { look(stop); }};
};

} // namespace gradus::test
