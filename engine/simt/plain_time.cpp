#include "engine/simt/plain_time.hpp"

#include "engine/core/error.hpp"
#include "engine/simt/kernel_run.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>

namespace gradus::simt {

PlainTime plain_time(const PreparedRun& run, const std::stop_token& stop) {
    constexpr double budget = 0.25; // seconds
    constexpr std::size_t least = 3, most = 15;
    const std::string library = plain_library(run);
    const std::unique_ptr<std::byte, decltype(&std::free)> memory(static_cast<std::byte*>(std::aligned_alloc(256, (run.bytes + 511) / 256 * 256)), &std::free);
    run.fill(memory.get());
    std::vector<double> seconds;
    for (double spent = 0; seconds.size() < most && (spent < budget || (seconds.size() < least && spent < 2 * budget));) {
        if (stop.stop_requested()) throw Interrupted();
        const auto began = std::chrono::steady_clock::now();
        run_plain(run, library, memory.get());
        seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
        spent += seconds.back();
    }
    std::sort(seconds.begin(), seconds.end());
    return {seconds.front(), seconds[seconds.size() / 2], static_cast<int>(seconds.size())};
}

} // namespace gradus::simt
