#pragma once

#include <filesystem>

namespace gradus::file {

/// Tells readers that somebody is recording into a file, for as long as it lives; the system takes it away from a
/// process that is killed. It lies on the file's log (FILE-wal), which SQLite does not lock: were it on the file
/// itself, closing it would take SQLite's own locks away.
class RecordingLock {
public:
    /// The log must be there already.
    explicit RecordingLock(const std::filesystem::path& file);
    ~RecordingLock();
    RecordingLock(const RecordingLock&) = delete;
    RecordingLock& operator=(const RecordingLock&) = delete;

private:
    int descriptor_ = -1;
};

/// False also where nothing can be known: no log, or no permission to look.
bool is_being_recorded(const std::filesystem::path& file);

} // namespace gradus::file
