#include "views/plots/band_graph.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gradus {

namespace {

/// Whether a column is drawn where the line is dashed: it keeps its mark.
bool is_on(Qt::PenStyle style, int column) {
    switch (style) {
    case Qt::DashLine: return column % 12 < 8;
    case Qt::DotLine: return column % 4 < 2;
    case Qt::DashDotLine: return column % 16 < 8 || (column % 16 >= 11 && column % 16 < 13);
    case Qt::DashDotDotLine: return column % 21 < 8 || (column % 21 >= 11 && column % 21 < 13) || (column % 21 >= 16 && column % 21 < 18);
    default: return true;
    }
}

/// The least and the greatest y of what a curve crosses in a column.
struct Span {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    void take(double y) {
        low = std::min(low, y);
        high = std::max(high, y);
    }
};

} // namespace

void BandGraph::draw(QCPPainter* painter) {
    const QRect inside = clipRect();
    const auto points = mDataContainer->size();
    if (mLineStyle == lsNone || (means_.empty() && !is_band(points, inside.width())) || inside.width() < 1) return QCPGraph::draw(painter);
    std::vector<Span> columns(static_cast<std::size_t>(inside.width()));
    const auto column_of = [&](double x) { return static_cast<int>(std::floor(x)) - inside.left(); };
    QPointF before;
    bool joined = false;
    for (auto point = mDataContainer->constBegin(); point != mDataContainer->constEnd(); ++point) {
        if (!std::isfinite(point->value)) {
            joined = false;
            continue;
        }
        const QPointF at(mKeyAxis->coordToPixel(point->key), std::clamp(mValueAxis->coordToPixel(point->value), -1e6, 1e6));
        const int last = column_of(at.x()), first = joined ? column_of(before.x()) : last;
        for (int column = std::max(0, first); column <= std::min(last, inside.width() - 1); ++column) {
            Span& span = columns[static_cast<std::size_t>(column)];
            if (!joined || at.x() - before.x() < 1e-9) {
                span.take(at.y());
                if (joined) span.take(before.y());
                continue;
            }
            for (const double x : {static_cast<double>(column + inside.left()), static_cast<double>(column + inside.left() + 1)}) {
                const double share = std::clamp((x - before.x()) / (at.x() - before.x()), 0.0, 1.0);
                span.take(before.y() + share * (at.y() - before.y()));
            }
        }
        before = at;
        joined = true;
    }
    const int width = std::max(1, static_cast<int>(std::lround(mPen.widthF())));
    std::vector<QRect> rects;
    rects.reserve(columns.size());
    for (int column = 0; column < inside.width(); ++column) {
        const Span& span = columns[static_cast<std::size_t>(column)];
        if (span.low > span.high || !is_on(mPen.style(), column)) continue;
        const int top = static_cast<int>(std::floor(span.low - width / 2.0 + 0.5));
        const int bottom = static_cast<int>(std::floor(span.high + width / 2.0 + 0.5));
        rects.emplace_back(inside.left() + column, top, width, std::max(width, bottom - top));
    }
    painter->setAntialiasing(false);
    painter->setPen(Qt::NoPen);
    painter->setBrush(means_.empty() ? mPen.color() : band_);
    painter->drawRects(rects.data(), static_cast<int>(rects.size()));
    if (means_.size() < 2) return;
    QPolygonF line;
    line.reserve(means_.size());
    for (const QPointF& mean : means_) line << QPointF(mKeyAxis->coordToPixel(mean.x()), mValueAxis->coordToPixel(mean.y()));
    painter->setAntialiasing(true);
    painter->setPen(mPen);
    painter->setBrush(Qt::NoBrush);
    painter->drawPolyline(line);
}

} // namespace gradus
