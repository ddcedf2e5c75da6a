#include "engine/memory/allocator_state.hpp"

#include <algorithm>

namespace gradus {

std::string_view name_of(AllocatorEvent::Kind kind) {
    using Kind = AllocatorEvent::Kind;
    switch (kind) {
    case Kind::segment_requested: return "segment_requested";
    case Kind::block_split: return "block_split";
    case Kind::block_allocated: return "block_allocated";
    case Kind::stream_joined: return "stream_joined";
    case Kind::free_requested: return "free_requested";
    case Kind::block_freed: return "block_freed";
    case Kind::blocks_coalesced: return "blocks_coalesced";
    case Kind::segment_released: return "segment_released";
    case Kind::out_of_memory: return "out_of_memory";
    case Kind::peaks_reset: return "peaks_reset";
    }
    return "?";
}

std::size_t AllocatorRecord::bytes() const {
    std::size_t bytes = sizeof(AllocatorRecord) + events.size() * sizeof(AllocatorEvent);
    for (const SegmentState& segment : before.segments) bytes += sizeof(SegmentState) + segment.blocks.size() * sizeof(BlockState);
    return bytes;
}

Fragmentation fragmentation_of(const AllocatorState& state) {
    Fragmentation out;
    for (const SegmentState& segment : state.segments)
        for (const BlockState& block : segment.blocks) {
            if (block.kind != BlockState::Kind::free) continue;
            out.free_bytes += block.bytes;
            out.largest_hole = std::max(out.largest_hole, block.bytes);
            if (block.bytes < segment.bytes) out.trapped_bytes += block.bytes;
        }
    return out;
}

} // namespace gradus
