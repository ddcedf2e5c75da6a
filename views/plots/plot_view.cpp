#include "views/plots/plot_view.hpp"

#include "views/derive/fan_words.hpp"
#include "views/derive/series_words.hpp"
#include "engine/trace/derive/trailing_mean.hpp"
#include "views/plots/fan_item.hpp"
#include "views/plots/labels_item.hpp"
#include "views/state/kept_picture.hpp"
#include "views/state/zoom.hpp"
#include "views/plots/band_graph.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/words.hpp"

#include <QCoreApplication>
#include <QMouseEvent>
#include <QTimer>
#include <algorithm>
#include <cmath>
#include <qcustomplot.h>

namespace gradus {

namespace {

/// The cursor: a line with a cap, a ring on the curve, and the value beside it.
class CursorItem : public QCPAbstractItem {
public:
    explicit CursorItem(QCustomPlot* plot) : QCPAbstractItem(plot) {
        setLayer("overlay");
        setClipToAxisRect(false); // the cap stands above the axes
    }
    double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }

    CurveCursor cursor;
    Theme theme;

protected:
    void draw(QCPPainter* painter) override {
        if (cursor.iteration < 0) return;
        const QRectF inside = parentPlot()->axisRect()->rect();
        const double x = std::round(parentPlot()->xAxis->coordToPixel(static_cast<double>(cursor.iteration)));
        if (x < inside.left() - 1 || x > inside.right() + 1) return;
        painter->setAntialiasing(true);
        painter->setPen(QPen(theme.ink, 2));
        painter->drawLine(QLineF(x, inside.top(), x, inside.bottom()));
        painter->setPen(Qt::NoPen);
        painter->setBrush(theme.ink);
        const QPointF cap[3] = {{x - 5, inside.top() - 6}, {x + 5, inside.top() - 6}, {x, inside.top() + 1}};
        painter->drawPolygon(cap, 3);
        if (!cursor.value) return;
        const bool finite = std::isfinite(*cursor.value);
        const double y = finite ? parentPlot()->yAxis->coordToPixel(*cursor.value) : inside.top() + 12;
        const QString text = finite ? three_digits(*cursor.value) : QStringLiteral("✕ ") + three_digits(*cursor.value);
        if (finite) {
            painter->setPen(QPen(theme.ink, 2));
            painter->setBrush(theme.surface);
            painter->drawEllipse(QPointF(x, y), 4.5, 4.5);
        }
        painter->setFont(mono_font(metrics::text, QFont::Bold));
        const QSizeF size(TextMetrics(painter->font()).horizontalAdvance(text) + 8, 18);
        QRectF label(x + 6, inside.top() - 6 - size.height(), size.width(), size.height()); // beside the cap, off the curves
        if (label.right() > inside.right()) label.moveRight(x - 6);
        painter->setPen(finite ? theme.ink : theme.fault);
        draw_text(*painter, label, Qt::AlignCenter, text);
    }
};

/// The library's tick labels, with the minus sign that all our numbers have. Powers of ten it prints itself, from a hyphen.
template <class Ticker> class Printed : public Ticker {
protected:
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override {
        if (tick == 0 && format == 'e') return QStringLiteral("0"); // not a power of ten
        const QString label = Ticker::getTickLabel(tick, locale, format, precision);
        return label.contains('e') ? label : with_minus(label);
    }
};

/// Ticks at round values of what the steps stand for.
class AbscissaTicker : public Printed<QCPAxisTicker> {
public:
    Abscissa abscissa;

protected:
    void generate(const QCPRange& range, const QLocale& locale, QChar format, int precision, QVector<double>& ticks,
                  QVector<double>* sub_ticks, QVector<QString>* labels) override {
        const auto [first, step] = abscissa;
        Printed::generate({first + step * range.lower, first + step * range.upper}, locale, format, precision, ticks, sub_ticks, labels);
        for (double& tick : ticks) tick = (tick - first) / step;
    }
};

/// The library keeps its picture in pixels of the widget. Where the lab is shown larger it is told to keep those of the
/// screen, and what it kept is put there pixel for pixel.
class Plot : public QCustomPlot {
public:
    explicit Plot(QWidget* parent) : QCustomPlot(parent) {
        QCoreApplication::removePostedEvents(this, QEvent::MetaCall); // the library would draw it empty, at once
        soon_.setSingleShot(true);
        connect(&soon_, &QTimer::timeout, this, [this] { replot(rpQueuedRefresh); });
        connect(this, &QCustomPlot::afterReplot, this, [this] { // whoever asked for it
            soon_.stop();
            stale_ = false;
            enlarged_.forget();
        });
    }
    /// Once, however often it is asked for, and after the keys and clicks that have come meanwhile.
    void replotSoon() { soon_.start(0); }

protected:
    /// The axes are where they belong at once; what lies between them is drawn when it is to be seen, not for every size
    /// that a layout tries.
    void resizeEvent(QResizeEvent*) override {
        setViewport(rect());
        updateLayout();
        stale_ = true;
    }
    void paintEvent(QPaintEvent* event) override {
        const double ratio = pixel_ratio(*this);
        if (bufferDevicePixelRatio() != ratio) {
            setBufferDevicePixelRatio(ratio);
            setPlottingHint(QCP::phCacheLabels, zoom_of(*this) == 1); // it would put pictures of labels between pixels
            stale_ = true;
        }
        if (stale_) replot(rpQueuedRefresh);
        if (zoom_of(*this) == 1) return QCustomPlot::paintEvent(event);
        if (!enlarged_.there()) {
            QCPPainter once(&enlarged_.renew(*this, size(), mBackgroundBrush.color()));
            for (const auto& buffer : mPaintBuffers) buffer->draw(&once);
        }
        QPainter painter(this);
        draw_kept(painter, {0, 0}, enlarged_.pixmap());
    }

private:
    QTimer soon_;
    KeptPicture enlarged_; ///< all of the library's layers
    bool stale_ = false;
};

} // namespace

class PlotView::Chart {
public:
    Chart(PlotView* view, bool bounded)
        : plot(new Plot(view)), bounded_(bounded) {
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
        plot->xAxis->setNumberFormat("gb");
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

    /// Of the series, as the curves' ends say them. To be followed by apply().
    void name(QStringList names) { names_ = std::move(names); }

    void apply(const Theme& theme) {
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

    void set(const CurveSet& set, const Theme& theme) {
        plot->clearGraphs();
        for (const Curve& curve : set.curves) {
            auto* graph = new BandGraph(plot->xAxis, plot->yAxis); // the plot owns it
            constexpr Qt::PenStyle dashes[] = {Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
            const bool first = curve.name == 0;
            graph->setPen(QPen(curve.selected ? theme.ink : theme.ink2, !curve.selected ? 1 : first ? 1.8 : 1.4,
                               curve.sparse ? Qt::SolidLine : dashes[curve.name % std::size(dashes)], Qt::FlatCap,
                               Qt::BevelJoin)); // round ones would be drawn as curves
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
        }
        plot->xAxis->setRange(0, std::max<double>(1, static_cast<double>(set.planned)));
        if (abscissa) over_->abscissa = *abscissa;
        plot->xAxis->setTicker(abscissa ? over_ : steps_);
        plot->xAxis->ticker()->setTickCount(ticks);
        plot->xAxis->setLabel(fan->fan   ? PlotView::tr("point or ← →, let go to take, Esc: nothing")
                              : abscissa ? written_name(abscissa_name)
                                         : PlotView::tr("step"));
        labels_->labels.clear();
        if (fan->fan) return setFan(set);
        plot->yAxis->setScaleType(set.log ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
        if (set.log) {
            plot->yAxis->setTicker(log_);
            plot->yAxis->setNumberFormat("eb"); // powers of ten
            plot->yAxis->setNumberPrecision(0);
            plot->yAxis->setRange(set.least * 0.8, set.greatest * 1.25);
        } else {
            setLinear(bounded_ ? 0 : std::min(0.0, set.least * 1.05),
                      bounded_ ? 1.02 : set.greatest > 0 ? set.greatest * 1.08 : 1);
        }
        if (named() > 1)
            for (const Curve& curve : set.curves)
                if (curve.selected && !curve.sparse && std::isfinite(curve.points.back().value))
                    labels_->labels.push_back({names_[static_cast<qsizetype>(curve.name)],
                                               {static_cast<double>(curve.points.back().iteration), curve.points.back().value},
                                               curve.name == 0});
        cursor->cursor = set.cursor;
        plot->setVisible(set.planned > 0);
        plot->replotSoon();
    }

    /// Where the curves are from that step on, with the value beside the cursor; in the view's pixels.
    QRectF beyond(StepIndex from) const {
        const QRectF axes = QRectF(plot->axisRect()->rect()).translated(plot->pos());
        const double x = plot->pos().x() + plot->xAxis->coordToPixel(static_cast<double>(from) - 0.5);
        return QRectF(QPointF(std::clamp(x, axes.left(), axes.right()), axes.top()), axes.bottomRight());
    }

    Plot* plot; // owned by the view, as its child
    CursorItem* cursor;
    FanItem* fan;
    std::optional<Abscissa> abscissa; ///< of the next set()
    int ticks = 4;                    ///< along the steps, about so many

private:
    /// The axes show what the futures cover, and as much of what led there.
    void setFan(const CurveSet& set) {
        const Fan& open = *fan->fan;
        const auto [from, until] = fan_steps(open, plot->axisRect()->width());
        plot->xAxis->setRange(static_cast<double>(from), static_cast<double>(until));
        plot->yAxis->setScaleType(QCPAxis::stLinear);
        const double room = std::max(1e-9, fan->curves.greatest - fan->curves.least);
        const double least = bounded_ ? std::max(0.0, fan->curves.least - 0.1 * room) : fan->curves.least - 0.1 * room;
        setLinear(least < 0 && fan->curves.least >= 0 ? 0 : least, fan->curves.greatest + 0.1 * room);
        cursor->cursor = set.cursor;
        plot->setVisible(true);
        plot->replotSoon();
    }
    /// At most six ticks at 1, 2 or 5 times a power of ten, all with the same digits.
    void setLinear(double from, double until) {
        const double power = std::pow(10.0, std::floor(std::log10((until - from) / 5)));
        double step = power;
        for (const double times : {2.0, 5.0, 10.0})
            if ((until - from) / step > 5.2) step = power * times;
        linear_->setTickStep(step);
        plot->yAxis->setTicker(linear_);
        const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
        const bool readable = decimals <= 4 && std::max(std::abs(from), std::abs(until)) < 1e6;
        plot->yAxis->setNumberFormat(readable ? "f" : "eb");
        plot->yAxis->setNumberPrecision(readable ? decimals : 1);
        constexpr double stroke = 0.012; // of the height: a curve that lies on the axis is not cut in half
        plot->yAxis->setRange(from == 0 ? -stroke * until : from, until);
    }

    /// Curves of one name need none: the title says it.
    qsizetype named() const { return QSet<QString>(names_.begin(), names_.end()).size(); }

    /// Names stand beyond the axis, at the ends of their curves.
    void makeRoom() {
        double widest = 0;
        const TextMetrics metrics(text_font(metrics::small_text, QFont::DemiBold));
        if (named() > 1)
            for (const QString& name : names_) widest = std::max(widest, metrics.horizontalAdvance(name) + 10);
        plot->axisRect()->setMinimumMargins(QMargins(8, 24, 22 + static_cast<int>(widest), 4));
    }

    bool bounded_;
    QStringList names_; ///< of the series, as the curves' ends say them
    LabelsItem* labels_;
    QSharedPointer<QCPAxisTickerFixed> linear_;
    QSharedPointer<QCPAxisTickerLog> log_;
    QSharedPointer<QCPAxisTicker> steps_;
    QSharedPointer<AbscissaTicker> over_;
};

PlotView::PlotView(const Theme& theme, std::vector<std::string> series, Scale scale, QWidget* parent)
    : View(theme, QString(), parent), book_(series, scale == Scale::decades), names_(std::move(series)) {
    chart_ = std::make_unique<Chart>(this, scale == Scale::share);
    setMinimumHeight(150);
    chart_->name(words());
    chart_->apply(theme);
    updateTitle();
    setNote(usualNote());
    chart_->plot->setMouseTracking(true);
    const auto moved = [this](QMouseEvent* event) {
        if (chart_->fan->fan) {
            if (event->type() == QEvent::MouseMove) emit futureChosen(chart_->fan->picture.at(event->position()));
            else if (event->button() == Qt::LeftButton) emit futureTaken();
            return;
        }
        if (event->buttons() & Qt::LeftButton)
            emit cursorMoved(std::llround(chart_->plot->xAxis->pixelToCoord(event->position().x())));
    };
    connect(chart_->plot, &QCustomPlot::mousePress, this, moved);
    connect(chart_->plot, &QCustomPlot::mouseMove, this, moved);
}

PlotView::~PlotView() = default;

void PlotView::setTheme(const Theme& theme) {
    Panel::setTheme(theme);
    chart_->apply(theme);
    chart_->set(curves_, theme);
}

void PlotView::retranslate() {
    updateTitle();
    if (!chart_->fan->fan) setNote(usualNote()); // else the next look says it
    seen_ = {};
    chart_->name(words());
    chart_->apply(theme()); // a language has its own smallest size
    chart_->set(curves_, theme());
}

QStringList PlotView::words() const {
    QStringList out;
    for (const std::string& name : names_) out << series_words(name.starts_with("test_") ? name.substr(5) : name); // dots on that curve
    return out;
}

/// Of names that the card gives, a Run has some: the first of them says what the panel is about.
void PlotView::updateTitle() { setTitle(series_words(main_.value_or(names_.front()))); }

QString PlotView::usualNote() const {
    const bool tested = std::find(names_.begin(), names_.end(), "test_accuracy") != names_.end();
    return tested && names_.size() > 1 ? tr("line: batch, ◇: test set") : QString();
}

void PlotView::present(const Look& look) {
    const auto& runs = look.runs;
    const Fan* fan = look.fan;
    const std::size_t selected = fan ? fan->run : look.state.run;
    const StepIndex cursor = fan ? fan->iteration : look.state.cursor.iteration;
    Seen seen{{}, selected, cursor, std::max(1, chart_->plot->axisRect()->width()), {}, fan ? fan->chosen : -2};
    const auto see = [&](const Run* run) {
        seen.runs.push_back(run);
        for (const std::string& name : names_)
            if (const Series* series = run ? run->find_series(name) : nullptr) seen.sizes.push_back(series->size());
    };
    for (const auto& run : runs) see(run.get());
    for (std::size_t i = 0; fan && i < fan->futures.size(); ++i) see(fan->futures[i].run.get());
    if (seen == seen_ && curves_.complete) return;
    chart_->abscissa = fan ? std::nullopt : abscissa_of(*look.run());
    chart_->ticks = sparse() && !chart_->abscissa ? 2 : 4; // steps have long numbers
    seen_ = std::move(seen);
    const auto main = std::find_if(names_.begin(), names_.end(), [&](const std::string& name) { return look.run()->find_series(name); });
    main_ = main == names_.end() ? std::nullopt : std::optional(*main);
    updateTitle();
    if (!fan) setNote(usualNote());
    if (fan && main_ && !veiled()) return presentFan(look); // a prediction hides the futures, too
    chart_->fan->fan.reset();
    curves_ = veiled() ? book_.look(runs, selected, cursor, seen_.columns, look.scratch, 0, veil().from)
                       : book_.look(runs, selected, cursor, seen_.columns, look.scratch);
    chart_->set(curves_, theme());
}

void PlotView::presentFan(const Look& look) {
    const Fan& fan = *look.fan;
    chart_->fan->fan = fan;
    chart_->fan->curves = fan_curves(fan, *main_);
    const std::vector<std::shared_ptr<const Run>> decided(look.runs.begin(), look.runs.end() - static_cast<std::ptrdiff_t>(look.scratch));
    const auto [from, until] = fan_steps(fan, seen_.columns);
    curves_ = book_.look(decided, fan.run, fan.iteration, seen_.columns, 0, from, until);
    // What led there; the run's own way on is one future among the others, and of it no more is known than of them.
    std::erase_if(curves_.curves, [&](const Curve& curve) { return curve.run != fan.run || curve.sparse || names_[curve.name] != *main_; });
    const StepIndex mean = chart_->fan->curves.smoothing;
    for (Curve& curve : curves_.curves) curve.points = trailing_mean(*decided[fan.run], *main_, mean, from, fan.iteration);
    const QString now = setting_symbol(fan) + ' ' + QString::number(fan.now, 'g', 3);
    setNote(mean > 1 ? tr("now %1, %2 steps, mean of %3").arg(now).arg(fan.horizon).arg(mean)
                     : tr("now %1, %2 steps ahead").arg(now).arg(fan.horizon));
    if (mean > 1) curves_.cursor.value.reset(); // the step's own value lies on no curve that is shown
    chart_->set(curves_, theme());
}

bool PlotView::veiled() const {
    return std::any_of(names_.begin(), names_.end(), [&](const std::string& name) { return veil().hides(QString::fromStdString(name)); });
}

void PlotView::setVeil(const Veil& veil) {
    if (veil == this->veil()) return;
    View::setVeil(veil);
    seen_ = {}; // the next look draws it anew
}

const FanPicture& PlotView::fan() const { return chart_->fan->picture; }

std::vector<ViewItem> PlotView::items() const {
    if (const auto& fan = chart_->fan->fan) {
        std::vector<ViewItem> out;
        const QPointF corner = chart_->plot->pos();
        for (std::size_t i = 0; i < chart_->fan->picture.lines.size(); ++i) {
            const FanLine& line = chart_->fan->picture.lines[i];
            const auto& curve = chart_->fan->curves.curves[i];
            const QRectF box = QPolygonF(QVector<QPointF>(line.points.begin(), line.points.end())).boundingRect();
            out.push_back({box.translated(corner), QStringLiteral("future %1").arg(i), future_name(*fan, i),
                           line.broken ? QStringLiteral("✕ NaN") : curve.empty() ? QString() : three_digits(curve.back().value),
                           Provenance::computed, Role::metric});
        }
        return out;
    }
    if (veiled() && curves_.planned > 0) { // one cover for all: the others tell of the hidden one
        const auto hidden = std::find_if(names_.begin(), names_.end(), [&](const std::string& name) { return veil().hides(QString::fromStdString(name)); });
        return {{chart_->beyond(veil().from), QString::fromStdString(*hidden), series_words(*hidden),
                 curves_.cursor.value ? three_digits(*curves_.cursor.value) : QString(), Provenance::computed, Role::metric}};
    }
    if (!curves_.cursor.value || !main_) return {};
    return {{contents(), QString::fromStdString(*main_), series_words(*main_), three_digits(*curves_.cursor.value),
             Provenance::computed, Role::metric}};
}

void PlotView::resizeEvent(QResizeEvent*) {
    chart_->plot->setGeometry(contents().adjusted(-10, -8, 16, 10).toRect());
}

} // namespace gradus
