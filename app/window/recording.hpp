#pragma once

#include "engine/trace/file/recorder.hpp"
#include "lessons/runtime/session.hpp"

#include <filesystem>
#include <future>
#include <memory>
#include <string>
#include <vector>

namespace gradus {

/// Records the sessions of the window, one file after the other. Files are made, written and closed on other threads: the
/// window never waits for the disk. A former file stays until dropFormer(), so that a crash in between finds one of them.
class Recording {
public:
    /// How much one file may grow to; a lesson of some minutes takes a tenth of it.
    static constexpr std::size_t most_bytes = std::size_t{512} << 20;

    /// In a folder that is made if needed. Files there that belong to no running lab are removed, but for `keep`.
    Recording(std::filesystem::path folder, const std::filesystem::path& keep, bool on = true);
    ~Recording(); ///< closes the file and leaves it

    /// For a session that is about to start. The file of the session before it is closed.
    Session::RunStarted begin();
    /// A file that nobody needs any more, as those of former sessions.
    void discard(std::filesystem::path file) { former_.push_back(std::move(file)); }
    /// Removes the files of former sessions.
    void dropFormer();

    bool on() const { return on_; }
    /// Switched on, the Runs that are there are recorded as far as they have come, and what follows.
    void setOn(bool on);

    /// What is being written to; empty while nothing is.
    std::filesystem::path file() const;
    std::size_t bytes() const;
    /// Why nothing more is written: one sentence; empty while all is well.
    std::string failure() const;

private:
    struct Tape;
    void later(std::function<void()> work); ///< on another thread; waited for at the end

    std::filesystem::path folder_;
    bool on_;
    int count_ = 0;
    std::shared_ptr<Tape> tape_;
    std::vector<std::filesystem::path> former_;
    std::vector<std::future<void>> under_way_;
};

} // namespace gradus
