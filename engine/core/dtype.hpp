#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gradus {

struct half;     // engine/core/half.hpp
struct bfloat16; // engine/core/half.hpp

/// Element types a tensor can have. Further types (fp8, int4) join when an op computes in them. Hashes contain the numbers, so
/// new types come last.
enum class DType : std::uint8_t { f32, f64, i32, i64, u8, f16, bf16, boolean };

/// Bytes of one element.
constexpr std::size_t size_of(DType dtype) {
    switch (dtype) {
    case DType::f32:
    case DType::i32: return 4;
    case DType::f64:
    case DType::i64: return 8;
    case DType::f16:
    case DType::bf16: return 2;
    case DType::u8:
    case DType::boolean: return 1;
    }
    return 0;
}

/// The field's short name: "fp32", "fp64", "int32", "int64", "uint8", "fp16", "bf16", "bool".
constexpr std::string_view name_of(DType dtype) {
    switch (dtype) {
    case DType::f32: return "fp32";
    case DType::f64: return "fp64";
    case DType::i32: return "int32";
    case DType::i64: return "int64";
    case DType::u8: return "uint8";
    case DType::f16: return "fp16";
    case DType::bf16: return "bf16";
    case DType::boolean: return "bool";
    }
    return "?";
}

/// The two of 16 bits, which are computed in fp32.
constexpr bool is_half(DType dtype) { return dtype == DType::f16 || dtype == DType::bf16; }
constexpr bool is_floating(DType dtype) { return dtype == DType::f32 || dtype == DType::f64 || is_half(dtype); }

template <class T> struct dtype_of_type;
template <> struct dtype_of_type<float> { static constexpr DType value = DType::f32; };
template <> struct dtype_of_type<double> { static constexpr DType value = DType::f64; };
template <> struct dtype_of_type<std::int32_t> { static constexpr DType value = DType::i32; };
template <> struct dtype_of_type<std::int64_t> { static constexpr DType value = DType::i64; };
template <> struct dtype_of_type<std::uint8_t> { static constexpr DType value = DType::u8; };
template <> struct dtype_of_type<half> { static constexpr DType value = DType::f16; };
template <> struct dtype_of_type<bfloat16> { static constexpr DType value = DType::bf16; };
template <> struct dtype_of_type<bool> { static constexpr DType value = DType::boolean; };
template <class T> constexpr DType dtype_of = dtype_of_type<T>::value;

} // namespace gradus
