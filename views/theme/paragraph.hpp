#pragma once

#include "views/theme/words.hpp"

#include <QPainter>
#include <QString>

namespace gradus {

/// The text with a line end in place of every space at which a line of `width` pixels is full. Lines end at spaces
/// only, so that a Korean word keeps its particle; Qt's own wrapping would end them between any two syllables. A word that is
/// wider than a line is cut behind the marks in it, such as those of a path, else where it must.
QString broken_at_spaces(const QString& text, const TextMetrics& font, double width);

/// The height of such lines as they are drawn: another script's may be higher than the font's own.
double paragraph_height(const QString& text, const QFont& font, double width);

/// Draws text in such lines with the painter's font and pen.
/// Returns the room that it took.
QRectF draw_paragraph(QPainter& painter, const QRectF& box, Qt::Alignment align, const QString& text);

} // namespace gradus
