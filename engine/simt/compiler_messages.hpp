#pragma once

#include "engine/simt/compile.hpp"

#include <string_view>

namespace gradus::simt {

/// Stands in place of a file whose lines are the source's launches.
constexpr std::string_view launches_file = "launches";

/// What GCC (-fdiagnostics-plain-output), the assembler and the linker said. An error in a header that is not the learner's is told where
/// the learner's file led to it. Of a launch: at the kernel's file, with the launch in its words.
std::vector<CompilerMessage> messages_in(const std::string& output, const KernelSource& source);

/// "2_tiled.cu:20:3: …", of the first error; empty where there is none.
std::string first_error(const std::vector<CompilerMessage>& messages);

} // namespace gradus::simt
