// Collectives of a warp: who meets, what they hand to each other, and who never comes.
#include "engine/simt/runtime/hooked_lane.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace gradus::simt {

namespace {

/// The lane whose value a shuffle asks for; SIMT_NO_LANE where lanes ask nobody, or hand in no such record.
std::uint32_t asks(std::uint32_t how, const void* handed) { return how >> 8 & 0xff && handed ? static_cast<const SimtHanded*>(handed)->source : std::uint32_t{SIMT_NO_LANE}; }

} // namespace

/// Lanes of the warp that have returned, all they did told, and were not further on in the code than where this one waits: those have gone
/// round it, as at a barrier.
std::uint32_t HookedRunner::gone(const Lane& waits, std::size_t first, std::size_t last) const {
    std::uint32_t lanes = 0;
    for (std::size_t i = first; i < last; ++i) {
        const Lane& other = lanes_[i];
        const bool returned = other.state == Lane::State::returned && !other.has();
        if (returned && !(other.last.bits && paths_.before({waits.sites[waits.head]}, other.last))) lanes |= 1u << (i - first);
    }
    return lanes;
}

/// The lanes that meet with this one, if all have come that CUDA waits for, those named by the mask that have not returned; else none. Of a
/// lane that has returned no other can ask a value, and a matrix instruction needs all of them: those are waited for in vain.
std::uint32_t HookedRunner::meets_with(const Lane& lane, std::size_t first, std::size_t last) const {
    std::uint32_t with = 0, asked = 0;
    for (std::size_t i = first; i < last; ++i) {
        const Lane& other = lanes_[i];
        if (other.state != Lane::State::meeting || other.head + 1 != other.count || other.mask != lane.mask || other.together != lane.together) continue;
        with |= 1u << (i - first);
        if (const std::uint32_t source = asks(other.how, other.handed); source < warp_size) asked |= 1u << source;
    }
    const std::uint32_t missing = lane.mask & ~with;
    if (!missing) return lane.mask;
    const bool hands_records = lane.how >> 8 & 0xff;
    if (lane.together && !hands_records) return 0;
    return missing & (~gone(lane, first, last) | asked) ? 0 : lane.mask & with;
}

/// Those that meet have all come. One place may have several meetings, as of the tiles of a warp: lanes with one mask each.
void HookedRunner::meet_done(std::uint32_t warp, std::uint32_t mask) {
    const std::size_t first = std::size_t{warp} * warp_size;
    std::array<void*, warp_size> handed{};
    for (std::size_t i = 0; i < warp_size; ++i)
        if (mask >> i & 1) handed[i] = lanes_[first + i].handed;
    const Lane& leader = lanes_[first + static_cast<std::size_t>(std::countr_zero(mask))];
    Meeting meeting;
    if (options_->values) meeting.begin(leader.name, leader.how, handed);
    std::array<std::uint32_t, warp_size> groups{};
    std::size_t count = 0;
    for (std::uint32_t left = mask; left; left &= ~groups[count++]) {
        const Lane& one = lanes_[first + static_cast<std::size_t>(std::countr_zero(left))];
        std::array<void*, warp_size> of_these{}; // of one that has returned: null
        for (std::size_t i = 0; i < warp_size; ++i)
            if (left >> i & 1 && lanes_[first + i].mask == one.mask) of_these[i] = handed[i], groups[count] |= 1u << i;
        meets_for_all_ = &one;
        if (one.together) one.together(of_these.data(), one.mask);
    }
    meets_for_all_ = nullptr;
    if (options_->values) {
        meeting.end(handed);
        watcher_->met(warp, mask, meeting);
    }
    for (std::size_t i = 0; i < count && leader.how & SIMT_ORDERS; ++i) watcher_->warp_ordered(warp, groups[i]);
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
    // One that is still on its way, else one that has returned and whose value is asked for.
    const std::uint32_t missing = waits->mask & ~here, late = missing & ~gone(*waits, first, last);
    auto who = static_cast<std::uint32_t>(std::countr_zero(late ? late : missing));
    for (std::size_t i = first; !late && i < last; ++i) {
        const std::uint32_t source = here >> (i - first) & 1 ? asks(lanes_[i].how, lanes_[i].handed) : std::uint32_t{SIMT_NO_LANE};
        if (source >= warp_size || !(missing >> source & 1)) continue;
        waits = &lanes_[i], who = source;
        break;
    }
    finding.site = {waits->sites[waits->head]};
    finding.thread = name(*waits);
    finding.second = {block_, static_cast<std::uint32_t>(first) + who};
    finding.words = waits->name;
    return finding;
}

} // namespace gradus::simt
