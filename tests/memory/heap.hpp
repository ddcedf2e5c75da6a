#pragma once

#include <cstddef>

/// What this program has from the heap, counted in its own operator new; not under a sanitizer, which has one of its own.
namespace gradus::test::heap {

constexpr bool is_counted =
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    false;
#else
    true;
#endif

std::size_t now();
std::size_t peak();
void reset_peak();

} // namespace gradus::test::heap
