#include "engine/trace/derive/warp_turns.hpp"

#include <algorithm>

namespace gradus {

std::size_t WarpTurns::find(std::size_t step) const {
    const auto at = std::lower_bound(steps.begin(), steps.end(), static_cast<std::uint32_t>(step));
    return at != steps.end() && *at == step ? static_cast<std::size_t>(at - steps.begin()) : steps.size();
}

WarpTurns turns_of(const KernelBlock& block, int warp) {
    const KernelTrace& trace = block.trace();
    WarpTurns out;
    std::int64_t at = 0;
    for (const std::uint32_t step : block.of_warp(warp)) {
        if (!trace.is_shown(step)) continue;
        const simt::Op op = trace.log.sites[trace.log.site[step]].op;
        WarpTurns::Kind kind = WarpTurns::Kind::other;
        if (op == simt::Op::barrier) kind = WarpTurns::Kind::barrier;
        else if (op == simt::Op::meet) kind = WarpTurns::Kind::meet;
        else if (const KernelTrace::Accesses touched = trace.accesses(step); touched.count) {
            const simt::Space space = trace.ranges[touched.of[0].range].space;
            kind = space == simt::Space::global ? WarpTurns::Kind::global : space == simt::Space::shared ? WarpTurns::Kind::shared : WarpTurns::Kind::local;
        }
        at += std::max(1, trace.transfers(step));
        out.steps.push_back(step), out.kinds.push_back(kind), out.ends.push_back(at);
    }
    return out;
}

} // namespace gradus
