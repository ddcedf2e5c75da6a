#pragma once

#include "engine/autograd/tape.hpp"
#include "engine/trace/provenance.hpp"
#include "views/state/look.hpp"
#include "views/theme/panel.hpp"

#include <QString>
#include <vector>

namespace gradus {

/// A thing on screen: painting, hover, the keyboard, screen readers and tests share it.
struct ViewItem {
    QRectF rect;
    QString id;    ///< unique in its view, stable from frame to frame
    QString name;  ///< as a person says it: "W₂, row 138, column 6"
    QString value; ///< as it is written on screen, with its unit; empty where there is none
    Provenance provenance = Provenance::computed; ///< of the value
    Role role = Role::metric;
};

/// A panel that shows a Run at the cursor. It keeps nothing but caches: what it shows follows from the Look, and what
/// people do in it becomes a signal.
class View : public Panel {
    Q_OBJECT

public:
    using Panel::Panel;
    /// Shows what is there to be seen. Called once per frame; returns at once and paints only what changed.
    virtual void present(const Look& look) = 0;
    /// Gives up what is being dragged: nothing was changed.
    virtual void cancelDrag() {}
    /// What is on screen now.
    virtual std::vector<ViewItem> items() const { return {}; }

signals:
    void selected(const gradus::Selection& selection);
    void cursorMoved(qint64 iteration);
    /// An event of the cursor's iteration was chosen.
    void eventChosen(int ordinal);
    void edited(const gradus::Edit& edit);
    /// While something is dragged: the edit that letting go would be.
    void dragged(const gradus::Edit& edit);
    void dragCancelled();
    /// One of the look's futures is pointed at; -1: none.
    void futureChosen(int future);
    /// The chosen future is decided on.
    void futureTaken();
};

} // namespace gradus
