#pragma once

#include "engine/trace/kernel/kernel_trace.hpp"

#include <array>
#include <vector>

namespace gradus {

/// Where the lanes of a warp step fall in global memory: lines of 128 bytes, each of four sectors of 32, each of eight words of 4.
struct SectorPicture {
    struct Line {
        std::uint8_t range = 0;                ///< of memory: which buffer
        std::uint64_t first = 0;               ///< byte of the buffer at which the line begins
        std::array<std::uint32_t, 32> lanes{}; ///< by word: the lanes that touch it
        std::uint32_t lanes_of(int sector) const;
        bool moved(int sector) const { return lanes_of(sector) != 0; }
    };
    std::vector<Line> lines; ///< in the order of their addresses
    int sectors = 0, ideal = 0;
    std::int64_t bytes_asked = 0, bytes_moved = 0; ///< what each lane wants; 32 for each sector
};
/// Of a step that touches no global memory: no lines.
SectorPicture sectors_of_step(const KernelTrace& trace, std::size_t step);

/// How shared memory serves the lanes of a warp step: turn by turn (wavefronts), in each at most one word of each of 32 banks of 4 bytes.
/// Lanes are served in groups of 32, 16 or 8 for accesses of up to 4, 8 or 16 bytes, one group after another; the same word serves all
/// lanes that want it.
struct BankPicture {
    struct Word {
        std::uint64_t offset = 0; ///< bytes from the beginning of the block's shared memory
        std::uint32_t lanes = 0;  ///< that it serves; 0: the bank is idle
    };
    using Turn = std::array<Word, 32>; ///< by bank
    std::vector<Turn> turns;
    int ideal = 0;
    int busiest() const; ///< the bank that takes the most turns; -1 without turns
};
/// Of a step that touches no shared memory: no turns.
BankPicture banks_of_step(const KernelTrace& trace, std::size_t step);

} // namespace gradus
