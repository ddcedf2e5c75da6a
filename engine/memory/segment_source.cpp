#include "engine/memory/segment_source.hpp"

#include "engine/memory/address_checker.hpp"

#include <new>
#include <sys/mman.h>

namespace gradus {

namespace {

constexpr std::size_t page = 4096, huge_page = std::size_t{2} << 20;

/// In huge pages where the system has them: a step that must write into new memory, because a reader keeps what the last
/// one wrote, else takes a page fault for every 4 KiB; a data set ten thousand.
bool in_huge_pages(std::size_t bytes) { return bytes >= huge_page; }
std::align_val_t alignment_of(std::size_t bytes) { return std::align_val_t{in_huge_pages(bytes) ? huge_page : page}; }

} // namespace

void* SystemMemory::take(std::size_t bytes) {
    void* const data = ::operator new(bytes, alignment_of(bytes), std::nothrow);
    if (data && in_huge_pages(bytes)) ::madvise(data, bytes, MADV_HUGEPAGE); // a wish; without it all is as before
    if (data) address_checker::forbid(data, bytes);
    return data;
}

void SystemMemory::give_back(void* segment, std::size_t bytes) {
    address_checker::allow(segment, bytes);
    ::operator delete(segment, alignment_of(bytes));
}

void* ArenaMemory::take(std::size_t bytes) {
    if (bytes > free_) return nullptr;
    free_ -= bytes;
    void* const segment = reinterpret_cast<void*>(next_); // NOLINT: never followed
    next_ += bytes;
    return segment;
}

void ArenaMemory::give_back(void*, std::size_t bytes) { free_ += bytes; }

} // namespace gradus
