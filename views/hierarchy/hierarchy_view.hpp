#pragma once

#include "views/hierarchy/hierarchy_painter.hpp"
#include "views/state/view.hpp"

#include <memory>
#include <optional>

namespace gradus {

/// Registers, shared memory, caches and memory as places, near to far, with the bytes that cross each for the launch, block or warp step at
/// the cursor. Where a ladder is climbed each rung is a bar beside them; a click on it goes there.
class HierarchyView : public View {
    Q_OBJECT

public:
    HierarchyView(const Theme& theme, QWidget* parent);
    void retranslate() override;
    void present(const Look& look) override;
    std::vector<ViewItem> items() const override;
    /// What is on screen now.
    const HierarchyPicture& picture() const { return picture_; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void layOut();
    void paintHover(QPainter& painter) const;
    bool paintTileHover(QPainter& painter) const;
    void addTiles(std::vector<ViewItem>& out) const;

    /// What a model was made from; the same again makes the same.
    struct Made {
        std::shared_ptr<const Run> run, full;
        std::shared_ptr<const KernelEvents> kernels;
        StepIndex iteration = -1, head = -1;
        std::int32_t ordinal = -2;
        Language language = Language::en;
        bool operator==(const Made&) const = default;
    };
    Made made_;
    bool to_come_ = false; ///< the step is being computed
    HierarchyKept kept_;
    HierarchyPicture picture_;
    std::optional<QPointF> pointer_;
};

} // namespace gradus
