#include "views/overview/run_strips.hpp"

#include "views/derive/event_words.hpp"
#include "views/derive/main_series.hpp"
#include "views/theme/cover_painter.hpp"
#include "views/theme/provenance_mark.hpp"
#include "views/theme/words.hpp"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

constexpr double label_height = 15, lens_height = 9, edge = 5; // pixels

double band_height(double height) { return std::clamp(height * 0.21, 4.0, 20.0); }

} // namespace

RunStrips::RunStrips(const Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    setAccessibleName(tr("Whole run and steps"));
}

void RunStrips::setTheme(const Theme& theme) {
    theme_ = theme;
    whole_.forget();
    update();
}

void RunStrips::setVeil(const Veil& veil) {
    if (veil == veil_) return;
    veil_ = veil;
    whole_.forget();
    widths_.setEven(veil_.hidesWork());
    lay();
    update();
}

QSize RunStrips::sizeHint() const {
    const auto more = std::clamp<qsizetype>(static_cast<qsizetype>(runs_.size()) - 2, 0, 2);
    return {560, 72 + static_cast<int>(fork_row_height) * static_cast<int>(more)};
}

void RunStrips::present(const Look& look, std::optional<StepIndex> prepared) {
    const Cursor& cursor = look.state.cursor;
    std::vector<std::int64_t> seen{static_cast<std::int64_t>(look.state.run), cursor.iteration, cursor.ordinal,
                                   static_cast<std::int64_t>(cursor.level), static_cast<std::int64_t>(look.state.ruler),
                                   look.planned, prepared.value_or(-1), width(), height(),
                                   reinterpret_cast<std::intptr_t>(look.full.get())};
    for (const auto& run : look.runs) {
        seen.push_back(reinterpret_cast<std::intptr_t>(run.get())); // a scratch fork gives way to another of its length
        seen.push_back(run->head());
        seen.push_back(static_cast<std::int64_t>(run->state()));
        seen.push_back(static_cast<std::int64_t>(run->edits().size()));
    }
    seen.insert(seen.end(), look.state.bookmarks.begin(), look.state.bookmarks.end());
    const bool moved = cursor.iteration != state_.cursor.iteration || seen_.empty() || look.planned != planned_;
    const bool other = seen != seen_;
    if (look.runs.size() != runs_.size()) updateGeometry();
    if (other) { // held for the mouse, which comes between frames
        seen_ = std::move(seen);
        runs_ = look.runs;
        state_ = look.state;
        full_ = look.full;
        prepared_ = prepared;
        planned_ = look.planned;
    }
    if (const std::string wanted = look.runs.empty() ? std::string() : main_series(*look.runs[0]); wanted != curve_.series()) curve_ = OutcomeCurve(wanted);
    const bool grown = curve_.grow(look.runs, planned_, std::max(1, static_cast<int>(overview_.area.width())));
    const bool widths = widths_.look(look);
    if (!other && !grown && !widths) return;
    if (moved) window_ = usual_ ? page_of(cursor.iteration, planned_, steps_.area.width()) : following(window_, cursor.iteration, planned_, steps_.area.width());
    lay();
}

void RunStrips::lay() {
    if (runs_.empty()) return;
    const TextMetrics fm(text_font(metrics::small_text));
    const double words = std::max({fm.horizontalAdvance(tr("whole run")), fm.horizontalAdvance(tr("run, log")), fm.horizontalAdvance(tr("steps")), 44.0}) + 14;
    gutter_ = QRectF(0, 0, width() >= 240 ? std::ceil(words) : 0, height());
    const QRectF inside = QRectF(rect()).adjusted(gutter_.width() + 6, 0, -6, 0);
    const double bands = band_height(height());
    const QRectF labels(inside.left(), height() - label_height, std::max(0.0, inside.width()), label_height);
    const QRectF area(inside.left(), labels.top() - 2 - bands, labels.width(), bands);
    const QRectF whole(inside.left(), 0, labels.width(), std::max(1.0, area.top() - lens_height));
    window_ = usual_ && steps_.area.width() != area.width() ? page_of(state_.cursor.iteration, planned_, area.width())
                                                           : clamped(window_, planned_, area.width());
    // A Run grows meanwhile: its length is taken first, so that what is drawn of less is drawn again.
    std::vector<std::int64_t> drawn{static_cast<std::int64_t>(state_.run), planned_, prepared_.value_or(-1), width(), height()};
    for (const auto& run : runs_)
        drawn.insert(drawn.end(), {static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(run.get())), run->head(), static_cast<std::int64_t>(run->state()), static_cast<std::int64_t>(run->edits().size())});
    drawn.insert(drawn.end(), state_.bookmarks.begin(), state_.bookmarks.end());
    curve_.grow(runs_, planned_, std::max(1, static_cast<int>(whole.width())));
    overview_ = make_overview(look(), prepared_, window_, curve_, whole);
    steps_ = make_steps(look(), window_, widths_, area, labels);
    steps_.area = area;
    if (drawn != whole_of_) whole_.forget();
    whole_of_ = std::move(drawn);
    setAccessibleDescription(steps_.place);
    update();
}

void RunStrips::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        setAccessibleName(tr("Whole run and steps"));
        whole_.forget(); // branches are named there
        lay();
    }
    QWidget::changeEvent(event);
}

void RunStrips::resizeEvent(QResizeEvent*) { lay(); }

void RunStrips::paintEvent(QPaintEvent*) {
    if (runs_.empty()) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    whole_.show(painter, *this, [this](QPainter& once) {
        once.setRenderHint(QPainter::Antialiasing);
        if (veiled()) paint_cover(once, overview_.curve, theme_);
        paint_overview(once, overview_, veiled() ? OutcomeCurve(std::string()) : curve_, state_.run, runs_, theme_);
    });
    paint_frame(painter, overview_, steps_, theme_);
    const OverviewBranch* fork = nullptr;
    for (const OverviewBranch& branch : overview_.branches)
        if (branch.selected && (branch.parameter || branch.setting)) fork = &branch;
    paint_steps(painter, steps_, overview_.marks, fork, runs_[state_.run]->first_iteration(), theme_);
    paintGutter(painter);
    if (!hover_ || grip_ != Grip::none) return;
    painter.setPen(QPen(theme_.ink, 1));
    const QRectF& under = gripAt(*hover_) == Grip::steps ? steps_.area : overview_.area;
    const double x = std::clamp(hover_->x(), under.left(), std::max(under.left(), under.right()));
    painter.drawLine(QPointF(x, under.top()), QPointF(x, under.bottom()));
}

/// What each strip shows, and what the widths of bands mean.
void RunStrips::paintGutter(QPainter& painter) const {
    if (gutter_.width() < 1 || overview_.branches.empty()) return;
    painter.setFont(text_font(metrics::small_text));
    painter.setPen(theme_.ink2);
    const auto line = [&](double y) { return QRectF(0, y - 8, gutter_.width() - 4, 16); };
    const Qt::Alignment right = Qt::AlignRight | Qt::AlignVCenter;
    draw_text(painter, line(std::max(9.0, overview_.branches.front().start.y() - 5)), right, curve_.log() ? tr("run, log") : tr("whole run"));
    draw_text(painter, line(steps_.area.center().y()), right, tr("steps"));
    const bool counted = state_.ruler == Ruler::flops || state_.ruler == Ruler::bytes;
    const QString word = state_.ruler == Ruler::flops ? tr("FLOPs") : state_.ruler == Ruler::bytes ? tr("bytes") : tr("time");
    const QRectF foot = line(height() - label_height / 2);
    draw_text(painter, foot, right, word);
    const Provenance provenance = counted ? Provenance::counted : Provenance::measured;
    const double x = foot.right() - TextMetrics(painter.font()).horizontalAdvance(word) - provenance_width(provenance, 8);
    paint_provenance(painter, {x, foot.center().y() + 4}, provenance, 8, theme_.ink2);
}

// --- the mouse ---------------------------------------------------------------------------------------------------

RunStrips::Grip RunStrips::gripAt(QPointF position) const {
    if (position.y() >= steps_.area.top() - lens_height / 2) return Grip::steps;
    const QRectF& frame = overview_.frame;
    if (position.x() < frame.left() - edge || position.x() > frame.right() + edge) return Grip::whole;
    const double inside = std::clamp((frame.width() - 12) / 2, 1.0, edge); // a narrow one is mostly there to be dragged
    if (position.x() < frame.left() + inside) return Grip::left;
    if (position.x() > frame.right() - inside) return Grip::right;
    return Grip::frame;
}

void RunStrips::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || runs_.empty()) return;
    grip_ = gripAt(event->position());
    dragged_ = false;
    pressed_ = event->position();
    window_then_ = window_;
    frame_then_ = overview_.frame;
    cursor_then_ = asked_ = state_.cursor.iteration;
    if (grip_ == Grip::whole || grip_ == Grip::steps) drag(event->position());
}

void RunStrips::mouseMoveEvent(QMouseEvent* event) {
    if (grip_ != Grip::none) {
        if (std::abs(event->position().x() - pressed_.x()) >= 3) dragged_ = true;
        if (dragged_) drag(event->position());
        return;
    }
    const Grip grip = gripAt(event->position());
    setCursor(grip == Grip::left || grip == Grip::right ? Qt::SplitHCursor
              : grip == Grip::frame                     ? Qt::OpenHandCursor
                                                        : Qt::PointingHandCursor);
    hover_ = event->position();
    update();
}

void RunStrips::mouseReleaseEvent(QMouseEvent* event) {
    if (grip_ == Grip::frame && !dragged_) go(overview_.iteration_at(event->position().x()));
    grip_ = Grip::none;
}

void RunStrips::mouseDoubleClickEvent(QMouseEvent* event) {
    if (gripAt(event->position()) == Grip::steps || runs_.empty()) return mousePressEvent(event);
    usual_ = true;
    window_ = page_of(state_.cursor.iteration, planned_, steps_.area.width());
    lay();
}

void RunStrips::drag(QPointF position) {
    const double width = steps_.area.width();
    switch (grip_) {
    case Grip::none: return;
    case Grip::whole: go(overview_.iteration_at(position.x())); return;
    case Grip::steps: choose(position); return;
    case Grip::frame: { // the cursor keeps its place in the frame
        const double by = overview_.iterations_at(position.x()) - overview_.iterations_at(pressed_.x());
        const StepIndex last = std::max<StepIndex>(0, runs_[state_.run]->head() - 1);
        const StepIndex to = std::clamp<StepIndex>(cursor_then_ + std::llround(by), 0, last);
        window_ = clamped({window_then_.first + static_cast<double>(to - cursor_then_), window_then_.count}, planned_, width);
        usual_ = false;
        lay();
        go(to);
        return;
    }
    case Grip::left:
    case Grip::right: {
        const bool right = grip_ == Grip::right;
        const double reach = right ? position.x() - frame_then_.left() : frame_then_.right() - position.x();
        window_ = zoomed(window_then_, std::max(1.0, reach) / std::max(1.0, frame_then_.width()), right ? 0 : 1, planned_, width);
        usual_ = false;
        lay();
        return;
    }
    }
}

void RunStrips::go(StepIndex iteration) {
    const StepIndex last = std::max<StepIndex>(0, runs_[state_.run]->head() - 1);
    iteration = std::clamp<StepIndex>(iteration, 0, last);
    if (iteration == asked_) return;
    asked_ = iteration;
    emit cursorMoved(iteration);
}

void RunStrips::choose(QPointF position) {
    const Run& run = *runs_[state_.run];
    const StepIndex iteration = steps_.iteration_at(position.x(), planned_);
    const QRectF slot = steps_.slot_of(iteration);
    go(iteration);
    if (iteration >= run.head() || state_.cursor.level < Level::phase || slot.width() <= 0) return;
    const double share = (position.x() - slot.left()) / slot.width();
    const std::int32_t ordinal = event_at(widths_.plan(), run, widths_.extents(iteration), share, state_.cursor.level);
    if (ordinal >= 0) emit eventChosen(ordinal);
}

void RunStrips::zoom(double factor, double x) {
    if (runs_.empty() || steps_.area.width() < 1) return;
    const double share = std::clamp((x - steps_.area.left()) / steps_.area.width(), 0.0, 1.0);
    window_ = zoomed(window_, factor, share, planned_, steps_.area.width());
    usual_ = false;
    lay();
}

void RunStrips::wheelEvent(QWheelEvent* event) {
    const bool below = event->position().y() >= steps_.area.top() - lens_height;
    // Above, the pointer's place is one of the whole run: what is zoomed there stays where the cursor stands.
    const double x = below ? event->position().x() : steps_.cursor >= 0 ? steps_.cursor : steps_.area.center().x();
    zoom(std::pow(0.85, event->angleDelta().y() / 120.0), x);
    event->accept();
}

void RunStrips::leaveEvent(QEvent*) {
    hover_.reset();
    update();
}

bool RunStrips::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        const QString said = runs_.empty() ? QString() : sayAt(help->pos());
        if (said.isEmpty()) QToolTip::hideText();
        else QToolTip::showText(help->globalPos(), said, this);
        return true;
    }
    if (event->type() == QEvent::NativeGesture) {
        const auto* gesture = static_cast<QNativeGestureEvent*>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture) zoom(1 / std::max(0.1, 1 + gesture->value()), gesture->position().x());
        return true;
    }
    return QWidget::event(event);
}

} // namespace gradus
