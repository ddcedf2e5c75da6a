#pragma once

#include "views/plots/cursor_item.hpp"
#include "views/plots/fan_item.hpp"
#include "views/plots/kept_plot.hpp"
#include "views/plots/labels_item.hpp"
#include "views/plots/tickers.hpp"

#include <QStringList>
#include <optional>

namespace gradus {

/// The axes of a series view, with its curves, its cursor and its fan on them.
class SeriesChart {
public:
    /// `bounded`: the values are shares, from 0 to 1.
    SeriesChart(QWidget* view, bool bounded);

    /// Of the series, as the curves' ends say them. To be followed by apply().
    void name(QStringList names) { names_ = std::move(names); }
    void apply(const Theme& theme);
    void set(const CurveSet& set, const Theme& theme);
    /// Where the curves are from that step on, with the value beside the cursor; in the view's pixels.
    QRectF beyond(StepIndex from) const;

    KeptPlot* plot; // owned by the view, as its child
    CursorItem* cursor;
    FanItem* fan;
    std::optional<Abscissa> abscissa; ///< of the next set()
    int ticks = 4;                    ///< along the steps, about so many

private:
    void draw(const Curve& curve, const Theme& theme);
    /// The axes show what the futures cover, and as much of what led there.
    void setFan(const CurveSet& set);
    /// At most six ticks at 1, 2 or 5 times a power of ten, all with the same digits.
    void setLinear(double from, double until);
    /// Curves of one name need none: the title says it.
    qsizetype named() const;
    /// Names stand beyond the axis, at the ends of their curves.
    void makeRoom();

    bool bounded_;
    QStringList names_; ///< of the series, as the curves' ends say them
    LabelsItem* labels_;
    QSharedPointer<QCPAxisTickerFixed> linear_;
    QSharedPointer<QCPAxisTickerLog> log_;
    QSharedPointer<QCPAxisTicker> steps_;
    QSharedPointer<AbscissaTicker> over_;
};

} // namespace gradus
