#pragma once

#include "views/roofline/roofline_painter.hpp"
#include "views/state/view.hpp"

#include <memory>
#include <optional>

namespace gradus {

/// Kernels between two limits, how fast memory brings bytes and how fast arithmetic uses them: this machine's limits as it measured them, a
/// chip's as they are modelled, and a dot for each rung of the ladder that is climbed. A click on a dot goes there.
class RooflineView : public View {
    Q_OBJECT

public:
    RooflineView(const Theme& theme, QWidget* parent);
    void retranslate() override;
    void present(const Look& look) override;
    std::vector<ViewItem> items() const override;
    /// What is on screen now.
    const RooflinePicture& picture() const { return picture_; }

protected:
    bool sizesTell() const override { return true; } // a dot stands where its numbers are
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void layOut();
    void paintHover(QPainter& painter) const;
    int dotAt(QPointF point) const;

    /// What a model was made from; the same again makes the same.
    struct Made {
        std::shared_ptr<const Run> run, full;
        std::shared_ptr<const KernelEvents> kernels;
        StepIndex iteration = -1, head = -1;
        Language language = Language::en;
        bool operator==(const Made&) const = default;
    };
    Made made_;
    bool to_come_ = false; ///< the step is being computed
    RooflinePicture picture_;
    std::optional<QPointF> pointer_;
};

} // namespace gradus
