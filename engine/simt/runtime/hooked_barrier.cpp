// A block's barriers: who waits, at which one, and who never comes.

#include "engine/simt/runtime/hooked_lane.hpp"

#include <utility>

namespace gradus::simt {

/// All lanes that have not returned wait at a barrier: they go on, whether or not it is the same one.
bool HookedRunner::release_barrier() {
    const Lane* leader = nullptr;
    SimtAllTogether together = nullptr;
    std::vector<void*> handed(static_cast<std::size_t>(threads_));
    const auto warps = static_cast<std::uint32_t>((threads_ + warp_size - 1) / warp_size);
    std::vector<std::uint32_t> masks(warps);
    std::vector<Site> sites(warps);
    for (int rank = 0; rank < threads_; ++rank) {
        Lane& lane = lanes_[static_cast<std::size_t>(rank)];
        if (lane.state != Lane::State::at_barrier) continue;
        if (!leader) leader = &lane;
        if (lane.waits_at != leader->waits_at)
            mismatch({.kind = Finding::Kind::mismatched_barrier, .site = lane.waits_at, .other = leader->waits_at, .thread = name(lane),
                      .second = name(*leader)});
        handed[static_cast<std::size_t>(rank)] = lane.handed;
        if (lane.all_together) together = lane.all_together;
        masks[lane.stands.warp] |= 1u << lane.stands.lane;
        sites[lane.stands.warp] = lane.waits_at;
    }
    if (leader) gone_by(*leader);
    if (together) together(handed.data(), static_cast<std::uint32_t>(threads_));
    AddressRow nowhere;
    nowhere.of.fill(0);
    for (std::uint32_t warp = 0; warp < warps; ++warp)
        if (WarpStep step{.site = sites[warp], .mask = masks[warp], .warp = warp, .addresses = nowhere.of.data()}; step.mask) tell(step);
    watcher_->block_ordered();
    for (int rank = 0; rank < threads_; ++rank) {
        Lane& lane = lanes_[static_cast<std::size_t>(rank)];
        if (lane.state != Lane::State::at_barrier) continue;
        lane.state = Lane::State::ready;
    }
    return !failed_;
}

/// Threads that have returned are not waited for, as on a GPU: that lets a kernel end threads early. But one that was further on in the
/// code than the barrier has gone round it.
void HookedRunner::gone_by(const Lane& waits) {
    for (int rank = 0; rank < threads_; ++rank) {
        Lane& lane = lanes_[static_cast<std::size_t>(rank)];
        if (lane.state != Lane::State::returned || !std::exchange(lane.just_returned, false)) continue;
        if (!mismatched_ && lane.last.bits && paths_.before(waits.waits_at, lane.last))
            mismatch({.kind = Finding::Kind::mismatched_barrier, .site = waits.waits_at, .other = lane.last, .thread = name(waits),
                      .second = name(lane), .words = "returned"});
    }
}

void HookedRunner::mismatch(Finding finding) {
    findings_->add(std::move(finding));
    mismatched_ = true;
}

} // namespace gradus::simt
