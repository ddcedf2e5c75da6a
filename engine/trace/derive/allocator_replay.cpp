#include "engine/trace/derive/allocator_replay.hpp"

#include "engine/core/error.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace gradus {

namespace {

using Kind = AllocatorEvent::Kind;

/// Plays events on a state, looking at each before it changes anything.
class Player {
public:
    explicit Player(AllocatorState& state) : state_(state) {}

    void play(const AllocatorEvent& event, std::size_t number) {
        number_ = number;
        event_ = &event;
        AllocatorStatistics& statistics = state_.statistics;
        switch (event.kind) {
        case Kind::segment_requested: request(event); break;
        case Kind::block_split: split(event); break;
        case Kind::block_allocated: {
            BlockState& taken = block(BlockState::Kind::free);
            expect(event.bytes == taken.bytes && event.requested >= 0 && event.requested <= event.bytes, "a size that fits its block");
            taken = {event.offset, event.bytes, event.requested, BlockState::Kind::allocated, event.use};
            ++statistics.allocations;
            statistics.requested.add(event.requested);
            statistics.allocated.add(event.bytes);
            statistics.active.add(event.bytes);
            break;
        }
        case Kind::stream_joined: block(BlockState::Kind::allocated); break;
        case Kind::free_requested: let_go(block(BlockState::Kind::allocated)); break;
        case Kind::block_freed: set_free(); break;
        case Kind::blocks_coalesced: coalesce(event); break;
        case Kind::segment_released: release(event); break;
        case Kind::out_of_memory: ++statistics.out_of_memory; break;
        case Kind::peaks_reset:
            for (MemoryCount* count : {&statistics.requested, &statistics.allocated, &statistics.active, &statistics.reserved})
                count->peak = count->now;
            break;
        }
    }

private:
    void expect(bool condition, const char* wanted) const {
        if (!condition)
            throw ArgumentError(fmt::format("allocator event {} ({}) expects {}", number_, name_of(event_->kind), wanted));
    }

    SegmentState& segment() const {
        const auto at = std::lower_bound(state_.segments.begin(), state_.segments.end(), event_->segment,
                                         [](const SegmentState& s, std::int32_t number) { return s.number < number; });
        expect(at != state_.segments.end() && at->number == event_->segment, "a segment that is there");
        return *at;
    }

    std::size_t place(SegmentState& in) const {
        const auto at = std::lower_bound(in.blocks.begin(), in.blocks.end(), event_->offset,
                                         [](const BlockState& b, std::int64_t offset) { return b.offset < offset; });
        expect(at != in.blocks.end() && at->offset == event_->offset, "a block that begins there");
        return static_cast<std::size_t>(at - in.blocks.begin());
    }

    BlockState& block() const {
        SegmentState& in = segment();
        return in.blocks[place(in)];
    }
    BlockState& block(BlockState::Kind kind) const {
        BlockState& found = block();
        expect(found.kind == kind, kind == BlockState::Kind::free ? "a free block" : "an allocated block");
        return found;
    }

    void request(const AllocatorEvent& event) {
        expect(event.bytes > 0 && event.bytes <= std::numeric_limits<std::int64_t>::max() - state_.statistics.reserved.now &&
                   (state_.segments.empty() || state_.segments.back().number < event.segment),
               "a new segment");
        state_.segments.push_back({event.segment, event.segment_kind, event.stream, event.bytes, {BlockState{0, event.bytes}}});
        state_.statistics.reserved.add(event.bytes);
    }

    void split(const AllocatorEvent& event) {
        SegmentState& in = segment();
        const std::size_t at = place(in);
        BlockState& whole = in.blocks[at];
        expect(whole.kind == BlockState::Kind::free && event.bytes > 0 && event.bytes < whole.bytes, "a free block to cut");
        const BlockState rest{whole.offset + event.bytes, whole.bytes - event.bytes};
        whole.bytes = event.bytes;
        in.blocks.insert(in.blocks.begin() + static_cast<std::ptrdiff_t>(at) + 1, rest);
    }

    void let_go(BlockState& given) {
        ++state_.statistics.frees;
        state_.statistics.requested.remove(given.requested);
        state_.statistics.allocated.remove(given.bytes);
        given.kind = BlockState::Kind::awaiting;
    }

    void set_free() {
        BlockState& given = block();
        expect(given.kind != BlockState::Kind::free, "a block that is not free");
        if (given.kind == BlockState::Kind::allocated) let_go(given);
        state_.statistics.active.remove(given.bytes);
        given = {given.offset, given.bytes};
    }

    void coalesce(const AllocatorEvent& event) {
        SegmentState& in = segment();
        const std::size_t at = place(in);
        expect(at + 1 < in.blocks.size() && in.blocks[at].kind == BlockState::Kind::free &&
                   in.blocks[at + 1].kind == BlockState::Kind::free &&
                   in.blocks[at].offset + in.blocks[at].bytes == in.blocks[at + 1].offset && in.blocks[at].bytes + in.blocks[at + 1].bytes == event.bytes,
               "two free neighbours");
        in.blocks[at].bytes = event.bytes;
        in.blocks.erase(in.blocks.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    }

    void release(const AllocatorEvent& event) {
        SegmentState& given = segment();
        expect(given.blocks.size() == 1 && given.blocks[0].kind == BlockState::Kind::free && given.bytes == event.bytes &&
                   given.blocks[0].bytes == given.bytes,
               "a wholly free segment");
        state_.statistics.reserved.remove(given.bytes);
        state_.segments.erase(state_.segments.begin() + (&given - state_.segments.data()));
    }

    AllocatorState& state_;
    const AllocatorEvent* event_ = nullptr;
    std::size_t number_ = 0;
};

} // namespace

AllocatorState replayed(AllocatorState state, std::span<const AllocatorEvent> events) {
    Player player(state);
    for (std::size_t i = 0; i < events.size(); ++i) player.play(events[i], i);
    return state;
}

void check_state(const AllocatorState& state, bool whole) {
    const auto expect = [](bool condition, const char* what) {
        if (!condition) throw ArgumentError(fmt::format("an allocator's state is not whole: {}", what));
    };
    std::int64_t requested = 0, allocated = 0, active = 0, reserved = 0;
    std::int32_t before = -1;
    for (const SegmentState& segment : state.segments) {
        expect(segment.number > before, "its segments do not rise in number");
        before = segment.number;
        expect(segment.bytes > 0 && segment.bytes <= std::numeric_limits<std::int64_t>::max() - reserved, "a segment has no size");
        reserved += segment.bytes;
        std::int64_t end = 0;
        bool free_before = false;
        for (const BlockState& block : segment.blocks) {
            expect((whole ? block.offset == end : block.offset >= end && block.offset <= segment.bytes) && block.bytes > 0 &&
                       block.bytes <= segment.bytes - block.offset,
                   "a block is not where the last one ends");
            free_before &= block.offset == end;
            expect(block.requested >= 0 && block.requested <= block.bytes, "a block is smaller than what was asked for");
            end = block.offset + block.bytes;
            const bool is_free = block.kind == BlockState::Kind::free;
            expect(!(is_free && free_before), "two free neighbours are apart");
            expect(!is_free || (block.requested == 0 && block.use == AllocationUse{}), "a free block is in use");
            free_before = is_free;
            if (!is_free) active += block.bytes;
            if (block.kind == BlockState::Kind::allocated) {
                allocated += block.bytes;
                requested += block.requested;
            }
        }
        expect(!whole || end == segment.bytes, "blocks do not fill their segment");
    }
    const AllocatorStatistics& s = state.statistics;
    const auto fits = [whole](std::int64_t now, std::int64_t sum) { return whole ? now == sum : now >= sum; };
    expect(fits(s.requested.now, requested) && fits(s.allocated.now, allocated) && fits(s.active.now, active) &&
               fits(s.reserved.now, reserved),
           "its statistics are not the sums of its blocks");
}

} // namespace gradus
