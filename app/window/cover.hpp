#pragma once

#include "views/state/view.hpp"

#include <QVariantAnimation>

namespace gradus {

/// Lies over a view while a prediction is open: paints a cover over what must not be seen, and keeps the mouse from it,
/// so that neither hover nor click gives it away. Elsewhere the view is as it always is. Lifts in one motion.
class Cover : public QWidget {
    Q_OBJECT

public:
    /// Hides on this view what the veil says, or lifts the cover there is. Called once per frame, after the view was
    /// shown its Look.
    static void lay(View& view, const Veil& veil, bool motion, double line = 1);

    const std::vector<QRectF>& painted() const { return painted_; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    explicit Cover(View& view);
    void take(std::vector<QRectF> painted, const std::vector<QRectF>& closed, double line);
    void lift(bool motion);
    void retranslate();

    View& view_;
    std::vector<QRectF> painted_, closed_;
    double line_ = 1;
    QVariantAnimation lifting_; ///< from 0, down, to 1, gone
};

} // namespace gradus
