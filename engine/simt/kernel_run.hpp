#pragma once

#include "engine/simt/child.hpp"
#include "engine/simt/compile.hpp"
#include "engine/simt/kernel_report.hpp"
#include "engine/simt/trace_of.hpp"

#include <functional>

namespace gradus::simt {

/// A rung to be run step by step.
struct KernelRequest {
    const Ladder* ladder = nullptr;
    const Rung* rung = nullptr;
    Problem sizes;      ///< those that are not the ladder's usual ones
    Dim3 block{0, 0, 0}; ///< 0: the rung's first
    std::string source; ///< a file in place of the rung's own, with the same kernels; empty: its own
    std::uint64_t seed = 1;
    RunOptions options;
    LaunchRequest::Watched watched;
    Recording recording;
    std::chrono::milliseconds at_most{60'000}; ///< for what comes before the blocks, and for each of them
    /// Told, while it runs, how many blocks are done, and of how many; of a single block how many steps its lanes have done, of 0: nobody knows.
    std::function<void(std::int64_t done, std::int64_t of)> progress = {};
};

/// What came of it.
struct KernelRun {
    PreparedRun prepared;
    std::string library;   ///< the hooked one, whose debug information names places
    ChildEnd end;          ///< if it is not done, there is nothing in the rest
    LaunchAnswer answer;
    std::vector<StepReport> steps;
    std::vector<KernelFinding> findings;
    std::vector<OutputError> errors; ///< against the reference; empty where not all of it ran, be it that one block was to be alone
    std::shared_ptr<const KernelTrace> trace; ///< where something was to be recorded
    std::shared_ptr<const Arena> arena;       ///< with the memory below; null where not all launches came to their end

    /// As the launches left it; buffers at prepared.offsets. Empty where not all of them came to their end.
    std::span<const std::byte> memory() const;
    KernelValues outputs() const; ///< in it
    bool right() const; ///< the reference's values, and nothing found
};

/// The path of a rung's file. Throws FileError where there is no folder of kernels.
std::string file_of(const Ladder& ladder, const Rung& rung);

/// What is compiled of a rung whose launches are planned: its own file, or `instead`.
KernelSource source_of(const Ladder& ladder, const Rung& rung, const KernelPlan& plan, const std::string& instead = {});

/// A ladder and a rung by "transpose/2_tiled", or "transpose" for its last rung. Throws ArgumentError naming those there are.
std::pair<const Ladder*, const Rung*> find_rung(const std::string& name);

/// Compiles with hooks, runs in the child, and puts what it says beside the source. Throws what compile_kernel and run_child throw.
KernelRun run_kernel(const KernelRequest& request, const std::stop_token& stop = {});
/// The same of a run that was prepared for this request before, with what was made for it.
KernelRun run_kernel(const KernelRequest& request, const PreparedRun& prepared, const std::stop_token& stop);

/// Compiles with hooks, as run_kernel() does first, and that is all. Throws what compile_kernel throws.
std::string compile_request(const KernelRequest& request, const std::stop_token& stop = {});

/// Compiles without hooks: the path of the library, for run_plain of prepared_run.hpp.
std::string plain_library(const PreparedRun& run, const std::string& source = {});
/// Compiles without hooks and runs in this process: the outputs.
KernelValues run_plain(const PreparedRun& run, const std::string& source = {});

} // namespace gradus::simt
