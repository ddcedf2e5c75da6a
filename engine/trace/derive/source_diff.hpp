#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace gradus {

/// A part of a line: characters [begin, end).
struct TextSpan {
    std::size_t begin = 0, end = 0;
    bool operator==(const TextSpan&) const = default;
};

/// Two texts side by side: a line of one, of the other, or of both. Lines count from 0; -1: it has none here.
struct SourceRow {
    enum class Kind : std::uint8_t {
        same,    ///< but perhaps for blanks
        changed, ///< the words that differ are named
        removed, ///< only the first text has it
        added,   ///< only the second one has it
    };
    Kind kind = Kind::same;
    int left = -1, right = -1;
    std::vector<TextSpan> left_words, right_words; ///< of a changed line: what the other line does not have
};

/// How one text becomes the other: every line of both, in their order. Lines with a word in them that stay are a longest common subsequence of
/// lines, each as heavy as its characters; blanks do not count. Between these, a removed line and an added one are one changed line where at
/// least half of their characters are in words that both have, in the same order; braces and empty lines stay where they fit to that.
std::vector<SourceRow> diff_sources(std::span<const std::string_view> left, std::span<const std::string_view> right);

/// The words and signs of both lines that the other does not have; those with nothing but blanks between them are one.
struct LineDiff {
    std::vector<TextSpan> left, right;
    double alike = 0; ///< share of the characters of both lines, blanks aside, that are in common words
};
LineDiff diff_lines(std::string_view left, std::string_view right);

} // namespace gradus
