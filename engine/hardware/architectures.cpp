#include "engine/hardware/architectures.hpp"

#include "engine/core/error.hpp"
#include "engine/core/text.hpp"

#include <fmt/format.h>
#include <initializer_list>

namespace gradus {

namespace {

constexpr std::int64_t kib = 1024;

std::vector<std::int64_t> in_kib(std::initializer_list<int> sizes) {
    std::vector<std::int64_t> bytes;
    for (const int size : sizes) bytes.push_back(size * kib);
    return bytes;
}

std::vector<Architecture> made() {
    const auto smallest = in_kib({32, 64}), small = in_kib({0, 8, 16, 32, 64, 100}), medium = in_kib({0, 8, 16, 32, 64, 100, 132, 164}),
               large = in_kib({0, 8, 16, 32, 64, 100, 132, 164, 196, 228});
    // One column of the guide's tables after the other; what is not named here is the same for all.
    return {
        {.capability = 75, .family = "Turing", .chips = "T4, GeForce RTX 20", .warps_per_sm = 32, .blocks_per_sm = 16,
         .shared_per_sm = 64 * kib, .shared_per_block_optin = 64 * kib, .shared_reserved = 0, .shared_unit = 256, .carveouts = smallest},
        {.capability = 80, .family = "Ampere", .chips = "A100, A30", .warps_per_sm = 64, .blocks_per_sm = 32,
         .shared_per_sm = 164 * kib, .shared_per_block_optin = 163 * kib, .shared_reserved = kib, .shared_unit = 128, .carveouts = medium},
        {.capability = 86, .family = "Ampere", .chips = "A10, A40, GeForce RTX 30", .warps_per_sm = 48, .blocks_per_sm = 16,
         .shared_per_sm = 100 * kib, .shared_per_block_optin = 99 * kib, .shared_reserved = kib, .shared_unit = 128, .carveouts = small},
        {.capability = 87, .family = "Ampere", .chips = "Jetson Orin", .warps_per_sm = 48, .blocks_per_sm = 16,
         .shared_per_sm = 164 * kib, .shared_per_block_optin = 163 * kib, .shared_reserved = kib, .shared_unit = 128, .carveouts = medium},
        {.capability = 89, .family = "Ada", .chips = "L4, L40, GeForce RTX 40", .warps_per_sm = 48, .blocks_per_sm = 24,
         .shared_per_sm = 100 * kib, .shared_per_block_optin = 99 * kib, .shared_reserved = kib, .shared_unit = 128, .carveouts = small},
        {.capability = 90, .family = "Hopper", .chips = "H100, H200", .warps_per_sm = 64, .blocks_per_sm = 32,
         .shared_per_sm = 228 * kib, .shared_per_block_optin = 227 * kib, .shared_reserved = kib, .shared_unit = 128, .carveouts = large},
        {.capability = 100, .family = "Blackwell", .chips = "B200", .warps_per_sm = 64, .blocks_per_sm = 32,
         .shared_per_sm = 228 * kib, .shared_per_block_optin = 227 * kib, .shared_reserved = kib, .shared_unit = 128, .carveouts = large},
        {.capability = 120, .family = "Blackwell", .chips = "GeForce RTX 50", .warps_per_sm = 48, .blocks_per_sm = 24,
         .shared_per_sm = 100 * kib, .shared_per_block_optin = 99 * kib, .shared_reserved = kib, .shared_unit = 128, .carveouts = small},
    };
}

[[noreturn]] void refuse(std::string_view what) {
    std::vector<std::string> known;
    for (const Architecture& one : all_architectures()) known.push_back(one.name());
    throw ArgumentError(fmt::format("there is no architecture '{}'; those known are {}", shortened(one_line(what)), joined(known)));
}

} // namespace

const std::vector<Architecture>& all_architectures() {
    static const std::vector<Architecture> all = made();
    return all;
}

const Architecture& architecture(int capability) {
    for (const Architecture& one : all_architectures())
        if (one.capability == capability) return one;
    refuse(std::to_string(capability));
}

const Architecture& architecture(std::string_view name) {
    for (const Architecture& one : all_architectures()) {
        const std::string digits = std::to_string(one.capability);
        if (name == one.name() || name == digits || name == "sm_" + digits) return one;
    }
    refuse(name);
}

} // namespace gradus
