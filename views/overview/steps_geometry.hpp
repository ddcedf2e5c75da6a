#pragma once

#include "views/overview/step_widths.hpp"
#include "views/overview/step_window.hpp"

#include <QRectF>
#include <QString>
#include <optional>
#include <vector>

namespace gradus {

/// A phase of one iteration on the strip of steps.
struct StepBand {
    StepIndex iteration = 0;
    std::int32_t ordinal = -1; ///< of the phase's event
    Phase phase = Phase::forward;
    QRectF rect;
    StepWidths::Kind kind = StepWidths::Kind::unknown;
    bool recorded = false; ///< false: not yet run, an outline
    double seconds = -1;   ///< measured; -1: not known
};

/// One iteration; its bands fill it without gaps.
struct StepSlot {
    StepIndex iteration = 0;
    QRectF rect;
    std::size_t first_band = 0, bands = 0;
};

/// The iterations round the cursor, in a rectangle.
struct StepsStrip {
    QRectF area;
    StepWindow window;
    std::vector<StepSlot> iterations;
    std::vector<StepBand> bands;
    double cursor = -1;  ///< x: the middle of the event one stands on; -1: outside
    QRectF event;        ///< that event's part of the strip
    QString place;       ///< where the cursor stands: "412 · backward · layer 2 · matmul ∂W₂"
    QRectF place_rect;
    QString first, last; ///< at the ends: the first iteration; the last one, or that it has not run
    QRectF first_rect, last_rect;
    QString note; ///< what pale bands are, where there are any and there is room
    QRectF note_rect;

    /// Where an iteration's bands lie, clipped to nothing: it may reach out of the area.
    QRectF slot_of(StepIndex iteration) const;
    /// The iteration at x, clamped to those in the window.
    StepIndex iteration_at(double x, StepIndex planned) const;
    const StepBand* band_at(QPointF position) const;
};

/// `area` holds the bands; `labels` is the line of text below.
StepsStrip make_steps(const Look& look, const StepWindow& window, StepWidths& widths, const QRectF& area,
                      const QRectF& labels);

/// The event at `share` (0 to 1) of an iteration: at the level of phases, modules or ops. -1 above those.
std::int32_t event_at(const StepPlan& plan, const Run& run, const std::vector<Extent>& extents, double share, Level level);

} // namespace gradus
