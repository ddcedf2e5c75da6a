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
    std::int64_t last_event_unix_ns = 0;
};

/// Reads and verifies a file: schema, sizes, the hash of every chunk and tensor. The file is not trusted and
/// not changed. Throws FileError with one sentence that names the file and the first place that is wrong.
RunFile read_run_file(const std::filesystem::path& path);

} // namespace gradus
