#pragma once

#include "views/attention/attention_geometry.hpp"
#include "views/attention/attention_model.hpp"
#include "views/theme/theme.hpp"

#include <QImage>
#include <QPainter>

namespace gradus {

/// What is on screen: the model, where it lies, and the cells as a picture.
struct AttentionPicture {
    AttentionModel model;
    AttentionCounts counts;
    AttentionGeometry geometry;
    QImage cells; ///< (length, length)
};

/// Where everything lies; `sparse`, as in class.
void lay_out_attention(AttentionPicture& picture, const QRectF& area, bool sparse);
QImage attention_cells(const AttentionModel& model, const Theme& theme);
void paint_attention(QPainter& painter, const AttentionPicture& picture, const Theme& theme, bool sparse);

} // namespace gradus
