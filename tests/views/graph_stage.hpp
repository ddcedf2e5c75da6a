#pragma once

#include "tests/views/sample_run.hpp"

#include <QRectF>
#include <QString>
#include <algorithm>
#include <memory>

namespace gradus::testing {

/// The graph's area in a window of that size: what is left of margins, the panel beside it, title and legend.
inline QRectF graph_area(int width, int height) {
    return QRectF(22, 48, width - 384, std::max(200.0, (height - 152) * 0.6 - 88));
}

/// Two recorded steps of a net; made once.
std::shared_ptr<const Run> graph_run(const QString& data, const QString& layers);

} // namespace gradus::testing
