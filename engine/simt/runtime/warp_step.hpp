#pragma once

#include "engine/simt/runtime/instruction.hpp"
#include "engine/simt/runtime/launch.hpp"

#include <bit>
#include <cstddef>

namespace gradus::simt {

/// Up to 16 bytes of memory.
struct Word {
    std::uint64_t low = 0, high = 0;
    bool operator==(const Word&) const = default;
};

/// One warp instruction: some lanes of a warp do the same at the same place.
struct WarpStep {
    Site site;
    Op op = Op::none;
    std::uint16_t bytes = 0;     ///< of each lane's access
    std::uint32_t mask = 0;      ///< lanes that take part
    std::uint32_t block = 0, warp = 0;
    const std::uint64_t* addresses = nullptr; ///< [32]; where a lane does not take part, that of one which does
    /// [32], where values are logged: what stood in memory before, and after. Not of the lanes in `late`, whose access is still to be
    /// done: theirs are told later.
    const Word *before = nullptr, *after = nullptr;
    std::uint32_t late = 0;
    bool copies = false;      ///< with values: a write that none of its lanes has done before the reads that it tells next, which it copies
    bool even = false;        ///< all lanes take part, and each address is `stride` after the one before; false: may be so or not
    std::uint64_t stride = 0; ///< bytes, modulo 2^64
};

/// For each lane of the mask, lowest first.
template <class Each> [[gnu::always_inline]] inline void for_lanes(std::uint32_t mask, const Each& each) {
    if (mask == ~0u)
        for (std::size_t lane = 0; lane < 32; ++lane) each(lane);
    else
        for (; mask; mask &= mask - 1) each(static_cast<std::size_t>(std::countr_zero(mask)));
}

} // namespace gradus::simt
