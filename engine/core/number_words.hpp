#pragma once

#include <cstdint>
#include <string>

namespace gradus {

/// A number with three significant digits: "0.448", "12.3", "1.23e-5"; from 1000 to a million all its whole digits. Not
/// finite: "NaN", "inf", "-inf".
std::string three_digits_text(double value);

/// As a sentence has it: a whole number with all its digits, in groups; another with three.
std::string number_in_words(double value);

/// "2 560", in groups of three with thin spaces (U+2009).
std::string grouped_text(std::int64_t number);

} // namespace gradus
