#pragma once

#include "engine/trace/kernel/value_kind.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace gradus {

/// A variable that a lane keeps for itself: of the kernel, or of a device function that it calls, inlined or not. It lies in the lane's
/// frame, at a place that is the same for all lanes.
struct LocalVariable {
    /// A scalar in it, or in one element of an array.
    struct Part {
        std::string name; ///< "" of a scalar, ".x" of a struct's member
        ValueKind kind = ValueKind::bits;
        std::uint32_t offset = 0, bytes = 0;
        bool operator==(const Part&) const = default;
    };
    std::string name, type;              ///< as C++ writes them: "acc", "float [8][8]"
    std::string function;                ///< in which it is declared
    std::string why;                     ///< where it is not kept in memory: in one sentence; else empty
    std::int32_t line = 0;               ///< of its declaration
    std::int32_t at = 0;                 ///< bytes from where the kernel's frame begins; stacks grow downwards
    std::uint32_t bytes = 0, stride = 0; ///< stride: of an array's elements
    std::vector<std::uint32_t> sizes;    ///< of an array; empty: it is none
    std::vector<Part> parts;             ///< of one element
    bool operator==(const LocalVariable&) const = default;
};

/// Frames are kept in words of eight bytes, numbered downwards from so many bytes above the kernel's frame, where the arguments lie that
/// have no room in registers. A byte that a lane has not yet written is `unset_byte`.
constexpr std::int32_t frame_above = 512, frame_below = 128 << 10;
constexpr std::uint32_t frame_words = (frame_above + frame_below) / 8;
constexpr std::byte unset_byte{0xcd};
constexpr std::uint64_t unset_word = 0xcdcdcdcdcdcdcdcd;
constexpr std::uint32_t frame_word(std::int32_t at) { return static_cast<std::uint32_t>(frame_above - 1 - at) / 8; }

} // namespace gradus
