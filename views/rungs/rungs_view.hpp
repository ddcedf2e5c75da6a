#pragma once

#include "views/rungs/rungs_painter.hpp"
#include "views/state/view.hpp"

#include <optional>

namespace gradus {

/// Two rungs of a ladder side by side: what changed in the source, what each line costs, and what all of it costs. One cursor goes through both:
/// where the rung that it stands in is so far with its work, the other is shown as far. A click on a rung's name compares with that one, one on
/// a line runs to it.
class RungsView : public View {
    Q_OBJECT

public:
    RungsView(const Theme& theme, QWidget* parent);
    void retranslate() override;
    void present(const Look& look) override;
    std::vector<ViewItem> items() const override;
    /// What is on screen now.
    const RungsPicture& picture() const { return picture_; }
    /// Where that way leads from here, as an ordinal; -1 where it ends.
    std::int32_t target(RungsWay way, int by) const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void layOut();
    void goTo(std::optional<std::size_t> step);
    void choose(QPointF point);
    void paintHover(QPainter& painter) const;
    void codeItems(std::vector<ViewItem>& out) const;
    void tableItems(std::vector<ViewItem>& out) const;

    /// What a model was made from; the same again makes the same.
    struct Made {
        std::shared_ptr<const Run> run, full;
        std::shared_ptr<const KernelEvents> kernels;
        StepIndex iteration = -1, compared = -1, head = -1;
        Level level = Level::run;
        std::int32_t ordinal = -2;
        Language language = Language::en;
        bool operator==(const Made&) const = default;
    };
    Made made_;
    RungsKept kept_;
    RungsPicture picture_;
    std::optional<QPointF> pointer_;
};

} // namespace gradus
