#pragma once

#include "views/derive/step_reach.hpp"
#include "views/probabilities/probability_picture.hpp"
#include "views/state/kept_picture.hpp"
#include "views/state/view.hpp"
#include "views/theme/value_card.hpp"

#include <optional>

namespace gradus {

/// The logits of the cursor's iteration, their probabilities and the gradient p - y, as bars per class; three classes
/// as points of a triangle, too, with the gradient as the arrow between them.
///
/// Pointing says what made a number, clicking pins it; pulling a logit up or down and letting go edits it (Escape: not);
/// a double click asks for its number.
class ProbabilitiesView : public View {
    Q_OBJECT

public:
    ProbabilitiesView(const Theme& theme, QWidget* parent);

    void setTheme(const Theme& theme) override;
    void retranslate() override;
    void present(const Look& look) override;
    std::vector<ViewItem> items() const override;
    void cancelDrag() override;
    /// What is on screen now.
    const ProbabilityPicture& picture() const { return picture_; }
    /// The sentence that stands instead of bars; empty where there are some.
    QString sentence() const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    /// A pull on a logit, from where it began.
    struct Hold {
        std::size_t at = 0;
        double from_y = 0, value = 0, per_pixel = 0, z_end = 0;
        std::optional<double> candidate; ///< once it has moved far enough
    };
    bool shows() const { return picture_.row.classes() > 0; }
    void layOut();
    void changed();
    void readPath(const Look& look);
    void readMark(const Look& look);
    void updateNote(const Look& look);
    int logitAt(QPointF point) const; ///< the class whose logit lies under a point; -1: none
    /// The item under a point that has a card of its own; empty: none.
    QString itemAt(QPointF point) const;
    std::vector<ValueCardLine> cardOf(const QString& id) const;
    void paintHover(QPainter& painter) const;
    Edit editOf(std::size_t i, double value) const;

    ProbabilityPicture picture_;
    KeptPicture painted_;
    ReachHere reach_;
    std::shared_ptr<const Run> path_of_; ///< the Run whose path it is
    StepIndex path_until_ = -1;
    ProbabilityQuantity wanted_ = ProbabilityQuantity::p;
    std::optional<Hold> hold_;
    QPointF hover_;
    bool hovered_ = false;
};

} // namespace gradus
