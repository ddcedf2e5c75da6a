#include "engine/hardware/occupancy.hpp"

#include "engine/core/error.hpp"
#include "tests/support/check.hpp"

#include <algorithm>
#include <set>

#if __has_include(<cuda_occupancy.h>) // NVIDIA's own calculator, which needs no GPU and no CUDA compiler
#include <cuda_occupancy.h>
#define HAVE_CALCULATOR 1
#endif

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr std::int64_t kib = 1024;

/// What limits, as one word: "warps+registers".
std::string words(const std::vector<Limiter>& limiters) {
    std::string out;
    for (const Limiter limiter : limiters) out.append(out.empty() ? "" : "+").append(name_of(limiter));
    return out;
}

} // namespace

TEST(architectures_are_those_of_the_guide) {
    struct {
        const char* name;
        int threads_per_sm, blocks_per_sm, shared_kib_per_sm, shared_kib_per_block;
        std::size_t carveouts;
    } const rows[] = {
        {"7.5", 1024, 16, 64, 64, 2},   {"8.0", 2048, 32, 164, 163, 8},  {"8.6", 1536, 16, 100, 99, 6},    {"8.7", 1536, 16, 164, 163, 8},
        {"8.9", 1536, 24, 100, 99, 6},  {"9.0", 2048, 32, 228, 227, 10}, {"10.0", 2048, 32, 228, 227, 10}, {"12.0", 1536, 24, 100, 99, 6},
    };
    CHECK_EQUAL(all_architectures().size(), std::size(rows));
    for (const auto& row : rows) {
        const Row named(row.name);
        const Architecture& one = architecture(row.name);
        CHECK_EQUAL(one.name(), row.name);
        CHECK_EQUAL(one.threads_per_sm(), row.threads_per_sm);
        CHECK_EQUAL(one.blocks_per_sm, row.blocks_per_sm);
        CHECK_EQUAL(one.shared_per_sm, row.shared_kib_per_sm * kib);
        CHECK_EQUAL(one.shared_per_block_optin, row.shared_kib_per_block * kib);
        CHECK_EQUAL(one.shared_per_block, 48 * kib);
        CHECK_EQUAL(one.warp_size, 32);
        CHECK_EQUAL(one.threads_per_block, 1024);
        CHECK_EQUAL(one.registers_per_sm, 64 * 1024);
        CHECK_EQUAL(one.registers_per_block, 64 * 1024);
        CHECK_EQUAL(one.registers_per_thread, 255);
        CHECK_EQUAL(one.carveouts.size(), row.carveouts);
        CHECK(std::is_sorted(one.carveouts.begin(), one.carveouts.end()));
        CHECK_EQUAL(one.carveouts.back(), one.shared_per_sm);
        CHECK_EQUAL(one.shared_per_block_optin + one.shared_reserved, one.shared_per_sm); // one block can have it all
    }
    CHECK(std::is_sorted(all_architectures().begin(), all_architectures().end(),
                         [](const Architecture& a, const Architecture& b) { return a.capability < b.capability; }));
}

TEST(architectures_are_found_by_their_names) {
    for (const Architecture& one : all_architectures()) {
        const Row named(one.name());
        const std::string digits = std::to_string(one.capability);
        CHECK(&architecture(one.capability) == &one);
        for (const std::string& name : {one.name(), digits, "sm_" + digits}) CHECK(&architecture(name) == &one, name);
    }
    for (const char* name : {"", "8", "7.0", "sm_", "sm_8.0", "SM_80", " 8.0", "8.0 ", "800", "sm_90a", "A100"}) {
        const Row named(name);
        CHECK_THROWS(architecture(std::string_view(name)), ArgumentError, fmt::format("'{}'", name),
                     "7.5, 8.0, 8.6, 8.7, 8.9, 9.0, 10.0, 12.0");
    }
    CHECK_THROWS(architecture(70), ArgumentError, "'70'", "7.5, 8.0");
    CHECK_THROWS(architecture("a\nb"), ArgumentError, "7.5, 8.0");
}

TEST(occupancy_of_blocks_worked_out_by_hand) {
    struct {
        const char* on;
        BlockNeeds needs;
        int blocks;
        double fraction;
        const char* limiters;
    } const rows[] = {
        {"8.0", {256, 32}, 8, 1, "warps+registers"},          // 64 warps of 1024 registers are all that there are
        {"8.0", {256, 24}, 8, 1, "warps"},
        {"8.0", {32, 16}, 32, 0.5, "blocks"},                 // small blocks: slots run out
        {"8.0", {33, 16}, 32, 1, "warps+blocks"},             // the second warp has one lane
        {"8.6", {1024, 32}, 1, 2. / 3, "warps"},              // 32 of 48 warps, and no second block fits
        {"8.6", {768, 32}, 2, 1, "warps+registers"},          // 24 of 48 slots, and of the 64 warps that have registers
        {"8.0", {1024, 33}, 1, 0.5, "registers"},             // 1056 → 1280 per warp, 51 → 48 warps
        {"8.0", {1024, 64}, 1, 0.5, "registers"},
        {"8.0", {32, 168}, 12, 12. / 64, "registers"},        // 5376 per warp: 12 warps
        {"8.0", {32, 169}, 8, 8. / 64, "registers"},          // 5632 per warp: 11 warps would fit, but not over four partitions
        {"9.0", {128, 32, 0, 227 * kib}, 1, 4. / 64, "shared_memory"},
        {"9.0", {128, 32, 0, 56 * kib}, 4, 16. / 64, "shared_memory"}, // 57 KiB with the reserved one, four times
        {"9.0", {128, 32, 0, 56 * kib + 1}, 3, 12. / 64, "shared_memory"},
        {"7.5", {128, 32, 4 * kib}, 8, 1, "warps"},                    // nothing is reserved
        {"7.5", {64, 32, 4 * kib}, 16, 1, "warps+shared_memory+blocks"},
        {"12.0", {64, 32, 1, 0}, 24, 1, "warps+blocks"},
        {"8.9", {0x400, 0}, 1, 2. / 3, "warps"},                       // a kernel without registers
    };
    for (const auto& row : rows) {
        const Row named(fmt::format("{}, {} threads, {} registers, {} + {} bytes", row.on, row.needs.threads, row.needs.registers,
                                    row.needs.static_shared, row.needs.dynamic_shared));
        const Occupancy got = occupancy(architecture(row.on), row.needs);
        CHECK_EQUAL(got.blocks, row.blocks);
        CHECK_EQUAL(got.fraction, row.fraction);
        CHECK_EQUAL(words(got.limiters), row.limiters);
        CHECK_EQUAL(got.refusal, "");
    }
}

TEST(occupancy_takes_the_carveout_that_a_kernel_prefers) {
    struct {
        const char* on;
        std::int64_t dynamic_shared;
        int percent;
        std::int64_t carveout_kib;
        int blocks;
    } const rows[] = {
        {"8.0", 7 * kib, 100, 164, 16}, // here warps are what ends it
        {"8.0", 7 * kib, 50, 100, 12},  // 82 → 100
        {"8.0", 7 * kib, 1, 8, 1},      // 1.6 → 8
        {"8.0", 7 * kib, 0, 8, 1},      // 0, but one block is to fit
        {"8.0", 90 * kib, 0, 100, 1},   // 91 with the reserved one
        {"7.5", 7 * kib, 0, 32, 4},
        {"7.5", 7 * kib, 51, 64, 8},
    };
    for (const auto& row : rows) {
        const Row named(fmt::format("{}, {} bytes, {} %", row.on, row.dynamic_shared, row.percent));
        const Occupancy got = occupancy(architecture(row.on), {128, 32, 0, row.dynamic_shared}, row.percent);
        CHECK_EQUAL(got.carveout, row.carveout_kib * kib);
        CHECK_EQUAL(got.blocks, row.blocks);
    }
}

TEST(occupancy_says_why_a_launch_fails) {
    struct {
        const char* on;
        BlockNeeds needs;
        const char* limiters;
        const char* why;
    } const rows[] = {
        {"8.0", {0, 32}, "warps", "A block has at least one thread."},
        {"8.0", {1025, 32}, "warps", "A block has at most 1024 threads, not 1025."},
        {"8.0", {32, 256}, "registers", "A thread has at most 255 registers, not 256."},
        {"8.0", {1024, 65}, "registers", "A block has at most 65536 registers, not 73728: 32 warps count as 32, with 2304 registers each."},
        {"8.0", {288, 255}, "registers", "A block has at most 65536 registers, not 98304: 9 warps count as 12, with 8192 registers each."},
        {"8.0", {32, 32, 49153, 0}, "shared_memory",
         "A kernel declares at most 49152 bytes of static shared memory, not 49153; more has to be dynamic."},
        {"8.6", {32, 32, 1, 99 * kib}, "shared_memory", "A block has at most 101376 bytes of shared memory on 8.6, not 101377."},
        {"8.6", {2048, 255, 0, 1 << 30}, "warps+registers+shared_memory", "A block has at most 1024 threads, not 2048."},
    };
    for (const auto& row : rows) {
        const Row named(row.why);
        const Occupancy got = occupancy(architecture(row.on), row.needs);
        CHECK_EQUAL(got.refusal, row.why);
        CHECK_EQUAL(words(got.limiters), row.limiters);
        CHECK_EQUAL(got.warps + got.blocks, 0);
        CHECK_EQUAL(got.carveout, 0);
    }
    CHECK_EQUAL(occupancy(architecture(80), {32, 32, 48 * kib, 0}).needs_optin, false);
    CHECK_EQUAL(occupancy(architecture(80), {32, 32, 48 * kib, 1}).needs_optin, true);
}

TEST(occupancy_refuses_numbers_without_a_meaning) {
    const Architecture& on = architecture(80);
    for (const BlockNeeds& needs : {BlockNeeds{-1, 1}, BlockNeeds{1, -1}, BlockNeeds{1, 1, -1, 0}, BlockNeeds{1, 1, 0, -1}})
        CHECK_THROWS(occupancy(on, needs), ArgumentError, "-1", "0 or more");
    CHECK_THROWS(occupancy(on, {1, 1, 0, std::int64_t{1} << 32}), ArgumentError, "4294967296 bytes");
    CHECK_THROWS(occupancy(on, {1, 1}, -1), ArgumentError, "percent", "-1");
    CHECK_THROWS(occupancy(on, {1, 1}, 101), ArgumentError, "percent", "101");
    const int most = std::numeric_limits<int>::max();
    CHECK_EQUAL(occupancy(on, {most, most, (std::int64_t{1} << 32) - 1, (std::int64_t{1} << 32) - 1}).blocks, 0);
}

#ifdef HAVE_CALCULATOR
namespace {

cudaOccDeviceProp properties_of(const Architecture& on) {
    cudaOccDeviceProp out;
    out.computeMajor = on.capability / 10;
    out.computeMinor = on.capability % 10;
    out.maxThreadsPerBlock = on.threads_per_block;
    out.maxThreadsPerMultiprocessor = on.threads_per_sm();
    out.regsPerBlock = on.registers_per_block;
    out.regsPerMultiprocessor = on.registers_per_sm;
    out.warpSize = on.warp_size;
    out.sharedMemPerBlock = static_cast<std::size_t>(on.shared_per_block);
    out.sharedMemPerMultiprocessor = static_cast<std::size_t>(on.shared_per_sm);
    out.numSms = 1;
    out.sharedMemPerBlockOptin = static_cast<std::size_t>(on.shared_per_block_optin);
    out.reservedSharedMemPerBlock = static_cast<std::size_t>(on.shared_reserved);
    return out;
}

/// One barrier per block, as cudaFuncGetAttributes gives it, which never limits by itself; no cluster, no tensor memory.
cudaOccResult calculated(const cudaOccDeviceProp& device, const BlockNeeds& needs, int carveout_percent, bool optin) {
    cudaOccFuncAttributes kernel;
    kernel.maxThreadsPerBlock = std::numeric_limits<int>::max();
    kernel.numRegs = needs.registers;
    kernel.sharedSizeBytes = static_cast<std::size_t>(needs.static_shared);
    kernel.shmemLimitConfig = optin ? FUNC_SHMEM_LIMIT_OPTIN : FUNC_SHMEM_LIMIT_DEFAULT;
    kernel.maxDynamicSharedSizeBytes = static_cast<std::size_t>(needs.dynamic_shared);
    kernel.numBlockBarriers = 1;
    cudaOccDeviceState state;
    state.carveoutConfig = carveout_percent;
    cudaOccResult out{};
    const auto error = cudaOccMaxActiveBlocksPerMultiprocessor(&out, &device, &kernel, &state, needs.threads,
                                                               static_cast<std::size_t>(needs.dynamic_shared));
    if (error != CUDA_OCC_SUCCESS) throw std::runtime_error(fmt::format("the calculator returned {}", static_cast<int>(error)));
    return out;
}

/// Counts a point, and says where the two part. The calculator's −1, no preference, is our 100 percent.
void compare(const Architecture& on, const cudaOccDeviceProp& device, const BlockNeeds& needs, int carveout_percent) {
    const Occupancy ours = occupancy(on, needs, carveout_percent < 0 ? 100 : carveout_percent);
    const cudaOccResult theirs = calculated(device, needs, carveout_percent, true);
    unsigned flags = 0;
    for (const Limiter limiter : ours.limiters) flags |= 1u << static_cast<unsigned>(limiter);
    static_assert(1u << static_cast<unsigned>(Limiter::warps) == OCC_LIMIT_WARPS &&
                  1u << static_cast<unsigned>(Limiter::registers) == OCC_LIMIT_REGISTERS &&
                  1u << static_cast<unsigned>(Limiter::shared_memory) == OCC_LIMIT_SHARED_MEMORY &&
                  1u << static_cast<unsigned>(Limiter::blocks) == OCC_LIMIT_BLOCKS);
    // Where a block may have one barrier for each slot, barriers run out with the slots, and never before.
    const unsigned their_flags = theirs.limitingFactors & ~static_cast<unsigned>(OCC_LIMIT_BARRIERS);
    const bool same = ours.blocks == theirs.activeBlocksPerMultiprocessor && flags == their_flags &&
                      ours.by_warps == theirs.blockLimitWarps && ours.by_registers == theirs.blockLimitRegs &&
                      ours.by_shared_memory == theirs.blockLimitSharedMem && ours.by_blocks == theirs.blockLimitBlocks &&
                      ours.registers_per_block == theirs.allocatedRegistersPerBlock &&
                      ours.shared_per_block == static_cast<std::int64_t>(theirs.allocatedSharedMemPerBlock) &&
                      ours.refusal.empty() == (ours.blocks > 0);
    if (same) return count_check();
    report(false,
           fmt::format("{}: {} threads, {} registers, {} + {} bytes, carveout {}: {} blocks (warps {}, registers {}, shared memory {}, "
                       "slots {}), flags {:#x}, '{}', not {} ({}, {}, {}, {}), {:#x}",
                       on.name(), needs.threads, needs.registers, needs.static_shared, needs.dynamic_shared, carveout_percent,
                       ours.blocks, ours.by_warps, ours.by_registers, ours.by_shared_memory, ours.by_blocks, flags, ours.refusal,
                       theirs.activeBlocksPerMultiprocessor, theirs.blockLimitWarps, theirs.blockLimitRegs, theirs.blockLimitSharedMem,
                       theirs.blockLimitBlocks, their_flags),
           Where::current());
}

/// Every number of warps, one lane more and one less, and more than a block may have.
std::vector<int> thread_counts() {
    std::set<int> out{1, 2, 31, 33, 48, 63, 65, 100, 257, 500, 513, 767, 1000, 1023, 1025, 1056, 1535, 2048};
    for (int threads = 32; threads <= 1024; threads += 32) out.insert(threads);
    return {out.begin(), out.end()};
}

/// So many bytes, some of them static.
BlockNeeds needs_of(int threads, int registers, std::int64_t bytes) {
    const std::int64_t part = std::min<std::int64_t>(bytes % 3 == 0 ? 0 : bytes % 3 == 1 ? bytes / 2 : bytes, 48 * kib);
    return {threads, registers, part, bytes - part};
}

} // namespace
#endif

TEST(occupancy_is_that_of_nvidias_calculator) {
#ifdef HAVE_CALCULATOR
    long points = 0;
    for (const Architecture& on : all_architectures()) {
        const cudaOccDeviceProp device = properties_of(on);
        // Registers against threads, all of them, with as much shared memory as leaves each of the others a chance to limit. The
        // calculator lets a thread have 256 registers, the guide and the compiler 255: the grid ends there.
        std::set<std::int64_t> sizes{0, 1, 1023, 3 * kib, 4097, 10'001, 16 * kib, 33'333, 48 * kib, 48 * kib + 1,
                                     on.shared_per_block_optin, on.shared_per_block_optin + 1};
        for (const int threads : thread_counts())
            for (int registers = 0; registers <= 255; ++registers)
                for (const std::int64_t bytes : sizes) compare(on, device, needs_of(threads, registers, bytes), -1), ++points;
        // Shared memory in steps finer than its unit, under every kind of preference.
        for (const int percent : {-1, 0, 1, 33, 50, 77, 99, 100})
            for (const int threads : {32, 96, 256, 1024})
                for (std::int64_t bytes = 0; bytes <= on.shared_per_block_optin + 300; bytes += bytes % 128 == 0 ? 1 : 127)
                    compare(on, device, needs_of(threads, 40, bytes), percent), ++points;
    }
    CHECK(points > 1'000'000, std::to_string(points));
#else
    skip("cuda_occupancy.h is not installed");
#endif
}

TEST(occupancy_knows_who_has_to_opt_in) {
#ifdef HAVE_CALCULATOR
    for (const Architecture& on : all_architectures())
        for (std::int64_t bytes = 0; bytes <= on.shared_per_sm; bytes += 31) {
            const BlockNeeds needs{64, 32, 0, bytes};
            const bool fits = calculated(properties_of(on), needs, -1, false).activeBlocksPerMultiprocessor > 0;
            CHECK(occupancy(on, needs).needs_optin == !fits, fmt::format("{}, {} bytes", on.name(), bytes));
        }
#else
    skip("cuda_occupancy.h is not installed");
#endif
}
