// Collectives of a warp: who meets, what they hand to each other, and who never comes.
#include "engine/simt/runtime/hooked_lane.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace gradus::simt {

/// The lanes that meet with this one, if all of them have come; else none.
std::uint32_t HookedRunner::meets_with(const Lane& lane, std::size_t first, std::size_t last) const {
    std::uint32_t with = 0;
    for (std::size_t i = first; i < last; ++i) {
        const Lane& other = lanes_[i];
        if (other.state == Lane::State::meeting && other.head + 1 == other.count && other.mask == lane.mask && other.together == lane.together)
            with |= 1u << (i - first);
    }
    return (with & lane.mask) == lane.mask ? lane.mask : 0;
}

/// Those that meet have all come.
void HookedRunner::meet_done(std::uint32_t warp, std::uint32_t mask) {
    const std::size_t first = std::size_t{warp} * warp_size;
    std::array<void*, warp_size> handed{};
    for (std::size_t i = 0; i < warp_size; ++i)
        if (mask >> i & 1) handed[i] = lanes_[first + i].handed;
    const Lane& leader = lanes_[first + static_cast<std::size_t>(std::countr_zero(mask))];
    Meeting meeting;
    if (options_->values) meeting.begin(leader.name, leader.how, handed);
    meets_for_all_ = &leader;
    if (leader.together) leader.together(handed.data(), mask);
    meets_for_all_ = nullptr;
    if (options_->values) {
        meeting.end(handed);
        watcher_->met(warp, mask, meeting);
    }
    if (leader.how & SIMT_ORDERS) watcher_->warp_ordered(warp, mask);
    for (std::size_t i = 0; i < warp_size; ++i)
        if (mask >> i & 1) lanes_[first + i].state = Lane::State::ready;
}

Finding HookedRunner::never_meets(std::uint32_t warp) {
    const std::size_t first = std::size_t{warp} * warp_size, last = std::min<std::size_t>(first + warp_size, static_cast<std::size_t>(threads_));
    Finding finding{.kind = Finding::Kind::never_meets};
    std::uint32_t here = 0;
    const Lane* waits = nullptr;
    for (std::size_t i = first; i < last; ++i) {
        const Lane& lane = lanes_[i];
        if (lane.state != Lane::State::meeting) continue;
        if (!waits) waits = &lane;
        if (lane.mask == waits->mask && lane.together == waits->together) here |= 1u << (i - first);
    }
    if (!waits) return finding;
    const std::uint32_t missing = waits->mask & ~here;
    finding.site = {waits->sites[waits->head]};
    finding.thread = name(*waits);
    finding.second = {block_, static_cast<std::uint32_t>(first) + static_cast<std::uint32_t>(std::countr_zero(missing))};
    finding.words = waits->name;
    return finding;
}

} // namespace gradus::simt
