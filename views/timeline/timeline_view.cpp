#include "views/timeline/timeline_view.hpp"

#include "views/derive/event_words.hpp"
#include "views/state/zoom.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/paragraph.hpp"
#include "views/theme/provenance_mark.hpp"
#include "views/theme/words.hpp"
#include "views/timeline/timeline_painter.hpp"

#include <QDateTime>
#include <QPaintEngine>
#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

constexpr qint64 patience_ms = 200;            // shorter waits are not worth a word
constexpr std::size_t events_per_frame = 20'000; // half a millisecond
constexpr std::size_t few_steps = 5;           // of fewer a median says little
constexpr double headline_height = 22, table_gap = 14, least_table = 4 * op_row_height; // heading and three rows

} // namespace

TimelineView::TimelineView(const Theme& theme, QWidget* parent) : View(theme, tr("Timeline"), parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus); // + - 0 are for it while it has the focus
    setMinimumSize(120, 100);
}

void TimelineView::setTheme(const Theme& theme) {
    upper_.forget();
    list_.forget();
    View::setTheme(theme);
}

void TimelineView::retranslate() {
    setTitle(tr("Timeline"));
    if (run_) tabulate(); // its rows are named
    lay();
}

/// The table of the mode, from what is there.
void TimelineView::tabulate() {
    table_of_ = mode_ == Mode::all ? times_.iterations() : 0;
    table_ = mode_ == Mode::all ? make_op_table(run_, times_) : make_op_table(model_);
}

void TimelineView::setMode(Mode mode) {
    if (mode == mode_) return;
    mode_ = mode;
    scrolled_ = 0;
    table_ = {};
    if (run_) tabulate();
    lay();
}

void TimelineView::present(const Look& look) {
    const bool other = look.run() != run_;
    run_ = look.run();
    const bool complete = times_.grow(run_, events_per_frame);
    const std::size_t steps = times_.iterations();
    // While much is unread the numbers would dance; later two in a hundred steps more change nothing one could see.
    const bool due = complete && (table_of_ == 0 ? steps > 0 : steps > table_of_ + table_of_ / 50);
    if (mode_ == Mode::all && (other || due)) {
        tabulate();
        lay();
    }
    if (other) usual_ = 0, usual_of_ = 0;
    if (complete && steps > usual_of_ + usual_of_ / 50) {
        usual_of_ = steps;
        usual_ = medianStep();
        upper_.forget();
        update();
    }
    take(look);
    if (look.state.cursor.ordinal != cursor_) {
        cursor_ = look.state.cursor.ordinal;
        update();
    }
}

/// Of what is observed, by which one sees whether a step was a usual one.
double TimelineView::medianStep() const {
    for (std::size_t site = 0; times_.iterations() >= few_steps && site < run_->sites().size(); ++site)
        if (run_->sites()[site].level == Level::iteration) return times_.median(static_cast<std::int32_t>(site));
    return 0;
}

/// The cursor's iteration: as it was measured when it ran, else as it was computed again.
void TimelineView::take(const Look& look) {
    const StepIndex iteration = look.state.cursor.iteration;
    std::shared_ptr<const Run> owner = run_; // a fork shares its past
    while (iteration < owner->first_iteration() && owner->parent()) owner = owner->parent();
    wanted_ = iteration;
    const bool shown = model_.iteration == iteration && !model_.lanes.empty() &&
                       model_.run == (model_.again ? look.full : owner);
    if (shown) {
        waiting_since_ms_ = -1;
        return;
    }
    TimelineModel found = make_timeline(owner, iteration, false);
    if (found.lanes.empty() && look.full && look.full != owner) found = make_timeline(look.full, iteration, true);
    if (found.lanes.empty()) {
        wait(look);
        return;
    }
    waiting_since_ms_ = -1;
    model_ = std::move(found);
    if (mode_ == Mode::step) tabulate();
    lay();
}

/// The old bars stay, with their step named, until it takes too long.
void TimelineView::wait(const Look& look) {
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    if (waiting_since_ms_ < 0) waiting_since_ms_ = now;
    computing_ = !look.full;
    progress_ = look.progress;
    if (now - waiting_since_ms_ <= patience_ms && !model_.lanes.empty()) return;
    if (!model_.lanes.empty() || model_.iteration != wanted_) {
        model_ = {};
        model_.iteration = wanted_;
        if (mode_ == Mode::step) table_ = {};
        lay();
    }
    update(); // the progress
}

QString TimelineView::message() const {
    if (mode_ == Mode::all)
        return table_.rows.empty() ? tr("No step has been observed yet.") : QString();
    if (!model_.lanes.empty() || wanted_ < 0) return {};
    if (computing_) return tr("Step %1 is being computed again, %2 %").arg(wanted_).arg(qRound(100 * progress_));
    return tr("The events of step %1 are no longer there.").arg(wanted_);
}

QString TimelineView::headline(bool in_short) const {
    if (mode_ == Mode::all) {
        if (table_.rows.empty()) return {};
        return tr("%1 observed steps, %2 in all").arg(table_.steps).arg(with_prefix(table_.total, "s"));
    }
    if (model_.lanes.empty()) return {};
    const QString took = with_prefix(model_.step_end, "s");
    if (model_.again)
        return (in_short ? tr("step %1, computed again in %2") : tr("step %1 computed again: the re-computation took %2")).arg(model_.iteration).arg(took);
    if (!in_short && model_.end > model_.step_end * 1.001)
        return tr("step %1 took %2, the evaluation after it %3").arg(model_.iteration).arg(took, with_prefix(model_.end - model_.step_end, "s"));
    constexpr double far = 2; // times the median, or a part of it
    if (usual_ > 0 && (model_.step_end > far * usual_ || far * model_.step_end < usual_))
        return (in_short ? tr("%2, unusual: median %3") : tr("step %1 took %2, unusual: the median step %3")).replace(QStringLiteral("%1"), QString::number(model_.iteration))
            .replace(QStringLiteral("%2"), took).replace(QStringLiteral("%3"), with_prefix(usual_, "s"));
    if (!in_short && usual_ > 0)
        return tr("step %1 took %2, the median step %3").arg(model_.iteration).arg(took, with_prefix(usual_, "s"));
    return tr("step %1 took %2").arg(model_.iteration).arg(took);
}

// --- layout ------------------------------------------------------------------------------------------------------

QRectF TimelineView::body() const {
    const QRectF inside = contents();
    return inside.adjusted(0, std::min(headline_height, std::max(0.0, inside.height())), 0, 0);
}

/// In the mode of one step the table stands below the bars, where there is room for some rows of it.
QRectF TimelineView::tableArea() const {
    if (mode_ == Mode::all) return body();
    const double top = timeline_.area.bottom() + table_gap;
    const QRectF area(body().left(), top, body().width(), std::max(0.0, body().bottom() - top));
    return area.height() >= least_table && area.width() >= 260 ? area : QRectF();
}

/// All that zooming and moving change.
void TimelineView::layBars() {
    timeline_ = {};
    upper_.forget();
    update();
    if (mode_ == Mode::step && !model_.lanes.empty()) {
        if (fits_) span_ = {0, model_.step_end};
        span_ = clamped(span_, model_.end);
        timeline_ = lay_out(model_, body(), span_, sparse() ? 0 : table_gap + least_table); // in class the bars are read from afar
    }
}

void TimelineView::lay() {
    layBars();
    rows_ = {};
    list_.forget();
    const QRectF area = tableArea();
    scrolled_ = std::clamp(scrolled_, 0.0, std::max(0.0, static_cast<double>(table_.rows.size()) - std::floor(area.height() / op_row_height) + 1));
    if (area.height() > 0 && !table_.rows.empty()) rows_ = lay_out(table_, area, static_cast<std::size_t>(scrolled_));
    const TextMetrics title(text_font(metrics::text - 1, QFont::DemiBold)), small(text_font(metrics::small_text, QFont::DemiBold));
    double x = metrics::inside + title.horizontalAdvance(tr("Timeline")) + metrics::gap;
    const QString words[2] = {tr("this step"), tr("all observed steps")};
    for (std::size_t i = 0; i < 2; ++i) {
        toggle_[i] = QRectF(x, 12, std::ceil(small.horizontalAdvance(words[i])) + 18, 22);
        x = toggle_[i].right() + 4;
    }
    if (sparse() || x > width() - metrics::inside) toggle_ = {}; // in class nobody points
}

void TimelineView::fit() {
    fits_ = true;
    layBars();
}

void TimelineView::moveTo(TimeSpan span) {
    span = clamped(span, model_.end);
    if (span == span_) return;
    span_ = span;
    fits_ = span_ == TimeSpan{0, model_.step_end};
    layBars();
}

void TimelineView::zoom(double factor, double x) {
    if (model_.lanes.empty() || timeline_.area.width() < 1) return;
    moveTo(zoomed(span_, factor, std::clamp((x - timeline_.area.left()) / timeline_.area.width(), 0.0, 1.0), model_.end));
}

void TimelineView::scroll(double rows) {
    scrolled_ += rows;
    lay();
}

void TimelineView::resizeEvent(QResizeEvent*) { lay(); }

// --- painting ----------------------------------------------------------------------------------------------------

void TimelineView::paintToggle(QPainter& painter) const {
    const QString words[2] = {tr("this step"), tr("all observed steps")};
    for (std::size_t i = 0; i < 2; ++i) {
        if (toggle_[i].isEmpty()) continue;
        const bool chosen = (i == 0) == (mode_ == Mode::step);
        painter.setPen(QPen(theme().ink3, 1));
        painter.setBrush(chosen ? theme().ink : theme().surface);
        painter.drawRoundedRect(toggle_[i].adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
        painter.setFont(text_font(metrics::small_text, chosen ? QFont::DemiBold : QFont::Normal));
        painter.setPen(chosen ? theme().surface : theme().ink);
        draw_text(painter, toggle_[i], Qt::AlignCenter, words[i]);
    }
}

void TimelineView::paintHeadline(QPainter& painter) const {
    const QRectF line(contents().left(), contents().top(), contents().width(), 16);
    if (headline().isEmpty() || line.width() < 40 || contents().height() < 20) return;
    painter.setFont(text_font(metrics::text - 1));
    painter.setPen(theme().ink2);
    const QPointF base(line.left(), line.top() + 12);
    paint_provenance(painter, base, Provenance::measured, 9, theme().ink2);
    const TextMetrics fm(painter.font());
    const double mark = provenance_width(Provenance::measured, 9);
    const auto said = [this](bool in_short) { return provenance_word(Provenance::measured) + QStringLiteral(" · ") + headline(in_short); };
    const QString text = said(fm.horizontalAdvance(said(false)) > line.width() - mark);
    draw_text(painter, base + QPointF(mark, 0), fm.elidedText(text, Qt::ElideRight, static_cast<int>(line.width() - mark)));
}

/// Header and bars.
void TimelineView::paintUpper(QPainter& painter) const {
    painter.setRenderHint(QPainter::Antialiasing);
    paintToggle(painter);
    const QString said = message();
    if (!said.isEmpty()) {
        painter.setFont(text_font(15));
        painter.setPen(theme().ink2);
        draw_paragraph(painter, contents(), Qt::AlignCenter, said);
        return;
    }
    paintHeadline(painter);
    if (mode_ == Mode::step) paint_timeline(painter, model_, timeline_, theme());
}

/// On a screen as a picture of its own; no higher than they are, since zooming paints them anew.
void TimelineView::paintKeptUpper(QPainter& painter) {
    if (painter.paintEngine()->type() != QPaintEngine::Raster) return paintUpper(painter);
    const bool waits = !message().isEmpty(); // with a progress that moves
    const double bottom = waits ? height() : mode_ == Mode::all ? body().top() : timeline_.area.bottom() + 2;
    if (waits) upper_.forget();
    upper_.show(painter, *this, QRect(0, 0, width(), std::clamp(qCeil(bottom), 1, std::max(1, height()))), Qt::transparent, [this](QPainter& once) { paintUpper(once); });
}

/// What the picture of the table covers, with the outline of the row one stands on.
QRect TimelineView::listArea() const {
    return rows_.items.empty() ? QRect() : tableArea().toAlignedRect().adjusted(-6, 0, 6, 0).intersected(rect());
}

QRect TimelineView::covered(const QPainter& painter) const { return covers_whole(painter) ? listArea() : QRect(); }

/// On a screen as a picture of its own, without holes, so that most frames only copy it.
void TimelineView::paintList(QPainter& painter) {
    if (painter.paintEngine()->type() != QPaintEngine::Raster) return paint_op_table(painter, table_, rows_, theme());
    const QRect area = listArea();
    list_.show(painter, *this, area, theme().surface, [this](QPainter& once) {
        once.setRenderHint(QPainter::Antialiasing);
        paint_op_table(once, table_, rows_, theme());
    });
}

void TimelineView::paintHover(QPainter& painter) const {
    if (!pointer_ || dragged_ || !message().isEmpty()) return;
    const QRectF bounds = QRectF(rect()).adjusted(6, 6, -6, -6);
    if (const TimelineItem* item = timeline_.at(*pointer_)) {
        paint_outline(painter, item->rect, timeline_.area, 1, theme());
        paint_card(painter, card_of(model_, *item, veil()), item->rect.intersected(timeline_.area), bounds, theme());
        return;
    }
    const OpTableItem* item = rows_.at(*pointer_);
    if (!item) return;
    paint_outline(painter, item->rect.adjusted(-3, 1, 3, -1), item->rect.adjusted(-4, 0, 4, 0), 1, theme());
    paint_card(painter, card_of(table_, table_.rows[item->row], veil()), item->rect, bounds, theme());
}

void TimelineView::paintEvent(QPaintEvent* event) {
    View::paintEvent(event);
    QPainter painter(this);
    paintKeptUpper(painter);
    if (!rows_.items.empty()) paintList(painter);
    if (const TimelineItem* item = timeline_.find(model_, cursor_))
        paint_outline(painter, item->rect, timeline_.area, 2, theme());
    for (const OpTableItem& item : rows_.items)
        if (cursor_ >= 0 && table_.rows[item.row].ordinal == cursor_)
            paint_outline(painter, item.rect.adjusted(-4, 1, 4, -1), item.rect.adjusted(-5, 0, 5, 0), 2, theme());
    paintHover(painter);
}

} // namespace gradus
