#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace gradus {

/// What the bytes of a lane's value mean. The shim's headers (engine/simt/shim/simt_warp.h) and files hold these numbers.
enum class ValueKind : std::uint8_t {
    none = 0,
    f32 = 1,
    f64 = 2,
    f16 = 3,
    bf16 = 4,
    i8 = 5,
    i16 = 6,
    i32 = 7,
    i64 = 8,
    u8 = 9,
    u16 = 10,
    u32 = 11,
    u64 = 12,
    boolean = 13,
    pointer =
        14, ///< the number of a range of memory + 1, times 2^40, and an offset in it; 0: null; all ones: somewhere else
    bits = 15,  ///< of no known type
    lanes = 16, ///< bit l for lane l of a warp
};
constexpr ValueKind last_value_kind = ValueKind::lanes;
constexpr int pointer_shift = 40;
constexpr std::uint64_t pointer_elsewhere = ~std::uint64_t{0};

/// "f32", "boolean", …
std::string_view name_of(ValueKind kind);
/// Bytes of one; 0 where the kind does not say.
std::size_t size_of(ValueKind kind);
/// A value in words: "1.5", "-3", "true", "lanes 0000000f"; what has no number as hexadecimal digits. A pointer's range is not named.
std::string value_text(ValueKind kind, std::span<const std::byte> bytes);
/// Its bits, the highest first: "3f800000".
std::string value_bits(std::span<const std::byte> bytes);

} // namespace gradus
