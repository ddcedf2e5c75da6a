#pragma once

#include "engine/io/export/export.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

// What the exporters share; export.hpp is what others include.
namespace gradus::exporting {

/// Iterations [from, until) that exist.
struct Range {
    StepIndex from = 0, until = 0;
    bool holds(StepIndex iteration) const { return from <= iteration && iteration < until; }
};

/// What a writer is asked for.
struct Job {
    Range range;
    std::vector<StepIndex> bookmarks; ///< within the range, rising, each once
    const ExportOptions& options;

    /// Called as an iteration is begun: tells how far it is. Throws StoppedError if it was stopped.
    void reach(StepIndex iteration) const;
    bool marked(StepIndex iteration) const;
};

void write_kineto(const Run& run, const Job& job, const std::filesystem::path& path);
void write_perfetto(const Run& run, const Job& job, const std::filesystem::path& path); ///< the same with nanoseconds
void write_npz(const Run& run, const Job& job, const std::filesystem::path& path);
void write_csv(const Run& run, const Job& job, const std::filesystem::path& path);

/// The Run in whose record an iteration stands: `run` or one of its ancestors.
const Run& owner_of(const Run& run, StepIndex iteration);

/// Edits that took effect within `range`, oldest first, the ancestors' included.
std::vector<LoggedEdit> edits_within(const Run& run, Range range);

/// What a series is counted by: "iteration", or "seed" for the figures of a sweep over seeds.
std::string_view axis_of(const SeriesInfo& info);

/// The shortest text that reads back as the same number; "nan" whatever its sign, which means nothing.
std::string scalar_text(double value);

} // namespace gradus::exporting
