#include "views/theme/paragraph.hpp"

#include "views/theme/words.hpp"

#include <QStringList>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace gradus {

namespace {

/// A word that is wider than a line, in pieces that are not: cut behind the marks of a path or a list, else anywhere.
QStringList cut_to_fit(const QString& word, const TextMetrics& font, double width) {
    QStringList out;
    QString piece, after_mark;
    const auto take = [&](const QString& text) {
        if (!piece.isEmpty() && font.horizontalAdvance(piece + text) > width) out << std::exchange(piece, QString());
        piece += text;
    };
    for (const QChar letter : word) {
        after_mark += letter;
        if (!QStringLiteral("/,;:_-").contains(letter)) continue;
        take(std::exchange(after_mark, QString()));
    }
    take(after_mark);
    out << piece;
    QStringList fitting;
    for (const QString& wide : out) {
        piece.clear();
        for (const QChar letter : wide) {
            if (!piece.isEmpty() && !letter.isLowSurrogate() && font.horizontalAdvance(piece + letter) > width) fitting << std::exchange(piece, QString());
            piece += letter;
        }
        fitting << piece;
    }
    return fitting;
}

/// The words of a paragraph, formulas whole as far as a line has room for them.
QStringList words_of(const QString& paragraph, const TextMetrics& font, double width) {
    QStringList out;
    QString before;
    for (const QString& word : paragraph.split(' ', Qt::SkipEmptyParts)) {
        const bool joins = !out.isEmpty() && belongs_together(before, word) && font.horizontalAdvance(out.last() + ' ' + word) <= width;
        if (joins) out.last() += ' ' + word;
        else out << word;
        before = word;
    }
    return out;
}

} // namespace

QString broken_at_spaces(const QString& text, const TextMetrics& font, double width) {
    QStringList lines;
    for (const QString& paragraph : text.split('\n')) {
        QString line;
        for (const QString& word : words_of(paragraph, font, width)) {
            const QString longer = line.isEmpty() ? word : line + ' ' + word;
            if (!line.isEmpty() && font.horizontalAdvance(longer) > width) {
                lines += line;
                line = word;
            } else {
                line = longer;
            }
            if (line != word || font.horizontalAdvance(word) <= width) continue;
            lines += cut_to_fit(word, font, width);
            line = lines.takeLast();
        }
        lines += line;
    }
    return lines.join('\n');
}

namespace {

/// From the top of a paragraph to each of its lines, which stand on whole pixels, and to its end.
std::vector<double> line_places(const QStringList& lines, const TextMetrics& font) {
    std::vector<double> places{0};
    double end = 0;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        if (i > 0) places.push_back(std::ceil(end + font.leading()));
        end = places.back() + font.lineHeight(lines[i]);
    }
    places.push_back(end);
    return places;
}

} // namespace

double paragraph_height(const QString& text, const QFont& font, double width) {
    const TextMetrics fm(font);
    return line_places(broken_at_spaces(text, fm, width).split('\n'), fm).back();
}

QRectF draw_paragraph(QPainter& painter, const QRectF& box, Qt::Alignment align, const QString& text) {
    const TextMetrics font(painter.font());
    const QStringList lines = broken_at_spaces(text, font, box.width()).split('\n');
    double width = 0;
    for (const QString& line : lines) width = std::max(width, font.horizontalAdvance(line));
    const std::vector<double> places = line_places(lines, font);
    const double left = box.width() - width, below = box.height() - places.back();
    const QRectF used(box.left() + (align & Qt::AlignRight ? left : align & Qt::AlignHCenter ? left / 2 : 0),
                  box.top() + (align & Qt::AlignBottom ? below : align & Qt::AlignVCenter ? below / 2 : 0), width, places.back());
    const bool cut = below < 0;
    if (cut) {
        painter.save();
        painter.setClipRect(box, Qt::IntersectClip);
    }
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        draw_text(painter, QRectF(box.left(), used.top() + places[at], box.width(), font.lineHeight(lines[i])),
                  (align & Qt::AlignHorizontal_Mask).toInt() | Qt::TextDontClip, lines[i]);
    }
    if (cut) painter.restore();
    return used;
}

} // namespace gradus
