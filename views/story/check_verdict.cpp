#include "views/story/check_verdict.hpp"

#include "views/theme/provenance_mark.hpp"
#include "views/theme/words.hpp"

#include <QCoreApplication>

namespace gradus {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("CheckPanel", text); }

struct Line {
    QString label, value;
    Provenance provenance = Provenance::computed;
    bool ticked = false;
    bool is_number = true;
};

std::vector<Line> lines_of(const StoryCheck& check) {
    std::vector<Line> lines;
    const QString unit = check.unit.isEmpty() ? QString() : ' ' + check.unit;
    const auto with_unit = [&](const QString& value) { return value.endsWith(check.unit) ? value : value + unit; };
    const bool number = check.kind == StoryCheck::Kind::number;
    if (number) lines.push_back({tr("You"), with_unit(check.answer), Provenance::computed, false});
    if (!check.engine.isEmpty())
        lines.push_back({tr("Engine"), number ? with_unit(check.engine) : check.engine, check.provenance,
                         number && !check.is_right && !check.undecided});
    if (!check.found.isEmpty()) lines.push_back({tr("Engine"), check.found_words, check.provenance, false, false});
    if (check.undecided) lines.push_back({tr("Undecided on this machine"), {}, Provenance::computed, false});
    return lines;
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

double verdict_height(const StoryCheck& check, const StoryLook& look) {
    const auto count = static_cast<double>(lines_of(check).size());
    return count > 0 ? count * look.px(24) + 8 : 0;
}

void paint_verdict(QPainter& painter, const StoryCheck& check, const StoryLook& look, QPointF at, double why_top) {
    const Theme& theme = look.theme;
    const QFont words = look.text(14), numbers = look.mono(14, QFont::DemiBold);
    const TextMetrics fm(words), number_fm(numbers);
    const std::vector<Line> lines = lines_of(check);
    double labels = 0;
    for (const Line& line : lines)
        if (!line.value.isEmpty()) labels = std::max(labels, fm.horizontalAdvance(line.label));
    double base = at.y() + (look.px(24) + fm.capHeight()) / 2;
    for (const Line& line : lines) {
        painter.setFont(line.value.isEmpty() ? look.text(14, QFont::DemiBold) : words);
        painter.setPen(line.value.isEmpty() ? theme.ink : theme.ink2);
        draw_text(painter, QPointF(at.x(), base), line.label);
        double x = at.x() + labels + 10;
        const double capitals = number_fm.capHeight();
        paint_provenance(painter, {x, base}, line.provenance, capitals, theme.ink2);
        x += provenance_width(line.provenance, capitals);
        painter.setFont(line.is_number ? numbers : words);
        painter.setPen(theme.ink);
        draw_text(painter, QPointF(x, base), line.value);
        if (line.ticked) {
            painter.setFont(look.text(15, QFont::DemiBold));
            draw_text(painter, QPointF(x + number_fm.horizontalAdvance(line.value) + 10, base), QStringLiteral("✓"));
        }
        base += look.px(24);
    }
    if (!check.is_right || check.undecided) return;
    painter.setFont(look.text(15, QFont::DemiBold));
    painter.setPen(theme.ink);
    draw_text(painter, QRectF(at.x(), why_top, look.px(22), look.px(22)), Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("✓"));
}

} // namespace gradus
