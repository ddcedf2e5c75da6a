#include "engine/simt/runtime/race_check.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace gradus::simt {

namespace {
constexpr std::size_t most_warps = 32;
}

RaceCheck::RaceCheck(const MemoryMap& memory, Findings& findings) : memory_(memory), findings_(findings), warp_eras_(most_warps) {
    for (const MemoryRange& range : memory.ranges()) {
        Shadow shadow;
        shadow.shared = range.space == Space::shared;
        shadow.watched = shadow.shared || range.space == Space::global;
        shadow.unit_shift = std::countr_zero(static_cast<unsigned>(range.unit));
        if (shadow.watched) shadow.words.resize((range.size + static_cast<std::uint64_t>(range.unit) - 1) >> shadow.unit_shift);
        shadows_.push_back(std::move(shadow));
    }
}

void RaceCheck::block_begins(std::uint32_t block) {
    block_era_ = ++era_;
    block_ = block;
    blocks_.emplace_back(block_era_, block);
    fenced_ = false;
    acquired_ = 0;
    std::fill(warp_eras_.begin(), warp_eras_.end(), std::uint16_t{0});
}

void RaceCheck::block_ordered() { ++era_; }
void RaceCheck::warp_ordered(std::uint32_t warp, std::uint32_t) { ++warp_eras_[warp]; }
void RaceCheck::fence(ThreadName, int scope) { fenced_ |= scope >= 1; }

/// Whether an earlier access comes before what the thread does now.
bool RaceCheck::ordered(const Touch& earlier, std::uint16_t rank, bool shared) const {
    if (earlier.era < block_era_) return shared || earlier.era <= acquired_; // another block's; shared memory is the block's own
    if (earlier.era != era_) return true;
    if (earlier.who & many_bit) return false;
    const auto other = static_cast<std::uint16_t>(earlier.who & rank_bits);
    if (other / warp_size != rank / warp_size) return false;
    if (earlier.warp_era != warp_eras_[rank / warp_size]) return true;
    return !(earlier.who & same_warp_bit) && other == rank;
}

/// An atomic on global memory may tell its block what others did before theirs there, and others what this one did.
void RaceCheck::told_by_atomic(std::uint64_t address) {
    std::uint32_t& released = released_[address];
    acquired_ = std::max(acquired_, released);
    if (fenced_) released = era_;
}

template <bool shared, bool writes>
inline void RaceCheck::touch(ShadowWord& word, const WarpStep& step, int range, std::uint64_t offset, std::uint16_t rank, std::uint16_t atomic) {
    const std::uint16_t warp_era = warp_eras_[step.warp];
    if (word.write.era && !ordered(word.write, rank, shared) && !(atomic & word.write.who)) report(step, range, offset, rank, word.write, writes, true);
    if constexpr (writes) {
        if (word.read.era && !ordered(word.read, rank, shared)) report(step, range, offset, rank, word.read, true, false);
        word.write = {era_, step.site.bits, static_cast<std::uint16_t>(rank | atomic), warp_era, 0};
        return;
    }
    if (shared && word.write.era < block_era_)
        findings_.add({.kind = Finding::Kind::uninitialised, .site = step.site, .thread = {block_, rank}, .range = range,
                       .offset = static_cast<std::int64_t>(offset), .bytes = step.bytes});
    Touch& read = word.read;
    if (read.era == era_) {
        if (read.who & many_bit) return;
        const std::uint16_t other = read.who & rank_bits;
        if (other == rank && !(read.who & same_warp_bit)) read.site = step.site.bits, read.warp_era = warp_era;
        else if (other == rank) read.warp_era = warp_era;
        else read = {era_, step.site.bits, static_cast<std::uint16_t>(rank | (other / warp_size == rank / warp_size ? same_warp_bit : many_bit)), warp_era, other};
    } else if (shared || read.era >= block_era_ || read.era <= acquired_) {
        read = {era_, step.site.bits, rank, warp_era, 0};
    } // else another block has read it: that is kept
}

template <bool shared, bool writes>
void RaceCheck::lanes_in(const WarpStep& step, std::size_t range, std::uint16_t atomic) {
    Shadow& shadow = shadows_[range];
    const std::uint64_t begin = memory_[range].begin;
    const std::uint64_t more = (step.bytes - 1u) >> shadow.unit_shift; // units after the first
    for (std::uint32_t lanes = step.mask; lanes; lanes &= lanes - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
        const std::uint64_t offset = step.addresses[lane] - begin, first = offset >> shadow.unit_shift;
        if (writes && !shared && atomic) told_by_atomic(step.addresses[lane]);
        const auto rank = static_cast<std::uint16_t>(step.warp * warp_size + lane);
        touch<shared, writes>(shadow.words[first], step, static_cast<int>(range), offset, rank, atomic);
        for (std::uint64_t i = first + 1; i <= first + more; ++i) touch<shared, writes>(shadow.words[i], step, static_cast<int>(range), offset, rank, atomic);
    }
}

void RaceCheck::step(const WarpStep& step) {
    if (!touches_memory(step.op)) return;
    const auto [least, most] = std::minmax_element(step.addresses, step.addresses + warp_size);
    const int range = memory_.find(*least, *most - *least + step.bytes);
    if (range < 0) { // lanes in several ranges: each for itself
        for (std::uint32_t lanes = step.mask; lanes && std::popcount(step.mask) > 1; lanes &= lanes - 1) {
            std::array<std::uint64_t, warp_size> alone;
            alone.fill(step.addresses[std::countr_zero(lanes)]);
            WarpStep one = step;
            one.mask = lanes & -lanes;
            one.addresses = alone.data();
            this->step(one);
        }
        return;
    }
    const Shadow& shadow = shadows_[static_cast<std::size_t>(range)];
    if (!shadow.watched) return;
    const bool writes = step.op == Op::write || step.op == Op::atomic;
    const std::uint16_t atomic = step.op == Op::atomic ? atomic_bit : 0;
    const auto in = static_cast<std::size_t>(range);
    if (shadow.shared) writes ? lanes_in<true, true>(step, in, atomic) : lanes_in<true, false>(step, in, atomic);
    else writes ? lanes_in<false, true>(step, in, atomic) : lanes_in<false, false>(step, in, atomic);
}

std::uint32_t RaceCheck::block_of(std::uint32_t era) const {
    const auto after = std::upper_bound(blocks_.begin(), blocks_.end(), std::pair{era, ~0u});
    return after == blocks_.begin() ? 0 : std::prev(after)->second;
}

void RaceCheck::report(const WarpStep& step, int range, std::uint64_t offset, std::uint16_t rank, const Touch& earlier, bool writes, bool earlier_writes) {
    const bool many = earlier.who & (same_warp_bit | many_bit);
    std::uint32_t other = earlier.who & rank_bits;
    if (many && other == rank && earlier.era >= block_era_) other = earlier.also;
    findings_.add({.kind = Finding::Kind::race, .site = step.site, .other = {earlier.site}, .thread = {block_, rank},
                   .second = {block_of(earlier.era), other}, .range = range,
                   .offset = static_cast<std::int64_t>(offset), .bytes = step.bytes, .writes = writes,
                   .other_writes = earlier_writes});
}

} // namespace gradus::simt
