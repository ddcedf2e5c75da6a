#include "engine/io/export/npy.hpp"

#include <bit>
#include <fmt/format.h>

namespace gradus {

namespace {

std::string_view type_text(DType dtype) {
    static_assert(std::endian::native == std::endian::little, "tensors are written as they lie in memory");
    switch (dtype) {
    case DType::f32: return "<f4";
    case DType::f64: return "<f8";
    case DType::i32: return "<i4";
    case DType::i64: return "<i8";
    case DType::u8: return "|u1";
    case DType::f16: return "<f2";
    case DType::boolean: return "|b1";
    case DType::bf16: break; // has no type there
    }
    return "?";
}

} // namespace

DType npy_type(DType dtype) { return dtype == DType::bf16 ? DType::f32 : dtype; }

std::string npy_header(DType dtype, const Shape& shape) {
    std::string sizes;
    for (int axis = 0; axis < shape.rank(); ++axis) sizes += fmt::format("{}{}", axis > 0 ? ", " : "", shape[axis]);
    if (shape.rank() == 1) sizes += ','; // (3) would be a number
    std::string text =
        fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type_text(npy_type(dtype)), sizes);
    constexpr std::size_t before = 10; // magic, version, length
    while ((before + text.size() + 1) % 64 != 0) text += ' ';
    text += '\n';
    std::string header("\x93NUMPY\x01\x00", 8);
    header += static_cast<char>(text.size() & 0xff);
    header += static_cast<char>(text.size() >> 8);
    return header + text;
}

} // namespace gradus
