#pragma once

#include "engine/backend/simt/bindings.hpp"
#include "engine/core/worker_pool.hpp"
#include "engine/simt/runtime/kernel_library.hpp"
#include "engine/simt/runtime/plain_runner.hpp"
#include "engine/simt/served_kernel.hpp"

#include <memory>
#include <set>
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
        int number = 0; ///< of the library's entries
        KernelEntry entry = nullptr; ///< null: the kernel is served
        LaunchShape shape;
        std::vector<Argument> arguments;
    };
    const Binding* binding = nullptr;
    Problem problem;
    const char* name = ""; ///< "matmul/3_shared"
    ServedKernel* served = nullptr; ///< of a text that somebody wrote; null: the rung's own, in this process
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

    /// From now on that text stands in for the rung's own, which it must be launched like; empty: its own again. It is computed in a process
    /// of its own (ServedKernel), by one thread. Throws ArgumentError for a rung that there is not or that is not in use, and what compile_kernel
    /// throws: then nothing has changed.
    void replace(const std::string& rung, const std::string& text);
    /// The rung for a call, or null where the binding does not fit it. Throws what compile_kernel and KernelLibrary throw.
    const ReadyRung* ready(const Binding& binding, const GradusCall& call);
    /// Computes the call. Throws ArgumentError for an index outside of what it names, Error where the kernel gives up.
    void run(const ReadyRung& rung, const GradusCall& call);

    int threads() const { return pool_.threads(); }
    std::string trouble; ///< why the last call failed

private:
    static std::string key_of(const Ladder& ladder, const Rung& rung, const std::vector<std::string>& entries);
    const Rung& chosen(const Binding& binding, const Ladder& ladder) const;
    const KernelLibrary& library_of(const Ladder& ladder, const Rung& rung, const KernelPlan& plan);
    ServedKernel& served_of(const Ladder& ladder, const Rung& rung, const KernelPlan& plan);
    void serve(const ReadyRung& rung, const GradusCall& call, const std::vector<float>& numbers);
    void run_blocks(const ReadyRung::Launch& launch, void** arguments);

    WorkerPool pool_;
    std::vector<std::unique_ptr<PlainRunner>> runners_; ///< one for each thread; made when first needed
    std::map<std::string, std::string> rungs_;          ///< by ladder
    std::map<std::string, std::string> texts_;          ///< by ladder, of the rung that is chosen there
    std::map<std::string, std::unique_ptr<KernelLibrary>> libraries_;
    std::map<std::string, std::unique_ptr<ServedKernel>> served_; ///< as libraries_, of texts_
    std::set<std::string> names_; ///< of rungs: whoever found a kernel keeps its name
    std::map<std::pair<const Binding*, Problem>, std::unique_ptr<ReadyRung>> ready_;
};

} // namespace gradus::simt
