#include "engine/trace/kernel/value_kind.hpp"

#include "engine/core/half.hpp"
#include "engine/core/text.hpp"

#include <array>
#include <cstring>
#include <fmt/format.h>

namespace gradus {

namespace {

struct Kind {
    std::string_view name;
    std::size_t bytes;
};
constexpr std::array<Kind, 17> kinds{{{"none", 0},
                                      {"f32", 4},
                                      {"f64", 8},
                                      {"f16", 2},
                                      {"bf16", 2},
                                      {"i8", 1},
                                      {"i16", 2},
                                      {"i32", 4},
                                      {"i64", 8},
                                      {"u8", 1},
                                      {"u16", 2},
                                      {"u32", 4},
                                      {"u64", 8},
                                      {"boolean", 1},
                                      {"pointer", 8},
                                      {"bits", 0},
                                      {"lanes", 4}}};

template <class T> T load(std::span<const std::byte> bytes) {
    T value;
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
}

std::string pointer_text(std::uint64_t value) {
    if (value == 0) return "null";
    if (value == pointer_elsewhere) return "outside the kernel's memory";
    return fmt::format("range {} + {}", (value >> pointer_shift) - 1,
                       value & ((std::uint64_t{1} << pointer_shift) - 1));
}

} // namespace

std::string_view name_of(ValueKind kind) {
    return kind <= last_value_kind ? kinds[static_cast<std::size_t>(kind)].name : "?";
}

std::size_t size_of(ValueKind kind) {
    return kind <= last_value_kind ? kinds[static_cast<std::size_t>(kind)].bytes : 0;
}

std::string value_bits(std::span<const std::byte> bytes) {
    std::string out;
    for (auto at = bytes.rbegin(); at != bytes.rend(); ++at) out += fmt::format("{:02x}", static_cast<unsigned>(*at));
    return out;
}

std::string value_text(ValueKind kind, std::span<const std::byte> bytes) {
    if (size_of(kind) && bytes.size() == size_of(kind)) switch (kind) {
        case ValueKind::f32: return number_text(load<float>(bytes));
        case ValueKind::f64: return number_text(load<double>(bytes));
        case ValueKind::f16: return number_text(static_cast<double>(load<half>(bytes)));
        case ValueKind::bf16: return number_text(static_cast<double>(load<bfloat16>(bytes)));
        case ValueKind::i8: return std::to_string(load<std::int8_t>(bytes));
        case ValueKind::i16: return std::to_string(load<std::int16_t>(bytes));
        case ValueKind::i32: return std::to_string(load<std::int32_t>(bytes));
        case ValueKind::i64: return std::to_string(load<std::int64_t>(bytes));
        case ValueKind::u8: return std::to_string(load<std::uint8_t>(bytes));
        case ValueKind::u16: return std::to_string(load<std::uint16_t>(bytes));
        case ValueKind::u32: return std::to_string(load<std::uint32_t>(bytes));
        case ValueKind::u64: return std::to_string(load<std::uint64_t>(bytes));
        case ValueKind::boolean: return load<std::uint8_t>(bytes) ? "true" : "false";
        case ValueKind::pointer: return pointer_text(load<std::uint64_t>(bytes));
        case ValueKind::lanes: return fmt::format("lanes {:08x}", load<std::uint32_t>(bytes));
        case ValueKind::none:
        case ValueKind::bits: break;
        }
    return "0x" + value_bits(bytes);
}

} // namespace gradus
