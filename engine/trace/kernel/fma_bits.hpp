#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gradus {

/// An fp32 number taken apart: (-1)^negative · significand · 2^scale, where it is finite.
struct FloatBits {
    enum class Kind : std::uint8_t { zero, subnormal, normal, infinite, nan };
    Kind kind = Kind::zero;
    bool negative = false;
    std::uint32_t bits = 0;
    int exponent = 0;               ///< the 8 bits as they stand, 127 for 1.0
    std::uint32_t fraction = 0;     ///< the 23 bits
    std::uint32_t significand = 0;  ///< with the hidden bit in front
    int scale = 0;
};
FloatBits float_bits(std::uint32_t bits);

/// A number in all its bits, of which the first weighs 2^highest; zero has none.
struct ExactNumber {
    bool negative = false;
    int highest = 0;
    std::string digits; ///< '0' and '1', from the highest to the lowest that is set
    bool operator==(const ExactNumber&) const = default;
};

/// What becomes of the bits that fp32 has no room for. To the nearest; halfway, to the even neighbour.
enum class RoundingStep : std::uint8_t {
    exact,    ///< there are none
    down,     ///< less than half of the last place
    up,       ///< more than half
    tie_down, ///< just half, and the last place is even
    tie_up,   ///< just half, and the last place is odd
    overflow, ///< beyond the largest number: infinite
    special,  ///< an operand is infinite or not a number
};
/// "exact", "down", "up", "tie to even, down", …
std::string_view name_of(RoundingStep step);

/// One fused multiply-add, bit by bit: a · b with all 48 bits of it, the sum with c without loss, and the one rounding at the end.
/// Computed. Source: IEEE 754-2019, 5.4.1 and 4.3.1.
struct FmaBits {
    FloatBits a, b, c;
    ExactNumber product, sum; ///< before rounding; empty where an operand is not finite
    int last_place = 0;       ///< the power of two that the last kept bit weighs
    std::uint32_t kept = 0;   ///< the bits of the sum from its highest to the last place
    bool round_bit = false;   ///< the first that is dropped
    bool sticky_bit = false;  ///< any of those after it
    RoundingStep step = RoundingStep::exact;
    std::uint32_t result = 0; ///< bits of fp32; of what is not a number 0x7fc00000
};
FmaBits fma_bits(std::uint32_t a, std::uint32_t b, std::uint32_t c);

} // namespace gradus
