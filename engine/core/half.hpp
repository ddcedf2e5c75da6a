#pragma once

#include <bit>
#include <cstdint>

namespace gradus {

namespace half_bits {

/// fp64 to fp32 with the last bit set where anything was cut off (rounding to odd): what is rounded to fewer bits after
/// it has then been rounded once. Source: Boldo and Melquiond 2008.
constexpr float rounded_to_odd(double value) {
    const auto narrow = static_cast<float>(value);
    const auto back = static_cast<double>(narrow);
    if (back == value || value != value) return narrow;
    auto bits = std::bit_cast<std::uint32_t>(narrow);
    if ((back < 0 ? -back : back) > (value < 0 ? -value : value)) --bits; // towards zero, from infinity too
    return std::bit_cast<float>(bits | 1u);
}

/// To 5 bits of exponent and 10 of fraction, to nearest, ties to even. Without a branch, so that loops become vectors.
constexpr std::uint16_t fp16_of(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value), magnitude = bits & 0x7fff'ffffu;
    // Below 2^-14 the neighbours are 2^-24 apart, as those of 1/2 are: the sum with 1/2 is rounded there.
    const std::uint32_t small =
        std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude & 0x3fff'ffffu) + 0.5f) - 0x3f00'0000u;
    const std::uint32_t normal = (magnitude - (112u << 23) + 0x0fffu + ((magnitude >> 13) & 1u)) >> 13;
    std::uint32_t out = magnitude < 0x3880'0000u ? small : normal;
    out = magnitude >= 0x477f'f000u ? 0x7c00u : out;                                // 65520 and more is infinity
    out = magnitude > 0x7f80'0000u ? 0x7e00u | ((magnitude >> 13) & 0x03ffu) : out; // a NaN, made quiet
    return static_cast<std::uint16_t>(out | (bits >> 16 & 0x8000u));
}

constexpr float fp32_of_fp16(std::uint16_t half) {
    const std::uint32_t sign = (half & 0x8000u) << 16, exponent = half & 0x7c00u, fraction = half & 0x03ffu;
    const std::uint32_t small = std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::int32_t>(fraction)) * 0x1p-24f);
    const std::uint32_t normal = ((half & 0x7fffu) << 13) + (112u << 23);
    std::uint32_t out = exponent == 0 ? small : normal;
    out = exponent == 0x7c00u ? 0x7f80'0000u | (fraction << 13) : out;
    return std::bit_cast<float>(sign | out);
}

/// To the upper 16 bits of an fp32, to nearest, ties to even; more than the largest is infinity.
constexpr std::uint16_t bf16_of(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
    return static_cast<std::uint16_t>((bits & 0x7fff'ffffu) > 0x7f80'0000u ? bits >> 16 | 0x40u : rounded); // a NaN, made quiet
}

constexpr float fp32_of_bf16(std::uint16_t half) { return std::bit_cast<float>(static_cast<std::uint32_t>(half) << 16); }

} // namespace half_bits

/// fp16: 1 bit of sign, 5 of exponent, 10 of fraction; 6.1e-5 to 65504, below it down to 6.0e-8 with fewer digits.
/// Conversions round to nearest, ties to even, once; a NaN stays one. The same bits on every machine.
/// Source: IEEE 754-2019, binary16.
struct half {
    std::uint16_t bits = 0;

    constexpr half() = default;
    constexpr explicit half(float value) : bits(half_bits::fp16_of(value)) {}
    constexpr explicit half(double value) : half(half_bits::rounded_to_odd(value)) {}
    constexpr explicit operator float() const { return half_bits::fp32_of_fp16(bits); }
    constexpr explicit operator double() const { return static_cast<double>(half_bits::fp32_of_fp16(bits)); }
    static constexpr half from_bits(std::uint16_t bits) {
        half out;
        out.bits = bits;
        return out;
    }
};
static_assert(sizeof(half) == 2);

/// bf16: 1 bit of sign, 8 of exponent as fp32 has, 7 of fraction. Conversions round to nearest, ties to even, once; a NaN stays
/// one. The same bits on every machine. Source: Intel, BFLOAT16 – Hardware Numerics Definition, 2018 (with subnormals kept here).
struct bfloat16 {
    std::uint16_t bits = 0;

    constexpr bfloat16() = default;
    constexpr explicit bfloat16(float value) : bits(half_bits::bf16_of(value)) {}
    constexpr explicit bfloat16(double value) : bfloat16(half_bits::rounded_to_odd(value)) {}
    constexpr explicit operator float() const { return half_bits::fp32_of_bf16(bits); }
    constexpr explicit operator double() const { return static_cast<double>(half_bits::fp32_of_bf16(bits)); }
    static constexpr bfloat16 from_bits(std::uint16_t bits) {
        bfloat16 out;
        out.bits = bits;
        return out;
    }
};
static_assert(sizeof(bfloat16) == 2);

} // namespace gradus
