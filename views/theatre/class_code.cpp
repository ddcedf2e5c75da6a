#include "views/theatre/class_code.hpp"

#include <QRegularExpression>
#include <algorithm>
#include <bit>
#include <set>

namespace gradus {

namespace {

const QString& text_of(const TheatreModel& model, std::int32_t line) { return model.code[static_cast<std::size_t>(line) - 1].text; }

qsizetype indent_of(const QString& text) {
    qsizetype blanks = 0;
    while (blanks < text.size() && text[blanks] == ' ') ++blanks;
    return blanks;
}

/// Nothing but a closing brace, or nothing at all.
bool says_nothing(const QString& text) {
    const QString words = text.trimmed();
    return words.isEmpty() || words == QLatin1String("}");
}

/// Where it ends without the comment behind the code and the blanks before that.
qsizetype end_of_code(const QString& text) {
    const qsizetype comment = text.indexOf(QLatin1String("//"));
    qsizetype end = comment < 0 || comment <= indent_of(text) ? text.size() : comment;
    while (end > 0 && text[end - 1] == ' ') --end;
    return end;
}

/// How many blanks all of these lines begin with.
qsizetype common_indent(const TheatreModel& model, std::int32_t first, std::int32_t last) {
    qsizetype least = 1000;
    for (std::int32_t line = first; line <= last; ++line)
        if (const QString& text = text_of(model, line); indent_of(text) < text.size()) least = std::min(least, indent_of(text));
    return least;
}

std::vector<CodePiece> whole_lines(const TheatreModel& model, std::int32_t first, std::int32_t last) {
    const qsizetype indent = common_indent(model, first, last);
    std::vector<CodePiece> out;
    for (std::int32_t line = first; line <= last; ++line) {
        const qsizetype end = end_of_code(text_of(model, line));
        out.push_back({line, std::min(indent, end), end});
    }
    return out;
}

/// Whether a row that ends at this blank would part what is added, multiplied or compared: "a" from "< b".
bool parts_operands(const QString& text, qsizetype blank) {
    static const QString operators = QStringLiteral("<>+-*/%&|^");
    const auto is_operator = [&](qsizetype from, qsizetype until) { // "<", "<=", "==", but not "&&", "||", "+=", "="
        const QString word = text.mid(from, until - from);
        if (word == QLatin1String("==") || word == QLatin1String("!=") || word == QLatin1String("<=") || word == QLatin1String(">=")) return true;
        return word.size() == 1 && operators.contains(word.front());
    };
    qsizetype before = blank, after = blank + 1;
    while (before > 0 && text[before - 1] != ' ') --before;
    while (after < text.size() && text[after] != ' ') ++after;
    return is_operator(before, blank) || is_operator(blank + 1, after);
}

/// After which column at most `columns` further on a row ends best; 0: nowhere. In its second half after the blank that the fewest
/// brackets stand round and, of those, that parts no operands; else after any blank or where a bracket opens.
qsizetype end_of_row(const QString& text, qsizetype from, qsizetype columns) {
    const qsizetype last = std::min(from + columns, text.size() - 1);
    qsizetype best = 0, blank = 0, bracket = 0;
    int depth = 0, least = 1000;
    for (qsizetype at = from; at < last + (text[last] == ' '); ++at) { // a blank at a row's end is not seen
        const QChar c = text[at];
        if (c == '(' || c == '[') ++depth;
        if (c == ')' || c == ']') --depth;
        if (c == '(' || (at + 1 <= last && text[at + 1] == '[')) bracket = at + 1;
        if (c != ' ') continue;
        blank = std::min(at + 1, last);
        const int cost = 2 * depth + (parts_operands(text, at) ? 1 : 0);
        if (blank - from >= columns / 2 && cost <= least) best = blank, least = cost;
    }
    return best > 0 ? best : std::max(blank, bracket);
}

/// `if (t < distance) ` in front of what it guards, else nothing.
QString condition_of(const QString& text) {
    static const QRegularExpression condition(QStringLiteral("^ *if \\(.*?\\) "));
    return condition.match(text).captured();
}

/// Lines above that say what stands in the index of the access under way, "const int i = …" of y[i], and in the condition in front of it:
/// the nearest of each name.
std::set<std::int32_t> definitions_of_index(const TheatreModel& model, std::int32_t first_line) {
    const QString& text = text_of(model, model.line);
    qsizetype begin = std::max(0, model.column - 1);
    while (begin < text.size() && (text[begin].isLetterOrNumber() || text[begin] == '_')) ++begin;
    if (model.column < 1 || begin >= text.size() || text[begin] != '[') return {};
    qsizetype end = begin;
    for (int depth = 0; end < text.size() && (depth > 0 || text[end] == '['); ++end) depth += (text[end] == '[') - (text[end] == ']');
    static const QRegularExpression name(QStringLiteral("(?<![\\w.])[A-Za-z_]\\w*"));
    std::set<std::int32_t> out;
    for (QRegularExpressionMatchIterator each = name.globalMatch(text.mid(begin, end - begin) + QChar(' ') + condition_of(text)); each.hasNext();) {
        const QRegularExpression defines(
            QStringLiteral("^ *(?:for \\()?(?:const |constexpr )*(?:int|unsigned|long|auto|size_t|std::size_t|int64_t) .*\\b%1 *=[^=]").arg(each.next().captured()));
        for (std::int32_t line = model.line; line >= first_line; --line)
            if (text_of(model, line).contains(defines)) {
                if (line < model.line) out.insert(line); // else it says so itself
                break;
            }
    }
    return out;
}

/// The `if`, `else` or `while` under which one stands; 0: none.
std::int32_t condition_above(const TheatreModel& model, std::int32_t first_line) {
    static const QRegularExpression condition(QStringLiteral("^ *(?:if \\(|while \\(|else\\b|\\} else\\b)"));
    const qsizetype indent = indent_of(text_of(model, model.line));
    for (std::int32_t line = model.line - 1; line >= first_line; --line) {
        const QString& text = text_of(model, line);
        if (indent_of(text) >= std::min(indent, text.size())) continue; // blank, or beside it
        return text.contains(condition) ? line : 0;
    }
    return 0;
}

/// The nearest line above that sends threads away, `if (i >= n) return;`; 0: none.
std::int32_t guard_above(const TheatreModel& model, std::int32_t first_line) {
    static const QRegularExpression guard(QStringLiteral("^ *if \\(.*\\) (?:return|continue|break);"));
    for (std::int32_t line = model.line - 1; line >= first_line; --line)
        if (const QString& text = text_of(model, line); indent_of(text) <= indent_of(text_of(model, model.line)) && text.contains(guard)) return line;
    return 0;
}

/// The line that one stands on, whole, below the condition it stands under and those that say what its index is, and the next one if there is
/// room; empty where there are none, or no room for them.
std::vector<CodePiece> with_definitions(const TheatreModel& model, qsizetype columns, std::size_t rows, std::int32_t begin, std::int32_t end) {
    std::set<std::int32_t> definitions = definitions_of_index(model, begin);
    const std::int32_t condition = condition_above(model, begin);
    if (condition) definitions.insert(condition);
    // Where lanes are missing that no branch has elsewhere, what sent them away comes before all else.
    const bool missing = !condition && model.block && model.stand.count(LaneState::active) < std::popcount(model.block->lanes_of(model.warp));
    const std::int32_t guard = missing ? guard_above(model, begin) : 0;
    if (guard) definitions.insert(guard);
    if (definitions.empty()) return {};
    qsizetype indent = indent_of(text_of(model, model.line));
    for (const std::int32_t line : definitions) indent = std::min(indent, indent_of(text_of(model, line)));
    const auto pieces_of = [&](std::int32_t line) {
        std::vector<CodePiece> out = broken_code(text_of(model, line), indent, columns);
        for (CodePiece& piece : out) piece.line = line;
        return out;
    };
    std::vector<CodePiece> out = pieces_of(model.line);
    if (out.empty()) return {};
    bool some = false;
    std::vector<std::int32_t> wanted(definitions.rbegin(), definitions.rend()); // the nearest first
    std::stable_partition(wanted.begin(), wanted.end(), [&](std::int32_t line) { return line == guard; });
    for (const std::int32_t line : wanted) {
        const std::vector<CodePiece> more = pieces_of(line);
        if (more.empty() || more.size() + out.size() > rows) continue;
        out.insert(std::find_if(out.begin(), out.end(), [&](const CodePiece& piece) { return piece.line > line; }), more.begin(), more.end());
        some = true;
    }
    if (!some || out.size() > rows) return {};
    if (const auto next = model.line < end ? pieces_of(model.line + 1) : std::vector<CodePiece>{}; next.size() == 1 && !says_nothing(text_of(model, model.line + 1)) && indent_of(text_of(model, model.line + 1)) >= indent && out.size() < rows)
        out.push_back(next.front());
    const std::int32_t above = model.line - 1;
    if (const auto before = above >= begin && !definitions.contains(above) && !text_of(model, above).trimmed().startsWith(QLatin1String("//")) ? pieces_of(above) : std::vector<CodePiece>{};
        before.size() == 1 && out.size() < rows && indent_of(text_of(model, above)) >= indent && before.front().to > before.front().from)
        out.insert(std::find_if(out.begin(), out.end(), [&](const CodePiece& piece) { return piece.line == model.line; }), before.front());
    return out;
}

} // namespace

std::vector<CodePiece> broken_code(const QString& text, qsizetype from, qsizetype columns) {
    std::vector<CodePiece> out;
    const qsizetype end = end_of_code(text), rest = std::max<qsizetype>(0, indent_of(text) - from) + indent_of_rest;
    for (qsizetype at = 0;; at = rest) {
        const qsizetype room = columns - at;
        if (room < 1) return {};
        const qsizetype next = end - from > room ? std::min(end_of_row(text, from, room), end) : end;
        if (next <= from && next < end) return {};
        out.push_back({0, from, next, !out.empty(), at});
        if (next >= end) break;
        from = next;
        while (from < end && text[from] == ' ') ++from;
    }
    return out;
}

std::vector<CodePiece> class_code(const TheatreModel& model, qsizetype columns, std::size_t rows) {
    const std::int32_t begin = std::max(model.first_line, 1), end = std::min(model.last_line, static_cast<std::int32_t>(model.code.size()));
    const auto fit = std::min(static_cast<std::int32_t>(rows), end - begin + 1);
    if (fit < 1) return {};
    std::int32_t first = std::clamp(model.line - (fit > 1 ? 1 : 0), begin, end - fit + 1);
    while (first > begin && first + fit - 1 > model.line && says_nothing(text_of(model, first + fit - 1))) --first;
    const std::int32_t last = first + fit - 1;
    std::vector<CodePiece> out = whole_lines(model, first, last);
    if (model.line < first || model.line > last) return out;
    if (model.at_step)
        if (std::vector<CodePiece> defined = with_definitions(model, columns, rows, begin, end); !defined.empty()) return defined;
    const bool after = model.line > first; // the line before is seen, too, if there is room
    const qsizetype indent = common_indent(model, after ? model.line - 1 : model.line, model.line);
    std::vector<CodePiece> here = broken_code(text_of(model, model.line), indent, columns);
    if (const std::vector<CodePiece> alone = broken_code(text_of(model, model.line), indent_of(text_of(model, model.line)), columns); here.empty() || here.size() >= rows) here = alone;
    if (here.size() < 2) return out; // it fits, or cannot
    for (CodePiece& piece : here) piece.line = model.line;
    if (here.size() > rows) { // from where the access is
        const auto access = std::find_if(here.begin(), here.end(), [&](const CodePiece& piece) { return model.column <= piece.to; });
        const auto before = static_cast<std::size_t>(access - here.begin());
        here.erase(here.begin(), here.begin() + static_cast<std::ptrdiff_t>(std::min(before, here.size() - rows)));
        here.resize(rows);
    }
    if (after && here.size() < rows) here.insert(here.begin(), {model.line - 1, indent, std::max(indent, end_of_code(text_of(model, model.line - 1)))});
    return here;
}

} // namespace gradus
