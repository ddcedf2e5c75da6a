#pragma once

#include "engine/memory/caching_allocator.hpp"

#include <atomic>
#include <cstddef>
#include <memory>
#include <stop_token>
#include <utility>
#include <vector>

namespace gradus {

class Storage;

/// Hands out 64-byte aligned buffers, blocks of a caching allocator, so that a training step in its steady state touches no
/// system allocator and no new pages. Thread-safe: a reader may drop the last reference to a snapshot. Buffers keep their pool
/// alive.
class BufferPool : public std::enable_shared_from_this<BufferPool> {
public:
    /// Of the machine's memory, with the CPU's rules.
    BufferPool();
    explicit BufferPool(AllocatorRules rules);
    BufferPool(const BufferPool&) = delete;
    BufferPool& operator=(const BufferPool&) = delete;

    /// A buffer of at least `bytes`; contents are unspecified. `output` says which output of the event under way it is for.
    /// Throws std::bad_alloc.
    class StorageRef allocate(std::size_t bytes, std::int32_t output = -1);
    /// Has free blocks of these sizes at hand, their pages in place, so that whoever is timed while it takes them, in this order,
    /// does not wait for the system. Throws std::bad_alloc, and Interrupted once a stop was requested: gigabytes take seconds.
    void prepare(const std::vector<std::size_t>& bytes, const std::stop_token& stop = {});

    /// Bytes in buffers that someone holds.
    std::size_t live_bytes() const { return static_cast<std::size_t>(allocator_.statistics().allocated.now); }
    /// Bytes in free blocks kept for reuse.
    std::size_t cached_bytes() const;
    /// Gives segments of which nobody holds a part back to the system.
    void trim() { allocator_.empty_cache(); }

    CachingAllocator& allocator() { return allocator_; }

private:
    friend class StorageRef;
    void release(Storage* storage);
    CachingAllocator::Allocation taken(std::size_t bytes, std::int32_t output);
    void given_back(const CachingAllocator::Allocation& allocation);

    CachingAllocator allocator_;
};

/// One reference to a buffer. Copies share the buffer; the engine writes into it only while it is the sole
/// owner, so holding a reference makes the contents immutable: a snapshot that copies nothing.
class StorageRef {
public:
    StorageRef() = default;
    StorageRef(const StorageRef& other) noexcept;
    StorageRef(StorageRef&& other) noexcept : storage_(std::exchange(other.storage_, nullptr)) {}
    StorageRef& operator=(StorageRef other) noexcept {
        std::swap(storage_, other.storage_);
        return *this;
    }
    ~StorageRef();

    void* data() const;
    std::size_t bytes() const; ///< capacity
    explicit operator bool() const { return storage_ != nullptr; }
    /// True when nobody else holds the buffer; everything others did to it happened before.
    bool unique() const;
    bool operator==(const StorageRef& other) const { return storage_ == other.storage_; }

private:
    friend class BufferPool;
    explicit StorageRef(Storage* storage) : storage_(storage) {}
    Storage* storage_ = nullptr;
};

/// The buffer's header; only StorageRef and BufferPool touch it.
class Storage {
    friend class BufferPool;
    friend class StorageRef;
    std::atomic<int> references_{1};
    CachingAllocator::Allocation allocation_;
    std::shared_ptr<BufferPool> pool_; // so that a buffer outlives no pool
};

inline StorageRef::StorageRef(const StorageRef& other) noexcept : storage_(other.storage_) {
    if (storage_) storage_->references_.fetch_add(1, std::memory_order_relaxed);
}
inline void* StorageRef::data() const { return storage_ ? storage_->allocation_.data : nullptr; }
inline std::size_t StorageRef::bytes() const { return storage_ ? storage_->allocation_.bytes : 0; }
inline bool StorageRef::unique() const {
    return storage_ && storage_->references_.load(std::memory_order_acquire) == 1;
}

} // namespace gradus
