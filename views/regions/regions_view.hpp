#pragma once

#include "engine/trace/derive/newest_wish.hpp"
#include "views/regions/region_fan.hpp"
#include "views/regions/region_geometry.hpp"
#include "views/state/kept_picture.hpp"
#include "views/state/view.hpp"

#include <QElapsedTimer>
#include <optional>

namespace gradus {

/// The plane as the net of the cursor's parameters divides it, with the points it learns from. A point is dragged to edit
/// it. While a fan is open: a small plane for each future.
class RegionsView : public View {
    Q_OBJECT

public:
    RegionsView(const Theme& theme, QWidget* parent);

    void setTheme(const Theme& theme) override;
    void retranslate() override;
    void present(const Look& look) override;
    std::vector<ViewItem> items() const override;
    void cancelDrag() override;
    /// What is on screen now; null where there is nothing yet.
    const RegionField* field() const { return field_.get(); }
    const RegionGeometry& layout() const { return geometry_; }
    const RegionFan& fan() const { return fan_; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    struct Drag {
        int point = -1;
        QPointF pressed, value; ///< in pixels; the candidate's coordinates
        QPointF from;           ///< where the point stood
        bool moved = false, released = false;
    };
    bool shows() const; ///< a plane, not a sentence
    void layOut();
    void changed();
    void updateNote(const Look& look);
    QString sentence() const;
    Edit editOf(const Drag& drag) const;
    void paintDrag(QPainter& painter) const;

    std::shared_ptr<const RegionField> field_;
    RegionWish wanted_;
    RegionGeometry geometry_;
    KeptPicture painted_;
    std::optional<Drag> drag_;
    QElapsedTimer released_; ///< since a drag was let go: its mark stays until the branch's own comes
    QPointF hover_;
    bool hovered_ = false;
    RegionFan fan_;
    NewestWish<RegionWish, RegionField> fields_;
};

} // namespace gradus
