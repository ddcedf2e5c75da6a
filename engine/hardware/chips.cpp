#include "engine/hardware/chips.hpp"

#include "engine/core/error.hpp"
#include "engine/core/text.hpp"

#include <fmt/format.h>

namespace gradus {

namespace {

constexpr std::int64_t kib = 1024, mib = 1024 * kib;
constexpr std::int64_t gb = 1'000'000'000; // as makers count memory

} // namespace

const std::vector<Chip>& all_chips() {
    static const std::vector<Chip> all{
        {.id = "a100", .name = "A100 SXM 80 GB", .capability = 80, .fp32_flops = 19.5e12, .memory_bandwidth = 2039e9, .memory = "HBM2e", .memory_bytes = 80 * gb,
         .l2_bytes = 40 * mib, .l1_and_shared_per_sm = 192 * kib, .registers_per_sm = 256 * kib, .sms = 108, .clock = 1.41e9,
         .source = "NVIDIA A100 Tensor Core GPU data sheet, 2021; NVIDIA A100 architecture whitepaper, 2020"},
        {.id = "h100", .name = "H100 SXM", .capability = 90, .fp32_flops = 66.9e12, .memory_bandwidth = 3350e9, .memory = "HBM3", .memory_bytes = 80 * gb,
         .l2_bytes = 50 * mib, .l1_and_shared_per_sm = 256 * kib, .registers_per_sm = 256 * kib, .sms = 132, .clock = 1.98e9,
         .source = "NVIDIA H100 architecture whitepaper, 2022; bandwidth: NVIDIA H100 data sheet, 2023"},
        {.id = "rtx4090", .name = "GeForce RTX 4090", .capability = 89, .fp32_flops = 82.6e12, .memory_bandwidth = 1008e9, .memory = "GDDR6X", .memory_bytes = 24 * gb,
         .l2_bytes = 72 * mib, .l1_and_shared_per_sm = 128 * kib, .registers_per_sm = 256 * kib, .sms = 128, .clock = 2.52e9,
         .source = "NVIDIA Ada GPU architecture whitepaper, 2022"},
    };
    return all;
}

const Chip& chip(std::string_view id) {
    std::vector<std::string> known;
    for (const Chip& one : all_chips()) {
        if (one.id == id) return one;
        known.push_back(one.id);
    }
    throw ArgumentError(fmt::format("there is no chip '{}'; those known are {}", shortened(one_line(id)), joined(known)));
}

} // namespace gradus
