#include "views/story/scroll_fade.hpp"

#include <QAbstractButton>
#include <QLinearGradient>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <algorithm>

namespace gradus {

namespace {
constexpr int margin_px = 12; ///< of the page: nothing stands there
constexpr int least_head = 12, between = 24; ///< pixels: of a button, so that it is seen to be one; beneath one, as far as the next begins
constexpr double sign_size = 20; ///< pixels
} // namespace

ScrollFade::ScrollFade(QScrollArea* area, End end, QWidget* parent) : QWidget(parent), area_(area), end_(end) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    connect(area->verticalScrollBar(), &QScrollBar::valueChanged, this, &ScrollFade::follow);
    connect(area->verticalScrollBar(), &QScrollBar::rangeChanged, this, &ScrollFade::follow);
}

void ScrollFade::setColours(const QColor& colour, const QColor& sign) {
    colour_ = colour;
    sign_ = sign;
    update();
}

void ScrollFade::follow() {
    if (!area_) return;
    const QScrollBar* bar = area_->verticalScrollBar();
    const QRect area = area_->geometry();
    const int fade = std::min(fade_height, area.height() / 4), wide = area.width() - bar->sizeHint().width(); // beside the bar
    std::vector<QRect> buttons;
    if (area_->widget())
        for (const QAbstractButton* button : area_->widget()->findChildren<QAbstractButton*>())
            if (button->isVisibleTo(area_->widget())) buttons.emplace_back(button->mapTo(area_->widget(), QPoint()) + area_->widget()->pos(), button->size());
    const QRect seen(QPoint(), area_->viewport()->size());
    solid_ = 0;
    const auto next_below = [&](const QRect& button) { // out of sight, or nearly
        return std::any_of(buttons.begin(), buttons.end(), [&](const QRect& other) {
            return other.bottom() > seen.bottom() && other.top() > button.bottom() && other.top() <= button.bottom() + between && (other & seen).height() < least_head;
        });
    };
    for (const QRect& button : buttons) {
        const QRect part = button & seen;
        if (part.isEmpty() || part.height() > seen.height() / 2) continue;
        if (end_ == End::top) {
            if (button.top() < seen.top()) solid_ = std::max(solid_, part.height() + 2);
        } else if (part.height() == button.height()) {
            if (next_below(button)) solid_ = std::max(solid_, seen.bottom() + 1 - button.top() - button.height() * 3 / 5);
        }
    }
    const int fades = end_ == End::bottom && solid_ > 0 ? least_head : fade; // of a half button enough is to be seen
    const int high = solid_ + fades, top = end_ == End::top ? 0 : seen.height() - high;
    kept_.clear();
    for (const QRect& button : buttons)
        if (seen.contains(button) && (end_ == End::top || button.bottom() < seen.height() - solid_)) kept_.push_back(button.translated(0, -top));
    update();
    setGeometry(area.left(), end_ == End::top ? area.top() : area.bottom() + 1 - high, wide, high);
    setVisible(end_ == End::top ? bar->value() > bar->minimum() + margin_px : bar->value() < bar->maximum() - margin_px);
}

void ScrollFade::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    QColor clear = colour_;
    clear.setAlpha(0);
    QRegion region(rect());
    for (const QRect& button : kept_) region -= button.adjusted(-2, -2, 2, 2); // with its outline
    painter.setClipRegion(region);
    const bool top = end_ == End::top;
    QLinearGradient fade(0, top ? solid_ : height() - solid_, 0, top ? height() : 0);
    fade.setColorAt(0, colour_);
    fade.setColorAt(1, clear);
    painter.fillRect(rect(), fade); // beyond its first colour it is all of that colour
    if (top) return;
    painter.setClipping(false);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF disc(width() - sign_size - 2, height() - sign_size - 1, sign_size, sign_size);
    painter.setBrush(colour_);
    painter.setPen(QPen(sign_, 1));
    painter.drawEllipse(disc);
    painter.setPen(QPen(sign_, 1.5));
    const QPointF tip = disc.center() + QPointF(0, 2.5), chevron[3] = {tip + QPointF(-4.5, -4.5), tip, tip + QPointF(4.5, -4.5)};
    painter.drawPolyline(chevron, 3);
}

} // namespace gradus
