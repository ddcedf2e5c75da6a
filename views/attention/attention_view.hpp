#pragma once

#include "views/attention/attention_painter.hpp"
#include "views/state/view.hpp"

#include <memory>
#include <optional>

namespace gradus {

/// Attention in one block: which queries meet which tile of keys, what each query keeps of the tiles so far, what is in shared memory, and
/// the bytes that crossed global memory. A click on a tile goes to the step at which the block begins with it, the two buttons from part to
/// part; a click on a query tells of it alone.
class AttentionView : public View {
    Q_OBJECT

public:
    AttentionView(const Theme& theme, QWidget* parent);

    void setTheme(const Theme& theme) override;
    void retranslate() override;
    void present(const Look& look) override;
    std::vector<ViewItem> items() const override;
    /// What is on screen now.
    const AttentionPicture& picture() const { return picture_; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void layOut();
    void goTo(std::size_t step);
    void paintHover(QPainter& painter);
    /// The first step of a tile of this head; nothing where it was not read, or not recorded.
    std::optional<std::size_t> stepOf(std::int64_t row_tile, std::int64_t tile) const;
    /// The part before and behind the one that one stands in.
    std::optional<std::size_t> part(int by) const;

    std::shared_ptr<const KernelEvents> kernels_;
    std::shared_ptr<const Run> run_;
    std::int32_t ordinal_ = -1;
    Selection selection_;
    Language language_ = Language::en;
    bool shown_ = false;
    AttentionReader reader_;
    AttentionPicture picture_;
    double zoom_ = 1; ///< by which the picture is drawn larger
    std::optional<QPointF> pointer_; ///< on the picture
};

} // namespace gradus
