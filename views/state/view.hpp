#pragma once

#include "views/state/has_items.hpp"
#include "views/state/look.hpp"
#include "views/state/veil.hpp"
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
    /// Gives up what is being dragged: nothing was changed.
    virtual void cancelDrag() {}
    /// The language is another: what was kept in words is said anew, and laid out anew, since words have other widths and
    /// languages other sizes.
    virtual void retranslate() = 0;
    /// items() as they may be read: where a prediction hides a value, it is a question mark.
    std::vector<ViewItem> readable() const override;

    /// What a prediction hides. A view that draws curves leaves them out; a cover stands over the rest.
    virtual void setVeil(const Veil& veil);
    const Veil& veil() const { return veil_; }
    /// It has the stage to itself: there is no more room to be had.
    void setAlone(bool alone) { alone_ = alone; }
    bool alone() const { return alone_; }
    /// Where covers stand now: what of it is painted over, and what the mouse must not reach.
    struct Hidden {
        std::vector<QRectF> painted, closed;
    };
    Hidden hidden() const;

protected:
    /// Whether the veil names it, or what else it shows.
    bool hides(const ViewItem& item) const;
    /// The sizes of this view's items give their values away: if one is hidden, so is all of it.
    virtual bool sizesTell() const { return false; }

signals:
    void selected(const gradus::Selection& selection);
    /// An example of the test set was chosen.
    void exampleChosen(qint64 example);
    /// That iteration is to stand beside the cursor's.
    void comparedChosen(qint64 iteration);
    void cursorMoved(qint64 iteration);
    /// An event of the cursor's iteration was chosen.
    void eventChosen(int ordinal);
    void edited(const gradus::Edit& edit);
    /// While something is dragged: the edit that letting go would be.
    void dragged(const gradus::Edit& edit);
    void dragCancelled();
    /// Somebody wants to type the number of an edit, which holds the one of now; `reach`: how far from it such numbers lie.
    void numberWanted(const gradus::Edit& now, double reach, const QRect& beside);
    /// One of the look's futures is pointed at; -1: none.
    void futureChosen(int future);
    /// The chosen future is decided on.
    void futureTaken();
    /// Somebody has written this in place of the kernel's text: does it compile? `run`: it is to be run, too, and, if it comes to an end, it is
    /// the lesson's kernel from then on.
    void drafted(const QString& text, bool run);
    /// The kernel's own text again.
    void draftDropped();
    /// What was found stands in a block that was not recorded: it is to be, to be looked at.
    void blockWanted(int launch, qint64 block);

private:
    Veil veil_;
    bool alone_ = true;
};

} // namespace gradus
