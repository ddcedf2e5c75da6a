#include "engine/simt/runtime/launch_recorder.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace gradus::simt {

namespace {

template <class T> void append(std::vector<std::byte>& to, T value) {
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    to.insert(to.end(), bytes, bytes + sizeof(T));
}

constexpr bool is_held(Space space) { return space == Space::global || space == Space::shared; }

} // namespace

std::uint32_t LaunchRecorder::number_of(Site site, Op op, std::uint16_t bytes, bool fma) {
    const std::uint64_t key = std::uint64_t{site.bits} << 32 | std::uint64_t{bytes} << 16 | std::uint64_t{static_cast<std::uint8_t>(op)} << 8 | fma;
    const auto [at, made] = numbers_.emplace(key, static_cast<std::uint32_t>(record_.log.sites.size()));
    if (made) record_.log.sites.push_back({site.bits, bytes, op, fma});
    return at->second;
}

/// What memory holds before the first step. Buffers that do not fit are left out whole.
void LaunchRecorder::snapshot() {
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < memory_.ranges().size(); ++i) {
        const MemoryRange& range = memory_[i];
        if (!is_held(range.space) || range.size > wanted_.most_memory - bytes) continue;
        bytes += range.size;
        const auto* from = reinterpret_cast<const std::byte*>(range.begin);
        record_.memory.push_back({static_cast<std::uint8_t>(i), {from, from + range.size}, {}});
    }
}

void LaunchRecorder::block_begins(std::uint32_t block) {
    if (record_.log.blocks.empty()) snapshot();
    record_.log.blocks.push_back({launch_, block, record_.log.site.size()});
    for (Pending& step : pending_) step.any = false;
    for (auto& list : copies_) list.clear();
    for (auto& list : fmas_) list.clear();
}

void LaunchRecorder::step(const WarpStep& step) {
    if (full_) {
        record_.log.missed += kept(step.warp);
        return;
    }
    if (!kept(step.warp) && !writes_memory(step.op)) return;
    set_aside(step.warp);
    Pending& now = pending_[step.warp];
    const bool memory = touches_memory(step.op) && step.bytes > 0;
    now.any = true;
    now.site = number_of(step.site, step.op, step.bytes, false);
    now.mask = step.mask;
    now.missing = memory ? step.mask : 0;
    now.bytes = step.bytes;
    now.op = step.op;
    now.fmas.clear();
    for (std::uint32_t lanes = step.mask; lanes; lanes &= lanes - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
        auto& list = fmas_[step.warp * warp_size + lane];
        for (const LaneFma& one : list) now.fmas.emplace_back(static_cast<std::uint8_t>(lane), one);
        list.clear();
    }
    if (!memory) return keep(step.warp, now);
    std::memcpy(now.addresses.data(), step.addresses, sizeof now.addresses);
    now.before.resize(std::size_t{warp_size} * step.bytes);
    now.after.resize(std::size_t{warp_size} * step.bytes);
}

void LaunchRecorder::late_before(ThreadName thread, Word) {
    const std::uint32_t warp = thread.rank / warp_size, lane = thread.rank % warp_size;
    Pending& step = pending_[warp];
    if (!step.any || !(step.missing >> lane & 1)) return;
    const auto* at = reinterpret_cast<const std::byte*>(step.addresses[lane]);
    std::memcpy(step.before.data() + std::size_t{lane} * step.bytes, at, step.bytes); // all of it: a Word may be shorter
    if (!writes_memory(step.op)) lane_did(warp, lane, step);
}

void LaunchRecorder::late_after(ThreadName thread, Word) {
    const std::uint32_t warp = thread.rank / warp_size, lane = thread.rank % warp_size;
    Pending& step = pending_[warp];
    if (step.any && step.missing >> lane & 1) lane_did(warp, lane, step);
}

void LaunchRecorder::late_copied(ThreadName thread) {
    const std::uint32_t warp = thread.rank / warp_size, lane = thread.rank % warp_size;
    auto& copies = copies_[warp];
    const auto step = std::find_if(copies.begin(), copies.end(), [&](const Pending& each) { return each.missing >> lane & 1; });
    if (step == copies.end()) return;
    lane_did(warp, lane, *step);
    if (!step->missing) copies.erase(step);
}

/// A write of which lanes are missing when the warp's next step is told: all of them copy what they are about to read; or others have
/// written, and these wrote what stood there.
void LaunchRecorder::set_aside(std::uint32_t warp) {
    Pending& step = pending_[warp];
    if (!step.any || !step.missing) return;
    if (step.missing == step.mask) return copies_[warp].push_back(step);
    for (std::uint32_t lanes = step.missing; lanes; lanes &= lanes - 1) {
        const std::size_t at = static_cast<std::size_t>(std::countr_zero(lanes)) * step.bytes;
        std::memcpy(step.after.data() + at, step.before.data() + at, step.bytes);
    }
    step.missing = 0;
    keep(warp, step);
}

/// The lane has done its part: when all have, the step stands in the log.
void LaunchRecorder::lane_did(std::uint32_t warp, std::uint32_t lane, Pending& step) {
    if (writes_memory(step.op)) std::memcpy(step.after.data() + std::size_t{lane} * step.bytes, reinterpret_cast<const std::byte*>(step.addresses[lane]), step.bytes);
    step.missing &= ~(1u << lane);
    if (!step.missing) keep(warp, step);
}

void LaunchRecorder::multiply_add(ThreadName thread, Site site, float a, float b, float c, float result) {
    if (full_ || !kept(thread.rank / warp_size)) return;
    const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
    fmas_[thread.rank].push_back({number_of(site, Op::none, 0, true), {bits(a), bits(b), bits(c), bits(result)}});
}

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

void LaunchRecorder::keep(std::uint32_t warp, Pending& step) {
    KernelLog& log = record_.log;
    step.any = false;
    if (full_ || log.bytes() + std::size_t{warp_size} * (2 * std::size_t{step.bytes} + 10) > wanted_.most_bytes) {
        full_ = true;
        log.missed += kept(warp);
        return;
    }
    const auto number = static_cast<std::uint32_t>(log.site.size());
    log.site.push_back(step.site);
    log.mask.push_back(step.mask);
    log.warp.push_back(static_cast<std::uint8_t>(warp));
    for (const auto& [lane, one] : step.fmas) {
        log.fma_step.push_back(number);
        log.fma_site.push_back(one.site);
        log.fma_lane.push_back(lane);
        log.fmas.push_back(one.fma);
    }
    if (!touches_memory(step.op) || !step.bytes) return append(log.payload, KernelLog::Form::none);
    write_addresses(step);
    for (std::uint32_t lanes = step.mask; lanes; lanes &= lanes - 1) {
        const std::size_t at = static_cast<std::size_t>(std::countr_zero(lanes)) * step.bytes;
        const int range = memory_.find(step.addresses[static_cast<std::size_t>(std::countr_zero(lanes))], step.bytes);
        const bool held = is_held(memory_[static_cast<std::size_t>(range)].space);
        const auto copy = [&](std::byte* from) {
            if (!held) everywhere_the_same({from + at, step.bytes});
            log.payload.insert(log.payload.end(), from + at, from + at + step.bytes);
        };
        copy(step.before.data());
        if (writes_memory(step.op)) copy(step.after.data());
    }
}

void LaunchRecorder::block_ends() {
    for (std::uint32_t warp = 0; warp < pending_.size(); ++warp) {
        for (Pending& copy : copies_[warp]) // the launch ended before
            if ((copy.mask &= ~copy.missing) != 0) keep(warp, copy);
        Pending& step = pending_[warp];
        if (!step.any) continue;
        step.mask &= ~step.missing; // the launch ended before the others did it
        if (step.mask) keep(warp, step);
    }
    if (full_) return;
    const bool any = record_.log.blocks.back().first < record_.log.site.size();
    for (LaunchRecord::Memory& memory : record_.memory) {
        const MemoryRange& range = memory_[memory.range];
        const bool last = wanted_.block >= 0 && range.space == Space::global; // other blocks write there after this one
        if (last || (range.space == Space::shared && (any || memory.end.empty()))) {
            const auto* from = reinterpret_cast<const std::byte*>(range.begin);
            memory.end.assign(from, from + range.size);
        }
    }
}

LaunchRecord LaunchRecorder::take() {
    for (LaunchRecord::Memory& memory : record_.memory) {
        const MemoryRange& range = memory_[memory.range];
        const auto* from = reinterpret_cast<const std::byte*>(range.begin);
        if (full_) memory.end.clear();
        else if (range.space == Space::global && wanted_.block < 0) memory.end.assign(from, from + range.size);
    }
    record_.warps = wanted_.warps;
    return std::move(record_);
}

void LaunchRecord::write(BlobWriter& to) const {
    to.put_all(log.sites);
    to.put_all(log.blocks);
    to.put_all(log.site);
    to.put_all(log.mask);
    to.put_all(log.warp);
    to.put_all(log.payload);
    to.put_all(log.fma_step);
    to.put_all(log.fma_site);
    to.put_all(log.fma_lane);
    to.put_all(log.fmas);
    to.put(log.missed);
    to.put(std::uint64_t{memory.size()});
    for (const Memory& one : memory) {
        to.put(one.range);
        to.put_all(one.start);
        to.put_all(one.end);
    }
    to.put(warps);
}

LaunchRecord LaunchRecord::read(BlobReader& from) {
    LaunchRecord out;
    KernelLog& log = out.log;
    log.sites = from.get_all<KernelLog::Site>();
    log.blocks = from.get_all<KernelLog::Block>();
    log.site = from.get_all<std::uint32_t>();
    log.mask = from.get_all<std::uint32_t>();
    log.warp = from.get_all<std::uint8_t>();
    log.payload = from.get_all<std::byte>();
    log.fma_step = from.get_all<std::uint32_t>();
    log.fma_site = from.get_all<std::uint32_t>();
    log.fma_lane = from.get_all<std::uint8_t>();
    log.fmas = from.get_all<KernelLog::Fma>();
    log.missed = from.get<std::int64_t>();
    for (std::uint64_t i = from.get_count(256); i > 0; --i) {
        Memory one;
        one.range = from.get<std::uint8_t>();
        one.start = from.get_all<std::byte>();
        one.end = from.get_all<std::byte>();
        out.memory.push_back(std::move(one));
    }
    out.warps = from.get<std::uint32_t>();
    return out;
}

} // namespace gradus::simt
