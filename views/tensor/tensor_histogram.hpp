#pragma once

#include "views/tensor/tensor_scene.hpp"

#include <QPainter>
#include <QString>

namespace gradus {

/// The bars of a histogram in a rectangle: heights go with log(1 + count), the range is that of the statistics.
struct HistogramGeometry {
    QRectF box;
    QRectF bar(const TensorStatistics& statistics, std::size_t bin) const;
    /// Where a value stands; the edge for what is beyond.
    double x_of(const TensorStatistics& statistics, double value) const;
};

/// "2 560 values, log count".
QString count_text(const TensorStatistics& statistics, Dim unwritten = 0); ///< without those that were never written
/// "64 are 0", "3 NaN, 1 inf"; empty where there are none.
QString zeros_text(const TensorStatistics& statistics);
/// `unwritten`: so many of those that are no numbers were never written, which unwritten_text() says.
QString faults_text(const TensorStatistics& statistics, Dim unwritten = 0);
QString unwritten_text(Dim count);

/// All values' histogram with its range, its counts, and a caret at `value` where there is one.
void paint_histogram(QPainter& painter, const TensorScene& scene, std::optional<double> value);

} // namespace gradus
