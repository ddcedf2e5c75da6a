#pragma once

#include "engine/trace/run.hpp"

#include <filesystem>
#include <memory>
#include <stop_token>
#include <vector>

namespace gradus {

/// Copies a recording as one file, also while it is being written: what stands in the log beside it is in the copy, and
/// a Run that still grows is "stopped" there. A file at `to` is replaced as a whole or not at all. Throws FileError.
void copy_recording(const std::filesystem::path& from, const std::filesystem::path& to);

/// Writes Runs, forks after their parents, into one .gradus file as far as they have come, with every tensor they keep;
/// events they have given up are not in it. A file at `to` is replaced as a whole or not at all. Throws FileError.
void save_runs(const std::vector<std::shared_ptr<const Run>>& runs, const std::filesystem::path& to);

} // namespace gradus
