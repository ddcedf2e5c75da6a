#pragma once

namespace gradus::test {

/// How much longer work may take than in the program as it is shipped: the sanitizers check every access.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int slowed = 4;
#else
constexpr int slowed = 1;
#endif

} // namespace gradus::test
