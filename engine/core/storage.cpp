#include "engine/core/storage.hpp"

#include "engine/core/error.hpp"
#include "engine/memory/address_checker.hpp"

#include <cstddef>
#include <cstdint>

namespace gradus {

namespace {

constexpr std::size_t page = 4096;

AllocatorRules guarded(AllocatorRules rules) {
    rules.guard = address_checker::guard;
    return rules;
}

} // namespace

BufferPool::BufferPool() : BufferPool(cpu_rules()) {}
BufferPool::BufferPool(AllocatorRules rules) : allocator_(std::make_shared<SystemMemory>(), guarded(rules)) {}

CachingAllocator::Allocation BufferPool::taken(std::size_t bytes, std::int32_t output) {
    const CachingAllocator::Allocation allocation = allocator_.allocate(bytes, 0, output);
    address_checker::allow(allocation.data, allocation.bytes);
    return allocation;
}

void BufferPool::given_back(const CachingAllocator::Allocation& allocation) {
    address_checker::forbid(allocation.data, allocation.bytes);
    allocator_.free(allocation.block);
}

StorageRef BufferPool::allocate(std::size_t bytes, std::int32_t output) {
    auto storage = std::make_unique<Storage>();
    storage->pool_ = shared_from_this();
    storage->allocation_ = taken(bytes, output);
    return StorageRef(storage.release());
}

void BufferPool::prepare(const std::vector<std::size_t>& bytes, const std::stop_token& stop) {
    std::vector<CachingAllocator::Allocation> at_hand;
    at_hand.reserve(bytes.size());
    try {
        for (const std::size_t size : bytes) {
            at_hand.push_back(taken(size, -1));
            const CachingAllocator::Allocation& fresh = at_hand.back();
            auto* const data = static_cast<volatile std::byte*>(fresh.data);
            for (std::size_t at = fresh.used_before; at < fresh.bytes; at += page) {
                if (stop.stop_requested()) throw Interrupted();
                data[at] = std::byte{0}; // which gives it its page
            }
        }
    } catch (...) {
        for (const auto& allocation : at_hand) given_back(allocation);
        throw;
    }
    for (auto last = at_hand.rbegin(); last != at_hand.rend(); ++last) given_back(*last);
}

std::size_t BufferPool::cached_bytes() const {
    const AllocatorStatistics now = allocator_.statistics();
    return static_cast<std::size_t>(now.reserved.now - now.allocated.now);
}

void BufferPool::release(Storage* storage) {
    const std::unique_ptr<Storage> given(storage); // its pool may be the last owner of *this
    given_back(given->allocation_);
}

StorageRef::~StorageRef() {
    if (storage_ && storage_->references_.fetch_sub(1, std::memory_order_acq_rel) == 1)
        storage_->pool_->release(storage_);
}

} // namespace gradus
