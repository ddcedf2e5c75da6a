#include "engine/core/storage.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <new>
#include <sys/mman.h>

namespace gradus {

namespace {

constexpr std::size_t alignment = 64;
constexpr std::size_t page = 4096, huge_page = std::size_t{2} << 20;

/// Small sizes in cache lines, large ones in pages: few distinct sizes, little waste.
std::size_t rounded(std::size_t bytes) {
    const std::size_t unit = bytes < page * 4 ? alignment : page;
    return bytes == 0 ? alignment : (bytes + unit - 1) / unit * unit;
}

std::align_val_t alignment_of(std::size_t bytes) { return std::align_val_t{bytes >= 4 * huge_page ? huge_page : alignment}; }

/// Large ones in huge pages where the system has them: a data set is else read into ten thousand page faults.
void* system_memory(std::size_t bytes) {
    void* data = ::operator new(bytes, alignment_of(bytes));
    if (bytes >= 4 * huge_page) ::madvise(data, bytes, MADV_HUGEPAGE); // a wish; without it all is as before
    return data;
}

} // namespace

BufferPool::~BufferPool() { trim(); }

std::unique_ptr<Storage> BufferPool::fresh(std::size_t size) {
    auto storage = std::make_unique<Storage>();
    storage->data_ = system_memory(size);
    storage->bytes_ = size;
    return storage;
}

StorageRef BufferPool::allocate(std::size_t bytes) {
    if (bytes > SIZE_MAX / 2) throw std::bad_alloc(); // rounding up would wrap
    const std::size_t size = rounded(bytes);
    Storage* storage = nullptr;
    {
        const std::lock_guard lock(mutex_);
        auto& list = free_[size];
        if (!list.empty()) {
            storage = list.back();
            list.pop_back();
            cached_bytes_.fetch_sub(size, std::memory_order_relaxed);
        }
    }
    if (!storage) storage = fresh(size).release();
    storage->pool_ = shared_from_this();
    storage->references_.store(1, std::memory_order_relaxed);
    live_bytes_.fetch_add(size, std::memory_order_relaxed);
    return StorageRef(storage);
}

void BufferPool::prepare(std::vector<std::size_t> bytes) {
    for (std::size_t& size : bytes) {
        if (size > SIZE_MAX / 2) throw std::bad_alloc();
        size = rounded(size);
    }
    std::sort(bytes.begin(), bytes.end());
    const std::lock_guard lock(mutex_);
    for (auto first = bytes.begin(); first != bytes.end();) {
        const auto next = std::upper_bound(first, bytes.end(), *first);
        auto& list = free_[*first];
        for (auto missing = (next - first) - std::ssize(list); missing > 0; --missing) {
            auto storage = fresh(*first);
            auto* const data = static_cast<volatile std::byte*>(storage->data_);
            for (std::size_t at = 0; at < *first; at += page) data[at] = std::byte{0}; // the system gives a page at its first write
            list.push_back(storage.get());
            (void)storage.release();
            cached_bytes_.fetch_add(*first, std::memory_order_relaxed);
        }
        first = next;
    }
}

void BufferPool::release(Storage* storage) {
    const std::shared_ptr<BufferPool> keep = std::move(storage->pool_); // may be the last owner of *this
    live_bytes_.fetch_sub(storage->bytes_, std::memory_order_relaxed);
    cached_bytes_.fetch_add(storage->bytes_, std::memory_order_relaxed);
    const std::lock_guard lock(mutex_);
    free_[storage->bytes_].push_back(storage);
}

void BufferPool::trim() {
    const std::lock_guard lock(mutex_);
    for (auto& [size, list] : free_) {
        for (Storage* storage : list) {
            ::operator delete(storage->data_, alignment_of(size));
            cached_bytes_.fetch_sub(size, std::memory_order_relaxed);
            delete storage;
        }
        list.clear();
    }
}

StorageRef::~StorageRef() {
    if (storage_ && storage_->references_.fetch_sub(1, std::memory_order_acq_rel) == 1)
        storage_->pool_->release(storage_);
}

} // namespace gradus
