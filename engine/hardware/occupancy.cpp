#include "engine/hardware/occupancy.hpp"

#include "engine/core/error.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace gradus {

namespace {

std::int64_t rounded_up(std::int64_t n, std::int64_t unit) { return (n + unit - 1) / unit * unit; }

void check(const BlockNeeds& needs, int carveout_percent) {
    if (needs.threads < 0 || needs.registers < 0 || needs.static_shared < 0 || needs.dynamic_shared < 0)
        throw ArgumentError(fmt::format("a block needs 0 or more of all, not {} threads, {} registers, {} + {} bytes of shared memory",
                                        needs.threads, needs.registers, needs.static_shared, needs.dynamic_shared));
    if (std::max(needs.static_shared, needs.dynamic_shared) >> 32)
        throw ArgumentError(fmt::format("no launch can ask for {} + {} bytes of shared memory", needs.static_shared, needs.dynamic_shared));
    if (carveout_percent < 0 || carveout_percent > 100)
        throw ArgumentError(fmt::format("a carveout is 0 to 100 percent of the shared memory, not {}", carveout_percent));
}

/// Why a launch fails for its threads, its registers or its shared memory; empty where it does not.
std::string thread_refusal(const Architecture& on, const BlockNeeds& needs) {
    if (needs.threads == 0) return "A block has at least one thread.";
    if (needs.threads <= on.threads_per_block) return "";
    return fmt::format("A block has at most {} threads, not {}.", on.threads_per_block, needs.threads);
}

std::string register_refusal(const Architecture& on, const BlockNeeds& needs, std::int64_t warps, std::int64_t per_warp) {
    if (needs.registers > on.registers_per_thread)
        return fmt::format("A thread has at most {} registers, not {}.", on.registers_per_thread, needs.registers);
    const std::int64_t counted = rounded_up(warps, on.warp_unit);
    if (counted * per_warp <= on.registers_per_block) return "";
    return fmt::format("A block has at most {} registers, not {}: {} warps count as {}, with {} registers each.",
                       on.registers_per_block, counted * per_warp, warps, counted, per_warp);
}

std::string shared_refusal(const Architecture& on, const BlockNeeds& needs) {
    if (needs.static_shared > on.shared_per_block)
        return fmt::format("A kernel declares at most {} bytes of static shared memory, not {}; more has to be dynamic.",
                           on.shared_per_block, needs.static_shared);
    const std::int64_t bytes = needs.static_shared + needs.dynamic_shared;
    if (bytes <= on.shared_per_block_optin) return "";
    return fmt::format("A block has at most {} bytes of shared memory on {}, not {}.", on.shared_per_block_optin, on.name(), bytes);
}

/// The least carveout that is as large as the kernel prefers and holds one block.
std::int64_t carveout_for(const Architecture& on, std::int64_t block_bytes, int percent) {
    const std::int64_t wanted = std::max(on.shared_per_sm * percent / 100, block_bytes);
    return *std::lower_bound(on.carveouts.begin(), on.carveouts.end(), wanted);
}

} // namespace

std::string_view name_of(Limiter limiter) {
    switch (limiter) {
    case Limiter::warps: return "warps";
    case Limiter::registers: return "registers";
    case Limiter::shared_memory: return "shared_memory";
    case Limiter::blocks: return "blocks";
    }
    return "";
}

Occupancy occupancy(const Architecture& on, const BlockNeeds& needs, int carveout_percent) {
    check(needs, carveout_percent);
    const std::int64_t warps = rounded_up(needs.threads, on.warp_size) / on.warp_size;
    const std::int64_t registers_per_warp = rounded_up(std::int64_t{needs.registers} * on.warp_size, on.register_unit);
    const std::int64_t shared = needs.static_shared + needs.dynamic_shared;

    Occupancy out;
    out.registers_per_block = warps * registers_per_warp;
    out.shared_per_block = rounded_up(shared + on.shared_reserved, on.shared_unit);
    out.needs_optin = shared > on.shared_per_block;

    const std::string no_threads = thread_refusal(on, needs);
    if (no_threads.empty()) out.by_warps = static_cast<int>(on.warps_per_sm / warps);

    const std::string no_registers = register_refusal(on, needs, warps, registers_per_warp);
    if (no_registers.empty() && (registers_per_warp == 0 || warps == 0)) {
        out.by_registers = Occupancy::unlimited;
    } else if (no_registers.empty()) {
        const std::int64_t held = on.registers_per_sm / registers_per_warp; // warps, if any could live in any partition
        out.by_registers = static_cast<int>((held - held % on.warp_unit) / warps);
    }

    const std::string no_shared = shared_refusal(on, needs);
    if (no_shared.empty()) {
        out.carveout = carveout_for(on, out.shared_per_block, carveout_percent);
        out.by_shared_memory =
            out.shared_per_block == 0 ? Occupancy::unlimited : static_cast<int>(out.carveout / out.shared_per_block);
    }

    out.by_blocks = on.blocks_per_sm;
    out.blocks = std::min({out.by_warps, out.by_registers, out.by_shared_memory, out.by_blocks});
    out.warps = static_cast<int>(warps * out.blocks);
    out.fraction = static_cast<double>(out.warps) / on.warps_per_sm;
    if (out.blocks == out.by_warps) out.limiters.push_back(Limiter::warps);
    if (out.blocks == out.by_registers) out.limiters.push_back(Limiter::registers);
    if (out.blocks == out.by_shared_memory) out.limiters.push_back(Limiter::shared_memory);
    if (out.blocks == out.by_blocks) out.limiters.push_back(Limiter::blocks);
    if (out.blocks == 0) {
        out.carveout = 0;
        for (const std::string* why : {&no_threads, &no_registers, &no_shared})
            if (out.refusal.empty()) out.refusal = *why;
    }
    return out;
}

} // namespace gradus
