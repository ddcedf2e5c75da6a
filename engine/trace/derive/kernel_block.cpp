#include "engine/trace/derive/kernel_block.hpp"

#include <algorithm>
#include <bit>

namespace gradus {

KernelBlock::KernelBlock(std::shared_ptr<const KernelTrace> trace, std::size_t block) : trace_(std::move(trace)), block_(block) {
    std::tie(begin_, end_) = trace_->steps_of_block(block);
    const KernelLog& log = trace_->log;
    for (std::size_t step = begin_; step < end_; ++step) {
        const std::size_t warp = log.warp[step];
        has_barrier_ |= log.sites[log.site[step]].op == simt::Op::barrier;
        steps_[warp].push_back(static_cast<std::uint32_t>(step));
        for (std::uint32_t lanes = log.mask[step]; lanes; lanes &= lanes - 1) after_last_[warp][static_cast<std::size_t>(std::countr_zero(lanes))] = step + 1;
    }
}

std::uint32_t KernelBlock::lanes_of(int warp) const {
    const std::int64_t left = launch().block.count() - std::int64_t{warp} * 32;
    return left >= 32 ? ~0u : left <= 0 ? 0 : (1u << left) - 1;
}

std::array<std::size_t, 32> KernelBlock::next_of(int warp, std::size_t from) const {
    std::array<std::size_t, 32> out;
    out.fill(end_);
    const auto w = static_cast<std::size_t>(warp);
    std::uint32_t sought = 0;
    for (std::size_t lane = 0; lane < 32; ++lane)
        if (from < after_last_[w][lane]) sought |= 1u << lane;
    auto at = std::lower_bound(steps_[w].begin(), steps_[w].end(), static_cast<std::uint32_t>(from));
    for (; sought; ++at) { // each is found, as its last lies behind `from`
        const std::uint32_t lanes = trace_->log.mask[*at] & sought;
        sought ^= lanes;
        for (std::uint32_t left = lanes; left; left &= left - 1) out[static_cast<std::size_t>(std::countr_zero(left))] = *at;
    }
    return out;
}

int WarpStand::count(LaneState state) const { return std::popcount(mask(state)); }

std::uint32_t WarpStand::mask(LaneState state) const {
    std::uint32_t out = 0;
    for (std::size_t lane = 0; lane < 32; ++lane)
        if (lanes[lane].state == state) out |= 1u << lane;
    return out;
}

WarpStand stand_of(const KernelBlock& block, int warp, std::size_t step) {
    const KernelLog& log = block.trace().log;
    WarpStand out;
    const bool runs = step < block.end() && log.warp[step] == warp;
    const std::array<std::size_t, 32> next = block.next_of(warp, step);
    std::array<std::uint32_t, 32> places{}; // of each group
    for (int lane = 0; lane < 32; ++lane) {
        LaneStand& stand = out.lanes[static_cast<std::size_t>(lane)];
        stand.next = block.end();
        if (!(block.lanes_of(warp) >> lane & 1)) continue;
        stand.next = next[static_cast<std::size_t>(lane)];
        if (stand.next == block.end()) {
            stand.state = LaneState::done;
            continue;
        }
        const simt::Op op = log.sites[log.site[stand.next]].op;
        const bool meets = op == simt::Op::barrier || op == simt::Op::meet;
        stand.state = runs && stand.next == step ? LaneState::active : meets ? LaneState::waiting : LaneState::elsewhere;
        const std::uint32_t place = log.site[stand.next];
        const auto known = std::find(places.begin(), places.begin() + out.groups, place);
        stand.group = static_cast<int>(known - places.begin());
        if (stand.group == out.groups) places[static_cast<std::size_t>(out.groups++)] = place;
    }
    return out;
}

BarrierStand barrier_stand(const KernelBlock& block, std::size_t step) {
    const KernelLog& log = block.trace().log;
    BarrierStand out;
    for (int warp = 0; warp < block.warps(); ++warp)
        for (const std::size_t next : block.next_of(warp, step)) { // none of a lane without a thread
            if (next == block.end()) continue;
            ++out.live_of[static_cast<std::size_t>(warp)];
            out.arrived_of[static_cast<std::size_t>(warp)] += log.sites[log.site[next]].op == simt::Op::barrier;
        }
    for (std::size_t warp = 0; warp < 32; ++warp) out.live += out.live_of[warp], out.arrived += out.arrived_of[warp];
    return out;
}

} // namespace gradus
