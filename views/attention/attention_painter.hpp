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
    bool sparse = false; ///< as in class
};

/// Where everything lies, and how it is drawn; `sparse`, as in class.
void lay_out_attention(AttentionPicture& picture, const QRectF& area, bool sparse);
QImage attention_cells(const AttentionModel& model, const Theme& theme);
void paint_attention(QPainter& painter, const AttentionPicture& picture, const Theme& theme);

} // namespace gradus
