#include "views/access/accessible_items.hpp"

#include "views/access/accessible_item.hpp"

#include <algorithm>

namespace gradus {

namespace {

constexpr qint64 fresh_ms = 50; // a reader asks a dozen times about what is on screen in one frame
constexpr qsizetype most_made = 4096;

QAccessibleInterface* make(const QString&, QObject* object) {
    auto* widget = qobject_cast<QWidget*>(object);
    const auto* source = dynamic_cast<const HasItems*>(object);
    return widget && source ? new AccessibleItems(widget, *source) : nullptr;
}

} // namespace

void install_accessible_items() {
    static const bool installed = [] {
        QAccessible::installFactory(make);
        return true;
    }();
    static_cast<void>(installed);
}

AccessibleItems::AccessibleItems(QWidget* widget, const HasItems& source)
    : QAccessibleWidget(widget, QAccessible::Grouping), source_(source) {}

AccessibleItems::~AccessibleItems() {
    for (const QAccessible::Id id : std::as_const(made_)) QAccessible::deleteAccessibleInterface(id);
}

const std::vector<ViewItem>& AccessibleItems::items() const {
    if (looked_.isValid() && looked_.elapsed() < fresh_ms) return items_;
    items_.clear();
    const QRectF inside = widget()->rect();
    for (ViewItem& item : source_.readable())
        if (item.rect.intersects(inside)) items_.push_back(std::move(item));
    looked_.start();
    if (made_.size() > most_made) forgetGone();
    return items_;
}

const ViewItem* AccessibleItems::find(const QString& id) const {
    if (!isValid()) return nullptr;
    const auto& all = items();
    const auto at = std::find_if(all.begin(), all.end(), [&](const ViewItem& item) { return item.id == id; });
    return at == all.end() ? nullptr : &*at;
}

void AccessibleItems::forgetGone() const {
    for (auto at = made_.begin(); at != made_.end();) {
        const bool there = std::any_of(items_.begin(), items_.end(), [&](const ViewItem& item) { return item.id == at.key(); });
        if (!there) QAccessible::deleteAccessibleInterface(at.value());
        at = there ? std::next(at) : made_.erase(at);
    }
}

QAccessibleInterface* AccessibleItems::interfaceOf(const QString& id) const {
    const auto known = made_.constFind(id);
    if (known != made_.constEnd()) return QAccessible::accessibleInterface(*known);
    auto* made = new AccessibleItem(widget(), id);
    made_.insert(id, QAccessible::registerAccessibleInterface(made));
    return made;
}

int AccessibleItems::childCount() const { return QAccessibleWidget::childCount() + static_cast<int>(items().size()); }

QAccessibleInterface* AccessibleItems::child(int index) const {
    const int widgets = QAccessibleWidget::childCount();
    if (index < widgets) return QAccessibleWidget::child(index);
    const auto& all = items();
    const auto place = static_cast<std::size_t>(index - widgets);
    return place < all.size() ? interfaceOf(all[place].id) : nullptr;
}

QAccessibleInterface* AccessibleItems::childAt(int x, int y) const {
    const QPointF place = widget()->mapFromGlobal(QPointF(x, y));
    const auto& all = items(); // what is painted last lies on top
    for (auto item = all.rbegin(); item != all.rend(); ++item)
        if (item->rect.contains(place)) return interfaceOf(item->id);
    return QAccessibleWidget::childAt(x, y);
}

int AccessibleItems::indexOfChild(const QAccessibleInterface* child) const {
    const auto* item = dynamic_cast<const AccessibleItem*>(child);
    if (!item) return QAccessibleWidget::indexOfChild(child);
    const auto& all = items();
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].id == item->id()) return QAccessibleWidget::childCount() + static_cast<int>(i);
    return -1;
}

QAccessibleInterface* AccessibleItems::focusChild() const {
    const QString id = widget()->property(focused_item_property).toString();
    if (widget()->hasFocus() && !id.isEmpty() && find(id)) return interfaceOf(id);
    return QAccessibleWidget::focusChild();
}

} // namespace gradus
