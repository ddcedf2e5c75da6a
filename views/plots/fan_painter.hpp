#pragma once

#include "views/plots/fan_geometry.hpp"
#include "views/theme/theme.hpp"

#include <QPainter>

namespace gradus {

/// Fine lines in ink with their names, the chosen one bold with its value; what broke ends in a red ✕.
void paint_fan(QPainter& painter, const Fan& fan, const FanCurves& curves, const FanPicture& picture, const QRectF& area,
               Role role, const Theme& theme);

} // namespace gradus
