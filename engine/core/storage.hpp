#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gradus {

class Storage;

/// Hands out 64-byte aligned buffers and keeps the freed ones by size, so that a training step in its
/// steady state touches no system allocator and no new pages. Thread-safe: a reader may drop the last
/// reference to a snapshot. Buffers keep their pool alive.
class BufferPool : public std::enable_shared_from_this<BufferPool> {
public:
    BufferPool() = default;
    ~BufferPool();
    BufferPool(const BufferPool&) = delete;
    BufferPool& operator=(const BufferPool&) = delete;

    /// A buffer of at least `bytes`; contents are unspecified. Throws std::bad_alloc.
    class StorageRef allocate(std::size_t bytes);
    /// Has freed buffers of these sizes at hand, their pages in place, so that whoever is timed while it takes them does not
    /// wait for the system. Throws std::bad_alloc.
    void prepare(std::vector<std::size_t> bytes);

    /// Bytes in buffers that someone holds.
    std::size_t live_bytes() const { return live_bytes_.load(std::memory_order_relaxed); }
    /// Bytes in freed buffers kept for reuse.
    std::size_t cached_bytes() const { return cached_bytes_.load(std::memory_order_relaxed); }
    /// Gives cached buffers back to the system.
    void trim();

private:
    friend class StorageRef;
    void release(Storage* storage);
    static std::unique_ptr<Storage> fresh(std::size_t size);

    std::mutex mutex_; // protects free_
    std::unordered_map<std::size_t, std::vector<Storage*>> free_;
    std::atomic<std::size_t> live_bytes_{0};
    std::atomic<std::size_t> cached_bytes_{0};
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
    std::atomic<int> references_{0};
    std::size_t bytes_ = 0;
    void* data_ = nullptr;
    std::shared_ptr<BufferPool> pool_; // set while in use, so that a buffer outlives no pool
};

inline StorageRef::StorageRef(const StorageRef& other) noexcept : storage_(other.storage_) {
    if (storage_) storage_->references_.fetch_add(1, std::memory_order_relaxed);
}
inline void* StorageRef::data() const { return storage_ ? storage_->data_ : nullptr; }
inline std::size_t StorageRef::bytes() const { return storage_ ? storage_->bytes_ : 0; }
inline bool StorageRef::unique() const {
    return storage_ && storage_->references_.load(std::memory_order_acquire) == 1;
}

} // namespace gradus
