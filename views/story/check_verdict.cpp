#include "views/story/check_verdict.hpp"

#include "views/theme/paragraph.hpp"
#include "views/theme/provenance_mark.hpp"
#include "views/theme/words.hpp"

#include <QCoreApplication>
#include <algorithm>

namespace gradus {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("CheckPanel", text); }

struct Line {
    QString label, value;
    Provenance provenance = Provenance::computed;
    bool crossed = false;
    bool is_number = true;
};

/// As they stand under the answer.
std::vector<Line> lines_of(const StoryCheck& check) {
    std::vector<Line> lines;
    const QString unit = check.unit.isEmpty() ? QString() : ' ' + check.unit;
    const auto with_unit = [&](const QString& value) { return value.endsWith(check.unit) ? value : value + unit; };
    const bool number = check.kind == StoryCheck::Kind::number;
    if (number) lines.push_back({tr("You"), with_unit(check.answer), Provenance::computed, !check.is_right && !check.undecided});
    if (!check.engine.isEmpty())
        lines.push_back({tr("Engine"), number ? with_unit(check.engine) : check.engine, check.provenance});
    if (check.kind == StoryCheck::Kind::order && !check.answer.isEmpty()) {
        const QStringList given = split_answer(check.answer);
        int fits = 0;
        for (qsizetype i = 0; i < std::min(given.size(), check.right.size()); ++i) fits += given[i] == check.right[i] ? 1 : 0;
        const QString count = tr("%1 of %2").arg(fits).arg(check.right.size());
        lines.push_back({tr("In place"), fits < check.right.size() ? count + tr("; → is its place") : count, Provenance::computed, false, false});
    }
    if (!check.found.isEmpty()) lines.push_back({tr("Numbers"), check.found_words, check.provenance, false, false});
    if (check.undecided) lines.push_back({tr("Undecided on this machine"), {}, Provenance::computed, false});
    return lines;
}

/// Where the values begin, right of the longest label.
double values_from(const std::vector<Line>& lines, const StoryLook& look) {
    const TextMetrics fm(look.text(14));
    double labels = 0;
    for (const Line& line : lines)
        if (!line.value.isEmpty()) labels = std::max(labels, fm.horizontalAdvance(line.label));
    return labels + 10;
}

/// Words may take several lines, a number stands on one.
double height_of(const Line& line, const std::vector<Line>& lines, const StoryLook& look, double width) {
    const double one = look.px(24);
    if (line.is_number || line.value.isEmpty()) return one;
    const QFont words = look.text(14);
    const double mark = provenance_width(line.provenance, TextMetrics(look.mono(14, QFont::DemiBold)).capHeight());
    const double room = std::max(40.0, width - values_from(lines, look) - mark);
    return one + std::max(0.0, paragraph_height(line.value, words, room) - TextMetrics(words).height());
}

} // namespace

QStringList split_answer(const QString& answer) {
    QStringList ids;
    int depth = 0; // an id may be W1[0,:]
    QString id;
    for (const QChar c : answer) {
        depth += c == '[' ? 1 : c == ']' ? -1 : 0;
        if (c != ',' || depth > 0) {
            id += c;
            continue;
        }
        ids += id.trimmed();
        id.clear();
    }
    if (!id.trimmed().isEmpty()) ids += id.trimmed();
    return ids;
}

double verdict_height(const StoryCheck& check, const StoryLook& look, double width) {
    const std::vector<Line> lines = lines_of(check);
    double height = 8;
    for (const Line& line : lines) height += height_of(line, lines, look, width);
    return lines.empty() ? 0 : height;
}

void paint_verdict(QPainter& painter, const StoryCheck& check, const StoryLook& look, const QRectF& box, double why_top) {
    const Theme& theme = look.theme;
    const QFont words = look.text(14), numbers = look.mono(14, QFont::DemiBold);
    const TextMetrics fm(words), number_fm(numbers);
    const std::vector<Line> lines = lines_of(check);
    const double values = box.left() + values_from(lines, look);
    double top = box.top();
    for (const Line& line : lines) {
        const double base = top + (look.px(24) + fm.capHeight()) / 2;
        painter.setFont(line.value.isEmpty() ? look.text(14, QFont::DemiBold) : words);
        painter.setPen(line.value.isEmpty() ? theme.ink : theme.ink2);
        draw_text(painter, QPointF(box.left(), base), line.label);
        const double capitals = number_fm.capHeight();
        paint_provenance(painter, {values, base}, line.provenance, capitals, theme.ink2);
        const double x = values + provenance_width(line.provenance, capitals);
        painter.setFont(line.is_number ? numbers : words);
        painter.setPen(theme.ink);
        if (line.is_number || fm.horizontalAdvance(line.value) <= box.right() - x) draw_text(painter, QPointF(x, base), line.value);
        else draw_paragraph(painter, QRectF(x, base - fm.ascent(), box.right() - x, box.height()), Qt::AlignLeft | Qt::AlignTop, line.value);
        if (line.crossed) {
            painter.setFont(look.text(15, QFont::DemiBold));
            draw_text(painter, QPointF(x + number_fm.horizontalAdvance(line.value) + 10, base), QStringLiteral("≠"));
        }
        top += height_of(line, lines, look, box.width());
    }
    if (!check.is_right || check.undecided) return;
    painter.setFont(look.text(15, QFont::DemiBold));
    painter.setPen(theme.ink);
    draw_text(painter, QRectF(box.left(), why_top, look.px(22), look.px(22)), Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("✓"));
}

} // namespace gradus
