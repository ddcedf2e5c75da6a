#pragma once

#include <QColor>
#include <QPointer>
#include <QWidget>

class QScrollArea;

namespace gradus {

constexpr int fade_height = 28; ///< pixels: a line and a little

/// Lies over the upper or the lower end of a scroll area and lets its text fade out where there is more of it, so that no
/// line ends in half.
class ScrollFade : public QWidget {
public:
    enum class End : std::uint8_t { top, bottom };
    ScrollFade(QScrollArea* area, End end, QWidget* parent);

    void setColour(const QColor& colour);
    /// After the area has got another place or size.
    void follow();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QPointer<QScrollArea> area_;
    End end_;
    QColor colour_;
};

} // namespace gradus
