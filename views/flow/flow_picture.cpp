#include "views/flow/flow_picture.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

const LayerFlow* FlowPicture::flow(std::size_t layer) const {
    return numbers && layer < numbers->flow.size() ? &numbers->flow[layer] : nullptr;
}

double FlowPicture::step_x(const QRectF& plot, StepIndex iteration) const {
    return plot.left() + plot.width() * static_cast<double>(iteration) / static_cast<double>(std::max<StepIndex>(1, last_step));
}

QRectF FlowPicture::curve_area(const FlowGeometry::Row& row) const { return row.steps.adjusted(40, 4, -6, -2); }
QRectF FlowPicture::bins_area(const FlowGeometry::Row& row) const {
    return row.sizes.adjusted(12, geometry.row_height < 26 ? 0 : 16, -12, 0);
}

QRectF FlowPicture::bin_rect(const FlowGeometry::Row& row, const LogHistogram& histogram, std::size_t bin) const {
    const QRectF area = bins_area(row);
    const Dim most = histogram.counts.empty() ? 1 : *std::max_element(histogram.counts.begin(), histogram.counts.end());
    const double decades = std::max(1, sizes.high - sizes.low), width = area.width() / decades / LogHistogram::bins_per_decade;
    const double left = area.left() + width * (histogram.first + static_cast<double>(bin) - sizes.low * LogHistogram::bins_per_decade);
    const double height = std::max(1.0, area.height() * static_cast<double>(histogram.counts[bin]) / static_cast<double>(most));
    return QRectF(left + (width > 4 ? 0.5 : 0), area.bottom() - height, std::max(1.0, width - (width > 4 ? 1 : 0)), height);
}

void scale(FlowPicture& p) {
    p.norms = p.sizes = p.updates = DecadeScale::none();
    p.updates.include(1e-3);
    const auto take = [&](const std::vector<GradientNorms>& layers) {
        for (const GradientNorms& norms : layers)
            for (const auto& norm : norms)
                if (norm) p.norms.include(*norm);
    };
    if (p.history)
        for (const NormSample& sample : p.history->samples) take(sample.norms);
    for (std::size_t layer = 0; p.numbers && layer < p.numbers->flow.size(); ++layer) {
        const LayerFlow& flow = p.numbers->flow[layer];
        take({flow.norms});
        for (const auto& update : flow.updates)
            if (update) p.updates.include(update->ratio());
        const auto& sizes = flow.sizes[static_cast<std::size_t>(p.kind)];
        if (!sizes || sizes->counts.empty()) continue;
        p.sizes.include(std::pow(10, sizes->first / static_cast<double>(LogHistogram::bins_per_decade)) * 1.01);
        p.sizes.include(std::pow(10, (sizes->first + static_cast<double>(sizes->counts.size())) / LogHistogram::bins_per_decade) * 0.99);
    }
    p.norms = p.norms.settled();
    p.sizes = p.sizes.settled();
    p.updates.include(1e-2);
    p.updates.include(1e-4);
}

} // namespace gradus
