#pragma once

#include "views/attention/attention_painter.hpp"

#include <set>

namespace gradus {

/// A line of text, cut where the box ends; how wide it is when whole.
double write_line(QPainter& painter, const QRectF& box, int align, const QString& text, const QFont& font, const QColor& colour);

/// Where a step's touches lie among scores and outputs.
struct TouchedPlaces {
    std::set<std::int64_t> queries, keys, dimensions;
    std::set<std::pair<std::int64_t, std::int64_t>> cells;
};
TouchedPlaces touched_places(const AttentionModel& model);

/// A bar of bytes that a class sees.
struct AttentionBar {
    QString name;
    std::int64_t bytes = 0; ///< so far
    Provenance provenance = Provenance::counted;
    std::int64_t most = 0; ///< of all launches, where more are to come
};
std::vector<AttentionBar> attention_bars(const AttentionModel& model);
/// What the bars and their title need across.
double attention_bars_width(const AttentionModel& model);

/// Beside the grid: what each query keeps, what is in shared memory, what crossed global memory; in class a few lines instead.
void paint_attention_rows(QPainter& painter, const AttentionPicture& picture, const Theme& theme);
void paint_attention_memory(QPainter& painter, const AttentionPicture& picture, const Theme& theme);
void paint_attention_bytes(QPainter& painter, const AttentionPicture& picture, const Theme& theme);
void paint_attention_summary(QPainter& painter, const AttentionPicture& picture, const Theme& theme);

} // namespace gradus
