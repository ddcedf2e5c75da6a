#include "views/story/scroll_fade.hpp"

#include <QAbstractButton>
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
    const int fade = std::min(fade_height, area.height() / 4), wide = area.width() - bar->sizeHint().width(); // beside the bar
    std::vector<QRect> buttons;
    if (area_->widget())
        for (const QAbstractButton* button : area_->widget()->findChildren<QAbstractButton*>())
            if (button->isVisibleTo(area_->widget())) buttons.emplace_back(button->mapTo(area_->widget(), QPoint()) + area_->widget()->pos(), button->size());
    const QRect seen(QPoint(), area_->viewport()->size());
    solid_ = 0;
    for (const QRect& button : buttons) {
        const QRect part = button & seen;
        if (part.isEmpty() || part.height() == button.height() || part.height() > seen.height() / 2) continue;
        if (end_ == End::top ? button.top() < seen.top() : button.bottom() > seen.bottom()) solid_ = std::max(solid_, part.height() + 2);
    }
    const int high = solid_ + fade, top = end_ == End::top ? 0 : seen.height() - high;
    kept_.clear();
    for (const QRect& button : buttons)
        if (seen.contains(button)) kept_.push_back(button.translated(0, -top));
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
}

} // namespace gradus
