#pragma once

#include "views/state/has_items.hpp"

#include <QAccessibleWidget>
#include <QElapsedTimer>
#include <QHash>

namespace gradus {

/// A widget's dynamic property: the id of the item that the keyboard stands on; empty: the widget itself.
constexpr const char* focused_item_property = "gradus_focused_item";

/// A widget that paints its things, with these as children after its child widgets.
class AccessibleItems : public QAccessibleWidget {
public:
    AccessibleItems(QWidget* widget, const HasItems& source);
    ~AccessibleItems() override;

    int childCount() const override;
    QAccessibleInterface* child(int index) const override;
    QAccessibleInterface* childAt(int x, int y) const override;
    int indexOfChild(const QAccessibleInterface* child) const override;
    QAccessibleInterface* focusChild() const override;

    const ViewItem* find(const QString& id) const;

private:
    const std::vector<ViewItem>& items() const;
    QAccessibleInterface* interfaceOf(const QString& id) const;
    void forgetGone() const;

    const HasItems& source_;
    mutable std::vector<ViewItem> items_; ///< as of the last look
    mutable QElapsedTimer looked_;
    mutable QHash<QString, QAccessible::Id> made_; ///< interfaces by item; owned, through Qt's table of ids
};

/// Makes every widget that is a HasItems accessible through AccessibleItems. Once per program; a second call does
/// nothing.
void install_accessible_items();

} // namespace gradus
