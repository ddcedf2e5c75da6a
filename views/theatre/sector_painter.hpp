#pragma once

#include "views/theatre/theatre_painter.hpp"

namespace gradus {

/// Behind the words of a sector that a lane asks for, which bear lanes' numbers. What is moved for nothing is bare: only so does a class tell one
/// from the other.
QColor asked_ground(const Theme& theme);

/// "5", or of a word that serves several lanes "×32".
QString served_text(std::uint32_t lanes);

/// The sectors of global memory that a step asks for: which of their words, and for which lanes.
void paint_asked_sectors(QPainter& painter, const TheatrePicture& picture, const Theme& theme);

} // namespace gradus
