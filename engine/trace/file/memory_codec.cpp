#include "engine/trace/file/memory_codec.hpp"

#include "engine/core/error.hpp"
#include "engine/trace/derive/allocator_replay.hpp"
#include "engine/trace/file/codec.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace gradus::file {

namespace {

constexpr std::size_t statistics_numbers = 19, segment_bytes = 4 + 1 + 4 + 8 + 4, block_bytes = 8 + 8 + 8 + 1 + 4 + 4,
                      event_bytes = 1 + 1 + 4 + 4 + 8 + 8 + 8 + 4 + 4;
// So that no sum of what a file says goes beyond 64 bits.
constexpr std::int64_t most_bytes = std::int64_t{1} << 40, most_sum = std::int64_t{1} << 61, most_requested = std::int64_t{1} << 62;

std::vector<std::int64_t*> numbers_of(AllocatorStatistics& s) {
    std::vector<std::int64_t*> out;
    for (MemoryCount* count : {&s.requested, &s.allocated, &s.active, &s.reserved})
        out.insert(out.end(), {&count->now, &count->peak, &count->added, &count->removed});
    out.insert(out.end(), {&s.allocations, &s.frees, &s.out_of_memory});
    return out;
}

/// Parts of a blob, one after the other, each as long as its counts say.
class Parts {
public:
    Parts(std::span<const std::byte> bytes, const std::string& where) : bytes_(bytes), where_(where) {}
    ColumnReader next(std::int64_t count, std::size_t record_bytes) {
        const std::span rest = bytes_.subspan(at_);
        if (count < 0 || static_cast<std::uint64_t>(count) > rest.size() / record_bytes) refuse("it is shorter than it says");
        const std::size_t size = static_cast<std::size_t>(count) * record_bytes;
        at_ += size;
        return {rest.first(size), count, record_bytes, where_};
    }
    void end() const {
        if (at_ != bytes_.size()) refuse("it is longer than it says");
    }
    [[noreturn]] void refuse(const std::string& what) const { throw FileError(fmt::format("{}: {}", where_, what)); }

private:
    std::span<const std::byte> bytes_;
    const std::string& where_;
    std::size_t at_ = 0;
};

bool within(std::int64_t value, std::int64_t most) { return value >= 0 && value <= most; }

AllocatorStatistics read_statistics(Parts& parts) {
    AllocatorStatistics out;
    const auto numbers = parts.next(statistics_numbers, 8).column<std::int64_t>();
    const auto places = numbers_of(out);
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (!within(numbers[i], most_sum)) parts.refuse("a number of the statistics cannot be");
        *places[i] = numbers[i];
    }
    return out;
}

std::vector<SegmentState> read_segments(Parts& parts, std::int64_t count, std::vector<std::int32_t>& block_counts) {
    ColumnReader reader = parts.next(count, segment_bytes);
    const auto numbers = reader.column<std::int32_t>();
    const auto kinds = reader.column<std::uint8_t>();
    const auto streams = reader.column<std::int32_t>();
    const auto sizes = reader.column<std::int64_t>();
    block_counts = reader.column<std::int32_t>();
    std::vector<SegmentState> out;
    for (std::size_t i = 0; i < reader.count(); ++i) {
        if (kinds[i] > 1 || !within(sizes[i], most_bytes)) parts.refuse("a segment cannot be");
        out.push_back({numbers[i], static_cast<SegmentKind>(kinds[i]), streams[i], sizes[i], {}});
    }
    return out;
}

void read_blocks(Parts& parts, std::int64_t count, const std::vector<std::int32_t>& block_counts, std::vector<SegmentState>& segments) {
    ColumnReader reader = parts.next(count, block_bytes);
    const auto offsets = reader.column<std::int64_t>(), sizes = reader.column<std::int64_t>(), requested = reader.column<std::int64_t>();
    const auto kinds = reader.column<std::uint8_t>();
    const auto ordinals = reader.column<std::int32_t>(), outputs = reader.column<std::int32_t>();
    std::size_t at = 0;
    for (std::size_t s = 0; s < segments.size(); ++s)
        for (std::int32_t i = 0; i < block_counts[s]; ++i, ++at) {
            if (at >= reader.count() || kinds[at] > 2) parts.refuse("a segment's blocks are not there");
            segments[s].blocks.push_back({offsets[at], sizes[at], requested[at], static_cast<BlockState::Kind>(kinds[at]),
                                          {ordinals[at], outputs[at]}});
        }
    if (at != reader.count()) parts.refuse("there are blocks of no segment");
}

std::vector<AllocatorEvent> read_events(Parts& parts, std::int64_t count) {
    ColumnReader reader = parts.next(count, event_bytes);
    const auto kinds = reader.column<std::uint8_t>(), segment_kinds = reader.column<std::uint8_t>();
    const auto streams = reader.column<std::int32_t>(), segments = reader.column<std::int32_t>();
    const auto offsets = reader.column<std::int64_t>(), sizes = reader.column<std::int64_t>(), requested = reader.column<std::int64_t>();
    const auto ordinals = reader.column<std::int32_t>(), outputs = reader.column<std::int32_t>();
    std::vector<AllocatorEvent> out;
    for (std::size_t i = 0; i < reader.count(); ++i) {
        const bool refused = kinds[i] == static_cast<std::uint8_t>(AllocatorEvent::Kind::out_of_memory);
        if (kinds[i] >= allocator_event_kinds || segment_kinds[i] > 1 || !within(sizes[i], refused ? most_requested : most_bytes) ||
            !within(requested[i], most_requested))
            parts.refuse(fmt::format("allocator event {} cannot be", i));
        out.push_back({static_cast<AllocatorEvent::Kind>(kinds[i]), static_cast<SegmentKind>(segment_kinds[i]), streams[i], segments[i],
                       offsets[i], sizes[i], requested[i], {ordinals[i], outputs[i]}});
    }
    return out;
}

} // namespace

MemoryCounts counts_of(const AllocatorRecord& record) {
    MemoryCounts out{static_cast<std::int64_t>(record.before.segments.size()), 0, static_cast<std::int64_t>(record.events.size())};
    for (const SegmentState& segment : record.before.segments) out.blocks += static_cast<std::int64_t>(segment.blocks.size());
    return out;
}

std::vector<std::byte> memory_to_bytes(const AllocatorRecord& record) {
    AllocatorStatistics statistics = record.before.statistics;
    const auto numbers = numbers_of(statistics);
    const auto& segments = record.before.segments;
    std::vector<BlockState> blocks;
    for (const SegmentState& segment : segments) blocks.insert(blocks.end(), segment.blocks.begin(), segment.blocks.end());
    ColumnWriter out;
    out.column<std::int64_t>(numbers, [](const std::int64_t* number) { return *number; });
    out.column<std::int32_t>(segments, [](const SegmentState& s) { return s.number; });
    out.column<std::uint8_t>(segments, [](const SegmentState& s) { return static_cast<std::uint8_t>(s.kind); });
    out.column<std::int32_t>(segments, [](const SegmentState& s) { return s.stream; });
    out.column<std::int64_t>(segments, [](const SegmentState& s) { return s.bytes; });
    out.column<std::int32_t>(segments, [](const SegmentState& s) { return static_cast<std::int32_t>(s.blocks.size()); });
    out.column<std::int64_t>(blocks, [](const BlockState& b) { return b.offset; });
    out.column<std::int64_t>(blocks, [](const BlockState& b) { return b.bytes; });
    out.column<std::int64_t>(blocks, [](const BlockState& b) { return b.requested; });
    out.column<std::uint8_t>(blocks, [](const BlockState& b) { return static_cast<std::uint8_t>(b.kind); });
    out.column<std::int32_t>(blocks, [](const BlockState& b) { return b.use.ordinal; });
    out.column<std::int32_t>(blocks, [](const BlockState& b) { return b.use.output; });
    const auto& events = record.events;
    out.column<std::uint8_t>(events, [](const AllocatorEvent& e) { return static_cast<std::uint8_t>(e.kind); });
    out.column<std::uint8_t>(events, [](const AllocatorEvent& e) { return static_cast<std::uint8_t>(e.segment_kind); });
    out.column<std::int32_t>(events, [](const AllocatorEvent& e) { return e.stream; });
    out.column<std::int32_t>(events, [](const AllocatorEvent& e) { return e.segment; });
    out.column<std::int64_t>(events, [](const AllocatorEvent& e) { return e.offset; });
    out.column<std::int64_t>(events, [](const AllocatorEvent& e) { return e.bytes; });
    out.column<std::int64_t>(events, [](const AllocatorEvent& e) { return e.requested; });
    out.column<std::int32_t>(events, [](const AllocatorEvent& e) { return e.use.ordinal; });
    out.column<std::int32_t>(events, [](const AllocatorEvent& e) { return e.use.output; });
    const auto bytes = out.bytes();
    return {bytes.begin(), bytes.end()};
}

AllocatorRecord memory_from_bytes(std::span<const std::byte> bytes, const MemoryCounts& counts, const std::string& where) {
    Parts parts(bytes, where);
    AllocatorRecord out;
    out.before.statistics = read_statistics(parts);
    std::vector<std::int32_t> block_counts;
    out.before.segments = read_segments(parts, counts.segments, block_counts);
    read_blocks(parts, counts.blocks, block_counts, out.before.segments);
    out.events = read_events(parts, counts.events);
    parts.end();
    try {
        check_state(out.before, false);
        check_state(replayed(out.before, out.events), false);
    } catch (const ArgumentError& error) {
        parts.refuse(error.what());
    }
    return out;
}

} // namespace gradus::file
