#pragma once

#include "engine/simt/runtime/hooked_runner.hpp"

#include <array>
#include <cstdlib>
#include <memory>
#include <unordered_map>

namespace gradus::simt {

/// Finds accesses of two threads to the same memory of which at least one writes and which nothing orders, and reads of shared memory
/// that no thread of the block wrote. What orders: a barrier the threads of a block; __syncwarp the lanes of its mask, and what these
/// knew of others before; an atomic on an address after a fence before it, what another block does after its own atomic there.
/// Atomics do not race with each other.
///
/// Most buffers are only read. So what is read of a range is not remembered before the launch writes it for the first time; where that
/// comes after reads, these are missing, and all has to be run again with that range among those to be remembered from the start.
class RaceCheck : public StepWatcher {
public:
    /// `remembered`: by their number, ranges of which every read is.
    RaceCheck(const MemoryMap& memory, Findings& findings, const std::vector<bool>& remembered);
    void block_begins(std::uint32_t block) override;
    void step(const WarpStep& step) override;
    void warp_ordered(std::uint32_t warp, std::uint32_t mask) override;
    void block_ordered() override;
    void fence(ThreadName thread, int scope) override;
    /// Thrown by step: the range is written after reads of which nothing is known.
    struct ReadsMissing {
        std::size_t range;
    };

private:
    /// When and by whom a word was last touched. An era is the time between two barriers of a block; no two blocks share one.
    struct Touch {
        std::uint32_t era = 0;  ///< 0: never
        std::uint16_t who = 0;  ///< the thread's rank, and the bits below
        std::uint16_t also = 0; ///< of many readers: the rank of another one
    };
    static constexpr std::uint16_t atomic_bit = 1 << 10, same_warp_bit = 1 << 11, many_bit = 1 << 12, rank_bits = atomic_bit - 1;
    /// The rest of it, which is seldom asked for.
    struct Place {
        std::uint32_t site = 0;
        std::uint32_t warp_time = 0; ///< of the thread's warp: meetings that order
    };
    struct Free {
        void operator()(void* words) const { std::free(words); }
    };
    template <class T>
    using Words = std::unique_ptr<T[], Free>; ///< zeros of the system's, which takes a page only where one is touched
    template <class T>
    static Words<T> untouched(std::uint64_t count);
    struct Shadow {
        Words<Touch> written;
        Words<Place> written_at;
        Words<Touch> read; ///< none before the first read, and the next two
        Words<Place> read_at;
        Words<std::uint32_t> readers; ///< with same_warp_bit: the lanes that have read since the last one that came after all before
        std::uint64_t count = 0;      ///< of words
        int unit_shift = 2;
        bool shared = false;
        bool was_read = false; ///< while nothing was remembered
    };
    /// The lanes of a warp meet in parts: what each knows of the others, as a time up to which their accesses come before its own.
    struct Warp {
        bool in_parts = false; ///< not all of its meetings were of all its lanes
        std::uint32_t time = 1, all_up_to = 0; ///< all_up_to: for every lane of every other, by meetings of the whole warp
        std::array<std::array<std::uint32_t, warp_size>, warp_size> up_to{}; ///< [who knows][of whom]
    };
    bool ordered(const Touch& earlier, std::uint32_t warp_time, std::uint32_t readers, std::uint16_t rank, bool shared) const;
    bool knows(std::uint16_t rank, std::uint32_t other_lane, std::uint32_t time) const;
    template <bool shared, bool writes> void touch(Shadow& shadow, std::uint64_t word, const WarpStep& step, int range, std::uint64_t offset, std::uint16_t rank, std::uint16_t atomic);
    struct Now { ///< what a step's quick touches compare with
        std::uint32_t era, block_era, acquired; ///< acquired: at most the era before block_era
        std::uint32_t time, site;
    };
    template <bool shared> static bool past(std::uint32_t earlier, const Now& now);
    template <bool shared, bool writes> static bool quick_touch(Shadow& shadow, std::uint64_t word, const Now& now, std::uint16_t rank);
    /// The words of all lanes, where they are evenly apart.
    struct Row {
        std::uint64_t first, apart, count; ///< apart: from one lane's to the next one's; count: of one lane
        template <class Do>
        void each(const Do& what) const { // (word, lane)
            if (apart == 1)
                for (std::uint64_t lane = 0; lane < warp_size; ++lane) what(first + lane, lane);
            else
                for (std::uint64_t lane = 0; lane < warp_size; ++lane)
                    for (std::uint64_t i = 0; i < count; ++i) what(first + lane * apart + i, lane);
        }
    };
    template <bool shared, bool writes> static bool quick_touches(Shadow& shadow, const Row& row, const Now& now, std::uint16_t rank);
    template <bool shared> bool read_by_more(Shadow& shadow, std::uint64_t first, std::uint64_t count, std::uint32_t lanes, const WarpStep& step, const Now& now) const;
    int range_of(const WarpStep& step) const;
    static void remember_writes(Shadow& shadow);
    static void remember_reads(Shadow& shadow);
    template <bool shared, bool writes> void lanes_in(const WarpStep& step, std::size_t range, std::uint16_t atomic);
    void told_by_atomic(std::uint64_t address);
    void report(const WarpStep& step, int range, std::uint64_t offset, std::uint16_t rank, std::uint64_t word, bool writes, bool earlier_writes);
    std::uint32_t block_of(std::uint32_t era) const;

    const MemoryMap& memory_;
    Findings& findings_;
    std::vector<Shadow> shadows_;
    std::uint32_t era_ = 0, block_era_ = 1; ///< block_era_: the first of this block
    std::uint32_t block_ = 0, acquired_ = 0; ///< up to which era other blocks' accesses come before this block's
    bool fenced_ = false;
    std::vector<Warp> warps_;
    std::unordered_map<std::uint64_t, std::uint32_t> released_; ///< by the address of an atomic: the era
    std::vector<std::pair<std::uint32_t, std::uint32_t>> blocks_; ///< first era and number
};

} // namespace gradus::simt
