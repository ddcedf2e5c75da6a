#pragma once

#include "views/state/has_items.hpp"
#include "views/state/look.hpp"
#include "views/theme/panel.hpp"

namespace gradus {

/// A panel that shows a Run at the cursor. It keeps nothing but caches: what it shows follows from the Look, and what
/// people do in it becomes a signal.
class View : public Panel, public HasItems {
    Q_OBJECT

public:
    using Panel::Panel;
    /// Shows what is there to be seen. Called once per frame; returns at once and paints only what changed.
    virtual void present(const Look& look) = 0;

signals:
    void selected(const gradus::Selection& selection);
    void cursorMoved(qint64 iteration);
    /// An event of the cursor's iteration was chosen.
    void eventChosen(int ordinal);
    void edited(const gradus::Edit& edit);
};

} // namespace gradus
