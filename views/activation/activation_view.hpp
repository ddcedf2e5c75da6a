#pragma once

#include "views/activation/activation_painter.hpp"
#include "views/state/kept_picture.hpp"
#include "views/state/view.hpp"

#include <optional>

namespace gradus {

/// The functions that can stand between two layers, each with its derivative, as the engine computes them. The one that the
/// Run uses is marked and carries the chosen element of z or a at the cursor.
class ActivationView : public View {
    Q_OBJECT

public:
    ActivationView(const Theme& theme, QWidget* parent);

    void setTheme(const Theme& theme) override;
    void retranslate() override;
    void present(const Look& look) override;
    std::vector<ViewItem> items() const override;
    /// What is on screen now.
    const ActivationPicture& picture() const { return picture_; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void changed(); ///< what is painted follows the picture no more
    void layOut();
    void lookAtRun(const Run& run);
    void lookAtPoint(const Look& look);
    void updateNote(const Look& look);
    QRectF mark() const; ///< of the point; null where there is none
    void paintHover(QPainter& painter) const;

    std::shared_ptr<const Run> run_, full_;
    std::size_t sites_ = 0; ///< of the run, when its uses were read
    std::vector<ActivationUse> uses_;
    Selection selection_;
    StepIndex iteration_ = -1;
    ActivationChoice choice_;
    ActivationPicture picture_;
    std::string isa_; ///< of the curves
    DType dtype_ = DType::f32;
    KeptPicture painted_;
    bool laid_sparse_ = false;
    QPointF hover_;
    bool hovered_ = false;
};

} // namespace gradus
