#pragma once

#include "engine/trace/derive/newest_wish.hpp"
#include "views/flow/flow_picture.hpp"
#include "views/state/kept_picture.hpp"
#include "views/state/view.hpp"

#include <optional>

namespace gradus {

/// How gradients flow back through the layers at the cursor: norms, updates, norms over steps, sizes, and one entry of a
/// gradient beside the finite difference of the loss.
class GradientFlowView : public View {
    Q_OBJECT

public:
    GradientFlowView(const Theme& theme, QWidget* parent);

    void setTheme(const Theme& theme) override;
    void retranslate() override;
    void present(const Look& look) override;
    std::vector<ViewItem> items() const override;
    /// What is on screen now.
    const FlowPicture& picture() const { return picture_; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    struct HistoryWish {
        std::shared_ptr<const Run> run;
        GradientLayers layers;
    };
    void lookAtNumbers(const Look& look);
    void lookAtHistory();
    void lookAtCheck(const Look& look);
    void forgetCheck();
    void changed(); ///< what is painted follows the picture no more
    void layOut();
    void updateNote(const Look& look);
    /// The bin of a histogram under a point: its layer and number.
    std::optional<std::pair<std::size_t, std::size_t>> binAt(QPointF point) const;
    void paintHover(QPainter& painter) const;

    std::shared_ptr<const Run> run_, full_;
    StepIndex wanted_ = -1;
    std::optional<std::size_t> observed_; ///< iterations that the history was asked for
    FlowPicture picture_;
    CheckWish check_wish_;
    KeptPicture painted_;
    QPointF hover_;
    bool hovered_ = false;
    NormBook book_; // used by history_'s thread alone
    NewestWish<FlowWish, FlowNumbers> numbers_;
    NewestWish<HistoryWish, NormHistory> history_;
    NewestWish<CheckWish, CheckResult> checks_;
};

} // namespace gradus
