#pragma once

#include "views/state/has_items.hpp"

#include <QAccessible>
#include <QAccessibleActionInterface>
#include <QPointer>
#include <QWidget>

namespace gradus {

class AccessibleItems;

/// One painted thing as a screen reader meets it: its name, its value with the word of its provenance, what kind of
/// number it is, where it is, and pressing it, which is a click at its middle.
class AccessibleItem : public QAccessibleInterface, public QAccessibleActionInterface {
public:
    AccessibleItem(QWidget* widget, QString id) : widget_(widget), id_(std::move(id)) {}
    const QString& id() const { return id_; }

    bool isValid() const override;
    QObject* object() const override { return nullptr; }
    QAccessibleInterface* parent() const override;
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QWindow* window() const override;
    QString text(QAccessible::Text text) const override;
    void setText(QAccessible::Text, const QString&) override {}
    QRect rect() const override;
    QAccessible::Role role() const override;
    QAccessible::State state() const override;
    void* interface_cast(QAccessible::InterfaceType type) override;

    QStringList actionNames() const override;
    void doAction(const QString& name) override;
    QStringList keyBindingsForAction(const QString&) const override { return {}; }

private:
    const ViewItem* item() const; ///< null once it is gone

    QPointer<QWidget> widget_;
    QString id_;
};

/// The value as it is read aloud: "0.693, computed"; empty where there is none.
QString spoken_value(const ViewItem& item);

/// What kind of number it is, in a word: "gradient". Empty for what has no hue of its own.
QString spoken_role(Role role);

} // namespace gradus
