#pragma once

#include <QPointF>
#include <QRectF>
#include <cstddef>
#include <vector>

namespace gradus {

/// Small plots of functions of z side by side. Functions are numbered as activation_ops().
struct ActivationGeometry {
    static constexpr double least_z = -4, most_z = 4; ///< ends of every z axis
    struct Panel {
        std::size_t op = 0;
        QRectF rect, header, plot; ///< pixels; tick labels stand left of and below the plot, names of curves right of it
        QRectF z_name;             ///< under the labels; null where the plot needs the room
        double least_y = 0, most_y = 1;
        QPointF at(double z, double y) const;
        /// Inside the axes; a value that is not finite is not.
        bool holds(double z, double y) const;
    };
    std::vector<Panel> panels; ///< in the order of a lesson
    const Panel* panel_at(QPointF point) const;
    const Panel* panel_of(std::size_t op) const;
};

/// As many panels as there is room for: all six; the three of one scale, with the one in use; two; or that one. `in_class`:
/// two at most, the other being the step, whose derivative is 0.
ActivationGeometry lay_out_activations(const QRectF& area, std::size_t in_use, bool in_class);

/// The values that an axis names.
std::vector<double> activation_ticks(double least, double most);

} // namespace gradus
