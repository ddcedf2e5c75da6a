#pragma once

#include "engine/trace/run.hpp"

#include <filesystem>
#include <memory>
#include <vector>

namespace gradus {

/// A .gradus file as Runs: the same objects a live session has, with forks after their parents.
struct RunFile {
    std::vector<std::shared_ptr<const Run>> runs;
    std::size_t dropped_tensors = 0;
    std::size_t tensors = 0;       ///< with contents
    std::size_t tensor_hashes = 0; ///< all
    bool whole = false;            ///< every Run in it was closed properly
    bool recording = false;        ///< somebody was recording into it when it was opened, as far as can be known
    std::int64_t format = 0;       ///< 1 does not say how many rows it had: one that was removed is not missed
    std::int64_t last_event_unix_ns = 0;
};

/// Reads and verifies a file: schema, sizes, the hash of every chunk and tensor, and that the rows of every table are
/// those that were written. The file is not trusted and not changed. Throws FileError with one sentence that names the
/// file and the first place that is wrong, NoFileError where there is nothing to read.
RunFile read_run_file(const std::filesystem::path& path);

} // namespace gradus
