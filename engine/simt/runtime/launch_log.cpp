// How a step that was done goes into the log.

#include "engine/simt/runtime/launch_recorder.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace gradus::simt {

namespace {

template <class T> void append(std::vector<std::byte>& to, T value) {
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    to.insert(to.end(), bytes, bytes + sizeof(T));
}

} // namespace

void LaunchRecorder::write_addresses(const Pending& step) {
    std::vector<std::byte>& to = record_.log.payload;
    std::array<std::uint8_t, warp_size> ranges{};
    std::array<std::uint64_t, warp_size> offsets{};
    const auto first = static_cast<std::size_t>(std::countr_zero(step.mask));
    int before = -1;
    bool one = true, even = true;
    std::int64_t stride = 0;
    for (std::uint32_t lanes = step.mask; lanes; lanes &= lanes - 1) {
        const auto lane = static_cast<std::size_t>(std::countr_zero(lanes));
        if (before < 0 || !memory_.bounds(static_cast<std::size_t>(before)).holds(step.addresses[lane], step.bytes)) before = memory_.find(step.addresses[lane], step.bytes);
        ranges[lane] = static_cast<std::uint8_t>(before);
        offsets[lane] = step.addresses[lane] - memory_[static_cast<std::size_t>(before)].begin;
        one &= ranges[lane] == ranges[first];
        const auto apart = static_cast<std::int64_t>(offsets[lane] - offsets[first]), lanes_apart = static_cast<std::int64_t>(lane - first);
        if (lanes_apart > 0 && stride == 0 && lanes == (step.mask & (step.mask - 1))) stride = apart / lanes_apart;
        even &= apart == stride * lanes_apart;
    }
    if (one && even && stride >= std::numeric_limits<std::int32_t>::min() && stride <= std::numeric_limits<std::int32_t>::max()) {
        append(to, KernelLog::Form::even);
        append(to, ranges[first]);
        append(to, static_cast<std::int64_t>(offsets[first]));
        return append(to, static_cast<std::int32_t>(stride));
    }
    append(to, one ? KernelLog::Form::one_range : KernelLog::Form::mixed);
    if (one) append(to, ranges[first]);
    for (std::uint32_t lanes = step.mask; lanes; lanes &= lanes - 1) {
        const auto lane = static_cast<std::size_t>(std::countr_zero(lanes));
        if (!one) append(to, ranges[lane]);
        append(to, offsets[lane]);
    }
}

/// A pointer on a lane's stack, which differs from process to process, as a range's number and an offset.
void LaunchRecorder::everywhere_the_same(std::span<std::byte> value) const {
    for (std::size_t at = 0; at + 8 <= value.size(); at += 8) {
        std::uint64_t word;
        std::memcpy(&word, value.data() + at, 8);
        const int range = memory_.find(word, 1);
        if (range == MemoryMap::nowhere) continue;
        word = (std::uint64_t{static_cast<std::uint32_t>(range)} + 1) << 40 | (word - memory_[static_cast<std::size_t>(range)].begin);
        std::memcpy(value.data() + at, &word, 8);
    }
}

void LaunchRecorder::write_meeting(const Pending& step, const Meeting& meeting) {
    KernelLog& log = record_.log;
    const auto known = std::find(log.collectives.begin(), log.collectives.end(), meeting.name);
    const auto number = static_cast<std::size_t>(known - log.collectives.begin());
    if (number > 0xff) return append(log.payload, KernelLog::Form::none);
    if (known == log.collectives.end()) log.collectives.emplace_back(meeting.name);
    append(log.payload, meeting.given ? KernelLog::Form::handed : KernelLog::Form::named);
    append(log.payload, static_cast<std::uint8_t>(number));
    if (!meeting.given) return;
    append(log.payload, meeting.given);
    append(log.payload, meeting.got);
    for (std::uint32_t lanes = step.mask; lanes; lanes &= lanes - 1) {
        const auto lane = static_cast<std::size_t>(std::countr_zero(lanes));
        append(log.payload, meeting.values[lane]);
        append(log.payload, meeting.results[lane]);
        append(log.payload, meeting.sources[lane]);
    }
}

void LaunchRecorder::keep(std::uint32_t warp, Pending& step, const Meeting* meeting) {
    KernelLog& log = record_.log;
    if (full_ || log.bytes() + std::size_t{warp_size} * (2 * std::size_t{step.bytes} + 18) > wanted_.most_bytes) {
        full_ = true;
        log.missed += kept(warp);
        return;
    }
    const auto number = static_cast<std::uint32_t>(log.site.size());
    log.site.push_back(step.site);
    log.mask.push_back(step.mask);
    log.warp.push_back(static_cast<std::uint8_t>(warp));
    for (const auto& [lane, one] : step.fmas) {
        if (!(step.mask >> lane & 1)) continue; // the launch ended before it came there
        log.fma_step.push_back(number);
        log.fma_site.push_back(one.site);
        log.fma_lane.push_back(lane);
        log.fmas.push_back(one.fma);
    }
    if (meeting) return write_meeting(step, *meeting);
    if (!touches_memory(step.op) || !step.bytes) return append(log.payload, KernelLog::Form::none);
    write_addresses(step);
    for (std::uint32_t lanes = step.mask; lanes; lanes &= lanes - 1) {
        const auto lane = static_cast<std::size_t>(std::countr_zero(lanes));
        const int range = memory_.find(step.addresses[lane], step.bytes);
        const bool held = is_held(memory_[static_cast<std::size_t>(range)].space);
        const auto copy = [&](Pending::Values& of) {
            std::byte* from = of.data() + lane * sizeof(Word);
            if (!held) everywhere_the_same({from, step.bytes});
            log.payload.insert(log.payload.end(), from, from + step.bytes);
        };
        copy(step.before);
        if (writes_memory(step.op)) copy(step.after);
    }
}

} // namespace gradus::simt
