// How a step that was done goes into the log.

#include "engine/simt/runtime/launch_recorder.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace gradus::simt {

namespace {

/// Where the next bytes of the log go, for which there is room: so many at most.
class Writer {
public:
    Writer(std::vector<std::byte>& to, std::size_t most) : to_(to), at_(to.size()) { to.resize(at_ + most); }
    ~Writer() { to_.resize(at_); }
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    template <class T> void put(const T& value) { put(&value, sizeof value); }
    void put(const void* from, std::size_t bytes) { std::memcpy(to_.data() + at_, from, bytes), at_ += bytes; }

private:
    std::vector<std::byte>& to_;
    std::size_t at_;
};

/// The form with which a step's addresses begin, and they.
constexpr std::size_t most_address_bytes = 1 + warp_size * (1 + sizeof(std::uint64_t));

} // namespace

/// The one that all its lanes' accesses fall into; else no range.
std::size_t LaunchRecorder::range_of(const Done& step) {
    const auto all_in = [&](std::size_t range) {
        const MemoryMap::Bounds& bounds = memory_.bounds(range);
        bool in = true;
        for_lanes(step.mask, [&](std::size_t lane) { in &= bounds.holds(step.addresses[lane], step.bytes); });
        return in;
    };
    if (all_in(range_)) return range_;
    const int found = memory_.find(step.addresses[std::countr_zero(step.mask)], step.bytes);
    if (found == MemoryMap::nowhere || !all_in(static_cast<std::size_t>(found))) return memory_.ranges().size();
    return range_ = static_cast<std::size_t>(found);
}

/// A pointer on a lane's stack, which differs from process to process, as a range's number and an offset.
std::uint64_t LaunchRecorder::everywhere_the_same(std::uint64_t word) const {
    const int range = memory_.find(word, 1);
    if (range == MemoryMap::nowhere) return word;
    return (std::uint64_t{static_cast<std::uint32_t>(range)} + 1) << 40 | (word - memory_[static_cast<std::size_t>(range)].begin);
}

void LaunchRecorder::write_accesses(const Done& step) {
    const bool writes = writes_memory(step.op);
    Writer to(record_.log.payload, most_address_bytes + warp_size * 2 * std::size_t{step.bytes});
    const std::size_t range = range_of(step);
    const bool one = range < memory_.ranges().size();
    const auto first = static_cast<std::size_t>(std::countr_zero(step.mask));
    const std::uint32_t others = step.mask & (step.mask - 1);
    std::int64_t stride = 0;
    if (others) stride = static_cast<std::int64_t>(step.addresses[std::countr_zero(others)] - step.addresses[first]) / (std::countr_zero(others) - static_cast<int>(first));
    bool even = one && stride >= std::numeric_limits<std::int32_t>::min() && stride <= std::numeric_limits<std::int32_t>::max();
    for_lanes(step.mask, [&](std::size_t lane) { even &= step.addresses[lane] - step.addresses[first] == static_cast<std::uint64_t>(stride) * (lane - first); });
    if (even) {
        to.put(KernelLog::Form::even);
        to.put(static_cast<std::uint8_t>(range));
        to.put(static_cast<std::int64_t>(step.addresses[first] - memory_.bounds(range).begin));
        to.put(static_cast<std::int32_t>(stride));
    } else if (one) {
        to.put(KernelLog::Form::one_range);
        to.put(static_cast<std::uint8_t>(range));
        const std::uint64_t begin = memory_.bounds(range).begin;
        for_lanes(step.mask, [&](std::size_t lane) { to.put(step.addresses[lane] - begin); });
    } else {
        to.put(KernelLog::Form::mixed);
        for_lanes(step.mask, [&](std::size_t lane) {
            const auto its = static_cast<std::size_t>(memory_.find(step.addresses[lane], step.bytes));
            to.put(static_cast<std::uint8_t>(its));
            to.put(step.addresses[lane] - memory_.bounds(its).begin);
        });
    }
    // The sizes that there are, each with code of its own.
    const auto put_values = [&](std::size_t bytes) {
        for_lanes(step.mask, [&](std::size_t lane) {
            to.put(&step.before[lane], bytes);
            if (writes) to.put(&step.after[lane], bytes);
        });
    };
    if (one && is_held(memory_[range].space)) {
        if (step.bytes == 4) return put_values(4);
        if (step.bytes == 8) return put_values(8);
        if (step.bytes == 16) return put_values(16);
        return put_values(step.bytes);
    }
    for_lanes(step.mask, [&](std::size_t lane) {
        const bool held = is_held(memory_[static_cast<std::size_t>(memory_.find(step.addresses[lane], step.bytes))].space);
        const auto put = [&](Word value) {
            if (!held && step.bytes >= 8) value.low = everywhere_the_same(value.low);
            if (!held && step.bytes >= 16) value.high = everywhere_the_same(value.high);
            to.put(&value, step.bytes);
        };
        put(step.before[lane]);
        if (writes) put(step.after[lane]);
    });
}

void LaunchRecorder::write_meeting(std::uint32_t mask, const Meeting& meeting) {
    KernelLog& log = record_.log;
    const auto known = std::find(log.collectives.begin(), log.collectives.end(), meeting.name);
    const auto number = static_cast<std::size_t>(known - log.collectives.begin());
    Writer to(log.payload, 4 + warp_size * (2 * sizeof(std::uint64_t) + 1));
    if (number > 0xff) return to.put(KernelLog::Form::none);
    if (known == log.collectives.end()) log.collectives.emplace_back(meeting.name);
    to.put(meeting.given ? KernelLog::Form::handed : KernelLog::Form::named);
    to.put(static_cast<std::uint8_t>(number));
    if (!meeting.given) return;
    to.put(meeting.given);
    to.put(meeting.got);
    for_lanes(mask, [&](std::size_t lane) {
        to.put(meeting.values[lane]);
        to.put(meeting.results[lane]);
        to.put(meeting.sources[lane]);
    });
}

/// What there is of any step. False if it has no more room.
bool LaunchRecorder::begin_step(std::uint32_t warp, std::uint32_t site, std::uint32_t mask, std::uint16_t bytes, std::span<const Due> fmas) {
    KernelLog& log = record_.log;
    if (full_ || log.bytes() + std::size_t{warp_size} * (2 * std::size_t{bytes} + 18) > wanted_.most_bytes) {
        full_ = true;
        log.missed += kept(warp);
        return false;
    }
    const auto number = static_cast<std::uint32_t>(log.site.size());
    log.site.push_back(site);
    log.mask.push_back(mask);
    log.warp.push_back(static_cast<std::uint8_t>(warp));
    for (const Due& due : fmas) {
        if (!(mask >> due.lane & 1)) continue; // the launch ended before it came there
        log.fma_step.push_back(number);
        log.fma_site.push_back(due.site);
        log.fma_lane.push_back(due.lane);
        log.fmas.push_back(due.fma);
    }
    return true;
}

void LaunchRecorder::keep(std::uint32_t warp, const Pending& step, const Meeting* meeting) {
    if (!begin_step(warp, step.site, step.mask, step.bytes, step.fmas)) return;
    if (meeting) return write_meeting(step.mask, *meeting);
    if (!touches_memory(step.op) || !step.bytes) return record_.log.payload.push_back(static_cast<std::byte>(KernelLog::Form::none));
    write_accesses({step.mask, step.bytes, step.op, step.addresses.data(), step.before.data(), step.after.data()});
}

} // namespace gradus::simt
