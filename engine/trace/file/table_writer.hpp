#pragma once

#include "engine/trace/file/recording_lock.hpp"
#include "engine/trace/file/tally.hpp"
#include "engine/trace/run.hpp"

#include <atomic>
#include <filesystem>
#include <memory>
#include <set>
#include <vector>

namespace gradus::file {

/// How far one Run has been recorded.
struct RecordedRun {
    std::shared_ptr<const Run> run;
    std::int64_t number = 0;
    bool described = false;
    RunState state = RunState::growing;      ///< in the file
    RunState next_state = RunState::growing; ///< as it was before what is being written was read
    std::uint64_t row = 0; ///< hash of its row in the table run
    std::size_t edits = 0, sites = 0, observed = 0, iterations = 0, tensors = 0;
    std::shared_ptr<std::atomic<std::size_t>> events; ///< the writer may evict those below
    std::size_t file_events = 0; ///< in the file, which counts them without those that were evicted before
    std::vector<std::size_t> series;
    std::set<TensorId> known_tensors;
};

/// A file that is being recorded into: it turns what is new in a Run into rows, and keeps the tally of them.
class TableWriter {
public:
    /// Creates the file. Throws FileError if it exists or cannot be written.
    explicit TableWriter(const std::filesystem::path& path);

    void begin() { database_.execute("BEGIN"); }
    /// Ends the transaction, with the tally of its rows.
    void commit();

    /// The Run's manifest and state, where they are new.
    void describe(RecordedRun& recorded, RunState state);
    /// Everything new but tensors.
    void scalars(RecordedRun& recorded);
    /// The tensors that an iteration kept. Contents are written while `bytes` is within the budget; hashes always.
    void tensors(RecordedRun& recorded, const IterationTensors& kept, std::size_t& bytes, std::size_t budget,
                 std::size_t& dropped);
    void set_dropped_tensors(std::size_t count);

    /// Throws FileError if somebody took the file away or cut it: what is written from here on would be lost.
    void expect_in_place() const;
    /// What a failure means: that of a file which was taken away or written over meanwhile may be any.
    std::string reason_for(const std::exception& failure) const;
    bool has_moved() const { return database_.has_moved(); }
    /// What the file holds or will hold once its log is in it.
    std::size_t file_bytes();
    /// Brings what is left of the log into the file; the next transaction begins the log anew.
    void bring_in_log();
    /// Leaves one file.
    void close();

private:
    void add_edit(RecordedRun& recorded, const LoggedEdit& edit);
    void add_events(RecordedRun& recorded, std::vector<EventRecord>& events);
    void add_observed(RecordedRun& recorded, std::size_t until);
    void add_memory(RecordedRun& recorded, StepIndex iteration, const AllocatorRecord& memory);
    void add_kernels(RecordedRun& recorded, StepIndex iteration, const KernelTrace& kernels);
    void add_series(RecordedRun& recorded, std::size_t series, std::size_t until);
    void add_iterations(RecordedRun& recorded, std::size_t until);
    void chunk(const char* table, std::int64_t run, std::size_t first, std::size_t count, std::span<const std::byte> bytes);

    Database database_;
    RecordingLock lock_;
    TallyWriter tally_;
    std::size_t dropped_tensors_ = 0;
    std::uintmax_t least_bytes_ = 0; ///< that the file itself, without its log, has had already
};

} // namespace gradus::file
