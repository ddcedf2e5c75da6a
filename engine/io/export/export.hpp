#pragma once

#include "engine/core/error.hpp"
#include "engine/trace/run.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

namespace gradus {

/// Somebody who waited for it no longer wants it.
class StoppedError : public Error {
    using Error::Error;
};

/// Which part of a Run is exported: iterations [from, until), all of them where nothing is said.
struct ExportOptions {
    std::optional<StepIndex> from = {}, until = {};
    std::vector<StepIndex> bookmarks = {};             ///< iterations that somebody marked; those outside the range are left out
    std::function<void(double)> progress = {};         ///< hears a share from 0 to 1, on the thread that exports
    std::stop_token stop = {};                         ///< ends the export, which then throws and leaves no file
};

/// What export_run() can write:
/// - "kineto": a Chrome trace as PyTorch's profiler writes it, for HolisticTraceAnalysis and Perfetto; compressed
///   where the path ends in .gz. Measured times of this Run alone: a fork's ancestors ran at another time. Whole
///   microseconds, with the exact nanoseconds beside them.
/// - "perfetto": the same with fractions of microseconds, in which the ops of a small net can be told apart.
/// - "npz": NumPy arrays, one per kept tensor and iteration, and two per series.
/// - "csv": one row per iteration with its scalars (RFC 4180).
/// Bookmarks are instant events in kineto, the array "bookmarks" in npz, a column in csv.
std::span<const std::string_view> export_formats();

/// Writes `run`, which may still be growing, to `path`, replacing a file that is there. In csv and npz a fork's
/// iterations before it left are its ancestors'. The file comes into being as a whole: a failed export leaves none.
/// Throws ArgumentError for an unknown format or iterations the Run lacks, FileError where `path` cannot be written,
/// StoppedError if it was stopped.
void export_run(const Run& run, std::string_view format, const std::filesystem::path& path,
                const ExportOptions& options = {});

} // namespace gradus
