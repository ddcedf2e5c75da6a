#include "app/window/setting_popup.hpp"

#include "views/story/parameter_control.hpp"

#include <QPainter>
#include <algorithm>

namespace gradus {

namespace {
constexpr int content = 260, popup_margin = 18;
} // namespace

SettingPopup::SettingPopup(const Theme& theme, double text_scale, const StoryParameter& parameter, QWidget* parent)
    : QFrame(parent, Qt::Popup | Qt::FramelessWindowHint), theme_(theme), width_(static_cast<int>(content * text_scale)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setAccessibleName(parameter.label);
    control_ = new ParameterControl({theme, text_scale}, parameter, this);
    connect(control_, &ParameterControl::dragged, this, &SettingPopup::dragged);
    connect(control_, &ParameterControl::committed, this, &SettingPopup::committed);
    connect(control_, &ParameterControl::reshaped, this, &SettingPopup::fit);
    fit();
}

void SettingPopup::fit() {
    const int height = static_cast<int>(control_->layOut(width_ - 2 * ring_room, false)) + 2 * ring_room;
    control_->setGeometry(popup_margin, popup_margin, width_, height);
    resize(width_ + 2 * popup_margin, height + 2 * popup_margin);
}

void SettingPopup::popUpBelow(const QWidget& word) { popUpBeside(word, word.rect()); }

void SettingPopup::popUpBeside(const QWidget& widget, const QRect& place) {
    const QWidget& window = *parentWidget()->window(); // the widget itself may be enlarged inside it
    const QRect bounds(window.mapToGlobal(QPoint(0, 0)), window.size());
    QPoint at = widget.mapToGlobal(QPoint(place.left(), place.bottom() + 5));
    if (at.y() + height() > bounds.bottom()) at.setY(widget.mapToGlobal(place.topLeft()).y() - 4 - height());
    at.setX(std::clamp(at.x(), bounds.left(), std::max(bounds.left(), bounds.right() - width())));
    at.setY(std::max(bounds.top(), at.y()));
    move(at);
    show();
    auto* field = control_->findChild<StoryField*>();
    if (!field) return control_->setFocus();
    field->setFocus();
    field->selectAll();
}

void SettingPopup::refuse(const QString& why) {
    StoryParameter parameter = control_->parameter();
    parameter.refusal = why;
    control_->present(parameter);
}

bool SettingPopup::types() const {
    const auto* field = control_->findChild<StoryField*>();
    return field && field->hasFocus();
}

void SettingPopup::hideEvent(QHideEvent* event) {
    QFrame::hideEvent(event);
    emit closed();
}

void SettingPopup::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), theme_.surface);
    painter.setPen(QPen(theme_.ink3, 1));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

} // namespace gradus
