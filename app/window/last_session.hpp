#pragma once

#include "views/state/app_state.hpp"

#include <QByteArray>

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <thread>

namespace gradus {

/// Where this user stood last: what a start after a crash goes on from.
struct LastSession {
    AppState state;                  ///< with the cursor and the Run it stood on
    std::filesystem::path recording; ///< of that session; empty: nothing was recorded
    bool record = true;              ///< whether the next one is recorded
    bool operator==(const LastSession&) const = default;

    QByteArray to_json() const;
    /// Throws FileError naming `place`.
    static LastSession from_json(const QByteArray& json, const std::filesystem::path& place);
    /// Nothing where there is no file, or none that can be read.
    static std::optional<LastSession> read(const std::filesystem::path& path);
    /// session.json in the folder of the recordings.
    static std::filesystem::path standard_path();
};

/// Writes small files on a thread of its own: of several wishes for one place the newest is written, as a whole or not
/// at all. What was wished for is on the disk when it is destroyed.
class FileKeeper {
public:
    explicit FileKeeper(std::filesystem::path path);
    ~FileKeeper();
    void keep(QByteArray bytes);
    /// Whether everything that was wished for is written, or could not be.
    bool idle() const { return waiting_.load(std::memory_order_acquire) == 0; }

private:
    void work(const std::stop_token& stop);

    std::filesystem::path path_;
    std::mutex mutex_; // protects wanted_
    std::condition_variable_any wake_;
    std::optional<QByteArray> wanted_;
    std::atomic<int> waiting_{0};
    std::jthread thread_;
};

} // namespace gradus
