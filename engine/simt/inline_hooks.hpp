#pragma once

#include <string>
#include <string_view>

namespace gradus::simt {

/// A kernel's assembly as GCC wrote it, with its calls of sanitizers' hooks under our names, so that no sanitizer in the process is taken
/// for them, and as shim/simt_hooks.s has them done in place. Any other line stays as it is.
std::string with_inline_hooks(std::string_view assembly);

} // namespace gradus::simt
