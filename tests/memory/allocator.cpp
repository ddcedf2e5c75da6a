// The caching allocator's rules, row by row: PyTorch's sizes, best fit, split, coalescing, streams, giving back, no memory left.
#include "engine/memory/caching_allocator.hpp"

#include "engine/core/error.hpp"
#include "engine/trace/derive/allocator_replay.hpp"
#include "tests/support/check.hpp"

#include <vector>

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr std::size_t kib = 1024, mib = mebibyte;
using Kind = AllocatorEvent::Kind;

struct Arena {
    explicit Arena(std::size_t bytes = 256 * mib, AllocatorRules rules = {})
        : memory(std::make_shared<ArenaMemory>(bytes)), allocator(memory, rules), start(allocator.state()) {
        allocator.start_recording();
    }
    CachingAllocator::Block* take(std::size_t bytes, StreamIndex stream = 0) { return allocator.allocate(bytes, stream).block; }
    std::int64_t reserved() const { return allocator.statistics().reserved.now; }

    std::shared_ptr<ArenaMemory> memory;
    CachingAllocator allocator;
    AllocatorState start;
};

std::vector<std::string> names(const std::vector<AllocatorEvent>& events) {
    std::vector<std::string> out;
    for (const AllocatorEvent& event : events) out.emplace_back(name_of(event.kind));
    return out;
}

} // namespace

TEST(allocator_rounds_as_pytorch_does) {
    struct {
        std::size_t bytes, block, segment;
    } const rows[] = {
        {0, 512, 2 * mib},
        {1, 512, 2 * mib},
        {300, 512, 2 * mib},
        {512, 512, 2 * mib},
        {513, kib, 2 * mib},
        {mib, mib, 2 * mib},
        {mib + 1, mib + 512, 20 * mib},
        {3 * mib / 2, 3 * mib / 2, 20 * mib},
        {10 * mib - 512, 10 * mib - 512, 20 * mib},
        {10 * mib, 10 * mib, 10 * mib},
        {10 * mib + 1, 10 * mib + 512, 12 * mib},
        {30 * mib, 30 * mib, 30 * mib},
        {31 * mib + 5, 31 * mib + 512, 32 * mib},
    };
    for (const auto& row : rows) {
        const Row name(std::to_string(row.bytes));
        Arena arena;
        const auto got = arena.allocator.allocate(row.bytes);
        CHECK_EQUAL(arena.reserved(), static_cast<std::int64_t>(row.segment));
        // The rest of a large segment stays with the block where it is 1 MiB or less.
        const std::size_t rest = row.segment - row.block;
        const bool split = row.block <= mib ? rest >= 512 : rest > mib;
        CHECK_EQUAL(got.bytes, split ? row.block : row.segment);
        CHECK_EQUAL(arena.allocator.statistics().requested.now, static_cast<std::int64_t>(row.bytes));
    }
}

TEST(allocator_reserves_what_the_literature_computes) {
    Arena arena;
    arena.take(300);
    arena.take(3 * mib / 2);
    CachingAllocator::Block* const large = arena.take(30 * mib);
    CHECK_EQUAL(arena.reserved(), static_cast<std::int64_t>(52 * mib));
    arena.allocator.free(large);
    CHECK_EQUAL(arena.reserved(), static_cast<std::int64_t>(52 * mib)); // kept
    arena.allocator.empty_cache();
    CHECK_EQUAL(arena.reserved(), static_cast<std::int64_t>(22 * mib)); // what others hold a part of stays
}

TEST(allocator_cannot_use_free_bytes_that_are_scattered) {
    for (const std::size_t wanted : {8 * mib, 12 * mib, 16 * mib, 18 * mib}) {
        const Row row(std::to_string(wanted / mib));
        Arena arena;
        std::vector<CachingAllocator::Block*> blocks;
        for (int i = 0; i < 24; ++i) blocks.push_back(arena.take(8 * mib));
        CHECK_EQUAL(arena.reserved(), static_cast<std::int64_t>(240 * mib));
        for (std::size_t i = 1; i < blocks.size(); i += 2) arena.allocator.free(blocks[i]);
        const Fragmentation holes = fragmentation_of(arena.allocator.state());
        CHECK_EQUAL(holes.free_bytes, static_cast<std::int64_t>(144 * mib));
        CHECK_EQUAL(holes.trapped_bytes, holes.free_bytes);
        CHECK_EQUAL(holes.largest_hole, static_cast<std::int64_t>(12 * mib));
        CHECK_EQUAL(arena.memory->free_bytes(), 16 * mib);
        if (wanted < 18 * mib) {
            arena.take(wanted);
            CHECK_EQUAL(arena.allocator.statistics().out_of_memory, 0);
            continue;
        }
        CHECK_THROWS(arena.take(wanted), OutOfMemory, "150994944 of the 251658240 reserved bytes are free");
        CHECK_EQUAL(arena.allocator.statistics().out_of_memory, 1);
    }
}

TEST(allocator_gives_free_segments_back_before_it_refuses) {
    Arena arena(64 * mib);
    CachingAllocator::Block* const first = arena.take(30 * mib);
    CachingAllocator::Block* const second = arena.take(30 * mib);
    arena.allocator.free(first);
    CHECK_THROWS(arena.take(40 * mib), OutOfMemory, "out of memory: 41943040 bytes");
    CHECK_EQUAL(arena.reserved(), static_cast<std::int64_t>(30 * mib)); // the free one went, and it was not enough
    arena.allocator.free(second);
    arena.take(40 * mib);
    CHECK_EQUAL(arena.reserved(), static_cast<std::int64_t>(40 * mib));
    CHECK_THROWS(arena.take(SIZE_MAX), OutOfMemory, "out of memory");
    CHECK_THROWS(arena.take(SIZE_MAX / 2), OutOfMemory, "out of memory");
}

TEST(allocator_says_what_it_decides) {
    Arena arena;
    CachingAllocator::Block* const a = arena.take(1000);
    CachingAllocator::Block* const b = arena.take(2000);
    CachingAllocator::Block* const c = arena.take(3000);
    CHECK_EQUAL(names(arena.allocator.stop_recording().events),
                (std::vector<std::string>{"segment_requested", "block_split", "block_allocated", "block_split", "block_allocated",
                                          "block_split", "block_allocated"}));
    arena.allocator.start_recording();
    arena.allocator.set_ordinal(7);
    arena.allocator.free(a);
    arena.allocator.free(c); // with the free rest behind it
    arena.allocator.free(b); // with both neighbours
    arena.allocator.empty_cache();
    const auto events = arena.allocator.stop_recording().events;
    CHECK_EQUAL(names(events), (std::vector<std::string>{"block_freed", "block_freed", "blocks_coalesced", "block_freed",
                                                         "blocks_coalesced", "blocks_coalesced", "segment_released"}));
    for (const AllocatorEvent& event : events) CHECK_EQUAL(event.use.ordinal, 7);
    CHECK_EQUAL(events[3].offset, 1024);
    CHECK_EQUAL(events[3].requested, 2000);
}

TEST(allocator_takes_the_smallest_hole_that_fits) {
    Arena arena;
    std::vector<CachingAllocator::Block*> blocks;
    for (const std::size_t bytes : {4 * kib, 512 * std::size_t{1}, 8 * kib, 512 * std::size_t{1}, 6 * kib, 512 * std::size_t{1}})
        blocks.push_back(arena.take(bytes));
    for (const std::size_t i : {0u, 2u, 4u}) arena.allocator.free(blocks[i]);
    const AllocatorState before = arena.allocator.state();
    struct {
        std::size_t bytes;
        std::int64_t offset;
    } const rows[] = {{5 * kib, 12 * kib + 1024}, {4 * kib, 0}, {7 * kib, 4 * kib + 512}, {900, 4 * kib + 512 + 7 * kib}};
    for (const auto& row : rows) {
        const Row name(std::to_string(row.bytes));
        arena.allocator.stop_recording();
        arena.allocator.start_recording();
        arena.take(row.bytes);
        CHECK_EQUAL(arena.allocator.stop_recording().events.back().offset, row.offset);
    }
    CHECK_EQUAL(before.segments.size(), 1u);
}

TEST(allocator_waits_for_other_streams) {
    Arena arena;
    CachingAllocator::Block* const a = arena.take(mib, 1);
    arena.allocator.use_on_stream(a, 1); // its own
    arena.allocator.use_on_stream(a, 2);
    arena.allocator.use_on_stream(a, 2);
    arena.allocator.use_on_stream(a, 3);
    arena.allocator.free(a);
    AllocatorStatistics now = arena.allocator.statistics();
    CHECK_EQUAL(now.allocated.now, 0);
    CHECK_EQUAL(now.active.now, static_cast<std::int64_t>(mib));
    CHECK(arena.allocator.allocate(mib, 1).data != nullptr);
    CHECK_EQUAL(fragmentation_of(arena.allocator.state()).free_bytes, 0); // the block beside it was taken
    arena.memory->finish_streams();
    arena.take(mib, 1);
    CHECK_EQUAL(arena.reserved(), static_cast<std::int64_t>(2 * mib)); // where the first had been
    arena.take(512, 4);
    CHECK_EQUAL(arena.reserved(), static_cast<std::int64_t>(4 * mib)); // a stream has its own segments
    const auto events = arena.allocator.stop_recording().events;
    CHECK(replayed(arena.start, events) == arena.allocator.state());
    int joined = 0;
    for (const AllocatorEvent& event : events) joined += event.kind == Kind::stream_joined;
    CHECK_EQUAL(joined, 2);

    Arena waits(2 * mib);
    CachingAllocator::Block* const b = waits.take(mib);
    waits.allocator.use_on_stream(b, 5);
    waits.allocator.free(b);
    waits.take(2 * mib - 512 * kib - mib);
    CHECK_EQUAL(waits.allocator.statistics().active.now, static_cast<std::int64_t>(3 * mib / 2));
    waits.take(mib); // nothing else is left: it waits for stream 5
    CHECK_EQUAL(waits.allocator.statistics().out_of_memory, 0);
}

TEST(allocator_peaks_start_anew) {
    Arena arena;
    CachingAllocator::Block* const a = arena.take(5 * mib);
    arena.allocator.free(a);
    arena.allocator.reset_peaks();
    const AllocatorStatistics now = arena.allocator.statistics();
    CHECK_EQUAL(now.allocated.peak, 0);
    CHECK_EQUAL(now.reserved.peak, static_cast<std::int64_t>(20 * mib));
    CHECK_EQUAL(now.allocated.added, static_cast<std::int64_t>(5 * mib));
    CHECK(replayed(arena.start, arena.allocator.stop_recording().events) == arena.allocator.state());
}

TEST(allocator_events_that_cannot_be_are_refused) {
    Arena arena;
    CachingAllocator::Block* const a = arena.take(1000);
    arena.take(1000);
    arena.allocator.free(a);
    const auto events = arena.allocator.stop_recording().events;
    struct {
        const char* what;
        std::size_t event;
        void (*change)(AllocatorEvent&);
        const char* sentence;
    } const rows[] = {
        {"no segment", 0, [](AllocatorEvent& e) { e.segment = 4; }, "event 1 (block_split) expects a segment that is there"},
        {"empty segment", 0, [](AllocatorEvent& e) { e.bytes = 0; }, "event 0 (segment_requested) expects a new segment"},
        {"cut outside", 1, [](AllocatorEvent& e) { e.bytes = 1 << 30; }, "event 1 (block_split) expects a free block to cut"},
        {"another size", 2, [](AllocatorEvent& e) { e.bytes += 1; }, "event 2 (block_allocated) expects a size that fits"},
        {"twice", 4, [](AllocatorEvent& e) { e.offset = 0; }, "event 4 (block_allocated) expects a free block"},
        {"between blocks", 5, [](AllocatorEvent& e) { e.offset += 1; }, "event 5 (block_freed) expects a block that begins there"},
        {"freed again", 4, [](AllocatorEvent& e) { e.kind = Kind::block_freed; }, "event 4 (block_freed) expects a block that is not free"},
        {"held", 5, [](AllocatorEvent& e) { e.kind = Kind::blocks_coalesced; }, "event 5 (blocks_coalesced) expects two free"},
        {"in use", 5, [](AllocatorEvent& e) { e.kind = Kind::segment_released; }, "event 5 (segment_released) expects a wholly free"},
    };
    for (const auto& row : rows) {
        const Row name(row.what);
        auto changed = events;
        REQUIRE(row.event < changed.size());
        row.change(changed[row.event]);
        CHECK_THROWS(replayed(arena.start, changed), ArgumentError, row.sentence);
    }
    AllocatorState state = arena.allocator.state();
    check_state(state);
    state.segments[0].blocks[0].bytes += 512;
    CHECK_THROWS(check_state(state), ArgumentError, "a block is not where the last one ends");
    state = arena.allocator.state();
    state.statistics.active.now += 1;
    CHECK_THROWS(check_state(state), ArgumentError, "statistics are not the sums");
}
