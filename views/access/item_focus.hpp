#pragma once

#include "views/access/focus_ring.hpp"
#include "views/state/has_items.hpp"

#include <QHash>
#include <QObject>
#include <QPointer>
#include <QSet>

namespace gradus {

/// Walks the things that views paint by keyboard, one for the whole window: which view has the focus, which of its items
/// the keyboard stands on, and the ring round it. An item one stands on says what the pointer over it would.
class ItemFocus : public QObject {
    Q_OBJECT

public:
    enum class Way : std::uint8_t { right, left, above, below };

    /// The ring is painted over `content`, which holds all that is watched.
    ItemFocus(QWidget* content, QObject* parent);
    void setTheme(const Theme& theme) {
        if (ring_) ring_->setInk(theme.ink);
    }
    /// A widget that is a HasItems can be reached by Tab from now on, and its items walked.
    void watch(QWidget* widget);
    /// Called once per frame: the ring stays with its item, or with its view once that item is gone.
    void follow();

    /// To the nearest item that way, else to the next in reading order. Where no view has the focus the first one gets it.
    void move(Way way);
    /// What a click on the item does, or, `twice`, a double click; false where the keyboard stands on none.
    bool choose(bool twice = false);

    QWidget* view() const { return view_; }
    const QString& item() const { return item_; }
    QRect ring() const { return ring_ && ring_->isVisible() ? ring_->geometry() : QRect(); }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    std::vector<ViewItem> items() const;
    void enter(QWidget* widget, bool ring);
    void leave();
    void standOn(const ViewItem& item);
    void place(const ViewItem* item);

    QWidget* content_;
    QPointer<FocusRing> ring_; ///< the content's
    QSet<QObject*> watched_;
    QPointer<QWidget> view_; ///< with the focus
    QString item_;
    bool shown_ = false; ///< the focus came by key
};

/// The item that lies that way from item `from`: near along the way first, then near across it. Where none lies to the
/// right or left it is the next or the last in reading order, so that each can be reached. -1: none.
int item_that_way(const std::vector<ViewItem>& items, int from, ItemFocus::Way way);

} // namespace gradus
