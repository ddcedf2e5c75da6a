#pragma once

#include "engine/simt/runtime/instruction.hpp"
#include "engine/simt/runtime/launch.hpp"

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
    bool even = false;        ///< all lanes take part, and each address is `stride` after the one before; false: may be so or not
    std::uint64_t stride = 0; ///< bytes, modulo 2^64
};

} // namespace gradus::simt
