#pragma once

#include "engine/simt/prepared_run.hpp"
#include "engine/simt/source_places.hpp"

namespace gradus::simt {

/// What one place of the source asked of one buffer, in all warps. Counted at the source's level: the GPU's compiler joins and moves
/// accesses, so that a profiler's totals may differ.
struct LineCount {
    SourcePlace place;
    Op op = Op::none;
    std::string buffer;         ///< or the name of a __shared__ variable; empty for barriers and the like
    Space space = Space::global;
    int bytes = 0;              ///< of one lane's access
    std::int64_t steps = 0;     ///< warp instructions: requests, for accesses
    std::int64_t lanes = 0;     ///< that took part, over all of them
    std::int64_t transfers = 0; ///< global: sectors of 32 bytes; shared: wavefronts
    std::int64_t ideal = 0;     ///< the fewest that would do
    std::int64_t lines = 0;     ///< of 128 bytes, global
    std::int64_t bytes_asked() const { return lanes * bytes; }
    double active() const { return steps ? static_cast<double>(lanes) / static_cast<double>(steps) : 0; } ///< lanes per step
};

/// Something wrong, in words that name kernel, file, line, buffer and lanes.
struct KernelFinding {
    Finding::Kind kind{};
    std::string sentence;
    SourcePlace place, other; ///< other: of a race, the earlier access
    std::string buffer;
    ThreadName thread, second;
    std::int64_t times = 0;
    int step = 0;
    std::vector<ThreadName> others = {}; ///< of a race or an uninitialised read: who else of these blocks has a part in it, each once
};

/// One launch of a rung's.
struct StepReport {
    KernelStep launch;
    std::vector<LineCount> lines; ///< by place in the source
    std::int64_t lane_steps = 0;
    std::int64_t multiply_adds = 0; ///< fmaf of all lanes
    double seconds = 0; ///< measured: the interpreter's own time
    /// Distinct sectors of 32 bytes of the buffers that it reads and writes; 0 where nothing was to be recorded.
    std::int64_t sectors_read = 0, sectors_written = 0;
};

/// The file's own name for a kind of finding: "race", "out-of-bounds", …
std::string_view name_of(Finding::Kind kind);

/// Where a site stands in the kernel's own file: the innermost call there by which one came to it.
SourcePlace place_of(const LaunchAnswer& answer, const SourcePlaces& places, Site site);

/// What the child said, put beside the source. `places`: of the library that ran.
std::vector<StepReport> step_reports(const PreparedRun& run, const LaunchAnswer& answer, const SourcePlaces& places);
std::vector<KernelFinding> kernel_findings(const PreparedRun& run, const LaunchAnswer& answer, const SourcePlaces& places);

/// One sentence, where not all that was printed is kept; else nothing.
std::string left_out_words(const PrintedText& printed);

/// All lines of a launch that touch a buffer in that way, together.
LineCount total(const StepReport& step, Expected::Access access, const std::string& buffer);

} // namespace gradus::simt
