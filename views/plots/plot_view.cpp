#include "views/plots/plot_view.hpp"

#include "engine/trace/derive/trailing_mean.hpp"
#include "views/derive/fan_words.hpp"
#include "views/derive/main_series.hpp"
#include "views/derive/series_words.hpp"
#include "views/plots/series_chart.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/words.hpp"

#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <iterator>

namespace gradus {

PlotView::PlotView(const Theme& theme, std::vector<std::string> series, Scale scale, QWidget* parent)
    : View(theme, QString(), parent), book_(series, scale == Scale::decades), names_(std::move(series)) {
    chart_ = std::make_unique<SeriesChart>(this, scale == Scale::share);
    setMinimumHeight(150);
    chart_->name(words());
    chart_->apply(theme);
    updateTitle();
    setUsualNote();
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
    if (!chart_->fan->fan) setUsualNote(); // else the next look says it
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

/// Of names that the card gives, a Run has some: they say what the panel is about. Dots on a curve need no second name.
void PlotView::updateTitle() {
    QStringList words;
    for (const std::string& name : there_)
        if (words.isEmpty() || !name.starts_with("test_")) words << series_words(name);
    setTitle(words.isEmpty() ? series_words(names_.front()) : words.join(QStringLiteral(", ")));
}

/// In class the marks of a chart are explained, too.
void PlotView::setUsualNote() {
    const QString note = usualNote();
    setNote(note, note);
}

QString PlotView::usualNote() const {
    const bool tested = std::find(names_.begin(), names_.end(), "test_accuracy") != names_.end();
    const bool mean = curves_.mean_of > 0;
    const auto longest = [this](const QStringList& choices) {
        const double room = contents().width() - TextMetrics(text_font(metrics::text, QFont::DemiBold)).horizontalAdvance(title()) - metrics::gap;
        const auto fits = [&](const QString& words) { return TextMetrics(sparse() ? text_font(metrics::small_text) : note_font(words)).horizontalAdvance(words) <= room; };
        const auto found = std::find_if(choices.begin(), choices.end(), fits);
        return found == choices.end() ? choices.back() : *found;
    };
    const StepIndex of = curves_.mean_of;
    if (tested && names_.size() > 1)
        return mean ? longest({tr("pale: batch, line: mean of %1, ◇: test set").arg(of), tr("line: batch, mean of %1, ◇: test set").arg(of),
                               tr("pale: batch, ◇: test set"), tr("◇: test set")})
                    : longest({tr("line: batch, ◇: test set"), tr("◇: test set")});
    return mean ? longest({tr("pale: each step, line: mean of %1").arg(of), tr("line: mean of %1 steps").arg(of)}) : QString();
}

void PlotView::present(const Look& look) {
    const auto& runs = look.runs;
    const Fan* fan = look.fan;
    const std::size_t selected = fan ? fan->run : look.state.run;
    const StepIndex cursor = fan ? fan->iteration : look.state.cursor.iteration;
    Seen seen{{}, selected, cursor, std::max(1, chart_->plot->axisRect()->width()), {}, fan ? fan->chosen : -2, !fan && valueIsLater(look)};
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
    there_.clear();
    std::copy_if(names_.begin(), names_.end(), std::back_inserter(there_), [&](const std::string& name) { return look.run()->find_series(name); });
    main_ = there_.empty() ? std::nullopt : std::optional(there_.front());
    updateTitle();
    if (fan && main_ && !veiled()) return presentFan(look); // a prediction hides the futures, too
    chart_->fan->fan.reset();
    curves_ = veiled() ? book_.look(runs, selected, cursor, seen_.columns, look.scratch, 0, veil().from)
                       : book_.look(runs, selected, cursor, seen_.columns, look.scratch);
    setRoles(*look.run());
    curves_.cursor.later = seen_.later;
    setUsualNote();
    chart_->set(curves_, theme());
}

/// A curve has the colour of what its numbers are.
void PlotView::setRoles(const Run& run) {
    roles_.resize(names_.size());
    for (Curve& curve : curves_.curves) {
        std::optional<Role>& role = roles_[curve.name];
        if (!role) role = series_role(run, names_[curve.name]);
        curve.role = role.value_or(Role::metric);
    }
}

/// A series that is a tensor too, as the loss is, has its value only when an op has made that.
bool PlotView::valueIsLater(const Look& look) {
    const Cursor& cursor = look.state.cursor;
    if (cursor.level <= Level::iteration || !main_) return false;
    const auto tensors = look.run()->tensors_of(cursor.iteration);
    const RecordedTensor* made = tensors ? tensor_of_series(*tensors, *main_) : nullptr;
    const bool state = made && (made->role == Role::parameter || made->role == Role::optimizer_state); // the step begins with it
    return made && !state && made->id.event.iteration == cursor.iteration && reach_.of(look.run(), cursor).before(made->id.event);
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
    setRoles(*look.run());
    chart_->fan->role = series_role(*look.run(), *main_).value_or(Role::metric);
    const StepIndex mean = chart_->fan->curves.smoothing;
    for (Curve& curve : curves_.curves) {
        curve.points = trailing_mean(*decided[fan.run], *main_, mean, from, fan.iteration);
        curve.means.clear();
    }
    const QString now = setting_symbol(fan) + ' ' + three_digits(fan.now);
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
