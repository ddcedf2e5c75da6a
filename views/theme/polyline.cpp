#include "views/theme/polyline.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gradus {

double distance_to(std::span<const QPointF> points, QPointF point) {
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t i = 1; i < points.size(); ++i) {
        const QPointF from = points[i - 1], along = points[i] - from;
        const double length = QPointF::dotProduct(along, along);
        const double share = length > 0 ? std::clamp(QPointF::dotProduct(point - from, along) / length, 0.0, 1.0) : 0;
        const QPointF off = point - (from + share * along);
        best = std::min(best, std::hypot(off.x(), off.y()));
    }
    return best;
}

void draw_dots(QPainter& painter, double left, double right, double y, const QColor& colour) {
    QPen dots(colour, 2, Qt::CustomDashLine, Qt::FlatCap);
    dots.setDashPattern({1, 3});
    painter.setPen(dots);
    painter.drawLine(QPointF(left, y), QPointF(right, y));
}

} // namespace gradus
