#include "engine/trace/kernel/locals_cursor.hpp"

#include <cstring>
#include <fmt/format.h>

namespace gradus {

namespace {

std::string part_text(const KernelTrace& trace, ValueKind kind, std::span<const std::byte> bytes) {
    if (kind != ValueKind::pointer || bytes.size() != 8) return value_text(kind, bytes);
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data(), sizeof value);
    const std::uint64_t range = (value >> pointer_shift) - 1,
                        offset = value & ((std::uint64_t{1} << pointer_shift) - 1);
    if (value == 0 || value == pointer_elsewhere || range >= trace.ranges.size()) return value_text(kind, bytes);
    const KernelTrace::Range& in = trace.ranges[range];
    const std::string name = trace.name_at(static_cast<std::uint8_t>(range), offset);
    if (!in.sizes.empty() && offset % size_of(in.type) == 0)
        return fmt::format("&{}[{}]", name, offset / size_of(in.type));
    return fmt::format("{} + {} bytes", name, offset);
}

bool is_unset(std::span<const std::byte> bytes) {
    for (const std::byte byte : bytes)
        if (byte != unset_byte) return false;
    return !bytes.empty();
}

std::string element_words(const KernelTrace& trace, const LocalVariable& variable, std::span<const std::byte> bytes) {
    const auto of = [&](const LocalVariable::Part& part) {
        const auto its = bytes.subspan(part.offset, part.bytes);
        return is_unset(its) ? std::string("unset") : part_text(trace, part.kind, its);
    };
    if (variable.parts.size() == 1 && variable.parts[0].name.empty()) return of(variable.parts[0]);
    std::string out;
    for (const LocalVariable::Part& part : variable.parts)
        out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", part.name, of(part));
    return "{" + out + "}";
}

/// Array in array, as C++ writes them; `left`: elements that may still be told.
std::string array_words(const KernelTrace& trace, const LocalVariable& variable, std::span<const std::byte> bytes,
                        std::size_t dimension, std::size_t& left) {
    if (dimension == variable.sizes.size()) {
        --left;
        return element_words(trace, variable, bytes);
    }
    const std::size_t size = variable.sizes[dimension], each = size ? bytes.size() / size : 0;
    std::string out;
    for (std::size_t i = 0; i < size; ++i) {
        if (i) out += ", ";
        if (!left) {
            out += "…";
            break;
        }
        out += array_words(trace, variable, bytes.subspan(i * each, each), dimension + 1, left);
    }
    return "[" + out + "]";
}

} // namespace

std::string local_text(const KernelTrace& trace, const LocalVariable& variable, std::span<const std::byte> bytes,
                       std::size_t most_elements) {
    if (bytes.size() != variable.bytes) return "";
    std::uint64_t elements = 1;
    for (const std::uint32_t size : variable.sizes) elements *= size;
    std::size_t left = most_elements;
    return elements ? array_words(trace, variable, bytes.first(elements * variable.stride), 0, left) : "[]";
}

} // namespace gradus
