#include "app/window/setting_popup.hpp"

#include "views/story/parameter_control.hpp"

#include <QPainter>
#include <algorithm>

namespace gradus {

namespace {
constexpr int content = 260, margin = 18;
} // namespace

SettingPopup::SettingPopup(const Theme& theme, double text_scale, const StoryParameter& parameter, QWidget* parent)
    : QFrame(parent, Qt::Popup | Qt::FramelessWindowHint), theme_(theme) {
    setAttribute(Qt::WA_DeleteOnClose);
    setAccessibleName(parameter.label);
    control_ = new ParameterControl({theme, text_scale}, parameter, this);
    connect(control_, &ParameterControl::dragged, this, &SettingPopup::dragged);
    connect(control_, &ParameterControl::committed, this, &SettingPopup::committed);
    const int width = static_cast<int>(content * text_scale);
    const int height = static_cast<int>(control_->layOut(width - 2 * ring_room, false)) + 2 * ring_room;
    control_->setGeometry(margin, margin, width, height);
    resize(width + 2 * margin, height + 2 * margin);
}

void SettingPopup::popUpBelow(const QWidget& word) {
    const QWidget& window = *word.window();
    QPoint at = word.mapTo(&window, QPoint(0, word.height() + 4));
    at.setX(std::clamp(at.x(), 0, std::max(0, window.width() - width())));
    move(window.mapToGlobal(at));
    show();
    control_->setFocus();
    if (control_->nextInFocusChain()) focusNextChild();
}

void SettingPopup::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), theme_.surface);
    painter.setPen(QPen(theme_.ink3, 1));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

} // namespace gradus
