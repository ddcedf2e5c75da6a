#pragma once

#include "engine/trace/provenance.hpp"
#include "views/state/look.hpp"

#include <QString>
#include <optional>
#include <vector>

namespace gradus {

/// A rung, or the one kernel of a run.
struct RooflineDot {
    StepIndex iteration = 0;
    QString label, name;     ///< "3", "3_shared"
    bool here = false;
    double intensity = 0;    ///< FLOP per byte that warps ask of global memory, counted
    std::optional<double> measured, measured_low; ///< FLOP/s on this machine: of the least time, and of the median
    std::optional<double> modelled;               ///< FLOP/s on the chip
};

/// What somebody reaches at most: a slope up to a flat roof.
struct RooflineRoof {
    QString name;               ///< "this core: memory", "A100"
    double bandwidth = 0, peak = 0;
    Provenance provenance = Provenance::measured;
    QString slope, flat;        ///< words on its parts; empty: said elsewhere
    QString brief, slope_brief; ///< what a class reads on them
};

struct RooflineModel {
    std::vector<RooflineDot> dots;   ///< in the order in which they are climbed
    std::vector<RooflineRoof> roofs; ///< measured ones, then the chip's
    std::optional<double> best;      ///< FLOP per byte, were each sector moved once; of the rung one stands on
    QString chip, source;
    bool counted = false;            ///< a kernel was counted; without dots it has no multiply-adds
};

RooflineModel make_roofline(const Look& look);

} // namespace gradus
