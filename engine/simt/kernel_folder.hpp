#pragma once

#include <string>

namespace gradus::simt {

/// The folder that holds kernels/ and simt/shim/: $GRADUS_KERNELS, or engine/ beside or above the program.
/// Throws FileError naming where it looked.
std::string kernel_folder();

} // namespace gradus::simt
