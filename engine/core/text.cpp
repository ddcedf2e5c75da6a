#include "engine/core/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace gradus {

namespace {

constexpr std::string_view minus_sign = "\u2212";

template <class Number>
std::optional<Number> parse(std::string_view text) {
    if (text.find(minus_sign) != std::string_view::npos) return parse<Number>(with_hyphens(text));
    Number value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

} // namespace

std::optional<std::int64_t> parse_integer(std::string_view text) { return parse<std::int64_t>(text); }

std::optional<double> parse_number(std::string_view text) { return parse<double>(text); }

std::string with_hyphens(std::string_view text) {
    std::string out(text);
    for (std::size_t at = 0; (at = out.find(minus_sign, at)) != std::string::npos; ++at) out.replace(at, minus_sign.size(), "-");
    return out;
}

std::string number_text(double value) {
    char buffer[40];
    const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
    return error == std::errc{} ? std::string(buffer, end) : std::string("nan");
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        const std::size_t at = text.find(separator);
        parts.push_back(text.substr(0, at));
        if (at == std::string_view::npos) break;
        text.remove_prefix(at + 1);
        if (text.empty()) parts.push_back(text);
    }
    return parts;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::string shortened(std::string_view text, std::size_t most_bytes) {
    if (text.size() <= most_bytes) return std::string(text);
    while (most_bytes > 0 && (static_cast<unsigned char>(text[most_bytes]) & 0xC0) == 0x80) --most_bytes; // inside a letter
    return std::string(text.substr(0, most_bytes)) + "…";
}

std::string joined(const std::vector<std::string>& items, std::string_view separator) {
    std::string out;
    for (const std::string& item : items) {
        if (!out.empty()) out += separator;
        out += item;
    }
    return out;
}

namespace {

/// Bytes of the character at the front, 0 if they are no UTF-8.
std::size_t character_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const std::size_t length = byte(0) < 0x80 ? 1 : byte(0) < 0xc2 ? 0 : byte(0) < 0xe0 ? 2 : byte(0) < 0xf0 ? 3 : byte(0) < 0xf5 ? 4 : 0;
    if (length == 0 || length > text.size()) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xc0) != 0x80) return 0;
    // Forms longer than they must be, halves of surrogate pairs, and what lies beyond the last character.
    const bool refused = length > 2 && ((byte(0) == 0xe0 && byte(1) < 0xa0) || (byte(0) == 0xed && byte(1) > 0x9f) ||
                                        (byte(0) == 0xf0 && byte(1) < 0x90) || (byte(0) == 0xf4 && byte(1) > 0x8f));
    return refused ? 0 : length;
}

} // namespace

std::string one_line(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t length = character_length(text);
        const auto first = static_cast<unsigned char>(text[0]);
        const bool control = length == 1 ? first < 0x20 || first == 0x7f : length == 2 && first == 0xc2 && static_cast<unsigned char>(text[1]) < 0xa0;
        if (first == '\n' || first == '\t') out += ' ';
        else if (length == 0 || control) out += '?';
        else out += text.substr(0, length);
        text.remove_prefix(std::max<std::size_t>(1, length));
    }
    return out;
}

} // namespace gradus
