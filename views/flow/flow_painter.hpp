#pragma once

#include "views/flow/flow_picture.hpp"
#include "views/theme/theme.hpp"

#include <QPainter>

namespace gradus {

/// All but the strip of the check.
void paint_flow(QPainter& painter, const FlowPicture& picture, const Theme& theme);
/// The strip at the foot: a gradient's entry beside its finite difference, or what to do to see one.
void paint_check(QPainter& painter, const FlowPicture& picture, const Theme& theme);
/// An outline round what one points at or has chosen: ink, 1 or 2 px.
void paint_flow_outline(QPainter& painter, const QRectF& rect, const Theme& theme, double width);

} // namespace gradus
