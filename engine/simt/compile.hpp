#pragma once

#include "engine/core/error.hpp"

#include <stop_token>
#include <string>
#include <vector>

namespace gradus::simt {

/// A kernel's file, and what of it is launched.
struct KernelSource {
    std::string file;                 ///< path of the .cu
    std::vector<std::string> entries; ///< as in a launch: "transpose_tiled<32>"; the library's entries, in this order
    std::string beside = {};          ///< a folder whose headers it may include as if it stood there
    std::vector<std::vector<std::string>> arguments = {}; ///< of each entry, as types: "void*" for a buffer, "int", "float"; empty: not compared
};

enum class KernelBuild : std::uint8_t {
    plain,  ///< to be run in this process: fast, nothing is recorded
    hooked, ///< to be run in the child: each access calls the interpreter
};

/// What the compiler said of one place.
struct CompilerMessage {
    std::string file;
    int line = 0, column = 0; ///< 0: not known
    std::string severity;     ///< "error", "warning", "note"
    std::string message;
};

/// The kernel does not compile. what() names file and line of the first error.
class CompileError : public Error {
public:
    CompileError(const std::string& sentence, std::vector<CompilerMessage> messages) : Error(sentence), messages_(std::move(messages)) {}
    const std::vector<CompilerMessage>& messages() const { return messages_; }

private:
    std::vector<CompilerMessage> messages_;
};

/// Compiles a kernel's file for the CPU and gives the library's path, for runtime/kernel_library.hpp. What was compiled before from the
/// same text by the same compiler is taken from the user's cache (kernel_cache.hpp). `g++ -O0` with its calls at each access (see
/// shim/simt_base.h), or -O2; no contraction of multiply and add, so that both round as the GPU does.
/// Throws CompileError; UnavailableError where there is no g++, or where it does not come to an end or takes more memory or disk than it may;
/// FileError for a file that cannot be read; Interrupted where a stop is requested before it is done, of which nothing is left.
std::string compile_kernel(const KernelSource& source, KernelBuild build, const std::stop_token& stop = {});

} // namespace gradus::simt
