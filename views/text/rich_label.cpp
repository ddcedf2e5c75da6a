#include "views/text/rich_label.hpp"

#include <QPaintEvent>
#include <cmath>

namespace gradus {

RichLabel::RichLabel(const Theme& theme, const RichStyle& style, QWidget* parent)
    : QWidget(parent), theme_(theme), style_(style) {}

void RichLabel::setTheme(const Theme& theme) {
    theme_ = theme;
    update();
}

void RichLabel::setStyle(const RichStyle& style) {
    if (style == style_) return;
    style_ = style;
    relay();
}

void RichLabel::setQuiet(bool quiet) {
    if (quiet == quiet_) return;
    quiet_ = quiet;
    update();
}

void RichLabel::setText(const QString& markdown) {
    if (markdown == text_) return;
    text_ = markdown;
    rich_ = parse_rich(markdown);
    setAccessibleName(rich_.plain());
    relay();
}

bool RichLabel::setNumbers(const LiveNumbers& live) {
    live_ = live;
    if (laid_ < 0) return true;
    QRectF changed;
    if (refresh_numbers(geometry_, live_, changed)) {
        if (!changed.isEmpty()) update(changed.adjusted(-2, -2, 2, 2).toAlignedRect());
        return false;
    }
    relay();
    return true;
}

void RichLabel::setPlaces(const PlaceHeights& heights) {
    heights_ = heights;
    relay();
}

void RichLabel::relay() {
    laid_ = -1;
    updateGeometry();
    update();
}

const RichGeometry& RichLabel::geometryFor(double width) const {
    if (laid_ != width) {
        geometry_ = lay_out(rich_, style_, width, live_, heights_);
        laid_ = width;
    }
    return geometry_;
}

int RichLabel::heightForWidth(int width) const { return static_cast<int>(std::ceil(geometryFor(width).height)); }

QSize RichLabel::sizeHint() const {
    const int width = this->width() > 40 ? this->width() : 320;
    return {width, heightForWidth(width)};
}

void RichLabel::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    paint_rich(painter, geometryFor(width()), {0, 0}, event->rect(), theme_, quiet_ ? theme_.ink2 : theme_.ink);
}

} // namespace gradus
