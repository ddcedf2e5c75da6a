#include "views/theatre/class_code.hpp"

#include <algorithm>

namespace gradus {

namespace {

const QString& text_of(const TheatreModel& model, std::int32_t line) { return model.code[static_cast<std::size_t>(line) - 1].text; }

qsizetype indent_of(const QString& text) {
    qsizetype blanks = 0;
    while (blanks < text.size() && text[blanks] == ' ') ++blanks;
    return blanks;
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

/// After which column at most `columns` further on a row ends best; 0: nowhere. In its second half after the blank that the fewest
/// brackets stand round, else after any blank or where a bracket opens.
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
        if (blank - from >= columns / 2 && depth <= least) best = blank, least = depth;
    }
    return best > 0 ? best : std::max(blank, bracket);
}

} // namespace

std::vector<CodePiece> broken_code(const QString& text, qsizetype from, qsizetype columns) {
    std::vector<CodePiece> out;
    const qsizetype end = end_of_code(text);
    for (qsizetype room = columns; end - from > room; room = columns - indent_of_rest) {
        const qsizetype next = end_of_row(text, from, room);
        if (next <= from || room < 1) return {};
        out.push_back({0, from, next, !out.empty()});
        from = next;
        while (from < end && text[from] == ' ') ++from;
    }
    out.push_back({0, from, end, !out.empty()});
    return out;
}

std::vector<CodePiece> class_code(const TheatreModel& model, qsizetype columns, std::size_t rows) {
    const std::int32_t begin = std::max(model.first_line, 1), end = std::min(model.last_line, static_cast<std::int32_t>(model.code.size()));
    const auto fit = std::min(static_cast<std::int32_t>(rows), end - begin + 1);
    if (fit < 1) return {};
    const std::int32_t first = std::clamp(model.line - 1, begin, end - fit + 1), last = first + fit - 1;
    std::vector<CodePiece> out = whole_lines(model, first, last);
    if (!model.at_step || model.line < first || model.line > last) return out;
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
