#include "engine/hardware/roofline.hpp"

#include "engine/core/error.hpp"
#include "engine/hardware/architectures.hpp"
#include "engine/hardware/ceilings.hpp"
#include "tests/support/check.hpp"

#include <cmath>

using namespace gradus;
using namespace gradus::test;

TEST(a_roof_is_a_slope_and_then_flat) {
    struct {
        const char* name;
        double flops, bytes, seconds, rate;
        bool by_memory;
    } const rows[] = {
        {"below the knee", 10, 100, 10, 1, true},
        {"at the knee", 400, 100, 10, 40, false},
        {"beyond it", 4000, 100, 100, 40, false},
        {"no arithmetic", 0, 100, 10, 0, true},
        {"no bytes", 400, 0, 10, 40, false},
        {"nothing", 0, 0, 0, 0, false},
    };
    for (const auto& row : rows) {
        const Row named(row.name);
        const Roofline found = roofline(row.flops, row.bytes, 40, 10);
        CHECK_EQUAL(found.seconds, row.seconds);
        CHECK_EQUAL(found.flops_per_second, row.rate);
        CHECK_EQUAL(found.by_memory, row.by_memory);
    }
    CHECK_EQUAL(knee(40, 10), 4.0);
    CHECK_THROWS(roofline(1, 1, 0, 10), ArgumentError, "above 0");
    CHECK_THROWS(roofline(1, 1, 10, std::nan("")), ArgumentError, "above 0");
    CHECK_THROWS(roofline(-1, 1, 10, 10), ArgumentError, "0 or more");
}

/// What a data sheet says in two ways agrees: multiply-adds of all SMs at the clock, and the peak.
TEST(chips_agree_with_themselves) {
    const struct {
        const char* id;
        int lanes; ///< fp32 multiply-adds of an SM per clock; cited: CUDA Programming Guide 13, "Arithmetic Instructions"
    } rows[] = {{"a100", 64}, {"h100", 128}, {"rtx4090", 128}};
    CHECK_EQUAL(all_chips().size(), std::size(rows));
    for (const auto& row : rows) {
        const Row named(row.id);
        const Chip& one = chip(row.id);
        const double peak = 2.0 * row.lanes * one.sms * one.clock;
        CHECK(std::abs(peak / one.fp32_flops - 1) <= 0.005, fmt::format("{:.4g} and {:.4g}", peak, one.fp32_flops));
        CHECK_EQUAL(one.registers_per_sm, std::int64_t{architecture(one.capability).registers_per_sm} * 4);
        CHECK(one.l1_and_shared_per_sm > architecture(one.capability).shared_per_sm);
        CHECK(one.l2_bytes < one.memory_bytes && one.memory_bandwidth < one.shared_bandwidth() && !one.source.empty());
    }
    CHECK(std::abs(chip("a100").shared_bandwidth() / 19.5e12 - 1) <= 0.005);
    CHECK_THROWS(chip("abacus"), ArgumentError, "'abacus'", "a100, h100, rtx4090");
    const LevelTimes times = level_times(19.5e12, chip("a100").shared_bandwidth() * 2, 2039e9 * 3, chip("a100"));
    CHECK(std::abs(times.arithmetic - 1) <= 1e-12 && std::abs(times.shared - 2) <= 1e-12 && std::abs(times.memory - 3) <= 1e-12);
}

/// Of a machine nobody knows only what no processor of today falls short of, or reaches.
TEST(this_machine_is_measured) {
    const Ceilings found = measured_ceilings();
    CHECK(found.peak_flops >= 1e8 && found.peak_flops <= 1e13, fmt::format("{:.3g} FLOP/s", found.peak_flops));
    for (const double bandwidth : {found.memory_bandwidth, found.cache_bandwidth}) CHECK(bandwidth >= 1e8 && bandwidth <= 1e13, fmt::format("{:.3g} B/s", bandwidth));
    CHECK_EQUAL(name_of(Ceiling::memory), "memory_bandwidth");
}
