#include "views/story/scroll_fade.hpp"

#include "views/story/story_button.hpp"

#include <QLinearGradient>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <algorithm>

namespace gradus {

namespace {
constexpr int margin_px = 12; ///< of the page: nothing stands there
constexpr int most_gone = 48;  ///< pixels: of a button cut at the upper end; a picture's fades like text, so that no hole stands there
constexpr int least_head = 12, between = 24; ///< pixels: of a button, so that it is seen to be one; beneath one, as far as the next begins
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
    std::vector<QRect> buttons, filled;
    if (area_->widget())
        for (const QAbstractButton* button : area_->widget()->findChildren<QAbstractButton*>()) {
            if (!button->isVisibleTo(area_->widget())) continue;
            buttons.emplace_back(button->mapTo(area_->widget(), QPoint()) + area_->widget()->pos(), button->size());
            const auto* story = qobject_cast<const StoryButton*>(button);
            if (story && story->state() == StoryButton::Look::chosen) filled.push_back(buttons.back());
        }
    const auto has_filled = [&](const QRect& row) { // it, or one beside it
        return std::any_of(filled.begin(), filled.end(), [&](const QRect& one) { return one.top() <= row.bottom() && one.bottom() >= row.top(); });
    };
    const QRect seen(QPoint(), area_->viewport()->size());
    solid_ = 0;
    int ends = 0; // pixels at the lower end without a filled button, whose name stands right above
    const auto next_below = [&](const QRect& button) { // out of sight, or nearly
        return std::any_of(buttons.begin(), buttons.end(), [&](const QRect& other) {
            return other.bottom() > seen.bottom() && other.top() > button.bottom() && other.top() <= button.bottom() + between && (other & seen).height() < least_head;
        });
    };
    for (const QRect& button : buttons) {
        const QRect part = button & seen;
        if (part.isEmpty() || part.height() > seen.height() / 2) continue;
        if (end_ == End::top) {
            if (button.top() < seen.top() && part.height() <= most_gone) solid_ = std::max(solid_, part.height() + 2);
        } else if (has_filled(button)) { // half of it would be a stain: whole or not there
            if (part.height() < button.height()) ends = solid_ = std::max(solid_, part.height() + 2);
        } else if (part.height() == button.height()) {
            if (next_below(button)) solid_ = std::max(solid_, seen.bottom() + 1 - button.top() - button.height() * 3 / 5);
        }
    }
    const int fades = end_ == End::top || solid_ == 0 ? fade : solid_ == ends ? 2 : least_head; // of a half button enough is to be seen
    const int high = solid_ + fades, top = end_ == End::top ? 0 : seen.height() - high;
    kept_.clear();
    for (const QRect& button : buttons)
        if (seen.contains(button) && (end_ == End::top || button.bottom() < seen.height() - solid_)) kept_.push_back(button.translated(0, -top));
    update();
    setGeometry(area.left(), end_ == End::top ? area.top() : area.bottom() + 1 - high, wide, high);
    const bool before = covers();
    setVisible(end_ == End::top ? bar->value() > bar->minimum() + margin_px : bar->value() < bar->maximum() - margin_px);
    if (covers() != before && parentWidget()) parentWidget()->update(); // its sign
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

void paint_more_below(QPainter& painter, const QRectF& box, const QColor& ink) {
    const QPointF tip(box.center().x(), box.bottom()), chevron[3] = {box.topLeft(), tip, box.topRight()};
    painter.setPen(QPen(ink, 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPolyline(chevron, 3);
}

} // namespace gradus
