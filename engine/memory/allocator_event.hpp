#pragma once

#include "engine/memory/rules.hpp"
#include "engine/memory/segment_source.hpp"

#include <cstdint>
#include <string_view>

namespace gradus {

/// Who asked for a block: output number `output` of the event with this ordinal in the iteration; -1 where no event did.
struct AllocationUse {
    std::int32_t ordinal = -1;
    std::int32_t output = -1;
    bool operator==(const AllocationUse&) const = default;
};

/// One decision of a caching allocator. Segments are numbered in the order in which they came, and a place is a segment and an
/// offset in it, so that the same requests give the same events in every process.
struct AllocatorEvent {
    enum class Kind : std::uint8_t {
        segment_requested, ///< the source gave a segment: one free block of `bytes`
        block_split,       ///< the free block there was cut after `bytes`
        block_allocated,   ///< the free block there was handed out for `requested` bytes
        stream_joined,     ///< `stream` uses the block too
        free_requested,    ///< its owner has let go of it, but another stream may still be at work on it
        block_freed,       ///< it is free
        blocks_coalesced,  ///< the free block there and its free neighbour behind it are one, of `bytes`
        segment_released,  ///< the source has it back
        out_of_memory,     ///< `requested` bytes are in no free block, and the source has no segment of `bytes` left
        peaks_reset        ///< the peaks of the statistics start anew at what is now
    };
    Kind kind = Kind::segment_requested;
    SegmentKind segment_kind = SegmentKind::small;
    StreamIndex stream = 0;
    std::int32_t segment = -1;
    std::int64_t offset = 0;    ///< bytes from the segment's start
    std::int64_t bytes = 0;     ///< of the block or the segment
    std::int64_t requested = 0; ///< bytes that were asked for
    AllocationUse use = {};     ///< of the event during which this happened
    bool operator==(const AllocatorEvent&) const = default;
};
constexpr int allocator_event_kinds = static_cast<int>(AllocatorEvent::Kind::peaks_reset) + 1;

/// "segment_requested".
std::string_view name_of(AllocatorEvent::Kind kind);

} // namespace gradus
