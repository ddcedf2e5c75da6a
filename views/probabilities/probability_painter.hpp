#pragma once

#include "views/probabilities/probability_picture.hpp"
#include "views/theme/theme.hpp"

#include <QPainter>

namespace gradus {

/// The bars of all rows with their axes, names and numbers, and the numbers of the classes.
void paint_probability_bars(QPainter& painter, const ProbabilityPicture& picture, const Theme& theme);

/// The probability triangle with p, y and the gradient between them; nothing without three classes.
void paint_probability_triangle(QPainter& painter, const ProbabilityPicture& picture, const Theme& theme);

/// Whether probabilities and gradients have two decimals instead of three digits, over the bars and in the triangle's words
/// alike: where not all of those that have room for a number have it for three digits.
bool has_short_numbers(const ProbabilityPicture& picture);
/// Whether the triangle's words have room in that form.
bool words_fit(const ProbabilityPicture& picture, bool short_numbers);

/// The outline around the bar of a row that is chosen or pulled; null: none of it.
QRectF mark_rect(const ProbabilityPicture& picture, const ProbabilityGeometry::Row& row);
/// Where a bar's number stands: over what stands, under what hangs, those of probabilities in one line, clear of the outlines.
QRectF number_rect(const ProbabilityPicture& picture, const ProbabilityGeometry::Row& row, std::size_t i);
/// What is said over a row of outlines, as much of it as fits; empty elsewhere.
QString to_come_words(const ProbabilityPicture& picture, const ProbabilityGeometry::Row& row);

/// Where the loss is written, beside the title of the probabilities; null where it is not.
QRectF loss_rect(const ProbabilityPicture& picture);

} // namespace gradus
