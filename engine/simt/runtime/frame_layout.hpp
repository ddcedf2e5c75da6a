#pragma once

#include <cstdint>
#include <vector>

namespace gradus::simt {

/// Where a function keeps its variables, by debug information: what its frames are looked at for.
struct FrameLayout {
    struct Piece {
        std::int32_t at = 0; ///< bytes from where the function's frame begins (its CFA)
        std::uint32_t bytes = 0;
        std::uint8_t pointer = 0;  ///< 1: an address of eight bytes
        std::uint8_t argument = 0; ///< 1: it is there as soon as the function is entered
    };
    std::uint64_t begin = 0, end = 0; ///< addresses in the library's file
    std::vector<Piece> pieces;
};

} // namespace gradus::simt
