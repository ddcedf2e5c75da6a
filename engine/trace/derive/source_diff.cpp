#include "engine/trace/derive/source_diff.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace gradus {

namespace {

constexpr double alike_enough = 0.5;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

std::string without_blanks(std::string_view line) {
    std::string out;
    bool apart = false; // two words with a blank between them are not one
    for (const char c : line) {
        if (is_blank(c)) {
            apart = true;
            continue;
        }
        if (apart && !out.empty() && is_word(out.back()) && is_word(c)) out += ' ';
        apart = false;
        out += c;
    }
    return out;
}

std::vector<TextSpan> words_of(std::string_view line) {
    constexpr std::array<std::string_view, 19> signs{"<<=", ">>=", "<<", ">>", "++", "--", "+=", "-=", "*=", "/=", "<=", ">=", "==", "!=", "&&", "||", "->", "::", "//"};
    std::vector<TextSpan> out;
    for (std::size_t at = 0; at < line.size();) {
        if (is_blank(line[at])) {
            ++at;
            continue;
        }
        std::size_t end = at + 1;
        if (is_word(line[at])) {
            while (end < line.size() && is_word(line[end])) ++end;
        } else {
            for (const std::string_view sign : signs)
                if (line.substr(at).starts_with(sign)) {
                    end = at + sign.size();
                    break;
                }
        }
        out.push_back({at, end});
        at = end;
    }
    return out;
}

/// Pairs that are in the heaviest common subsequence, in order; `weight` of two that may not stand together is 0.
template <typename Weight> std::vector<std::pair<std::size_t, std::size_t>> heaviest(std::size_t rows, std::size_t columns, const Weight& weight) {
    std::vector<double> best((rows + 1) * (columns + 1), 0), both((rows + 1) * (columns + 1), 0); // best: of what follows
    const auto at = [&](std::size_t i, std::size_t j) { return i * (columns + 1) + j; };
    for (std::size_t i = rows; i-- > 0;)
        for (std::size_t j = columns; j-- > 0;) {
            both[at(i, j)] = weight(i, j);
            best[at(i, j)] = std::max({best[at(i + 1, j)], best[at(i, j + 1)], both[at(i, j)] > 0 ? both[at(i, j)] + best[at(i + 1, j + 1)] : 0.0});
        }
    std::vector<std::pair<std::size_t, std::size_t>> out;
    for (std::size_t i = 0, j = 0; i < rows && j < columns;) {
        if (both[at(i, j)] > 0 && best[at(i, j)] == both[at(i, j)] + best[at(i + 1, j + 1)]) out.emplace_back(i++, j++);
        else if (best[at(i, j)] == best[at(i + 1, j)]) ++i;
        else ++j;
    }
    return out;
}

/// What is not in common; two such words that follow each other are one. What is put in between brackets takes its own with it: of "[2][k]"
/// and "[k]" it is "[2]", not "2][".
std::vector<TextSpan> others(std::string_view line, const std::vector<TextSpan>& words, std::vector<bool> common) {
    const auto text = [&](std::size_t i) { return line.substr(words[i].begin, words[i].end - words[i].begin); };
    for (std::size_t begin = 1; begin < words.size(); ++begin) {
        if (common[begin] || !common[begin - 1]) continue;
        std::size_t end = begin;
        while (end < words.size() && !common[end]) ++end;
        if (text(begin - 1) != text(end - 1) || (text(end - 1) != "[" && text(end - 1) != "(")) continue;
        common[begin - 1] = false, common[end - 1] = true;
    }
    std::vector<TextSpan> out;
    bool joins = false;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (!common[i]) {
            if (joins) out.back().end = words[i].end;
            else out.push_back(words[i]);
        }
        joins = !common[i];
    }
    return out;
}

} // namespace

LineDiff diff_lines(std::string_view left, std::string_view right) {
    const std::vector<TextSpan> a = words_of(left), b = words_of(right);
    const auto text = [](std::string_view line, const TextSpan& word) { return line.substr(word.begin, word.end - word.begin); };
    const auto pairs = heaviest(a.size(), b.size(), [&](std::size_t i, std::size_t j) {
        const std::string_view word = text(left, a[i]);
        return word == text(right, b[j]) ? static_cast<double>(is_word(word.front()) ? 2 * word.size() : word.size()) : 0.0; // a name tells more than a comma
    });
    std::vector<bool> in_left(a.size(), false), in_right(b.size(), false);
    std::size_t common = 0, all = 0;
    for (const auto& [i, j] : pairs) {
        in_left[i] = in_right[j] = true;
        common += 2 * (a[i].end - a[i].begin);
    }
    for (const std::vector<TextSpan>* words : {&a, &b})
        for (const TextSpan& word : *words) all += word.end - word.begin;
    LineDiff out{others(left, a, in_left), others(right, b, in_right), 0};
    out.alike = all ? static_cast<double>(common) / static_cast<double>(all) : 1;
    return out;
}

std::vector<SourceRow> diff_sources(std::span<const std::string_view> left, std::span<const std::string_view> right) {
    std::vector<std::string> a, b;
    for (const std::string_view line : left) a.push_back(without_blanks(line));
    for (const std::string_view line : right) b.push_back(without_blanks(line));
    const auto tells = [](const std::string& line) { return std::any_of(line.begin(), line.end(), is_word); };
    auto kept = heaviest(a.size(), b.size(), [&](std::size_t i, std::size_t j) { return a[i] == b[j] && tells(a[i]) ? static_cast<double>(a[i].size()) : 0.0; });
    kept.emplace_back(a.size(), b.size());

    std::vector<SourceRow> out;
    const auto one_side = [&](std::size_t from, std::size_t until, bool of_left) {
        for (std::size_t i = from; i < until; ++i) {
            SourceRow row;
            row.kind = of_left ? SourceRow::Kind::removed : SourceRow::Kind::added;
            (of_left ? row.left : row.right) = static_cast<int>(i);
            out.push_back(std::move(row));
        }
    };
    const auto both = [&](std::size_t i, std::size_t j) {
        if (a[i] == b[j]) return out.push_back({SourceRow::Kind::same, static_cast<int>(i), static_cast<int>(j), {}, {}});
        LineDiff words = diff_lines(left[i], right[j]);
        out.push_back({SourceRow::Kind::changed, static_cast<int>(i), static_cast<int>(j), std::move(words.left), std::move(words.right)});
    };
    std::size_t i = 0, j = 0;
    for (const auto& [keep_i, keep_j] : kept) {
        // Between lines that stay: those that are alike have changed, and braces and empty lines stay where they fit to these.
        const std::size_t first_i = i, first_j = j;
        for (const auto& [x, y] : heaviest(keep_i - i, keep_j - j, [&](std::size_t x, std::size_t y) {
                 const std::string &one = a[first_i + x], &other = b[first_j + y];
                 if (one == other) return 0.25 + static_cast<double>(one.size());
                 if (!tells(one) || !tells(other)) return 0.0;
                 const double alike = diff_lines(left[first_i + x], right[first_j + y]).alike;
                 return alike >= alike_enough ? alike * static_cast<double>(one.size() + other.size()) / 2 : 0.0;
             })) {
            one_side(i, first_i + x, true);
            one_side(j, first_j + y, false);
            i = first_i + x, j = first_j + y;
            both(i++, j++);
        }
        one_side(i, keep_i, true);
        one_side(j, keep_j, false);
        i = keep_i, j = keep_j;
        if (i < a.size() && j < b.size()) both(i, j);
        ++i, ++j;
    }
    return out;
}

} // namespace gradus
