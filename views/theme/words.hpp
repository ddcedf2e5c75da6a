#pragma once

#include <QFontMetricsF>
#include <QPainter>
#include <QString>
#include <algorithm>

namespace gradus {

/// Whether Korean syllables are in a text; a mono font has none, and its spaces are too wide for another's.
inline bool has_hangul(const QString& text) {
    return std::any_of(text.begin(), text.end(), [](QChar c) { return c.unicode() >= 0xAC00 && c.unicode() <= 0xD7A3; });
}

/// Whether a line must not end at the space between two words: an operator stays with both of its sides, "p − y", "ln" with what it
/// is taken of, a number with its per cent, and a number of several groups of digits, "16 384". The words may be empty.
bool belongs_together(QStringView before, QStringView after);

/// Font metrics that remember the widths of texts. What is written once per frame is shaped once: finding the glyphs of
/// all texts and their places was a quarter of what painting cost. For any thread; each remembers its own.
class TextMetrics : public QFontMetricsF {
public:
    explicit TextMetrics(const QFont& font) : QFontMetricsF(font), font_(font) {}

    /// Pixels from the start of the text to where a next one would start.
    double horizontalAdvance(const QString& text) const;
    /// Of a line with that text: another script's may be higher than the font's own.
    double lineHeight(const QString& text) const;
    /// From the top of that line to where its letters stand.
    double lineAscent(const QString& text) const;
    /// The text, or as much of it as `width` pixels have room for, with an ellipsis where the rest was.
    QString elidedText(const QString& text, Qt::TextElideMode mode, double width) const;

private:
    QFont font_;
};

/// Code as it is to be drawn: a mark of no width keeps the signs of an operator apart, which a font would join.
QString without_ligatures(const QString& code);

/// One line of text with the painter's font and pen from `base` on, as QPainter::drawText() paints it.
void draw_text(QPainter& painter, QPointF base, const QString& text);
/// Text in a box, aligned by Qt::Alignment and Qt::TextFlag; it is not wrapped (draw_paragraph() does). What is wider or higher than the box is cut at its edges,
/// unless Qt::TextDontClip is set.
void draw_text(QPainter& painter, const QRectF& box, int flags, const QString& text);

} // namespace gradus
