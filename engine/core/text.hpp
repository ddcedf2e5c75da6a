#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gradus {

/// Numbers as text in the C locale, the whole text or nothing: "12 " and "1e999" are refused. The minus may be the
/// sign that the lab prints (U+2212), so that a number copied from the screen is one.
std::optional<std::int64_t> parse_integer(std::string_view text);
std::optional<double> parse_number(std::string_view text);

/// Text with a hyphen for every minus sign U+2212.
std::string with_hyphens(std::string_view text);

/// The shortest decimal text that reads back as the same double ("0.1", "inf", "nan").
std::string number_text(double value);

/// Splits at every `separator`; "a,,b" has three parts and "" has none.
std::vector<std::string_view> split(std::string_view text, char separator);

/// Text without leading and trailing blanks.
std::string_view trimmed(std::string_view text);

/// What somebody wrote, as a sentence quotes it: of a long UTF-8 text the beginning, with an ellipsis.
std::string shortened(std::string_view text, std::size_t most_bytes = 60);

/// What was given, as it may be said back: control characters and bytes that are no UTF-8 become "?", line ends and tabs
/// blanks, so that no terminal's cursor moves and no line breaks.
std::string one_line(std::string_view text);

/// "784, 256 and 10"-style list for sentences.
std::string joined(const std::vector<std::string>& items, std::string_view separator = ", ");

} // namespace gradus
