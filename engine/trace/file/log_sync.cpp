#include "engine/trace/file/log_sync.hpp"

#include <chrono>
#include <cstdint>
#include <exception>

namespace gradus::file {

namespace {

constexpr auto interval = std::chrono::seconds(1);
// Of 4 KiB.
constexpr std::int64_t long_log_pages = 8192; ///< a log of more begins anew
constexpr std::int64_t few_pages = 256;       ///< what a recorder brings in itself
constexpr int most_rounds = 4;                ///< each brings in what was written during the one before

struct Log {
    std::int64_t pages = 0, pages_not_in_file = 0;
};

Log brought_in(Database& database) {
    Statement checkpoint(database, "PRAGMA wal_checkpoint(PASSIVE)"); // busy, pages of the log, of them in the file
    if (!checkpoint.step()) return {};
    const std::int64_t pages = checkpoint.integer(1);
    return {pages, pages - checkpoint.integer(2)};
}

} // namespace

LogSync::LogSync(const std::filesystem::path& file) : database_(file, Database::Mode::keep) {
    database_.execute("PRAGMA synchronous = NORMAL");
    Statement(database_, "SELECT count(*) FROM meta").step(); // only then does SQLite know that there is a log
    thread_ = std::thread([this] { work(); });
}

LogSync::~LogSync() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    wake_.notify_all();
    thread_.join();
}

std::string LogSync::failure() const {
    const std::lock_guard lock(mutex_);
    return failure_;
}

void LogSync::work() {
    try {
        for (;;) {
            {
                std::unique_lock lock(mutex_);
                if (wake_.wait_for(lock, interval, [this] { return stop_; })) return;
            }
            Log log = brought_in(database_);
            for (int round = 1; log.pages > long_log_pages && log.pages_not_in_file > few_pages && round < most_rounds; ++round)
                log = brought_in(database_);
            if (log.pages <= long_log_pages || log.pages_not_in_file > few_pages) continue;
            database_.sync(); // so that the recorder, which waits for the disk then, waits for its few pages only
            wants_new_log_ = true;
        }
    } catch (const std::exception& error) {
        const std::lock_guard lock(mutex_);
        failure_ = error.what();
    }
}

} // namespace gradus::file
