#include "engine/simt/runtime/launch_recorder.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace gradus::simt {

namespace {

constexpr std::uint64_t no_fma = ~std::uint64_t{0};

/// As engine/core/hash.hpp has it, whose library this process does without.
std::uint64_t hash_of(std::span<const std::byte> bytes) { return bytes.empty() ? 0 : XXH3_64bits_withSeed(bytes.data(), bytes.size(), 0); }

} // namespace

LaunchRecorder::LaunchRecorder(const MemoryMap& memory, const Recording& wanted, std::ptrdiff_t to_given) : memory_(memory), wanted_(wanted), to_given_(to_given) {
    for (const MemoryRange& range : memory.ranges()) sizes_.push_back(range.size);
}

std::uint32_t LaunchRecorder::number_of(Site site, Op op, std::uint16_t bytes, bool fma) {
    const std::uint64_t key = std::uint64_t{site.bits} << 32 | std::uint64_t{bytes} << 16 | std::uint64_t{static_cast<std::uint8_t>(op)} << 8 | fma;
    Recent& recent = recent_[(site.bits ^ static_cast<std::uint32_t>(fma)) % recent_.size()];
    if (recent.key == key) return recent.number;
    const auto [at, made] = numbers_.emplace(key, static_cast<std::uint32_t>(record_.log.sites.size()));
    if (made) record_.log.sites.push_back({site.bits, bytes, op, fma});
    recent = {key, at->second};
    return at->second;
}

/// What memory holds before the first step. Buffers that do not fit are left out whole.
void LaunchRecorder::snapshot() {
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
        if (!is_held(memory_[i].space) || sizes_[i] > wanted_.most_memory - bytes) continue;
        bytes += sizes_[i];
        const auto held = contents(i);
        LaunchRecord::Memory& one = record_.memory.emplace_back();
        one.range = static_cast<std::uint8_t>(i);
        const bool as_given = memory_[i].space == Space::global && untouched_;
        if (as_given) continue;
        if (memory_[i].space != Space::global || std::memcmp(held.data(), held.data() + to_given_, held.size()) != 0) one.start.assign(held.begin(), held.end());
    }
}

std::span<const std::byte> LaunchRecorder::contents(std::size_t range) const { return {reinterpret_cast<const std::byte*>(memory_[range].begin), sizes_[range]}; }


void LaunchRecorder::block_begins(std::uint32_t block) {
    if (record_.log.blocks.empty()) {
        snapshot();
        record_.log.payload.reserve(wanted_.most_bytes); // address space, of which pages are taken as they are written
        const std::size_t most_fmas = wanted_.most_bytes / (sizeof(KernelLog::Fma) + 9);
        record_.log.fmas.reserve(most_fmas), record_.log.fma_step.reserve(most_fmas), record_.log.fma_site.reserve(most_fmas), record_.log.fma_lane.reserve(most_fmas);
    }
    record_.log.blocks.push_back({launch_, block, record_.log.site.size()});
    for (auto& queue : pending_) queue.clear();
    for (Copies& each : copies_) each.writes.clear(), each.reads = 0;
    for (LaneFmas& each : fmas_) each.all.clear(), each.taken = 0;
    told_.fill(0), steps_.fill(0), furthest_.fill(0), next_fma_.fill(no_fma);
    running_ = nobody;
}

void LaunchRecorder::step(const WarpStep& step) {
    end_pass();
    rule_out_copies(step);
    for (Pending& each : pending_[step.warp]) each.begun = 0;
    const bool memory = touches_memory(step.op) && step.bytes > 0;
    const std::size_t first = std::size_t{step.warp} * warp_size;
    if (memory) for_lanes(step.mask, [&](std::size_t lane) { ++told_[first + lane]; });
    std::uint64_t& furthest = furthest_[step.warp];
    for_lanes(step.mask, [&](std::size_t lane) { furthest = std::max(furthest, ++steps_[first + lane]); });
    if (full_) {
        record_.log.missed += kept(step.warp);
        return;
    }
    if (!kept(step.warp) && !writes_memory(step.op)) return;
    take_due(step.warp, step.mask);
    const std::uint32_t site = number_of(step.site, step.op, step.bytes, false);
    const bool done = memory && step.before && step.late != step.mask; // a lane that is late has still to do it
    Copies& copies = copies_[step.warp];
    const bool copied = done && !copies.writes.empty() && step.op == Op::read && step.mask == copies.writes.front().mask, copies_more = done && step.copies && !copies.reads;
    if (!copies.writes.empty() && !copied && !copies_more) keep_copies(step.warp);
    if (done) lost_ |= step.late != 0 || !pending_[step.warp].empty();
    if (done && !step.copies) {
        if (begin_step(step.warp, site, step.mask, step.bytes, due_)) write_accesses({step.mask, step.bytes, step.op, step.addresses, step.before, step.after});
        if (copied && ++copies.reads == copies.writes.size()) keep_copies(step.warp);
        return;
    }
    Pending now;
    now.site = site;
    now.mask = step.mask;
    now.todo = memory ? step.mask : 0;
    now.bytes = step.bytes;
    now.op = step.op;
    for (std::uint32_t lanes = step.mask; lanes; lanes &= lanes - 1) {
        const auto lane = static_cast<std::size_t>(std::countr_zero(lanes));
        now.numbers[lane] = told_[first + lane] - 1;
    }
    now.fmas = due_;
    if (step.op == Op::meet) {
        meets_ = std::move(now);
        return;
    }
    if (!memory) return keep(step.warp, now);
    std::memcpy(now.addresses.data(), step.addresses, sizeof now.addresses);
    if (done) {
        std::copy_n(step.before, warp_size, now.before.begin());
        std::copy_n(step.after, warp_size, now.after.begin());
        return copies.writes.push_back(std::move(now));
    }
    pending_[step.warp].push_back(std::move(now));
}

void LaunchRecorder::keep_copies(std::uint32_t warp) {
    for (const Pending& each : copies_[warp].writes) keep(warp, each);
    copies_[warp].writes.clear();
    copies_[warp].reads = 0;
}

void LaunchRecorder::met(std::uint32_t warp, std::uint32_t, const Meeting& meeting) {
    if (meets_) keep(warp, *meets_, &meeting);
    meets_.reset();
}

/// The lane runs on from the step that was told last, up to its next one.
void LaunchRecorder::late_before(ThreadName thread, Word) {
    const std::uint32_t warp = thread.rank / warp_size, lane = thread.rank % warp_size;
    if (running_ != nobody && running_ / warp_size != warp) end_pass();
    end_turn();
    running_ = thread.rank;
    if (reads_what_was_copied(warp, lane)) keep_begun(warp);
    for (Pending& step : pending_[warp]) {
        if (!(step.todo >> lane & 1)) continue;
        step.begun |= 1u << lane;
        std::memcpy(&step.before[lane], reinterpret_cast<const std::byte*>(step.addresses[lane]), step.bytes);
        if (!writes_memory(step.op)) step.todo &= ~(1u << lane);
    }
    keep_done(warp);
}

void LaunchRecorder::late_after(ThreadName thread, Word, std::size_t back) {
    const std::uint32_t warp = thread.rank / warp_size, lane = thread.rank % warp_size;
    for (Pending& step : pending_[warp])
        if (step.todo >> lane & 1 && step.numbers[lane] + back + 1 == told_[thread.rank]) wrote(step, lane);
    keep_done(warp);
}

void LaunchRecorder::wrote(Pending& step, std::uint32_t lane) {
    std::memcpy(&step.after[lane], reinterpret_cast<const std::byte*>(step.addresses[lane]), step.bytes);
    step.todo &= ~(1u << lane);
}

/// The lane that ran waits for its next step, or has returned. Where a read follows a write, the write may have been done, or be done
/// after the read, which it copies: what has changed while the lane ran says which. Where nothing has, both come to the same.
void LaunchRecorder::end_turn() {
    if (running_ == nobody) return;
    const std::uint32_t warp = running_ / warp_size, lane = running_ % warp_size;
    running_ = nobody;
    auto& queue = pending_[warp];
    const auto changed = [&](const Pending& step) {
        return step.todo >> lane & 1 && std::memcmp(&step.before[lane], reinterpret_cast<const std::byte*>(step.addresses[lane]), step.bytes) != 0;
    };
    if (!std::any_of(queue.begin(), queue.end(), changed)) return;
    for (Pending& step : queue) // pieces of one access are done together
        if (step.todo >> lane & 1) wrote(step, lane);
    keep_done(warp);
}

/// All lanes of the warp that had something to do have run. What some of them have written all have: the others wrote what stood there.
void LaunchRecorder::end_pass() {
    if (running_ == nobody) return;
    const std::uint32_t warp = running_ / warp_size;
    end_turn();
    for (Pending& step : pending_[warp]) {
        if (step.todo == step.mask) continue;
        for (std::uint32_t lanes = step.todo & step.begun; lanes; lanes &= lanes - 1) {
            const auto lane = static_cast<std::size_t>(std::countr_zero(lanes));
            step.after[lane] = step.before[lane];
        }
        step.todo &= ~step.begun;
    }
    keep_done(warp);
}

/// Writes that may have been done or not when the warp's next step is told. A copy's read, or the next piece of a wide access, is done by
/// the same lanes. Before anything else they were done, and changed nothing.
void LaunchRecorder::rule_out_copies(const WarpStep& next) {
    for (Pending& step : pending_[next.warp]) {
        if (step.mask == next.mask && touches_memory(next.op)) continue;
        for (std::uint32_t lanes = step.todo; lanes; lanes &= lanes - 1) {
            const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
            wrote(step, lane);
            step.before[lane] = step.after[lane];
        }
    }
    keep_done(next.warp);
}

/// Whether another lane has changed what this one is about to read, by a copy that is not in the log since others have yet to do it.
bool LaunchRecorder::reads_what_was_copied(std::uint32_t warp, std::uint32_t lane) const {
    for (const Pending& read : pending_[warp]) {
        if (writes_memory(read.op) || !(read.todo >> lane & 1)) continue;
        for (const Pending& written : pending_[warp]) {
            if (!writes_memory(written.op)) continue;
            for (std::uint32_t lanes = written.mask & ~written.todo; lanes; lanes &= lanes - 1) {
                const auto other = static_cast<std::size_t>(std::countr_zero(lanes));
                const std::uint64_t from = read.addresses[lane], to = written.addresses[other];
                if (from < to + written.bytes && to < from + read.bytes && written.before[other] != written.after[other]) return true;
            }
        }
    }
    return false;
}

/// What some lanes have done stands in the log from here on; the rest is a step of its own. What a copy reads comes before what it writes.
void LaunchRecorder::keep_begun(std::uint32_t warp) {
    for (const bool writes : {false, true})
        for (Pending& step : pending_[warp]) {
            if (writes_memory(step.op) != writes || (step.mask & ~step.todo) == 0) continue;
            Pending begun = step;
            begun.mask &= ~step.todo;
            step.mask &= step.todo;
            keep(warp, begun);
        }
    std::erase_if(pending_[warp], [](const Pending& step) { return !step.mask; });
}

/// What all lanes have done stands in the log from here on.
void LaunchRecorder::keep_done(std::uint32_t warp) {
    std::erase_if(pending_[warp], [&](Pending& step) {
        if (step.todo) return false;
        keep(warp, step);
        return true;
    });
}

/// Multiply-adds that the lanes of the mask have done on their way to the step that is told.
void LaunchRecorder::take_due(std::uint32_t warp, std::uint32_t mask) {
    due_.clear();
    if (furthest_[warp] <= next_fma_[warp]) return;
    next_fma_[warp] = no_fma;
    for (std::size_t lane = 0; lane < warp_size; ++lane) {
        const std::size_t rank = warp * std::size_t{warp_size} + lane;
        LaneFmas& of = fmas_[rank];
        if (mask >> lane & 1)
            for (; of.taken < of.all.size() && of.all[of.taken].step < steps_[rank]; ++of.taken) {
                const LaneFma& one = of.all[of.taken];
                due_.push_back({static_cast<std::uint8_t>(lane), number_of(one.site, Op::none, 0, true), one.fma});
            }
        if (of.taken == of.all.size()) of.all.clear(), of.taken = 0;
        else next_fma_[warp] = std::min(next_fma_[warp], of.all[of.taken].step);
    }
}

void LaunchRecorder::multiply_add(ThreadName thread, std::uint32_t ahead, Site site, float a, float b, float c, float result) {
    if (full_ || !kept(thread.rank / warp_size)) return;
    const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
    std::uint64_t &next = next_fma_[thread.rank / warp_size], step = steps_[thread.rank] + ahead;
    next = std::min(next, step);
    fmas_[thread.rank].all.push_back({step, site, {bits(a), bits(b), bits(c), bits(result)}});
}

void LaunchRecorder::block_ends() {
    end_pass();
    for (std::uint32_t warp = 0; warp < copies_.size(); ++warp) keep_copies(warp);
    for (std::uint32_t warp = 0; warp < pending_.size(); ++warp) keep_begun(warp); // the launch ended before the others did it
    if (full_) return;
    const bool any = record_.log.blocks.back().first < record_.log.site.size();
    for (LaunchRecord::Memory& memory : record_.memory) {
        const Space space = memory_[memory.range].space;
        const bool last = wanted_.block >= 0 && space == Space::global; // other blocks write there after this one
        if (last || (space == Space::shared && (any || !memory.end_hash))) memory.end_hash = hash_of(contents(memory.range));
    }
}

void LaunchRecorder::fault(ThreadName thread, Site site) {
    const std::uint32_t warp = thread.rank / warp_size, lane = thread.rank % warp_size;
    if (full_ || !kept(warp)) return;
    Pending now;
    now.site = number_of(site, Op::fault, 0, false);
    now.mask = 1u << lane;
    now.op = Op::fault;
    furthest_[warp] = std::max(furthest_[warp], ++steps_[thread.rank]);
    take_due(warp, now.mask);
    now.fmas = due_;
    keep(warp, now);
}

LaunchRecord LaunchRecorder::take() {
    for (LaunchRecord::Memory& memory : record_.memory) {
        if (full_) memory.end_hash = 0;
        else if (memory_[memory.range].space == Space::global && wanted_.block < 0) memory.end_hash = hash_of(contents(memory.range));
    }
    record_.warps = wanted_.warps;
    return std::move(record_);
}

} // namespace gradus::simt
