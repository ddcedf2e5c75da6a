#include "tests/memory/heap.hpp"

#include <atomic>
#include <cstdlib>
#include <malloc.h>
#include <new>

namespace gradus::test::heap {

namespace {

std::atomic<std::size_t> bytes_now{0}, bytes_peak{0};

[[maybe_unused]] void* counted(void* data) {
    if (!data) return nullptr;
    const std::size_t now = bytes_now.fetch_add(malloc_usable_size(data)) + malloc_usable_size(data);
    std::size_t peak = bytes_peak.load();
    while (now > peak && !bytes_peak.compare_exchange_weak(peak, now)) {}
    return data;
}

[[maybe_unused]] void given_back(void* data) {
    if (data) bytes_now.fetch_sub(malloc_usable_size(data));
    std::free(data);
}

[[maybe_unused]] void* or_throw(void* data) {
    if (!data) throw std::bad_alloc();
    return data;
}

} // namespace

std::size_t now() { return bytes_now; }
std::size_t peak() { return bytes_peak; }
void reset_peak() { bytes_peak.store(bytes_now.load()); }

} // namespace gradus::test::heap

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
using gradus::test::heap::counted, gradus::test::heap::given_back, gradus::test::heap::or_throw;

static void* aligned(std::size_t bytes, std::align_val_t alignment) {
    void* data = nullptr;
    return posix_memalign(&data, static_cast<std::size_t>(alignment), bytes) == 0 ? counted(data) : nullptr;
}

void* operator new(std::size_t bytes) { return or_throw(counted(std::malloc(bytes ? bytes : 1))); }
void* operator new[](std::size_t bytes) { return or_throw(counted(std::malloc(bytes ? bytes : 1))); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return counted(std::malloc(bytes ? bytes : 1)); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return counted(std::malloc(bytes ? bytes : 1)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) { return or_throw(aligned(bytes, alignment)); }
void* operator new[](std::size_t bytes, std::align_val_t alignment) { return or_throw(aligned(bytes, alignment)); }
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept { return aligned(bytes, alignment); }
void* operator new[](std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept { return aligned(bytes, alignment); }
void operator delete(void* data) noexcept { given_back(data); }
void operator delete[](void* data) noexcept { given_back(data); }
void operator delete(void* data, std::size_t) noexcept { given_back(data); }
void operator delete[](void* data, std::size_t) noexcept { given_back(data); }
void operator delete(void* data, std::align_val_t) noexcept { given_back(data); }
void operator delete[](void* data, std::align_val_t) noexcept { given_back(data); }
void operator delete(void* data, std::size_t, std::align_val_t) noexcept { given_back(data); }
void operator delete[](void* data, std::size_t, std::align_val_t) noexcept { given_back(data); }
#endif
