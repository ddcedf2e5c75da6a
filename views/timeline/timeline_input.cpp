// What people do on the timeline, and what it says to everything that reads a view without looking at it.
#include "views/derive/event_words.hpp"
#include "views/theme/numbers.hpp"
#include "views/timeline/timeline_view.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

constexpr double zoom_step = 0.8;

/// An op as a card names it: "layer1/matmul".
QString name_in_cards(const EventSite& site) { return QString::fromStdString(site.module + "/" + site.name); }

Role role_of(Phase phase) {
    switch (phase) {
    case Phase::data: return Role::data;
    case Phase::forward: return Role::activation;
    case Phase::backward: return Role::gradient;
    case Phase::update: return Role::optimizer_state;
    case Phase::evaluate: return Role::metric;
    }
    return Role::metric;
}

} // namespace

std::vector<ViewItem> TimelineView::items() const {
    std::vector<ViewItem> out;
    if (!message().isEmpty()) return out;
    for (const TimelineItem& item : timeline_.items) {
        const TimelineBar& bar = model_.lanes[item.lane].bars[item.first];
        const bool one = item.count == 1;
        out.push_back({item.rect, QStringLiteral("event %1").arg(bar.ordinal),
                       one ? event_word(model_.site_of(bar)) : tr("%1 events").arg(item.count),
                       one ? with_prefix(bar.length(), "s", model_.clock_step) : QString(), Provenance::measured, role_of(bar.phase),
                       one ? QStringList(name_in_cards(model_.site_of(bar))) : QStringList()});
    }
    for (const OpTableItem& item : rows_.items) {
        const OpRow& row = table_.rows[item.row];
        out.push_back({item.rect, QStringLiteral("op %1").arg(row.site), row.name,
                       three_digits(100 * row.share) + QStringLiteral(" %, ") + with_prefix(row.seconds, "s"),
                       Provenance::measured, role_of(row.phase),
                       row.site < 0 ? QStringList()
                                    : QStringList(name_in_cards(table_.run->sites()[static_cast<std::size_t>(row.site)]))});
    }
    return out;
}

void TimelineView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    for (std::size_t i = 0; i < 2; ++i)
        if (toggle_[i].contains(event->position())) return setMode(i == 0 ? Mode::step : Mode::all);
    pressing_ = true;
    dragged_ = false;
    pressed_ = event->position();
    span_then_ = span_;
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
    pointer_ = event->position();
    const bool bars = mode_ == Mode::step && timeline_.area.width() > 1;
    if (pressing_ && bars && std::abs(event->position().x() - pressed_.x()) >= 4) dragged_ = true;
    if (dragged_) {
        const double by = (pressed_.x() - event->position().x()) * span_then_.length() / timeline_.area.width();
        moveTo({span_then_.from + by, span_then_.until + by});
    }
    update();
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
    const bool click = pressing_ && !dragged_;
    pressing_ = dragged_ = false;
    if (!click) return;
    std::int32_t ordinal = -1;
    if (const TimelineItem* item = timeline_.at(event->position()); item && item->count == 1)
        ordinal = model_.lanes[item->lane].bars[item->first].ordinal;
    else if (const OpTableItem* row = rows_.at(event->position())) ordinal = table_.rows[row->row].ordinal;
    if (ordinal >= 0) emit eventChosen(ordinal);
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (timeline_.area.contains(event->position()) || timeline_.axis.contains(event->position())) fit();
    else mousePressEvent(event);
}

void TimelineView::wheelEvent(QWheelEvent* event) {
    const QPoint turn = event->angleDelta();
    const bool over_bars = mode_ == Mode::step && event->position().y() <= timeline_.area.bottom();
    if (!over_bars) scroll(-turn.y() / 60.0);
    else if (event->modifiers() & Qt::ShiftModifier || std::abs(turn.x()) > std::abs(turn.y())) {
        const double by = -(turn.x() + (event->modifiers() & Qt::ShiftModifier ? turn.y() : 0)) / 1200.0 * span_.length();
        moveTo({span_.from + by, span_.until + by});
    } else zoom(std::pow(zoom_step, turn.y() / 120.0), event->position().x());
    event->accept();
}

bool TimelineView::event(QEvent* event) {
    if (event->type() == QEvent::NativeGesture) {
        const auto* gesture = static_cast<QNativeGestureEvent*>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture) zoom(1 / std::max(0.1, 1 + gesture->value()), gesture->position().x());
        return true;
    }
    if (event->type() == QEvent::ShortcutOverride) { // else the window would take them
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Plus || key == Qt::Key_Equal || key == Qt::Key_Minus || key == Qt::Key_0) event->accept();
    }
    return View::event(event);
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
    const double middle = timeline_.area.center().x();
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoom(zoom_step, middle); return;
    case Qt::Key_Minus: zoom(1 / zoom_step, middle); return;
    case Qt::Key_0: fit(); return;
    default: View::keyPressEvent(event);
    }
}

void TimelineView::leaveEvent(QEvent*) {
    pointer_.reset();
    update();
}

} // namespace gradus
