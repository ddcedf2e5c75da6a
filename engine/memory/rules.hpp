#pragma once

#include <cstddef>

namespace gradus {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

/// The two kinds of segments: a block is cut from a segment of its own kind only.
enum class SegmentKind : unsigned char { small, large };

/// How sizes are rounded, in bytes. The defaults are those of PyTorch's CUDA allocator (c10/cuda/CUDACachingAllocator.cpp,
/// kMinBlockSize and its neighbours). There a request of 300 B takes 512 B of a 2 MiB segment, one of 1.5 MiB lies in a 20 MiB
/// segment, one of 30 MiB has its own.
struct AllocatorRules {
    std::size_t unit = 512;                        ///< blocks are multiples of it
    std::size_t most_small = mebibyte;             ///< larger blocks lie in large segments
    std::size_t small_segment = 2 * mebibyte;
    std::size_t large_segment = 20 * mebibyte;     ///< of blocks below least_own
    std::size_t least_own = 10 * mebibyte;         ///< blocks from here on ask for a segment of their size, …
    std::size_t own_unit = 2 * mebibyte;           ///< … rounded up to this
    std::size_t guard = 0;                         ///< added to each request; an address checker watches it

    /// The block that a request takes.
    std::size_t block(std::size_t bytes) const {
        const std::size_t guarded = (bytes == 0 ? 1 : bytes) + guard; // nothing has an address of its own, too
        return (guarded + unit - 1) / unit * unit;
    }
    SegmentKind kind_of(std::size_t block) const { return block <= most_small ? SegmentKind::small : SegmentKind::large; }
    /// The segment that is asked for where no free block is large enough.
    std::size_t segment(std::size_t block) const {
        if (block <= most_small) return small_segment;
        return block < least_own ? large_segment : (block + own_unit - 1) / own_unit * own_unit;
    }
    /// Whether the rest of a free block is worth keeping apart from what is taken of it.
    bool splits(SegmentKind kind, std::size_t rest) const { return kind == SegmentKind::small ? rest >= unit : rest > most_small; }
};

/// Those of the CPU, where no copy engine asks for more than a cache line.
inline AllocatorRules cpu_rules() {
    AllocatorRules rules;
    rules.unit = 64;
    return rules;
}

} // namespace gradus
