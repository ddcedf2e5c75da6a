#pragma once

#include "engine/trace/derive/gradient_flow.hpp"

#include <QPointF>
#include <QRectF>
#include <vector>

namespace gradus {

/// A logarithmic axis between two powers of ten.
struct DecadeScale {
    int low = -3, high = 0; ///< exponents
    /// Where a positive number lies, 0 to 1, kept inside.
    double share(double value) const;
    /// Exponents to be labelled, at most `most` of them.
    std::vector<int> ticks(int most) const;
    /// Widens so that it holds a finite positive number; others change nothing.
    void include(double value);
    bool empty() const { return low > high; }
    static DecadeScale none() { return {1, 0}; }
    /// At least one decade wide.
    DecadeScale settled() const;
};

/// Where everything lies: a row per layer from the output back to the input, in it a line per gradient; columns for norms,
/// updates, norms over steps and sizes, as many as there is room for.
struct FlowGeometry {
    struct Line {
        std::size_t layer = 0;
        GradientKind kind = GradientKind::weight;
        QRectF rect;   ///< name, bar and value: what a click hits
        QRectF bar;    ///< the whole length of the axis
        QRectF update; ///< null where the column or the parameter is missing
    };
    struct Row {
        std::size_t layer = 0;
        QRectF rect;
        std::vector<std::size_t> lines; ///< in `lines`
        QRectF ratio, steps, sizes;     ///< null where there is no such column
        bool named = true;              ///< false: too many layers to name each
    };
    QRectF area, header, axis, check;
    QRectF norms, updates, steps, sizes; ///< columns with header and axis; null where hidden
    std::vector<Row> rows;
    std::vector<Line> lines;
    double row_height = 0;
    bool names = true; ///< of the gradients, before their bars

    const Line* line_at(QPointF point) const;
    const Row* row_at(QPointF point) const;
};

/// `checks`: there is a check by finite differences, or it is told how one gets it. `least_pitch`: pixels from a line's numbers to the next one's.
FlowGeometry lay_out_flow(const std::vector<GradientLayer>& layers, const QRectF& area, bool checks = true, double least_pitch = 14);

} // namespace gradus
