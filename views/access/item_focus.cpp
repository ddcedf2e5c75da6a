#include "views/access/item_focus.hpp"

#include "views/access/accessible_items.hpp"
#include "views/access/press_item.hpp"

#include <QFocusEvent>
#include <QKeyEvent>
#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

constexpr int away = 3; // pixels between an item and the ring round it

int place_of(const std::vector<ViewItem>& items, const QString& id) {
    for (std::size_t i = 0; i < items.size(); ++i)
        if (items[i].id == id) return static_cast<int>(i);
    return -1;
}

bool by_key(Qt::FocusReason reason) {
    return reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason || reason == Qt::ShortcutFocusReason;
}

} // namespace

int item_that_way(const std::vector<ViewItem>& items, int here, ItemFocus::Way way) {
    if (here < 0 || here >= static_cast<int>(items.size())) return -1;
    const QRectF& from = items[static_cast<std::size_t>(here)].rect;
    const bool level = way == ItemFocus::Way::right || way == ItemFocus::Way::left;
    const double sign = way == ItemFocus::Way::right || way == ItemFocus::Way::below ? 1 : -1;
    double best = std::numeric_limits<double>::infinity();
    int found = -1;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const QRectF& to = items[i].rect;
        const QPointF by = to.center() - from.center();
        const double along = sign * (level ? by.x() : by.y());
        if (along < 1) continue;
        const bool beside = level ? to.top() < from.bottom() && from.top() < to.bottom()
                                  : to.left() < from.right() && from.left() < to.right();
        const double across = std::abs(level ? by.y() : by.x());
        if (!beside && across > 2 * along) continue; // rather above than to the right
        const double far = along + (beside ? 0.5 : 2) * across;
        if (far >= best) continue;
        best = far;
        found = static_cast<int>(i);
    }
    if (found < 0 && way == ItemFocus::Way::right && here + 1 < static_cast<int>(items.size())) return here + 1;
    if (found < 0 && way == ItemFocus::Way::left && here > 0) return here - 1;
    return found;
}

ItemFocus::ItemFocus(QWidget* content, QObject* parent) : QObject(parent), content_(content), ring_(new FocusRing(content)) {}

void ItemFocus::watch(QWidget* widget) {
    if (watched_.contains(widget)) return;
    watched_.insert(widget);
    connect(widget, &QObject::destroyed, this, [this](QObject* gone) { watched_.remove(gone); });
    widget->installEventFilter(this);
    if (widget->focusPolicy() == Qt::NoFocus) widget->setFocusPolicy(Qt::TabFocus); // a click leaves the keys to the lesson
    else if (widget->focusPolicy() == Qt::ClickFocus) widget->setFocusPolicy(Qt::StrongFocus);
}

std::vector<ViewItem> ItemFocus::items() const {
    const auto* source = dynamic_cast<const HasItems*>(view_.data());
    std::vector<ViewItem> all;
    if (source) all = source->readable();
    std::erase_if(all, [&](const ViewItem& item) { return !item.rect.intersects(QRectF(view_->rect())); });
    return all;
}

bool ItemFocus::eventFilter(QObject* watched, QEvent* event) {
    auto* widget = static_cast<QWidget*>(watched);
    if (event->type() == QEvent::FocusIn) {
        const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
        if (widget != view_ || by_key(reason)) enter(widget, by_key(reason));
    } else if (event->type() == QEvent::FocusOut) {
        const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
        if (reason != Qt::PopupFocusReason && reason != Qt::ActiveWindowFocusReason) leave();
    } else if (event->type() == QEvent::Hide && widget == view_) {
        leave();
    } else if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
        const auto held = key->modifiers() & ~Qt::KeypadModifier;
        if (enter && held == Qt::NoModifier) return choose();
        if (enter && held == Qt::ControlModifier) return choose(true);
    }
    return QObject::eventFilter(watched, event);
}

void ItemFocus::enter(QWidget* widget, bool ring) {
    view_ = widget;
    item_.clear();
    shown_ = ring;
    widget->setProperty(focused_item_property, QString());
    place(nullptr);
}

void ItemFocus::leave() {
    if (view_ && !item_.isEmpty()) { // the card of the item goes, as when the pointer leaves
        QEvent gone(QEvent::Leave);
        QCoreApplication::sendEvent(view_, &gone);
        view_->setProperty(focused_item_property, QString());
    }
    view_ = nullptr;
    item_.clear();
    shown_ = false;
    if (ring_) ring_->hide();
}

void ItemFocus::place(const ViewItem* item) {
    if (!ring_) return; // all of it is going
    if (!view_ || !shown_) return ring_->hide();
    QRect rect = view_->rect();
    if (item) rect = item->rect.toAlignedRect().adjusted(-away - 1, -away - 1, away + 1, away + 1).intersected(rect);
    const QRect there(view_->mapTo(content_, rect.topLeft()), rect.size());
    if (there != ring_->geometry()) ring_->setGeometry(there);
    if (!ring_->isVisible()) {
        ring_->show();
        ring_->raise();
    }
}

void ItemFocus::follow() {
    if (!view_ || !shown_) return;
    if (item_.isEmpty()) return place(nullptr);
    const std::vector<ViewItem> all = items();
    const int at = place_of(all, item_);
    place(at < 0 ? nullptr : &all[static_cast<std::size_t>(at)]);
}

void ItemFocus::standOn(const ViewItem& item) {
    item_ = item.id;
    shown_ = true;
    view_->setProperty(focused_item_property, item_);
    place(&item);
    const QPointF centre = item.rect.center();
    QMouseEvent over(QEvent::MouseMove, centre, view_->mapToGlobal(centre), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    QCoreApplication::sendEvent(view_, &over);
    if (!QAccessible::isActive()) return;
    if (QAccessibleInterface* around = QAccessible::queryAccessibleInterface(view_))
        if (QAccessibleInterface* child = around->focusChild()) {
            QAccessibleEvent event(child, QAccessible::Focus);
            QAccessible::updateAccessibility(&event);
        }
}

void ItemFocus::move(Way way) {
    if (!view_) {
        for (QWidget* next = content_->nextInFocusChain(); next != content_; next = next->nextInFocusChain())
            if (watched_.contains(next) && next->isVisible()) {
                next->setFocus(Qt::ShortcutFocusReason);
                if (!view_) enter(next, true); // the window is not the active one
                break;
            }
    }
    if (!view_) return;
    const std::vector<ViewItem> all = items();
    if (all.empty()) return;
    const int here = place_of(all, item_);
    if (here < 0) return standOn(all.front());
    const int to = item_that_way(all, here, way);
    if (to >= 0) standOn(all[static_cast<std::size_t>(to)]);
}

bool ItemFocus::choose(bool twice) {
    if (!view_ || item_.isEmpty()) return false;
    const std::vector<ViewItem> all = items();
    const int at = place_of(all, item_);
    if (at < 0) return false;
    press_item(*view_, all[static_cast<std::size_t>(at)].rect.center(), twice);
    return true;
}

} // namespace gradus
