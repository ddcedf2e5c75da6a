#include "views/access/accessible_item.hpp"

#include "views/access/accessible_items.hpp"
#include "views/access/press_item.hpp"

#include <QCoreApplication>

namespace gradus {

namespace {
QString tr(const char* text) { return QCoreApplication::translate("Access", text); }
} // namespace

QString spoken_value(const ViewItem& item) {
    if (item.value.isEmpty()) return {};
    return item.value + QStringLiteral(", ") + QCoreApplication::translate("Provenance", name_of(item.provenance).data());
}

QString spoken_role(Role role) {
    switch (role) {
    case Role::data: return tr("data");
    case Role::activation: return tr("activation");
    case Role::gradient: return tr("gradient");
    case Role::parameter: return tr("parameter");
    case Role::optimizer_state: return tr("optimizer");
    case Role::loss:
    case Role::metric: break;
    }
    return {};
}

const ViewItem* AccessibleItem::item() const {
    auto* around = static_cast<AccessibleItems*>(parent());
    return around ? around->find(id_) : nullptr;
}

bool AccessibleItem::isValid() const { return item() != nullptr; }

QAccessibleInterface* AccessibleItem::parent() const {
    return widget_ ? QAccessible::queryAccessibleInterface(widget_) : nullptr;
}

QWindow* AccessibleItem::window() const { return widget_ ? widget_->window()->windowHandle() : nullptr; }

QString AccessibleItem::text(QAccessible::Text text) const {
    const ViewItem* found = item();
    if (!found) return {};
    switch (text) {
    case QAccessible::Name: return found->name;
    case QAccessible::Value: return spoken_value(*found);
    case QAccessible::Description: return spoken_role(found->role);
    default: return {};
    }
}

QRect AccessibleItem::rect() const {
    const ViewItem* found = item();
    if (!found) return {};
    const QRect local = found->rect.toAlignedRect().intersected(widget_->rect());
    return {widget_->mapToGlobal(local.topLeft()), local.size()};
}

QAccessible::Role AccessibleItem::role() const {
    return id_.startsWith("cell/") ? QAccessible::Cell : QAccessible::ListItem;
}

QAccessible::State AccessibleItem::state() const {
    QAccessible::State state;
    if (!isValid()) {
        state.invalid = true;
        return state;
    }
    state.focusable = true;
    state.readOnly = true;
    state.invisible = !widget_->isVisible();
    state.focused = widget_->hasFocus() && widget_->property(focused_item_property).toString() == id_;
    return state;
}

void* AccessibleItem::interface_cast(QAccessible::InterfaceType type) {
    return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
}

QStringList AccessibleItem::actionNames() const { return {pressAction()}; }

void AccessibleItem::doAction(const QString& name) {
    const ViewItem* found = item();
    if (found && name == pressAction()) press_item(*widget_, found->rect.center());
}

} // namespace gradus
