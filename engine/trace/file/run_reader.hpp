#pragma once

#include "engine/trace/file/codec.hpp"
#include "engine/trace/file/database.hpp"
#include "engine/trace/file/tally.hpp"
#include "engine/trace/run_writer.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace gradus::file {

/// Reads one Run's rows. Every refusal names the file, the run and the table.
class RunReader {
public:
    /// `tally` is null where the file's format has none.
    RunReader(Database& database, std::int64_t format, const TallyReader* tally, std::int64_t number, Manifest manifest,
              std::shared_ptr<const Run> parent);

    std::shared_ptr<const Run> read(RunState state, const std::string& failure);
    std::size_t tensors = 0; ///< with contents
    std::size_t hashes = 0;  ///< all

private:
    std::string place(const char* table) const;
    [[noreturn]] void refuse(const char* table, const std::string& what) const;
    void check_hash(const char* table, std::int64_t expected, std::span<const std::byte> bytes) const;
    void check_tally(const char* table, const Tally& found) const;

    std::vector<SeriesInfo> read_series_infos();
    void read_sites();
    void read_edits();
    void read_events();
    void read_observed();
    void read_series();
    void read_iterations();
    void read_tensors();
    void read_memory();
    void read_kernels();
    void read_kept();

    /// Calls use(reader) for each chunk of a table, in order, sizes, numbering and hashes checked. `series` is -1 where
    /// the table has no such column.
    void chunks(const char* table, std::size_t record_bytes, std::int64_t series, Tally& tally,
                const std::function<void(ColumnReader&)>& use);
    void chunks(const char* table, std::size_t record_bytes, const std::function<void(ColumnReader&)>& use);

    Database& database_;
    std::int64_t format_;
    const TallyReader* tally_;
    std::int64_t number_;
    std::string where_;
    std::shared_ptr<Run> run_;
    std::unique_ptr<RunWriter> writer_;
    std::map<TensorId, RecordedTensor> all_tensors_;
    std::map<StepIndex, std::shared_ptr<const KernelTrace>> kernels_; ///< as memory_
    std::map<StepIndex, std::shared_ptr<const AllocatorRecord>> memory_; ///< of iterations that are yet to be read
};

} // namespace gradus::file
