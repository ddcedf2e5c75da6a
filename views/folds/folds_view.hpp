#pragma once

#include "engine/trace/derive/newest_wish.hpp"
#include "views/folds/fold_geometry.hpp"
#include "views/folds/fold_matrix_painter.hpp"
#include "views/state/view.hpp"

#include <utility>

namespace gradus {

/// The matrices of a chain in a row, from what goes in to what comes out, with what stands between them. Pressing `fold` joins by
/// brackets those that fold into one on the inputs at the cursor, shows what they become, and counts what is left. What is pressed is the view's own, as a zoom is: it changes no run.
class FoldsView : public View {
    Q_OBJECT

public:
    FoldsView(const Theme& theme, QWidget* parent);

    void setTheme(const Theme& theme) override;
    void retranslate() override;
    void present(const Look& look) override;
    /// Where a prediction is about the folds they are shown, under its covers, so that the answer appears in their place.
    void setVeil(const Veil& veil) override;
    std::vector<ViewItem> items() const override;
    const FoldPicture& picture() const { return picture_; }
    const FoldGeometry& layout() const { return geometry_; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    QString button() const;
    void layOut();
    void updateNote(const Look& look);

    FoldPicture picture_;
    FoldGeometry geometry_;
    FoldImages images_;
    std::shared_ptr<const Run> run_;
    std::pair<std::size_t, bool> written_{0, false}; ///< sites of the run, and whether an iteration is complete
    FoldWish wanted_;
    QPointF hover_;
    bool hovered_ = false;
    NewestWish<FoldWish, FoldResult> results_;
};

} // namespace gradus
