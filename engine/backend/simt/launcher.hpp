#pragma once

#include "engine/backend/simt/bindings.hpp"
#include "engine/core/worker_pool.hpp"
#include "engine/simt/runtime/kernel_library.hpp"
#include "engine/simt/runtime/plain_runner.hpp"

#include <memory>
#include <string>

namespace gradus::simt {

/// A rung made ready for one problem: compiled, loaded, its launches planned.
struct ReadyRung {
    struct Buffer {
        KernelBuffer what;
        int input = -1, output = -1; ///< of the call; both -1: memory of its own
        std::unique_ptr<std::byte, void (*)(void*)> own{nullptr, nullptr};
    };
    struct Argument {
        int buffer = -1; ///< or -1: `bits`
        int number = -1; ///< of the binding's numbers, in place of `bits`
        std::uint64_t bits = 0;
    };
    struct Launch {
        KernelEntry entry = nullptr;
        LaunchShape shape;
        std::vector<Argument> arguments;
    };
    const Binding* binding = nullptr;
    Problem problem;
    std::string name; ///< "matmul/3_shared"
    std::vector<Buffer> buffers;
    std::vector<Launch> launches;
};

/// An opened simt backend: compiles rungs when they are first asked for, keeps them, and runs blocks on the threads of a pool. Blocks are
/// independent of each other, so that no bit depends on the number of threads.
class Launcher {
public:
    /// `rungs`: those in place of the usual ones, "matmul/1_naive softmax/3_warp". Throws ArgumentError for one that there is not,
    /// UnavailableError where there is no compiler.
    Launcher(int threads, const std::string& rungs);

    /// The rung for a call, or null where the binding does not fit it. Throws what compile_kernel and KernelLibrary throw.
    const ReadyRung* ready(const Binding& binding, const GradusCall& call);
    /// Computes the call. Throws ArgumentError for an index outside of what it names, Error where the kernel gives up.
    void run(const ReadyRung& rung, const GradusCall& call);

    int threads() const { return pool_.threads(); }
    std::string trouble; ///< why the last call failed

private:
    const Rung& chosen(const Binding& binding, const Ladder& ladder) const;
    const KernelLibrary& library_of(const Ladder& ladder, const Rung& rung, const std::vector<std::string>& entries);
    void run_blocks(const ReadyRung::Launch& launch, void** arguments);

    WorkerPool pool_;
    std::vector<std::unique_ptr<PlainRunner>> runners_; ///< one for each thread; made when first needed
    std::map<std::string, std::string> rungs_;          ///< by ladder
    std::map<std::string, std::unique_ptr<KernelLibrary>> libraries_;
    std::map<std::pair<const Binding*, Problem>, std::unique_ptr<ReadyRung>> ready_;
};

} // namespace gradus::simt
