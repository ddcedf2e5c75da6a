#include "engine/simt/runtime/race_check.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include <sys/mman.h>

namespace gradus::simt {

namespace {
constexpr std::size_t most_warps = 32;
constexpr std::uint64_t most_apart = std::uint64_t{1} << 40; // words: a stride that is less than nothing is seen as a huge one
}

/// Few are taken from the system at once, as all of them are soon touched; of many, of which a block touches a few, each page when it is.
template <class T>
RaceCheck::Words<T> RaceCheck::untouched(std::uint64_t count) {
    static_assert(std::is_trivially_copyable_v<T>); // one of zeros is one that nobody has touched
    constexpr std::uint64_t huge_page = 2 << 20, most_at_once = std::uint64_t{64} << 20; // bytes
    const std::uint64_t bytes = (count * sizeof(T) + huge_page - 1) / huge_page * huge_page;
    void* words = nullptr;
    if (bytes > most_at_once || bytes == huge_page) {
        words = std::calloc(count, sizeof(T));
        constexpr std::uint64_t page = 4096;
        const auto whole = (reinterpret_cast<std::uint64_t>(words) + page - 1) / page * page; // calloc begins in the middle of one
        if (words && bytes > most_at_once) // where the system has huge pages for all, a block that touches few words would take them all
            madvise(reinterpret_cast<void*>(whole), count * sizeof(T) - page, MADV_NOHUGEPAGE);
    } else if ((words = std::aligned_alloc(huge_page, bytes))) {
        madvise(words, bytes, MADV_HUGEPAGE); // if the system will not, they are small ones
        std::memset(words, 0, bytes);
    }
    if (!words) throw std::bad_alloc();
    return Words<T>(static_cast<T*>(words));
}

void RaceCheck::remember_writes(Shadow& shadow) {
    shadow.written = untouched<Touch>(shadow.count), shadow.written_at = untouched<Place>(shadow.count);
}

void RaceCheck::remember_reads(Shadow& shadow) {
    shadow.read = untouched<Touch>(shadow.count), shadow.read_at = untouched<Place>(shadow.count);
    shadow.readers = untouched<std::uint32_t>(shadow.count);
}

RaceCheck::RaceCheck(const MemoryMap& memory, Findings& findings, const std::vector<bool>& remembered) : memory_(memory), findings_(findings), warps_(most_warps) {
    for (const MemoryRange& range : memory.ranges()) {
        Shadow shadow;
        shadow.shared = range.space == Space::shared;
        shadow.unit_shift = std::countr_zero(static_cast<unsigned>(range.unit));
        if (shadow.shared || range.space == Space::global || range.space == Space::module) shadow.count = (range.size + static_cast<std::uint64_t>(range.unit) - 1) >> shadow.unit_shift;
        const std::size_t number = shadows_.size();
        if (shadow.count && (shadow.shared || (number < remembered.size() && remembered[number]))) remember_writes(shadow);
        shadows_.push_back(std::move(shadow));
    }
}

void RaceCheck::block_begins(std::uint32_t block) {
    block_era_ = ++era_;
    block_ = block;
    blocks_.emplace_back(block_era_, block);
    fenced_ = false;
    acquired_ = 0;
}

void RaceCheck::block_ordered() { ++era_; }
void RaceCheck::fence(ThreadName, int scope) { fenced_ |= scope >= 1; }

/// Each lane of the mask knows from here on what any of them knew, and what all of them have done.
void RaceCheck::warp_ordered(std::uint32_t warp, std::uint32_t mask) {
    Warp& meets = warps_[warp];
    const std::uint32_t now = meets.time++;
    if (mask == ~0u) {
        meets.all_up_to = now;
        return;
    }
    meets.in_parts = true;
    std::array<std::uint32_t, warp_size> joined{};
    for (std::uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
        const auto& one = meets.up_to[static_cast<std::size_t>(std::countr_zero(lanes))];
        for (std::size_t of = 0; of < warp_size; ++of) joined[of] = std::max(joined[of], one[of]);
    }
    for (std::uint32_t lanes = mask; lanes; lanes &= lanes - 1) joined[static_cast<std::size_t>(std::countr_zero(lanes))] = now;
    for (std::uint32_t lanes = mask; lanes; lanes &= lanes - 1) meets.up_to[static_cast<std::size_t>(std::countr_zero(lanes))] = joined;
}

/// Whether what a lane of the thread's warp did at that time comes before what the thread does now.
bool RaceCheck::knows(std::uint16_t rank, std::uint32_t other_lane, std::uint32_t time) const {
    const Warp& warp = warps_[rank / warp_size];
    return other_lane == rank % warp_size || time <= warp.all_up_to || time <= warp.up_to[rank % warp_size][other_lane];
}

/// Whether an earlier access, at that time of its warp, comes before what the thread does now. `readers`: all that it stands for, of the
/// same warp.
bool RaceCheck::ordered(const Touch& earlier, std::uint32_t warp_time, std::uint32_t readers, std::uint16_t rank, bool shared) const {
    if (earlier.era < block_era_) return shared || earlier.era <= acquired_; // another block's; shared memory is the block's own
    if (earlier.era != era_) return true;
    if (earlier.who & many_bit) return false;
    const auto other = static_cast<std::uint16_t>(earlier.who & rank_bits);
    if (other / warp_size != rank / warp_size) return false;
    if (!(earlier.who & same_warp_bit)) return knows(rank, other % warp_size, warp_time);
    for (; readers; readers &= readers - 1)
        if (!knows(rank, static_cast<std::uint32_t>(std::countr_zero(readers)), warp_time)) return false;
    return true;
}

/// An atomic on global memory may tell its block what others did before theirs there, and others what this one did.
void RaceCheck::told_by_atomic(std::uint64_t address) {
    std::uint32_t& released = released_[address];
    acquired_ = std::max(acquired_, released);
    if (fenced_) released = era_;
}

template <bool shared, bool writes>
inline void RaceCheck::touch(Shadow& shadow, std::uint64_t word, const WarpStep& step, int range, std::uint64_t offset, std::uint16_t rank, std::uint16_t atomic) {
    const std::uint32_t now = warps_[step.warp].time, own = 1u << rank % warp_size;
    Touch& written = shadow.written[word];
    if (written.era && !ordered(written, shadow.written_at[word].warp_time, 0, rank, shared) && !(atomic & written.who)) report(step, range, offset, rank, word, writes, true);
    if (shared && (!writes || atomic) && written.era < block_era_) // an atomic reads, too
        findings_.add({.kind = Finding::Kind::uninitialised, .site = step.site, .thread = {block_, rank}, .range = range,
                       .offset = static_cast<std::int64_t>(offset), .bytes = step.bytes});
    if constexpr (writes) {
        if (shadow.read && shadow.read[word].era && !ordered(shadow.read[word], shadow.read_at[word].warp_time, shadow.readers[word], rank, shared))
            report(step, range, offset, rank, word, true, false);
        // behind its own thread's plain write an atomic still races with whoever does not come after that one
        if (atomic && written.era == era_ && !(written.who & atomic_bit)) return;
        written = {era_, static_cast<std::uint16_t>(rank | atomic), 0};
        shadow.written_at[word] = {step.site.bits, now};
        return;
    }
    Touch& read = shadow.read[word];
    Place& read_at = shadow.read_at[word];
    std::uint32_t& readers = shadow.readers[word];
    if (read.era == era_) {
        if (read.who & many_bit) return;
        const std::uint16_t other = read.who & rank_bits;
        if (other / warp_size != rank / warp_size) {
            read = {era_, static_cast<std::uint16_t>(rank | many_bit), other};
            read_at = {step.site.bits, now};
        } else if (ordered(read, read_at.warp_time, readers, rank, shared)) { // who comes after this one comes after them all
            read = {era_, rank, 0};
            read_at = {step.site.bits, now};
            readers = own;
        } else {
            // The time of the set is its first one's: rather a race that is overlooked, where parts of a warp meet crosswise, than one
            // that is none.
            read = {era_, static_cast<std::uint16_t>(rank | same_warp_bit), other};
            read_at.site = step.site.bits;
            readers |= own;
        }
    } else if (shared || read.era >= block_era_ || read.era <= acquired_) {
        read = {era_, rank, 0};
        read_at = {step.site.bits, now};
        readers = own;
    } // else another block has read it: that is kept
}

/// Whether an access of that era comes before all that is done now, whoever did it.
template <bool shared>
inline bool RaceCheck::past(std::uint32_t earlier, const Now& now) {
    if (earlier >= now.block_era) return earlier != now.era;
    return shared || earlier <= now.acquired; // 0: there was none
}

/// What touch does where nothing can be wrong and nobody else has touched the word since the last barrier, which is the usual case. False,
/// and nothing is done, in any other.
template <bool shared, bool writes>
inline bool RaceCheck::quick_touch(Shadow& shadow, std::uint64_t word, const Now& now, std::uint16_t rank) {
    Touch& written = shadow.written[word];
    if (!past<shared>(written.era, now)) return false;
    if (shared && !writes && written.era < now.block_era) return false; // nobody wrote it
    if constexpr (writes) {
        if (shadow.read && !past<shared>(shadow.read[word].era, now)) return false;
        written = {now.era, rank, 0};
        shadow.written_at[word] = {now.site, now.time};
        return true;
    }
    Touch& read = shadow.read[word];
    if (read.era == now.era) return read.who & many_bit;
    if (!past<shared>(read.era, now)) return true; // another block has read it: that is kept
    read = {now.era, rank, 0};
    shadow.read_at[word] = {now.site, now.time};
    shadow.readers[word] = 1u << rank % warp_size;
    return true;
}

/// quick_touch for all lanes of a warp, whose words are as far apart from lane to lane, `apart` words each. False, and nothing is done, if
/// it is not so simple for one of them.
template <bool shared, bool writes>
bool RaceCheck::quick_touches(Shadow& shadow, const Row& row, const Now& now, std::uint16_t rank) {
    unsigned not_so = 0, by_many = 1, first = 1; // without branches: several words are looked at together
    row.each([&](std::uint64_t word, std::uint64_t) {
        const std::uint32_t era = shadow.written[word].era;
        const unsigned in_block = era >= now.block_era, before = era <= now.acquired && !shared;
        not_so |= !((in_block & (era != now.era)) | before | (shared && writes && !in_block));
    });
    if (not_so) return false;
    if (shadow.read)
        row.each([&](std::uint64_t word, std::uint64_t) {
            const Touch read = shadow.read[word];
            by_many &= (read.era == now.era) & (read.who & many_bit) / many_bit;
            first &= past<shared>(read.era, now);
        });
    if constexpr (writes) {
        if (!first) return false;
        row.each([&](std::uint64_t word, std::uint64_t lane) {
            shadow.written[word] = {now.era, static_cast<std::uint16_t>(rank + lane), 0};
            shadow.written_at[word] = {now.site, now.time};
        });
        return true;
    }
    if (by_many) return true; // nothing more is kept of them
    if (!first) return false;
    row.each([&](std::uint64_t word, std::uint64_t lane) {
        shadow.read[word] = {now.era, static_cast<std::uint16_t>(rank + lane), 0};
        shadow.read_at[word] = {now.site, now.time};
        shadow.readers[word] = 1u << lane;
    });
    return true;
}

/// What touch does for more lanes that read what a lane of their warp has just read in the same step: none of them comes after another.
/// False, and nothing is done, where that is not so simple.
template <bool shared>
bool RaceCheck::read_by_more(Shadow& shadow, std::uint64_t first, std::uint64_t count, std::uint32_t lanes, const WarpStep& step, const Now& now) const {
    if (warps_[step.warp].in_parts) return false;
    for (std::uint64_t i = first; i < first + count; ++i)
        if (!past<shared>(shadow.written[i].era, now) || (shared && shadow.written[i].era < now.block_era)) return false;
    const auto rank = [&](std::uint32_t lane) { return static_cast<std::uint16_t>(step.warp * warp_size + lane); };
    const auto last = static_cast<std::uint32_t>(31 - std::countl_zero(lanes));
    const std::uint32_t others = lanes & ~(1u << last);
    for (std::uint64_t i = first; i < first + count; ++i) {
        Touch& read = shadow.read[i];
        if (read.era != now.era || read.who & many_bit) continue; // nothing more is kept of it
        const std::uint16_t before = others ? rank(static_cast<std::uint32_t>(31 - std::countl_zero(others))) : static_cast<std::uint16_t>(read.who & rank_bits);
        read = {now.era, static_cast<std::uint16_t>(rank(last) | same_warp_bit), before};
        shadow.read_at[i].site = now.site;
        shadow.readers[i] |= lanes;
    }
    return true;
}

template <bool shared, bool writes>
void RaceCheck::lanes_in(const WarpStep& step, std::size_t range, std::uint16_t atomic) {
    Shadow& shadow = shadows_[range];
    const std::uint64_t begin = memory_.bounds(range).begin;
    const std::uint64_t count = ((step.bytes - 1u) >> shadow.unit_shift) + 1; // units
    const Now now{era_, block_era_, std::min(acquired_, block_era_ - 1), warps_[step.warp].time, step.site.bits};
    const auto word_of = [&](std::uint32_t lane) { return (step.addresses[lane] - begin) >> shadow.unit_shift; };
    if (const std::uint64_t apart = step.stride >> shadow.unit_shift; step.even && !atomic && apart >= count && apart < most_apart && apart << shadow.unit_shift == step.stride)
        if (quick_touches<shared, writes>(shadow, {word_of(0), apart, count}, now, static_cast<std::uint16_t>(step.warp * warp_size))) return;
    const auto touch_all = [&](std::uint32_t lane) {
        const std::uint64_t offset = step.addresses[lane] - begin, first = word_of(lane);
        const auto rank = static_cast<std::uint16_t>(step.warp * warp_size + lane);
        if (writes && !shared && atomic) told_by_atomic(step.addresses[lane]);
        for (std::uint64_t i = first; i < first + count; ++i)
            if (atomic || !quick_touch<shared, writes>(shadow, i, now, rank)) touch<shared, writes>(shadow, i, step, static_cast<int>(range), offset, rank, atomic);
    };
    for (std::uint32_t lanes = step.mask; lanes;) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
        lanes &= lanes - 1;
        touch_all(lane);
        if constexpr (writes) continue;
        std::uint32_t more = 0; // lanes that read the same
        if (step.even && step.stride == 0) more = std::exchange(lanes, 0);
        else
            for (; lanes && step.addresses[std::countr_zero(lanes)] == step.addresses[lane]; lanes &= lanes - 1) more |= lanes & -lanes;
        if (!more || read_by_more<shared>(shadow, word_of(lane), count, more, step, now)) continue;
        for (; more; more &= more - 1) touch_all(static_cast<std::uint32_t>(std::countr_zero(more)));
    }
}

/// The range in which all of a step's accesses lie; else none.
int RaceCheck::range_of(const WarpStep& step) const {
    std::uint64_t least = step.addresses[0], most = least;
    if (step.even) {
        least = std::min(step.addresses[0], step.addresses[warp_size - 1]), most = std::max(step.addresses[0], step.addresses[warp_size - 1]);
    } else {
        for (int lane = 1; lane < warp_size; ++lane) least = std::min(least, step.addresses[lane]), most = std::max(most, step.addresses[lane]);
    }
    return memory_.find(least, most - least + step.bytes);
}

void RaceCheck::step(const WarpStep& step) {
    if (!touches_memory(step.op)) return;
    const int range = range_of(step);
    if (range < 0) { // lanes in several ranges: each for itself
        for (std::uint32_t lanes = step.mask; lanes && std::popcount(step.mask) > 1; lanes &= lanes - 1) {
            std::array<std::uint64_t, warp_size> alone;
            alone.fill(step.addresses[std::countr_zero(lanes)]);
            WarpStep one = step;
            one.mask = lanes & -lanes;
            one.even = false;
            one.addresses = alone.data();
            this->step(one);
        }
        return;
    }
    Shadow& shadow = shadows_[static_cast<std::size_t>(range)];
    if (!shadow.count) return;
    const bool writes = step.op == Op::write || step.op == Op::atomic;
    if (!shadow.written) {
        if (!writes) {
            shadow.was_read = true;
            return;
        }
        if (shadow.was_read) throw ReadsMissing{static_cast<std::size_t>(range)};
        remember_writes(shadow);
    }
    if (!writes && !shadow.read) remember_reads(shadow);
    const std::uint16_t atomic = step.op == Op::atomic ? atomic_bit : 0;
    const auto in = static_cast<std::size_t>(range);
    if (shadow.shared) writes ? lanes_in<true, true>(step, in, atomic) : lanes_in<true, false>(step, in, atomic);
    else writes ? lanes_in<false, true>(step, in, atomic) : lanes_in<false, false>(step, in, atomic);
}

std::uint32_t RaceCheck::block_of(std::uint32_t era) const {
    const auto after = std::upper_bound(blocks_.begin(), blocks_.end(), std::pair{era, ~0u});
    return after == blocks_.begin() ? 0 : std::prev(after)->second;
}

void RaceCheck::report(const WarpStep& step, int range, std::uint64_t offset, std::uint16_t rank, std::uint64_t word, bool writes, bool earlier_writes) {
    const Shadow& shadow = shadows_[static_cast<std::size_t>(range)];
    const Touch& earlier = (earlier_writes ? shadow.written : shadow.read)[word];
    const Place& earlier_at = (earlier_writes ? shadow.written_at : shadow.read_at)[word];
    std::uint32_t other = earlier.who & rank_bits;
    if (earlier.era >= block_era_ && earlier.who & same_warp_bit) {
        for (std::uint32_t lanes = shadow.readers[word]; lanes && knows(rank, other % warp_size, earlier_at.warp_time); lanes &= lanes - 1)
            other = rank / warp_size * warp_size + static_cast<std::uint32_t>(std::countr_zero(lanes));
    } else if (earlier.era >= block_era_ && earlier.who & many_bit && other == rank) {
        other = earlier.also;
    }
    findings_.add({.kind = Finding::Kind::race, .site = step.site, .other = {earlier_at.site}, .thread = {block_, rank},
                   .second = {block_of(earlier.era), other}, .range = range,
                   .offset = static_cast<std::int64_t>(offset), .bytes = step.bytes, .writes = writes,
                   .other_writes = earlier_writes});
}

} // namespace gradus::simt
