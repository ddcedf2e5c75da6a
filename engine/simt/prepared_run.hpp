#pragma once

#include "engine/core/storage.hpp"
#include "engine/kernels/ladder.hpp"
#include "engine/simt/runtime/launch_request.hpp"

#include <memory>
#include <mutex>

namespace gradus::simt {

/// What a plan launches, each once: the entries of a library.
std::vector<std::string> kernels_of(const KernelPlan& plan);

/// A rung's launches for one problem and block: which buffers lie where, and what stands in them at first.
struct PreparedRun {
    const Ladder* ladder = nullptr;
    const Rung* rung = nullptr;
    Problem problem;
    Dim3 block;
    KernelPlan plan;
    std::vector<KernelBuffer> buffers;  ///< the ladder's, then the rung's own
    std::vector<std::uint64_t> offsets; ///< bytes, of each buffer, from the beginning of the memory that holds all
    std::uint64_t bytes = 0;            ///< of that memory

    /// Throws ArgumentError, naming the rung, for a size it does not know or a block that is not among its own; checks every launch
    /// against what all GPUs of its architecture allow.
    PreparedRun(const Ladder& ladder, const Rung& rung, const Problem& problem, Dim3 block, std::uint64_t seed);

    std::vector<std::string> kernels() const { return kernels_of(plan); }
    /// What stands in one of the ladder's buffers at first; nothing where it is garbage. Made when it is first asked for, once for this run
    /// and all its copies, which share it. Safe to call from any thread.
    StorageRef initial(std::size_t buffer) const;
    /// The same of all the ladder's buffers, as numbers.
    KernelValues initial_numbers() const;
    /// A run of its own, in which these numbers stand at first.
    PreparedRun with(const KernelValues& given) const;
    /// All buffers in memory that holds them, or one.
    void fill(std::byte* memory) const;
    void fill_buffer(std::size_t buffer, std::byte* to) const;
    std::size_t bytes_of(std::size_t buffer) const;
    KernelValues outputs(const std::byte* memory) const;
    /// `entries`: the launches that a library was made for, in its order.
    std::vector<LaunchRequest::Step> launches(const std::vector<std::string>& entries) const;
    std::vector<LaunchRequest::Buffer> request_buffers() const;

private:
    struct Initial {
        std::once_flag made;
        std::vector<StorageRef> of; ///< by the buffer's number
    };
    std::size_t of_ladder() const { return buffers.size() - plan.scratch.size(); }
    std::uint64_t seed_ = 0;
    std::shared_ptr<Initial> initial_ = std::make_shared<Initial>();
};

/// The problem with the ladder's usual sizes, but for those that are given. Throws ArgumentError for a name that the ladder has not.
Problem usual_problem(const Ladder& ladder, const Problem& given = {});

/// How far outputs are from the reference's.
struct OutputError {
    std::string name;
    double error = 0; ///< ‖y − reference‖₂ / ‖reference‖₂
    double allowed = 0; ///< the rung's tolerance, times the condition of these inputs
    bool right = false;
};
std::vector<OutputError> compare(const PreparedRun& run, const KernelValues& outputs);
/// The one that errs most beside what it is allowed; neither is a number where one is none, or where nothing was compared.
OutputError worst_of(const std::vector<OutputError>& errors);

/// The XXH3 64-bit hash, in hexadecimal, of an output's bytes as they stand in the memory that holds all buffers: where two machines have the
/// same, they computed the same bits. Throws ArgumentError for a name that is no buffer's.
std::string output_hash(const PreparedRun& run, const std::string& output, const std::byte* memory);

/// Computes all launches in this process with a library that was compiled without hooks. Throws Error if lanes wait for ever.
void run_plain(const PreparedRun& run, const std::string& library, std::byte* memory);

} // namespace gradus::simt
