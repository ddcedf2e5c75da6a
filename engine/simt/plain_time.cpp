#include "engine/simt/plain_time.hpp"

#include "engine/core/error.hpp"
#include "engine/simt/kernel_run.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <memory>

namespace gradus::simt {

namespace {

/// What the processor has given this thread so far: without the turns that other programs had in between.
double thread_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

} // namespace

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
        const double before = thread_seconds();
        run_plain(run, library, memory.get());
        seconds.push_back(thread_seconds() - before);
        spent += std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    }
    std::sort(seconds.begin(), seconds.end());
    return {seconds.front(), seconds[seconds.size() / 2], static_cast<int>(seconds.size())};
}

} // namespace gradus::simt
