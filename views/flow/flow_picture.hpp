#pragma once

#include "views/flow/flow_geometry.hpp"
#include "views/flow/flow_numbers.hpp"

#include <memory>
#include <string>

namespace gradus {

/// Everything that stands in a picture of the gradient flow.
struct FlowPicture {
    GradientLayers layers;
    FlowGeometry geometry;
    std::shared_ptr<const FlowNumbers> numbers; ///< null: none yet
    std::shared_ptr<const NormHistory> history; ///< null: none yet
    std::shared_ptr<const CheckResult> check;   ///< null: none asked for
    bool checking = false;
    StepIndex cursor = 0, last_step = 1;              ///< ends of the curves and of their axis
    GradientKind kind = GradientKind::weight;         ///< of the curves and the histograms
    std::string selected;                             ///< a tensor
    DecadeScale norms, updates, sizes;

    const LayerFlow* flow(std::size_t layer) const;
    /// Where a step lies in a column of curves.
    double step_x(const QRectF& plot, StepIndex iteration) const;
    /// The curve's part of a row: what its axis leaves.
    QRectF curve_area(const FlowGeometry::Row& row) const;
    QRectF bins_area(const FlowGeometry::Row& row) const;
    /// A bin's bar in a row; null where the row has no such column.
    QRectF bin_rect(const FlowGeometry::Row& row, const LogHistogram& sizes, std::size_t bin) const;
};

/// Takes the scales from what there is to be shown.
void scale(FlowPicture& picture);

} // namespace gradus
