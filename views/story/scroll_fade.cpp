#include "views/story/scroll_fade.hpp"

#include <QLinearGradient>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>

namespace gradus {

namespace {
constexpr int margin_px = 12; ///< of the page: nothing stands there
} // namespace

ScrollFade::ScrollFade(QScrollArea* area, End end, QWidget* parent) : QWidget(parent), area_(area), end_(end) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    connect(area->verticalScrollBar(), &QScrollBar::valueChanged, this, &ScrollFade::follow);
    connect(area->verticalScrollBar(), &QScrollBar::rangeChanged, this, &ScrollFade::follow);
}

void ScrollFade::setColour(const QColor& colour) {
    colour_ = colour;
    update();
}

void ScrollFade::follow() {
    if (!area_) return;
    const QScrollBar* bar = area_->verticalScrollBar();
    const QRect area = area_->geometry();
    const int high = std::min(fade_height, area.height() / 4), wide = area.width() - bar->sizeHint().width(); // beside the bar
    setGeometry(area.left(), end_ == End::top ? area.top() : area.bottom() + 1 - high, wide, high);
    setVisible(end_ == End::top ? bar->value() > bar->minimum() + margin_px : bar->value() < bar->maximum() - margin_px);
}

void ScrollFade::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    QColor clear = colour_;
    clear.setAlpha(0);
    QLinearGradient fade(0, 0, 0, height());
    fade.setColorAt(end_ == End::top ? 0 : 1, colour_);
    fade.setColorAt(end_ == End::top ? 1 : 0, clear);
    painter.fillRect(rect(), fade);
}

} // namespace gradus
