// Random requests against a naive model, and threads that take and give back at once.
#include "engine/memory/caching_allocator.hpp"

#include "engine/core/philox.hpp"
#include "engine/core/storage.hpp"
#include "engine/trace/derive/allocator_replay.hpp"
#include "tests/support/check.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <thread>
#include <vector>

using namespace gradus;
using namespace gradus::test;

namespace {

/// What is held, by address; it knows nothing of segments.
struct Held {
    CachingAllocator::Block* block;
    std::size_t requested, bytes;
    StreamIndex stream;
};

/// The free block that a request must get: the smallest of its kind and stream, the first of those. Read off the state.
std::optional<std::pair<std::int32_t, std::int64_t>> best_fit(const AllocatorState& state, SegmentKind kind, StreamIndex stream,
                                                              std::int64_t bytes) {
    const BlockState* best = nullptr;
    std::int32_t segment = -1;
    for (const SegmentState& s : state.segments)
        for (const BlockState& b : s.blocks)
            if (s.kind == kind && s.stream == stream && b.kind == BlockState::Kind::free && b.bytes >= bytes &&
                (!best || b.bytes < best->bytes)) {
                best = &b;
                segment = s.number;
            }
    if (!best) return std::nullopt;
    return std::pair(segment, best->offset);
}

/// Blocks that may become free before the next request is served.
bool any_awaiting(const AllocatorState& state) {
    for (const SegmentState& segment : state.segments)
        for (const BlockState& block : segment.blocks)
            if (block.kind == BlockState::Kind::awaiting) return true;
    return false;
}

class Storm {
public:
    Storm(std::uint64_t seed, AllocatorRules rules)
        : rules_(rules), random_(seed, 1), memory_(std::make_shared<ArenaMemory>(192 * mebibyte)), allocator_(memory_, rules),
          start_(allocator_.state()) {
        allocator_.start_recording();
    }

    void run(int steps) {
        for (int i = 0; i < steps; ++i) {
            const std::uint32_t choice = draw(100);
            if (choice < 52) take();
            else if (choice < 90) give();
            else if (choice < 94) use();
            else if (choice < 98) memory_->finish_streams();
            else allocator_.empty_cache();
            if (i % 8 == 0) compare();
        }
        for (auto& [address, held] : held_) allocator_.free(held.block);
        held_.clear();
        compare();
        allocator_.empty_cache(); // waits for the streams
        compare();
        CHECK_EQUAL(allocator_.statistics().reserved.now, 0);
        CHECK_EQUAL(memory_->free_bytes(), 192 * mebibyte);
        CHECK(refused > 0, std::to_string(refused));
    }
    int refused = 0;

private:
    std::uint32_t draw(std::uint32_t until) { return static_cast<std::uint32_t>(random_.uniform(at_++) * until) % until; }

    std::size_t size() {
        const std::uint32_t kind = draw(20);
        if (kind < 11) return draw(6000);
        if (kind < 17) return draw(3u << 20);
        return draw(24u << 20);
    }

    void take() {
        const std::size_t bytes = size();
        const StreamIndex stream = static_cast<StreamIndex>(draw(3));
        const std::size_t block = rules_.block(bytes);
        const AllocatorState before = allocator_.state();
        const auto fit = best_fit(before, rules_.kind_of(block), stream, static_cast<std::int64_t>(block));
        const std::size_t seen = events_.size();
        try {
            const auto got = allocator_.allocate(bytes, stream);
            const auto address = reinterpret_cast<std::uintptr_t>(got.data);
            if (address % rules_.unit != 0) CHECK(address % rules_.unit == 0, std::to_string(address));
            if (got.bytes < bytes) CHECK(got.bytes >= bytes);
            const auto after = held_.lower_bound(address);
            if (after != held_.end()) CHECK(address + got.bytes <= after->first);
            if (after != held_.begin()) CHECK(std::prev(after)->first + std::prev(after)->second.bytes <= address);
            held_[address] = {got.block, bytes, got.bytes, stream};
            collect();
            const AllocatorEvent& taken = events_.back();
            if (fit && !any_awaiting(before)) CHECK_EQUAL(std::pair(taken.segment, taken.offset), *fit);
        } catch (const OutOfMemory&) {
            ++refused;
            collect();
            CHECK(events_.size() > seen && events_.back().kind == AllocatorEvent::Kind::out_of_memory);
        }
    }

    void give() {
        if (held_.empty()) return;
        const auto at = std::next(held_.begin(), static_cast<std::ptrdiff_t>(draw(static_cast<std::uint32_t>(held_.size()))));
        allocator_.free(at->second.block);
        held_.erase(at);
    }

    void use() {
        if (held_.empty()) return;
        const auto at = std::next(held_.begin(), static_cast<std::ptrdiff_t>(draw(static_cast<std::uint32_t>(held_.size()))));
        allocator_.use_on_stream(at->second.block, static_cast<StreamIndex>(draw(4)));
    }

    void collect() {
        const AllocatorRecord fresh = allocator_.stop_recording();
        events_.insert(events_.end(), fresh.events.begin(), fresh.events.end());
        check_part(fresh);
        allocator_.start_recording();
    }

    /// What the record itself says of the blocks that it touched is what they were, and its events give what they are.
    void check_part(const AllocatorRecord& record) {
        check_state(record.before, false);
        const AllocatorState now = allocator_.state(), part = replayed(record.before, record.events);
        CHECK(part.statistics == now.statistics);
        for (const SegmentState& segment : part.segments) {
            const auto at = std::find_if(now.segments.begin(), now.segments.end(),
                                         [&](const SegmentState& other) { return other.number == segment.number; });
            REQUIRE(at != now.segments.end());
            for (const BlockState& block : segment.blocks)
                CHECK(std::find(at->blocks.begin(), at->blocks.end(), block) != at->blocks.end());
        }
    }

    void compare() {
        collect();
        const AllocatorState state = allocator_.state();
        check_state(state); // without a gap, coalesced, sums right
        CHECK(replayed(start_, events_) == state);
        std::int64_t requested = 0, allocated = 0;
        for (const auto& [address, held] : held_) {
            requested += static_cast<std::int64_t>(held.requested);
            allocated += static_cast<std::int64_t>(held.bytes + rules_.guard);
        }
        CHECK_EQUAL(state.statistics.requested.now, requested);
        CHECK_EQUAL(state.statistics.allocated.now, allocated);
        CHECK_EQUAL(state.statistics.reserved.now, static_cast<std::int64_t>(192 * mebibyte - memory_->free_bytes()));
        // What has been compared need not be played again.
        start_ = state;
        events_.clear();
    }

    AllocatorRules rules_;
    Philox random_;
    std::uint64_t at_ = 0;
    std::shared_ptr<ArenaMemory> memory_;
    CachingAllocator allocator_;
    AllocatorState start_;
    std::vector<AllocatorEvent> events_;
    std::map<std::uintptr_t, Held> held_;
};

} // namespace

TEST(allocator_storms_agree_with_a_naive_model) {
    AllocatorRules guarded = cpu_rules();
    guarded.guard = 64;
    for (const auto& [name, rules] : {std::pair("pytorch", AllocatorRules{}), {"cpu", cpu_rules()}, {"guarded", guarded}})
        for (std::uint64_t seed = 1; seed <= 4; ++seed) {
            const Row row(fmt::format("{} {}", name, seed));
            Storm(seed, rules).run(2500);
        }
}

SLOW_TEST(allocator_long_storms_agree_with_a_naive_model) {
    for (std::uint64_t seed = 100; seed < 140; ++seed) {
        const Row row(std::to_string(seed));
        Storm(seed, seed % 2 ? AllocatorRules{} : cpu_rules()).run(10'000);
    }
}

TEST(allocator_serves_many_threads) {
    const auto pool = std::make_shared<BufferPool>();
    CachingAllocator& allocator = pool->allocator();
    const AllocatorState start = allocator.state();
    allocator.start_recording();
    constexpr int threads = 4;
    std::vector<std::thread> workers;
    for (int t = 0; t < threads; ++t)
        workers.emplace_back([&, t] {
            const Philox random(7, static_cast<std::uint64_t>(t));
            std::vector<StorageRef> held(12);
            for (std::uint64_t i = 0; i < 1500; ++i) {
                StorageRef& slot = held[static_cast<std::size_t>(random.uniform(2 * i) * 12)];
                const double size = random.uniform(2 * i + 1);
                if (slot) {
                    const auto* data = static_cast<const unsigned char*>(slot.data());
                    if (data[0] != t || data[slot.bytes() - 1] != t) CHECK(data[0] == t && data[slot.bytes() - 1] == t);
                }
                slot = pool->allocate(static_cast<std::size_t>(size * size * size * 400'000));
                static_cast<unsigned char*>(slot.data())[0] = static_cast<unsigned char>(t);
                static_cast<unsigned char*>(slot.data())[slot.bytes() - 1] = static_cast<unsigned char>(t);
                if (i % 400 == 399) pool->trim();
                if (i % 100 == 0) CHECK(allocator.statistics().allocated.now >= 0);
            }
        });
    for (std::thread& worker : workers) worker.join();
    const auto events = allocator.stop_recording().events;
    CHECK(replayed(start, events) == allocator.state());
    CHECK_EQUAL(pool->live_bytes(), 0u);
    pool->trim();
    CHECK_EQUAL(pool->cached_bytes(), 0u);
}
