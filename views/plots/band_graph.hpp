#pragma once

#include <qcustomplot.h>

namespace gradus {

/// So many points in so many pixels are a band of upright lines; fewer are a curve, which is worth smoothing.
inline bool is_band(qint64 points, int width) {
    constexpr qint64 few = 600; // are quickly stroked, and a straight line of them must not have steps
    return points > few && 2 * points >= 3 * static_cast<qint64>(width);
}

/// A curve with about two points in every pixel column is a band of upright lines: it is filled column by column, which
/// costs a tenth of stroking it. Any other curve is drawn as the library draws it.
class BandGraph : public QCPGraph {
public:
    BandGraph(QCPAxis* keys, QCPAxis* values) : QCPGraph(keys, values) {}
    /// Where the curve is a band, it is filled in this colour and the line goes through these points.
    void setMeans(QVector<QPointF> means, const QColor& band) {
        means_ = std::move(means);
        band_ = band;
    }

protected:
    void draw(QCPPainter* painter) override;
    /// The last of its marks stands on the edge of the axes and is drawn whole.
    QRect clipRect() const override {
        const int reach = scatterStyle().isNone() ? 0 : static_cast<int>(scatterStyle().size()) / 2 + 2;
        return QCPGraph::clipRect().adjusted(-reach, -reach, reach, reach);
    }

private:
    QVector<QPointF> means_; ///< step and value
    QColor band_;
};

} // namespace gradus
