#include "engine/core/number_words.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace gradus {

std::string three_digits_text(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    if (value == 0) return "0";
    const std::string rounded = fmt::format("{:.2e}", value); // its exponent is right after rounding: 9.999 is 1.00e+01
    const std::size_t e = rounded.find('e');
    const int exponent = std::stoi(rounded.substr(e + 1));
    if (exponent >= -3 && exponent < 6) return fmt::format("{:.{}f}", value, std::max(0, 2 - exponent));
    return fmt::format("{}e{}", rounded.substr(0, e), exponent);
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
