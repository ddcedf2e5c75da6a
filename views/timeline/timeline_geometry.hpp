#pragma once

#include "views/timeline/timeline_model.hpp"

#include <QRectF>
#include <QString>
#include <vector>

namespace gradus {

/// The part of an iteration that is shown, in seconds since it began.
struct TimeSpan {
    double from = 0, until = 1;
    double length() const { return until - from; }
    bool operator==(const TimeSpan&) const = default;
};

/// Within [0, end] and no shorter than a nanosecond.
TimeSpan clamped(TimeSpan span, double end);
/// `factor` times as long; what stands at `share` of the width stays there as far as the end allows.
TimeSpan zoomed(TimeSpan span, double factor, double share, double end);

/// One bar on screen, or several that are narrower than a pixel and touch.
struct TimelineItem {
    QRectF rect;
    std::size_t lane = 0, first = 0; ///< the bar, or the first of them
    std::size_t count = 1;
};

struct TimelineRow {
    QRectF rect;
    QString name; ///< "op", or the lane where a new one begins
};

struct TimelineTick {
    double x = 0;
    QString text;
};

/// Where everything on the timeline lies.
struct TimelineGeometry {
    QRectF area;   ///< of the bars
    QRectF gutter; ///< names of the rows; empty where there is no room
    QRectF axis;   ///< above the bars
    TimeSpan span;
    std::vector<TimelineRow> rows; ///< one for each lane of the model
    std::vector<TimelineItem> items;
    std::vector<TimelineTick> ticks;

    double x_of(double seconds) const;
    double seconds_at(double x) const;
    const TimelineItem* at(QPointF position) const;
    /// Where an event is drawn, alone or among others; null if it is out of sight.
    const TimelineItem* find(const TimelineModel& model, std::int32_t ordinal) const;
};

/// `below`: the height that is wanted for something else beneath the bars, if they can spare it.
TimelineGeometry lay_out(const TimelineModel& model, const QRectF& contents, TimeSpan span, double below = 0);

constexpr double axis_height = 20; // pixels

} // namespace gradus
