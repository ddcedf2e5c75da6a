#include "engine/core/number_words.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace gradus {

std::string three_digits_text(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    if (value == 0) return "0";
    std::array<char, 32> room; // a screen full of tensors asks for thousands
    const auto written = [&](std::chars_format format, int decimals) {
        return std::string_view(room.data(), std::to_chars(room.begin(), room.end(), value, format, decimals).ptr);
    };
    const std::string_view rounded = written(std::chars_format::scientific, 2); // its exponent is right after rounding: 9.999 is 1.00e+01
    const std::size_t e = rounded.find('e');
    int exponent = 0;
    std::from_chars(rounded.data() + e + (rounded[e + 1] == '+' ? 2 : 1), rounded.data() + rounded.size(), exponent);
    if (exponent >= -3 && exponent < 6) return std::string(written(std::chars_format::fixed, std::max(0, 2 - exponent)));
    return std::string(rounded.substr(0, e + 1)) + std::to_string(exponent);
}

std::string number_in_words(double value) {
    const bool whole = std::abs(value) < 1e15 && value == std::floor(value);
    return whole ? grouped_text(static_cast<std::int64_t>(value)) : three_digits_text(value);
}

std::string grouped_text(std::int64_t number) {
    std::string text = std::to_string(number);
    const std::size_t sign = number < 0 ? 1 : 0;
    for (std::size_t at = text.size(); at > sign + 3;) text.insert(at -= 3, "\u2009");
    return text;
}

} // namespace gradus
