#include "views/story/slider.hpp"

#include "views/story/accessible_slider.hpp"
#include "views/theme/words.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

namespace gradus {

namespace {

constexpr double thumb_radius = 9, track_width = 4, middle = 14; // pixels; middle: of the track, from the top

bool is_moving_key(int key) {
    switch (key) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down: return true; // Home and End, PageUp and PageDown stay the lesson's, from anywhere
    default: return false;
    }
}

} // namespace

Slider::Slider(const StoryLook& look, QWidget* parent) : QWidget(parent), look_(look) {
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    install_accessible_sliders();
}

void Slider::setLook(const StoryLook& look) {
    look_ = look;
    update();
}

void Slider::setScale(const SliderScale& scale) {
    if (scale == scale_) return;
    scale_ = scale;
    update();
}

void Slider::setValue(double value) {
    if (moving_ || value == value_) return;
    value_ = value;
    update();
}

int Slider::heightNeeded() const { return static_cast<int>(middle + 17 + look_.px(12)); }

QRectF Slider::track() const {
    return QRectF(rect()).adjusted(thumb_radius + ring_room, 0, -thumb_radius - ring_room, 0);
}

QPointF Slider::thumb() const { return {track().left() + scale_.place(value_) * track().width(), middle}; }

void Slider::move(double value) {
    if (value == value_ && moving_) return;
    if (!moving_) before_ = value_;
    value_ = value;
    moving_ = true;
    update();
    emit dragged(value_);
}

void Slider::cancel() {
    if (!moving_) return;
    moving_ = false;
    value_ = before_;
    update();
    emit cancelled();
}

void Slider::finish() {
    if (!moving_) return;
    if (value_ == before_) return cancel(); // a change back is none
    moving_ = false;
    emit committed(value_);
}

void Slider::take(double value) {
    move(scale_.value(scale_.place(value)));
    finish();
}

bool Slider::event(QEvent* event) {
    // These keys are the window's shortcuts too; whoever has come here with Tab means the slider.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if ((key->modifiers() & ~Qt::ShiftModifier) == 0 && is_moving_key(key->key())) {
            event->accept();
            return true;
        }
    }
    return QWidget::event(event);
}

void Slider::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    const double at = (event->position().x() - track().left()) / std::max(1.0, track().width());
    const bool on_thumb = std::abs(event->position().x() - thumb().x()) <= thumb_radius;
    moving_ = true;
    before_ = value_;
    if (!on_thumb) move(scale_.value(at));
    update();
}

void Slider::mouseMoveEvent(QMouseEvent* event) {
    if (!(event->buttons() & Qt::LeftButton) || !moving_) return;
    const double value = scale_.value((event->position().x() - track().left()) / std::max(1.0, track().width()));
    if (value != value_) move(value);
}

void Slider::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) finish();
}

void Slider::keyPressEvent(QKeyEvent* event) {
    if ((event->modifiers() & ~Qt::ShiftModifier) != 0) return QWidget::keyPressEvent(event);
    const bool far = event->modifiers() != Qt::NoModifier; // with Shift
    const auto by = [&](int way) { move(far ? scale_.page(value_, way) : scale_.step(value_, way)); };
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Down: return by(-1);
    case Qt::Key_Right:
    case Qt::Key_Up: return by(1);
    default: QWidget::keyPressEvent(event);
    }
}

void Slider::keyReleaseEvent(QKeyEvent* event) {
    if (!is_moving_key(event->key())) return QWidget::keyReleaseEvent(event);
    if (!event->isAutoRepeat()) finish();
}

void Slider::focusOutEvent(QFocusEvent* event) {
    finish();
    QWidget::focusOutEvent(event);
}

void Slider::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = look_.theme;
    const QRectF line = track();
    const QPointF ring = thumb();
    painter.setPen(QPen(theme.line, track_width, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(QPointF(ring_room + 2, middle), QPointF(width() - ring_room - 2, middle));
    painter.setPen(QPen(theme.ink, track_width, Qt::SolidLine, Qt::RoundCap));
    const bool both_ways = scale_.least < 0 && scale_.most > 0; // then the bar is as long as the number is large
    const double zero = both_ways ? line.left() + scale_.place(0) * line.width() : ring_room + 2;
    if (both_ways) painter.drawLine(QPointF(zero, middle - 4), QPointF(zero, middle + 4));
    painter.drawLine(QPointF(zero, middle), ring);
    painter.setFont(look_.mono(11));
    const TextMetrics fm(painter.font());
    const int room = static_cast<int>(line.width() / (fm.horizontalAdvance("0.0001") + 8));
    for (const double tick : scale_.ticks(std::max(2, room))) {
        const double x = line.left() + scale_.place(tick) * line.width();
        painter.setPen(QPen(theme.ink3, 1));
        const double crisp = std::floor(x) + 0.5;
        painter.drawLine(QPointF(crisp, middle + 9), QPointF(crisp, middle + 13));
        const QString text = SliderScale::tick_text(tick);
        const double width = fm.horizontalAdvance(text);
        painter.setPen(theme.ink2);
        draw_text(painter, QPointF(std::clamp(x - width / 2, double(ring_room), std::max(double(ring_room), this->width() - ring_room - width)), height() - 2), text);
    }
    painter.setPen(QPen(theme.ink, 2));
    painter.setBrush(theme.surface);
    painter.drawEllipse(ring, thumb_radius, thumb_radius);
    if (!hasFocus()) return;
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(ring, thumb_radius + 3.5, thumb_radius + 3.5);
}

} // namespace gradus
