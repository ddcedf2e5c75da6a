#include "views/plots/series_chart.hpp"

#include "views/derive/main_series.hpp"
#include "views/plots/band_graph.hpp"
#include "views/plots/plot_view.hpp"
#include "views/theme/color_map.hpp"

#include <QSet>
#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

QPen pen_of(const Curve& curve, const Theme& theme) {
    constexpr Qt::PenStyle dashes[] = {Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine, Qt::DashDotDotLine};
    const QColor hue = theme.hue(curve.role);
    return QPen(curve.selected || hue != theme.ink ? hue : theme.ink2, !curve.selected ? 1 : curve.name == 0 ? 1.8 : 1.4,
                curve.sparse ? Qt::SolidLine : dashes[curve.name % std::size(dashes)], Qt::FlatCap,
                Qt::BevelJoin); // round ones would be drawn as curves
}

} // namespace

SeriesChart::SeriesChart(QWidget* view, bool bounded) : plot(new KeptPlot(view)), bounded_(bounded) {
    plot->layer("overlay")->setMode(QCPLayer::lmLogical); // drawn with all the rest: one picture to keep and to copy
    cursor = new CursorItem(plot); // the plot owns it, as it does the labels
    labels_ = new LabelsItem(plot);
    fan = new FanItem(plot);
    plot->setFocusPolicy(Qt::NoFocus); // the view has it
    plot->hide(); // until there is a Run
    plot->setInteractions(QCP::Interactions{});
    plot->setNoAntialiasingOnDrag(false);
    plot->setPlottingHint(QCP::phFastPolylines); // joined thick lines cost ten times as much
    plot->setLocale(QLocale::c()); // else a Korean system writes 1E-05 for a power of ten
    plot->xAxis->setNumberFormat("g");
    for (QCPAxis* axis : {plot->xAxis, plot->yAxis}) {
        axis->setSubTicks(false);
        axis->setTickLength(0, 0);
        axis->setTickPen(Qt::NoPen);
    }
    steps_ = plot->xAxis->ticker();
    over_ = QSharedPointer<AbscissaTicker>::create();
    plot->yAxis->setTickLabelPadding(8);
    plot->xAxis->setTickLabelPadding(6);
    plot->xAxis->grid()->setVisible(false);
    plot->xAxis->setLabelPadding(0);
    linear_ = QSharedPointer<Printed<QCPAxisTickerFixed>>::create();
    log_ = QSharedPointer<Printed<QCPAxisTickerLog>>::create();
}

void SeriesChart::apply(const Theme& theme) {
    plot->setBackground(theme.surface);
    for (QCPAxis* axis : {plot->xAxis, plot->yAxis}) {
        axis->setBasePen(Qt::NoPen);
        axis->setTickLabelFont(mono_font(metrics::small_text));
        axis->setTickLabelColor(theme.ink2);
        axis->setLabelFont(text_font(metrics::small_text));
        axis->setLabelColor(theme.ink2);
        axis->grid()->setPen(QPen(theme.line, 1));
        axis->grid()->setZeroLinePen(QPen(theme.line, 1));
    }
    cursor->theme = labels_->theme = fan->theme = theme;
    makeRoom();
}

void SeriesChart::draw(const Curve& curve, const Theme& theme) {
    auto* graph = new BandGraph(plot->xAxis, plot->yAxis); // the plot owns it
    graph->setPen(pen_of(curve, theme));
    // With two points in every column a curve is a band of upright lines, which smoothing would only slow.
    graph->setAntialiased(!is_band(static_cast<qint64>(curve.points.size()), plot->axisRect()->width()));
    graph->setAdaptiveSampling(false); // the points are as few as there are columns already
    if (curve.sparse) {
        graph->setLineStyle(QCPGraph::lsNone);
        graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDiamond, graph->pen(), theme.surface,
                                               curve.selected ? 9 : 7));
    }
    QVector<QCPGraphData> data;
    data.reserve(static_cast<qsizetype>(curve.points.size()));
    for (const SeriesPoint& point : curve.points)
        data.append({static_cast<double>(point.iteration),
                     std::isfinite(point.value) ? point.value : std::nan("")});
    graph->data()->set(data, true);
    QVector<QPointF> means;
    for (const SeriesPoint& point : curve.means) means.append({static_cast<double>(point.iteration), point.value});
    graph->setMeans(std::move(means), mixed(graph->pen().color(), theme.surface, 0.7));
}

namespace {

/// Where the name of a series stands: behind the last of its curves, so that no curve goes on through it.
const SeriesPoint& farthest_end(const Curve& curve, const CurveSet& set) {
    const SeriesPoint* end = &curve.points.back();
    for (const Curve& other : set.curves)
        if (other.name == curve.name && !other.sparse && other.points.back().iteration > end->iteration && std::isfinite(other.points.back().value))
            end = &other.points.back();
    return *end;
}

} // namespace

void SeriesChart::set(const CurveSet& set, const Theme& theme) {
    plot->clearGraphs();
    for (const Curve& curve : set.curves) draw(apart_from_selected(curve, set), theme);
    plot->xAxis->setRange(0, std::max<double>(1, static_cast<double>(set.planned)));
    if (abscissa) over_->abscissa = *abscissa;
    plot->xAxis->setTicker(abscissa ? over_ : steps_);
    plot->xAxis->ticker()->setTickCount(ticks);
    const QString along = abscissa ? written_name(abscissa_name) : PlotView::tr("step");
    plot->xAxis->setLabel(fan->fan ? along + '\n' + PlotView::tr("point or ← →, let go to take, Esc: cancel") : along);
    labels_->labels.clear();
    if (fan->fan) return setFan(set);
    plot->yAxis->setScaleType(set.log ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    if (set.log) {
        plot->yAxis->setTicker(log_);
        plot->yAxis->setNumberFormat("e"); // powers of ten, written as all other numbers are
        plot->yAxis->setNumberPrecision(0);
        const double decades = std::log10(set.greatest / set.least);
        plot->yAxis->setRange(set.least * std::pow(10, -0.03 * decades), set.greatest * std::pow(10, 0.08 * decades)); // room for the ring
    } else {
        setLinear(bounded_ ? 0 : std::min(0.0, set.least * 1.05),
                  bounded_ ? 1.02 : set.greatest > 0 ? set.greatest * 1.08 : 1);
    }
    plot->yAxis->setTickLabelColor(set.curves.empty() ? theme.surface : theme.ink2); // an axis of nothing has no numbers
    if (named() > 1)
        for (const Curve& curve : set.curves)
            if (curve.selected && !curve.sparse && std::isfinite(curve.points.back().value)) {
                const SeriesPoint& end = farthest_end(curve, set);
                labels_->labels.push_back({names_[static_cast<qsizetype>(curve.name)], {static_cast<double>(end.iteration), end.value},
                                           curve.name == 0, pen_of(curve, theme)});
            }
    cursor->cursor = set.cursor;
    const bool others = std::any_of(set.curves.begin(), set.curves.end(), [&](const Curve& curve) { return curve.name != set.cursor.name; });
    cursor->name = named() > 1 && others ? names_[static_cast<qsizetype>(set.cursor.name)] : QString();
    plot->setVisible(set.planned > 0);
    plot->replotSoon();
}

QRectF SeriesChart::beyond(StepIndex from) const {
    const QRectF axes = QRectF(plot->axisRect()->rect()).translated(plot->pos());
    const double x = plot->pos().x() + plot->xAxis->coordToPixel(static_cast<double>(from) - 0.5);
    return QRectF(QPointF(std::clamp(x, axes.left(), axes.right()), axes.top()), axes.bottomRight());
}

void SeriesChart::setFan(const CurveSet& set) {
    const Fan& open = *fan->fan;
    const auto [from, until] = fan_steps(open, plot->axisRect()->width());
    plot->xAxis->setRange(static_cast<double>(from), static_cast<double>(until));
    plot->yAxis->setScaleType(QCPAxis::stLinear);
    const double room = std::max(1e-9, fan->curves.greatest - fan->curves.least);
    const double least = bounded_ ? std::max(0.0, fan->curves.least - 0.1 * room) : fan->curves.least - 0.1 * room;
    setLinear(least < 0 && fan->curves.least >= 0 ? 0 : least, fan->curves.greatest + 0.1 * room);
    cursor->cursor = set.cursor;
    const bool others = std::any_of(set.curves.begin(), set.curves.end(), [&](const Curve& curve) { return curve.name != set.cursor.name; });
    cursor->name = named() > 1 && others ? names_[static_cast<qsizetype>(set.cursor.name)] : QString();
    plot->setVisible(true);
    plot->replotSoon();
}

void SeriesChart::setLinear(double from, double until) {
    const double power = std::pow(10.0, std::floor(std::log10((until - from) / 5)));
    double step = power;
    for (const double times : {2.0, 5.0, 10.0})
        if ((until - from) / step > 5.2) step = power * times;
    linear_->setTickStep(step);
    plot->yAxis->setTicker(linear_);
    const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
    const bool readable = decimals <= 4 && std::max(std::abs(from), std::abs(until)) < 1e6;
    plot->yAxis->setNumberFormat(readable ? "f" : "e");
    plot->yAxis->setNumberPrecision(readable ? decimals : 1);
    constexpr double stroke = 0.012; // of the height: a curve that lies on the axis is not cut in half
    plot->yAxis->setRange(from == 0 ? -stroke * until : from, until);
}

qsizetype SeriesChart::named() const { return QSet<QString>(names_.begin(), names_.end()).size(); }

void SeriesChart::makeRoom() {
    double widest = 0;
    const TextMetrics metrics(text_font(metrics::small_text, QFont::DemiBold));
    if (named() > 1)
        for (const QString& name : names_) widest = std::max(widest, metrics.horizontalAdvance(name) + 10 + LabelsItem::piece + LabelsItem::gap);
    plot->axisRect()->setMinimumMargins(QMargins(8, 24, 22 + static_cast<int>(widest), 4));
}

} // namespace gradus
