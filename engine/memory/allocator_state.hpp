#pragma once

#include "engine/memory/allocator_event.hpp"

#include <vector>

namespace gradus {

/// One figure of the statistics: what it is, the most it has been, and all that was ever added and taken away.
struct MemoryCount {
    std::int64_t now = 0, peak = 0, added = 0, removed = 0;
    void add(std::int64_t amount) {
        now += amount;
        added += amount;
        peak = now > peak ? now : peak;
    }
    void remove(std::int64_t amount) {
        now -= amount;
        removed += amount;
    }
    bool operator==(const MemoryCount&) const = default;
};

/// What PyTorch's memory_stats() tells, in bytes: requested <= allocated <= active <= reserved.
struct AllocatorStatistics {
    MemoryCount requested; ///< asked for by those who hold a block
    MemoryCount allocated; ///< in their blocks
    MemoryCount active;    ///< allocated, or let go of while another stream may be at work on it
    MemoryCount reserved;  ///< in segments
    std::int64_t allocations = 0, frees = 0, out_of_memory = 0;
    bool operator==(const AllocatorStatistics&) const = default;
};

struct BlockState {
    enum class Kind : std::uint8_t { free, allocated, awaiting };
    std::int64_t offset = 0, bytes = 0, requested = 0;
    Kind kind = Kind::free;
    AllocationUse use = {}; ///< of whoever took it; nobody where free
    bool operator==(const BlockState&) const = default;
};

struct SegmentState {
    std::int32_t number = 0;
    SegmentKind kind = SegmentKind::small;
    StreamIndex stream = 0;
    std::int64_t bytes = 0;
    std::vector<BlockState> blocks; ///< by offset
    bool operator==(const SegmentState&) const = default;
};

/// Every segment and block at one moment; or the statistics and some of the blocks, with gaps between them.
struct AllocatorState {
    std::vector<SegmentState> segments; ///< by number
    AllocatorStatistics statistics;
    bool operator==(const AllocatorState&) const = default;
};

/// What an allocator did for a while. `before` has the statistics as it began, and of the blocks that were there those that an
/// event is about: as much as the events need, however much else is held meanwhile.
struct AllocatorRecord {
    AllocatorState before;
    std::vector<AllocatorEvent> events;
    std::size_t bytes() const;
    bool operator==(const AllocatorRecord&) const = default;
};

/// How badly the free bytes of the segments are scattered.
struct Fragmentation {
    std::int64_t free_bytes = 0;    ///< in all segments
    std::int64_t largest_hole = 0;  ///< the largest free block
    std::int64_t trapped_bytes = 0; ///< free, in segments that cannot be given back because a part of them is in use
    /// 1 - largest hole / free bytes: 0 where all lies in one piece, towards 1 where it is in crumbs.
    double scattered() const {
        return free_bytes == 0 ? 0 : 1 - static_cast<double>(largest_hole) / static_cast<double>(free_bytes);
    }
};
Fragmentation fragmentation_of(const AllocatorState& state);

} // namespace gradus
