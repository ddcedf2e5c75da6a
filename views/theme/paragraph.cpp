#include "views/theme/paragraph.hpp"

#include <QStringList>
#include <algorithm>

namespace gradus {

QString broken_at_spaces(const QString& text, const QFontMetricsF& font, double width) {
    QStringList lines;
    for (const QString& paragraph : text.split('\n')) {
        QString line;
        for (const QString& word : paragraph.split(' ', Qt::SkipEmptyParts)) {
            const QString longer = line.isEmpty() ? word : line + ' ' + word;
            if (!line.isEmpty() && font.horizontalAdvance(longer) > width) {
                lines += line;
                line = word;
            } else {
                line = longer;
            }
        }
        lines += line;
    }
    return lines.join('\n');
}

double paragraph_height(const QString& text, const QFont& font, double width) {
    const QFontMetricsF fm(font);
    return fm.boundingRect(QRectF(0, 0, 1e5, 1e5), Qt::AlignTop | Qt::AlignLeft, broken_at_spaces(text, fm, width)).height();
}

QRectF draw_paragraph(QPainter& painter, const QRectF& box, Qt::Alignment align, const QString& text) {
    const QFontMetricsF font(painter.font());
    const QStringList words = text.split(QChar(' '));
    const bool cut = std::any_of(words.begin(), words.end(), [&](const QString& word) { return font.horizontalAdvance(word) > box.width(); });
    QRectF used;
    painter.drawText(box, static_cast<int>(align) | (cut ? static_cast<int>(Qt::TextWrapAnywhere) : 0), broken_at_spaces(text, font, box.width()), &used);
    return used;
}

} // namespace gradus
