#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

namespace gradus {

/// One file being written on a thread of its own. The window asks once per frame how far it is.
class ExportJob {
public:
    /// Writes the file, tells its share from 0 to 1, throws Error; StoppedError if it was stopped.
    using Work = std::function<void(const std::function<void(double)>& progress, const std::stop_token& stop)>;

    ExportJob(std::filesystem::path path, Work work);
    ~ExportJob() = default; ///< stops it and waits

    const std::filesystem::path& path() const { return path_; }
    double progress() const { return progress_.load(std::memory_order_relaxed); }
    bool done() const { return done_.load(std::memory_order_acquire); }
    void stop() { thread_.request_stop(); }

    // --- once it is done --------------------------------------------------------------------------------------
    bool stopped() const { return stopped_; }
    const std::string& failure() const { return failure_; } ///< one sentence; empty if it was written
    std::uintmax_t bytes() const { return bytes_; }

private:
    std::filesystem::path path_;
    std::atomic<double> progress_{0};
    std::atomic<bool> done_{false}; // publishes what follows
    bool stopped_ = false;
    std::string failure_;
    std::uintmax_t bytes_ = 0;
    std::jthread thread_;
};

} // namespace gradus
