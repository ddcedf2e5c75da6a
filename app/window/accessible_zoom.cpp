#include "app/window/accessible_zoom.hpp"

#include "app/window/zoom_host.hpp"

#include <QAccessibleWidget>
#include <QVariant>

namespace gradus {

namespace {

constexpr const char* shown_by = "gradus_shown_by"; ///< of what a host shows: the host

/// A host, whose one child is what it shows.
class AccessibleHost : public QAccessibleWidget {
public:
    explicit AccessibleHost(ZoomHost* host) : QAccessibleWidget(host, QAccessible::Client), host_(host) {}

    int childCount() const override { return content() ? 1 : 0; }
    QAccessibleInterface* child(int index) const override { return index == 0 ? content() : nullptr; }
    QAccessibleInterface* childAt(int x, int y) const override {
        QAccessibleInterface* shown = content();
        return shown && rect().contains(x, y) ? shown : nullptr;
    }
    int indexOfChild(const QAccessibleInterface* child) const override {
        return child && child->object() == host_->content() ? 0 : -1;
    }
    QAccessibleInterface* focusChild() const override {
        QAccessibleInterface* shown = content();
        return shown ? shown->focusChild() : nullptr;
    }

private:
    QAccessibleInterface* content() const { return isValid() ? QAccessible::queryAccessibleInterface(host_->content()) : nullptr; }

    ZoomHost* host_; ///< valid as long as this is
};

/// What a host shows: its parent is the host, even while the widget has none.
class AccessibleShown : public QAccessibleWidget {
public:
    explicit AccessibleShown(QWidget* shown) : QAccessibleWidget(shown, QAccessible::Client) {}

    QAccessibleInterface* parent() const override {
        auto* host = widget()->property(shown_by).value<QWidget*>();
        return host ? QAccessible::queryAccessibleInterface(host) : QAccessibleWidget::parent();
    }
};

QAccessibleInterface* make(const QString&, QObject* object) {
    if (auto* host = qobject_cast<ZoomHost*>(object)) return new AccessibleHost(host);
    auto* widget = qobject_cast<QWidget*>(object);
    return widget && widget->property(shown_by).isValid() ? new AccessibleShown(widget) : nullptr;
}

} // namespace

void make_accessible(ZoomHost& host, QWidget& content) {
    static const bool installed = [] {
        QAccessible::installFactory(make);
        return true;
    }();
    static_cast<void>(installed);
    content.setProperty(shown_by, QVariant::fromValue(static_cast<QWidget*>(&host)));
}

} // namespace gradus
