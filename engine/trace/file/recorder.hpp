#pragma once

#include "engine/trace/run_writer.hpp"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace gradus {

namespace file {
class LogSync;
struct RecordedRun;
class TableWriter;
} // namespace file

/// Writes Runs into one .gradus file while they grow. A reader like any other: it polls the Runs, every 50 ms, so
/// a process that is killed leaves a file that lacks less than the last 200 ms. Events and scalars are never
/// dropped; tensors are, when they outgrow the budget or the disk, and the file says how many.
class Recorder {
public:
    struct Options {
        std::size_t tensor_bytes = std::size_t{64} << 20; ///< contents kept in the file; hashes are always
        std::size_t most_bytes = 0;     ///< the file ends, and says why, when it has outgrown this; 0: never
        bool planned_tensors_only = false; ///< leaves out those of iterations that only a cursor looked at
    };
    /// Creates the file. Throws FileError if it exists or cannot be written.
    Recorder(const std::filesystem::path& path, Options options);
    explicit Recorder(const std::filesystem::path& path) : Recorder(path, Options{}) {}
    ~Recorder();

    /// Records a Run from its beginning; call it before the Run is written to.
    void add(RunWriter& writer);
    /// Records a Run as far as it has come and from now on; events that it has given up are not in the file.
    void add(std::shared_ptr<const Run> run);
    /// Writes what is left, closes the file and leaves one file. Throws FileError if anything could not be written.
    void close();

    std::size_t bytes_written() const { return bytes_.load(std::memory_order_relaxed); }
    /// What the file holds or will hold once its log is in it, as of the last flush.
    std::size_t file_bytes() const { return file_bytes_.load(std::memory_order_relaxed); }
    std::size_t dropped_tensors() const { return dropped_.load(std::memory_order_relaxed); }
    std::string failure() const; ///< empty while all is well
    const std::filesystem::path& path() const { return path_; }

private:
    void work();
    void flush(bool last);
    void add(std::shared_ptr<const Run> run, std::shared_ptr<std::atomic<std::size_t>> events);

    std::filesystem::path path_;
    Options options_;
    std::unique_ptr<file::TableWriter> writer_;
    std::unique_ptr<file::LogSync> log_;
    mutable std::mutex mutex_; // protects runs_' growth, stop_, failure_
    std::condition_variable wake_;
    std::vector<std::unique_ptr<file::RecordedRun>> runs_;
    bool stop_ = false, closed_ = false;
    std::string failure_;
    std::atomic<std::size_t> bytes_{0}, dropped_{0}, file_bytes_{0};
    std::thread thread_;
};

} // namespace gradus
