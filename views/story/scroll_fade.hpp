#pragma once

#include <QColor>
#include <QPointer>
#include <QWidget>
#include <vector>

class QScrollArea;

namespace gradus {

constexpr int fade_height = 28; ///< pixels: a line and a little

/// Lies over the upper or the lower end of a scroll area and lets its text fade out where there is more of it. At the upper end
/// a line of buttons is whole or not there. At the lower one the next one always shows its head, or the last one ends in half where nothing
/// of the next is in sight: answers that one does not know of are not looked for. One that is filled is whole there, too, or gone.
class ScrollFade : public QWidget {
public:
    enum class End : std::uint8_t { top, bottom };
    ScrollFade(QScrollArea* area, End end, QWidget* parent);

    void setColour(const QColor& colour);
    /// After the area has got another place or size.
    void follow();

    /// What of the end is covered, pixels.
    int covered() const { return covers() ? solid_ : 0; }
    /// Whether there is more beyond this end.
    bool covers() const { return isVisibleTo(parentWidget()); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QPointer<QScrollArea> area_;
    End end_;
    QColor colour_;
    int solid_ = 0;           ///< pixels at the end that are covered: a button is cut there
    std::vector<QRect> kept_; ///< buttons that are whole, in this widget's pixels
};

/// That more follows: an angle that points down, as wide and as high as the box. It stands outside of what scrolls, where it hides nothing.
void paint_more_below(QPainter& painter, const QRectF& box, const QColor& ink);

} // namespace gradus
