#pragma once

#include "engine/trace/file/database.hpp"

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>

namespace gradus::file {

/// Brings a recording's log to the disk and into the file every second, on a thread and a connection of its own: a disk
/// may take most of a second for that, and what the Run does meanwhile is not to wait in memory.
class LogSync {
public:
    /// The file is being recorded into, by another connection of this process. Throws FileError if it cannot be opened.
    explicit LogSync(const std::filesystem::path& file);
    /// Waits for what is under way.
    ~LogSync();

    /// True once whenever the log has grown long and little of it is not yet in the file. The recorder then brings in this
    /// little, between two transactions, and writes the log from its beginning: while it writes, nobody else can.
    bool wants_new_log() { return wants_new_log_.exchange(false); }
    /// Why it has stopped; empty while all is well.
    std::string failure() const;

private:
    void work();

    Database database_;
    mutable std::mutex mutex_; // protects stop_, failure_
    std::condition_variable wake_;
    bool stop_ = false;
    std::string failure_;
    std::atomic<bool> wants_new_log_{false};
    std::thread thread_;
};

} // namespace gradus::file
