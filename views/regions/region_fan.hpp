#pragma once

#include "engine/trace/derive/newest_wish.hpp"
#include "views/regions/region_field.hpp"
#include "views/state/fan.hpp"
#include "views/state/view_item.hpp"
#include "views/theme/theme.hpp"

#include <QPainter>
#include <QRectF>
#include <vector>

namespace gradus {

/// Where the small planes of a fan stand: as large as they can be side by side, each with its name beneath.
std::vector<QRectF> lay_out_region_fan(const QRectF& area, std::size_t futures);

/// The fan of futures in the plane: one small plane for each, as its net divides it where it ends.
class RegionFan {
public:
    /// Asks for the planes of what is done. `square`: the part of the plane that is shown, the same for all.
    /// True where something is to be painted anew.
    bool look(const Fan& fan, const PlaneSquare& square, const QRectF& area);
    bool open() const { return fan_.has_value(); }
    void close(); ///< and lets go of the futures' Runs

    void paint(QPainter& painter, const Theme& theme) const;
    /// The future under a pixel; -1: none.
    int at(QPointF pixel) const;
    std::vector<ViewItem> items() const;
    /// By future; null where it is not done yet.
    std::vector<std::shared_ptr<const RegionField>> fields() const;

private:
    struct Wish {
        std::vector<RegionWish> all; ///< by future; without a Run where it is not done
        bool operator==(const Wish&) const = default;
    };
    struct Planes {
        std::vector<std::shared_ptr<const RegionField>> fields;
    };
    static std::shared_ptr<const Planes> compute(const Wish& wish, const std::atomic<bool>& outdated);

    std::optional<Fan> fan_;
    Wish wanted_;
    std::vector<QRectF> places_;
    std::shared_ptr<const Planes> planes_;
    NewestWish<Wish, Planes> worker_{&RegionFan::compute};
};

} // namespace gradus
