// An allocator's record as bytes: read back as it was, and refused in a sentence where the bytes are others.
#include "engine/trace/file/memory_codec.hpp"

#include "engine/core/error.hpp"
#include "engine/core/philox.hpp"
#include "engine/memory/caching_allocator.hpp"
#include "engine/trace/derive/allocator_replay.hpp"
#include "tests/support/check.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// One with blocks in every state and events of every kind.
AllocatorRecord example() {
    const auto memory = std::make_shared<ArenaMemory>(100 * mebibyte);
    CachingAllocator allocator(memory);
    const Philox random(5, 1);
    std::vector<CachingAllocator::Block*> held;
    std::uint64_t at = 0;
    const auto some = [&](int steps) {
        for (int i = 0; i < steps; ++i) {
            if (held.empty() || random.uniform(at++) < 0.6) {
                held.push_back(allocator.allocate(static_cast<std::size_t>(random.uniform(at++) * 3e6), i % 2, i).block);
                if (i % 5 == 0) allocator.use_on_stream(held.back(), 3);
            } else {
                allocator.free(held.back());
                held.pop_back();
            }
        }
    };
    some(40);
    allocator.start_recording();
    allocator.set_ordinal(12);
    some(40);
    allocator.reset_peaks();
    try {
        allocator.allocate(std::size_t{1} << 40);
    } catch (const OutOfMemory&) {
    }
    memory->finish_streams();
    some(20);
    allocator.empty_cache();
    return allocator.stop_recording();
}

} // namespace

TEST(allocator_record_is_read_as_it_was_written) {
    const AllocatorRecord record = example();
    std::vector<int> kinds(allocator_event_kinds);
    for (const AllocatorEvent& event : record.events) ++kinds[static_cast<std::size_t>(event.kind)];
    for (std::size_t kind = 0; kind < kinds.size(); ++kind)
        CHECK(kinds[kind] > 0, std::string(name_of(static_cast<AllocatorEvent::Kind>(kind))));
    const auto bytes = file::memory_to_bytes(record);
    const AllocatorRecord again = file::memory_from_bytes(bytes, file::counts_of(record), "here");
    CHECK(again == record);
    const AllocatorRecord none;
    CHECK(file::memory_from_bytes(file::memory_to_bytes(none), file::counts_of(none), "here").events.empty());
}

TEST(allocator_record_of_other_bytes_is_refused) {
    const AllocatorRecord record = example();
    const auto good = file::memory_to_bytes(record);
    const file::MemoryCounts counts = file::counts_of(record);
    const auto refuses = [&](std::span<const std::byte> bytes, const file::MemoryCounts& said) {
        try {
            file::memory_from_bytes(bytes, said, "here");
            return false;
        } catch (const FileError& error) {
            CHECK(std::string(error.what()).starts_with("here: "), error.what());
            return true;
        }
    };
    const std::int64_t huge = std::int64_t{1} << 62;
    CHECK(refuses(std::span(good).first(100), counts));
    CHECK(refuses(std::span(good).first(good.size() - 1), counts));
    for (const file::MemoryCounts& said :
         {file::MemoryCounts{counts.segments + 1, counts.blocks, counts.events}, {counts.segments, counts.blocks - 1, counts.events},
          {counts.segments, counts.blocks, counts.events - 1}, {huge, huge, huge}, {-1, counts.blocks, counts.events},
          {counts.segments, counts.blocks, -counts.events}})
        CHECK(refuses(good, said));
    const Philox random(11, 2);
    int refused = 0;
    for (std::uint64_t i = 0; i < 3000; ++i) { // whatever the bytes are, nothing else than a FileError comes of it
        auto bad = good;
        const std::size_t at = random.below(3 * i, static_cast<std::uint32_t>(bad.size()));
        bad[at] = static_cast<std::byte>(random.below(3 * i + 1, 256));
        if (i % 3 == 0)
            for (std::size_t k = at; k < std::min(bad.size(), at + 8); ++k) bad[k] = std::byte{0xFF};
        refused += refuses(bad, counts);
    }
    CHECK(refused > 1500, std::to_string(refused)); // the rest are ordinals, outputs, streams and numbers of what is past
}
