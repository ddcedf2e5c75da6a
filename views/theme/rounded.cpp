#include "views/theme/rounded.hpp"

#include <QPaintEngine>
#include <QPainterPath>
#include <algorithm>
#include <array>
#include <cmath>

namespace gradus {

namespace {

struct Corner {
    QPointF centre;
    int from; ///< degrees, to 90 more
};

std::array<Corner, 4> corners_of(const QRectF& box, double radius) {
    const QRectF inner = box.adjusted(radius, radius, -radius, -radius);
    return {{{inner.topLeft(), 90}, {inner.topRight(), 0}, {inner.bottomLeft(), 180}, {inner.bottomRight(), 270}}};
}

/// Pictures of vectors get the shape whole: what is put together from parts shows its seams when it is enlarged.
bool draws_pixels(const QPainter& painter) { return painter.paintEngine()->type() == QPaintEngine::Raster; }

QPainterPath whole_shape(const QRectF& box, double radius) {
    QPainterPath path;
    path.addRoundedRect(box, radius, radius);
    return path;
}

QRectF round_of(QPointF centre, double radius) { return {centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius}; }

} // namespace

void fill_rounded(QPainter& painter, const QRect& box, int radius, const QColor& colour, const QRect& hole) {
    const int r = std::min({radius, box.width() / 2, box.height() / 2});
    if (!draws_pixels(painter)) return painter.fillPath(whole_shape(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), r - 0.5), colour);
    const bool smooth = painter.testRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::Antialiasing, false); // these edges lie on whole pixels, or under an outline
    const QRegion cross = QRegion(box.adjusted(r, 0, -r, 0)) + box.adjusted(0, r, 0, -r);
    for (const QRect& part : cross - hole) painter.fillRect(part, colour);
    painter.setRenderHint(QPainter::Antialiasing, true);
    QPainterPath path;
    for (const Corner& corner : corners_of(QRectF(box), r)) {
        path.moveTo(corner.centre);
        path.arcTo(round_of(corner.centre, r - 0.5), corner.from, 90);
        path.closeSubpath();
    }
    painter.fillPath(path, colour);
    painter.setRenderHint(QPainter::Antialiasing, smooth);
}

namespace {

/// A straight line, upright or level, with a pen that ends flat. Where its edges lie on whole pixels it is a box, which
/// nobody needs to rasterise.
void draw_side(QPainter& painter, const QLineF& line) {
    const QPen& pen = painter.pen();
    const QPointF half = line.dx() > line.dy() ? QPointF(0, pen.widthF() / 2) : QPointF(pen.widthF() / 2, 0);
    const QTransform& transform = painter.combinedTransform();
    if (transform.type() <= QTransform::TxTranslate && pen.style() == Qt::SolidLine && pen.brush().style() == Qt::SolidPattern) {
        const QRectF strip(line.p1() - half, line.p2() + half), pixels = transform.mapRect(strip), whole(pixels.toRect());
        const QPointF off = pixels.topLeft() - whole.topLeft(), over = pixels.bottomRight() - whole.bottomRight();
        if (std::max({std::abs(off.x()), std::abs(off.y()), std::abs(over.x()), std::abs(over.y())}) < 1e-6) {
            const bool smooth = painter.testRenderHint(QPainter::Antialiasing);
            painter.setRenderHint(QPainter::Antialiasing, false);
            painter.fillRect(strip, pen.color());
            painter.setRenderHint(QPainter::Antialiasing, smooth);
            return;
        }
    }
    painter.drawLine(line);
}

} // namespace

void outline_rounded(QPainter& painter, const QRectF& box, double radius) {
    const double r = std::min({radius, box.width() / 2, box.height() / 2});
    if (!draws_pixels(painter)) return painter.strokePath(whole_shape(box, r), painter.pen());
    const double left = box.left() + r, right = box.right() - r, top = box.top() + r, bottom = box.bottom() - r;
    const auto side = [&](double x1, double y1, double x2, double y2) {
        if (x2 - x1 + y2 - y1 > 0.01) draw_side(painter, {x1, y1, x2, y2}); // a line of no length would be a dot
    };
    side(left, box.top(), right, box.top());
    side(left, box.bottom(), right, box.bottom());
    side(box.left(), top, box.left(), bottom);
    side(box.right(), top, box.right(), bottom);
    QPainterPath path;
    for (const Corner& corner : corners_of(box, r)) {
        path.arcMoveTo(round_of(corner.centre, r), corner.from);
        path.arcTo(round_of(corner.centre, r), corner.from, 90);
    }
    painter.strokePath(path, painter.pen());
}

namespace {

QRectF on_pixels(const QRectF& bar) {
    const double left = std::round(bar.left()), top = std::round(bar.top());
    return {left, top, std::max(1.0, std::round(bar.right()) - left), std::max(1.0, std::round(bar.bottom()) - top)};
}

} // namespace

void fill_bar(QPainter& painter, const QRectF& bar, const QColor& colour) {
    if (!draws_pixels(painter)) return painter.fillRect(bar, colour);
    const bool smooth = painter.testRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(on_pixels(bar), colour);
    painter.setRenderHint(QPainter::Antialiasing, smooth);
}

void fill_bar(QPainter& painter, const QRectF& bar, const QColor& colour, const QColor& line) {
    const QRectF outer = draws_pixels(painter) ? on_pixels(bar) : bar, inner = outer.adjusted(1, 1, -1, -1);
    fill_bar(painter, outer, line);
    if (inner.width() > 0 && inner.height() > 0) fill_bar(painter, inner, colour);
}

} // namespace gradus
