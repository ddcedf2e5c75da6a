#include "engine/simt/runtime/race_check.hpp"

#include "tests/support/check.hpp"

#include <array>

using namespace gradus::simt;
using namespace gradus::test;

namespace {

/// Two buffers and a block's shared memory, and threads that touch them one at a time.
struct Launch {
    MemoryMap memory;
    Findings findings;
    std::unique_ptr<RaceCheck> check;
    std::uint32_t block = 0;

    Launch() {
        memory.add({0x10000, 4096, Space::global, 4, "x"});
        memory.add({0x20000, 64, Space::global, 1, "bytes"});
        memory.add({0x30000, 4096, Space::shared, 4, "shared memory"});
        check = std::make_unique<RaceCheck>(memory, findings, std::vector<bool>(2, true)); // each read of both buffers counts
        begin(0);
    }
    void begin(std::uint32_t which) { check->block_begins(block = which); }
    void touch(Op op, std::uint64_t address, std::uint32_t rank, std::uint16_t bytes = 4, std::uint32_t place = 1) {
        std::array<std::uint64_t, warp_size> addresses;
        addresses.fill(address);
        check->step({{place}, op, bytes, 1u << rank % 32, block, rank / 32, addresses.data()});
    }
    bool raced() const { return findings.any(Finding::Kind::race); }
};

constexpr std::uint64_t global = 0x10000, bytes_buffer = 0x20000, shared = 0x30000;

} // namespace

TEST(races_between_two_threads) {
    const struct {
        const char* name;
        std::uint64_t address;
        Op first, second;
        std::uint32_t one, other;
        bool barrier, warp_sync, race;
    } rows[] = {
        {"write, read", shared, Op::write, Op::read, 0, 40, false, false, true},
        {"write, barrier, read", shared, Op::write, Op::read, 0, 40, true, false, false},
        {"read, write", shared, Op::read, Op::write, 0, 40, false, false, true},
        {"read, barrier, write", shared, Op::read, Op::write, 0, 40, true, false, false},
        {"write, write", shared, Op::write, Op::write, 0, 40, false, false, true},
        {"read, read", shared, Op::read, Op::read, 0, 40, false, false, false},
        {"one thread", shared, Op::write, Op::read, 5, 5, false, false, false},
        {"one warp", shared, Op::write, Op::read, 0, 1, false, false, true},
        {"one warp, ordered", shared, Op::write, Op::read, 0, 1, false, true, false},
        {"two warps, a warp ordered", shared, Op::write, Op::read, 0, 40, false, true, true},
        {"atomics", shared, Op::atomic, Op::atomic, 0, 40, false, false, false},
        {"atomic, read", shared, Op::atomic, Op::read, 0, 40, false, false, true},
        {"global write, read", global, Op::write, Op::read, 0, 40, false, false, true},
        {"global write, barrier, read", global, Op::write, Op::read, 0, 40, true, false, false},
    };
    for (const auto& row : rows) {
        const Row named(row.name);
        Launch launch;
        launch.touch(row.first, row.address, row.one, 4, 7);
        if (row.warp_sync) launch.check->warp_ordered(0, ~0u);
        if (row.barrier) launch.check->block_ordered();
        launch.touch(row.second, row.address, row.other, 4, 9);
        CHECK_EQUAL(launch.raced(), row.race);
        if (!row.race || !launch.raced()) continue;
        for (const auto& seen : launch.findings.all()) {
            if (seen.first.kind != Finding::Kind::race) continue;
            CHECK_EQUAL(seen.first.site.bits, 9u);
            CHECK_EQUAL(seen.first.other.bits, 7u);
            CHECK_EQUAL(seen.first.thread.rank, row.other);
            CHECK_EQUAL(seen.first.second.rank, row.one);
        }
    }
}

/// __syncwarp orders the lanes of its mask, and what they knew of others before.
TEST(parts_of_a_warp_are_ordered_by_themselves) {
    const struct {
        const char* name;
        std::uint32_t one, other;
        std::vector<std::uint32_t> masks; ///< of the meetings between the two accesses
        bool race;
    } rows[] = {
        {"neither meets", 2, 3, {0xfff0}, true},
        {"the first alone", 2, 3, {0x0006}, true},
        {"the second alone", 2, 3, {0x0018}, true},
        {"both", 2, 3, {0x000c}, false},
        {"all", 2, 3, {0xffffffff}, false},
        {"by way of a third", 2, 9, {0x0014, 0x0210}, false},
        {"by way of a third, the wrong way round", 2, 9, {0x0210, 0x0014}, true},
        {"all, and then a part", 2, 9, {0xffffffff, 0x0003}, false},
        {"another warp", 2, 35, {0xffffffff}, true},
    };
    for (const auto& row : rows)
        for (const Op first : {Op::write, Op::read}) {
            const Row named(fmt::format("{}, {} first", row.name, first == Op::write ? "write" : "read"));
            Launch launch;
            launch.touch(Op::write, shared, row.other);
            launch.check->block_ordered();
            launch.touch(first, shared, row.one);
            for (const std::uint32_t mask : row.masks) launch.check->warp_ordered(0, mask);
            launch.touch(first == Op::write ? Op::read : Op::write, shared, row.other);
            CHECK_EQUAL(launch.raced(), row.race);
        }
}

/// Of several readers each one counts, whichever of them meet the writer.
TEST(a_reader_that_does_not_meet_the_writer_races) {
    for (const std::uint32_t mask : {0x000fu, 0x000bu, 0x000eu, 0x0009u}) {
        const Row named(fmt::format("mask {:x}", mask));
        Launch launch;
        launch.touch(Op::write, shared, 3);
        launch.check->block_ordered();
        for (const std::uint32_t rank : {0u, 1u, 2u}) launch.touch(Op::read, shared, rank);
        launch.check->warp_ordered(0, mask);
        launch.touch(Op::write, shared, 3);
        CHECK_EQUAL(launch.raced(), mask != 0x000f);
        for (const auto& seen : launch.findings.all()) CHECK(!(mask >> seen.first.second.rank & 1), fmt::format("thread {}", seen.first.second.rank));
    }
}

TEST(a_write_races_with_any_of_many_readers) {
    for (const std::uint32_t writer : {0u, 3u, 31u, 32u}) {
        const Row named(fmt::format("thread {}", writer));
        Launch launch;
        launch.touch(Op::write, shared, 0);
        launch.check->block_ordered();
        for (std::uint32_t rank = 0; rank < 32; ++rank) launch.touch(Op::read, shared, rank);
        launch.touch(Op::write, shared, writer);
        CHECK(launch.raced());
    }
}

/// Reads of a buffer are remembered from its first write on; that they were missing is said.
TEST(reads_before_the_first_write_are_missed) {
    const struct {
        const char* name;
        std::vector<Op> before; ///< of thread 0, on one word
        Op last;                ///< of thread 40
        bool missing, race; ///< race: where all reads are remembered
    } rows[] = {
        {"only reads", {Op::read, Op::read}, Op::read, false, false},
        {"a read before", {Op::read}, Op::write, true, true},
        {"a read before an atomic", {Op::read}, Op::atomic, true, true},
        {"no read before", {Op::write, Op::read}, Op::read, false, true},
        {"one before and one behind", {Op::read, Op::write}, Op::read, true, true},
        {"a write of another", {Op::write}, Op::write, false, true},
    };
    for (const auto& row : rows)
        for (const bool remembered : {false, true}) {
            const Row named(fmt::format("{}{}", row.name, remembered ? ", remembered" : ""));
            Launch launch;
            launch.check = std::make_unique<RaceCheck>(launch.memory, launch.findings, std::vector<bool>(1, remembered));
            launch.begin(0);
            std::optional<std::size_t> missing;
            try {
                for (const Op op : row.before) launch.touch(op, global, 0);
                launch.touch(row.last, global, 40);
            } catch (const RaceCheck::ReadsMissing& of) {
                missing = of.range;
            }
            CHECK(missing == (row.missing && !remembered ? std::optional<std::size_t>(0) : std::nullopt));
            if (!missing) CHECK_EQUAL(launch.raced(), row.race);
        }
}

TEST(races_between_blocks) {
    Launch launch;
    launch.touch(Op::write, global, 0);
    launch.check->block_ordered(); // orders nothing between blocks
    launch.begin(1);
    launch.touch(Op::read, global + 4, 0);
    CHECK(!launch.raced());
    launch.touch(Op::read, global, 0);
    CHECK(launch.raced());
    for (const auto& seen : launch.findings.all()) {
        CHECK_EQUAL(seen.first.thread.block, 1u);
        CHECK_EQUAL(seen.first.second.block, 0u);
    }
}

/// The last block to arrive adds up what all wrote: Programming Guide, "Memory Fence Functions".
TEST(a_fence_and_an_atomic_order_blocks) {
    for (const bool fence : {true, false}) {
        const Row named(fence ? "with a fence" : "without");
        Launch launch;
        launch.touch(Op::write, global, 0);
        if (fence) launch.check->fence({0, 0}, 1);
        launch.touch(Op::atomic, global + 128, 0);
        launch.begin(1);
        launch.touch(Op::atomic, global + 128, 0);
        launch.touch(Op::read, global, 0);
        CHECK_EQUAL(launch.raced(), !fence);
    }
}

TEST(neighbouring_bytes_do_not_race) {
    Launch launch;
    launch.touch(Op::write, bytes_buffer, 0, 1);
    launch.touch(Op::write, bytes_buffer + 1, 1, 1);
    CHECK(!launch.raced());
    launch.touch(Op::write, bytes_buffer, 2, 4);
    CHECK(launch.raced());
}

TEST(shared_memory_begins_without_values) {
    Launch launch;
    launch.touch(Op::write, shared, 0);
    launch.touch(Op::read, shared, 0);
    CHECK(launch.findings.all().empty());
    launch.touch(Op::read, shared + 8, 0);
    CHECK(launch.findings.any(Finding::Kind::uninitialised));
    launch.findings.clear();
    launch.touch(Op::atomic, shared + 12, 0); // which reads, too
    CHECK(launch.findings.any(Finding::Kind::uninitialised));
    launch.findings.clear();
    launch.touch(Op::atomic, shared + 12, 0);
    CHECK(launch.findings.all().empty());
    launch.begin(1); // another block does not see it
    launch.touch(Op::read, shared, 0);
    CHECK(launch.findings.any(Finding::Kind::uninitialised));
    CHECK(!launch.raced());
}
