#pragma once

#include "engine/trace/derive/newest_wish.hpp"
#include "views/state/view.hpp"
#include "views/valley/valley_painter.hpp"

#include <QElapsedTimer>
#include <optional>

namespace gradus {

/// The walk downhill as a picture: a point on a parabola, in a bowl's contours, or a line among its points, with the slope
/// where it stands and the update that leads on. The point is dragged to edit the parameters. While a fan is open: where
/// each future ends.
class ValleyView : public View {
    Q_OBJECT

public:
    ValleyView(const Theme& theme, QWidget* parent);

    void setTheme(const Theme& theme) override;
    void retranslate() override;
    void setVeil(const Veil& veil) override;
    void present(const Look& look) override;
    std::vector<ViewItem> items() const override;
    void cancelDrag() override;
    /// What is on screen now.
    const ValleyScene& scene() const { return scene_; }
    const ValleyGeometry& layout() const { return geometry_; }
    bool shows() const { return constants_.has_value() && refusal_.empty(); } ///< a picture, not a sentence

protected:
    bool sizesTell() const override { return true; } ///< places are values
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    struct Drag {
        QPointF pressed, start; ///< pixels: of the hand, of the point
        ValleyPlace from, to;
        bool moved = false, released = false;
    };
    void readConstants(const Look& look);
    void readLine(const Look& look);
    void readFan(const Look& look);
    void layOut();
    bool overPoint(QPointF pixel) const;
    int futureAt(QPointF pixel) const;
    Edit editOf(const ValleyPlace& to) const;
    void dragTo(QPointF pixel);
    void endDragOf(const ValleyWalk& walk);

    std::optional<ObjectiveConstants> constants_;
    std::string refusal_;               ///< a sentence where there is nothing to be drawn
    std::optional<Objective> objective_; ///< of the GUI thread: one place at a time
    std::weak_ptr<const Run> read_run_, read_full_;
    StepIndex read_iteration_ = -1;
    double reach_ = 1;
    std::array<double, 2> ends_{-1, 1};  ///< of a line's upright axis
    ValleyScene scene_;
    ValleyGeometry geometry_;
    std::optional<Fan> fan_;
    std::optional<Drag> drag_;
    QElapsedTimer released_; ///< since a drag was let go: the point stays there until the branch's own comes
    std::optional<QPointF> hover_;
    ReachHere reach_here_;
    ValleyWish wanted_;
    NewestWish<ValleyWish, ValleyField> fields_;
};

} // namespace gradus
