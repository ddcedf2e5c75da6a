#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace gradus::simt {

/// What NVIDIA's compiler says of one kernel.
struct KernelResources {
    std::string name;  ///< as a launch would call it: "transpose_tiled", "lab::tiled<32, float>"
    int registers = 0; ///< per thread
    std::int64_t static_shared = 0; ///< bytes per block: __shared__ arrays
    std::int64_t stack = 0;         ///< bytes per thread of local memory, with those of the functions that it calls where these are known
    std::int64_t spill_stores = 0, spill_loads = 0; ///< bytes per thread that did not find a register

    bool operator==(const KernelResources&) const = default;
};

/// The path of nvcc: $GRADUS_NVCC alone where it is set, else $CUDACXX, PATH, /usr/local/cuda/bin. Nothing if it is not there.
std::optional<std::string> find_nvcc();

/// What becomes of every kernel of a file on an architecture (80: sm_80). No GPU is needed. What the same compiler said of the same text, and of
/// what that includes, is taken from the user's cache (kernel_cache.hpp). `with`: the architectures that will be asked for, this one among them;
/// one run of nvcc then answers for all, where it can. `beside`: a folder whose headers it may include as if it stood there, as in
/// KernelSource.
/// Throws CompileError (engine/simt/compile.hpp) with file and line of the first error, UnavailableError where nvcc does not run, does
/// not know the architecture or does not come to an end, FileError for a file that cannot be read, Interrupted where a stop is requested before it is done.
std::vector<KernelResources> kernel_resources(const std::string& nvcc, const std::string& file, int architecture, const std::vector<int>& with = {},
                                              const std::string& beside = {}, const std::stop_token& stop = {});

/// Whether it is what the launch's expression names. Blanks do not count; "tiled<32>" is also found as "tiled", as a launch may leave its
/// template's arguments to be deduced, and "tiled<32, 4>" as "tiled<32>", as it may leave them to their defaults.
bool matches(const KernelResources& resources, std::string_view expression);

/// Compiles a file for a GPU: the bytes that `nvcc -fmad=false -arch=sm_XX -cubin FILE` makes of it. Throws as kernel_resources does, and
/// FileError where `output` cannot be written.
void build_cubin(const std::string& nvcc, const std::string& file, int architecture, const std::string& output);

} // namespace gradus::simt
