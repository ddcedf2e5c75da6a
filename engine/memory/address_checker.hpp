#pragma once

#include <cstddef>

/// Tells AddressSanitizer which parts of a segment somebody may touch, so that it finds an access beyond a block as it would
/// one beyond an allocation. Nothing in other builds.
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace gradus::address_checker {

#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t guard = 64; // bytes behind each block that nobody may touch
inline void forbid(void* data, std::size_t bytes) { __asan_poison_memory_region(data, bytes); }
inline void allow(void* data, std::size_t bytes) { __asan_unpoison_memory_region(data, bytes); }
#else
constexpr std::size_t guard = 0;
inline void forbid(void*, std::size_t) {}
inline void allow(void*, std::size_t) {}
#endif

} // namespace gradus::address_checker
