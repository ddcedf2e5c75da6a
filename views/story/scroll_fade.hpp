#pragma once

#include <QColor>
#include <QPointer>
#include <QWidget>
#include <vector>

class QScrollArea;

namespace gradus {

constexpr int fade_height = 28; ///< pixels: a line and a little

/// Lies over the upper or the lower end of a scroll area and lets its text fade out where there is more of it. At the upper end
/// a button is whole or not there. At the lower one the next one always shows its head, or the last one ends in half where nothing
/// of the next is in sight, and a sign says that more follows: answers that one does not know of are not looked for.
class ScrollFade : public QWidget {
public:
    enum class End : std::uint8_t { top, bottom };
    ScrollFade(QScrollArea* area, End end, QWidget* parent);

    void setColours(const QColor& colour, const QColor& sign);
    /// After the area has got another place or size.
    void follow();

    /// What of the end is covered, pixels.
    int covered() const { return isVisibleTo(parentWidget()) ? solid_ : 0; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QPointer<QScrollArea> area_;
    End end_;
    QColor colour_, sign_;
    int solid_ = 0;           ///< pixels at the end that are covered: a button is cut there
    std::vector<QRect> kept_; ///< buttons that are whole, in this widget's pixels
};

} // namespace gradus
