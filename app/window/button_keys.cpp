#include "app/window/button_keys.hpp"

#include <QAbstractButton>
#include <QCoreApplication>
#include <QKeyEvent>

namespace gradus {

ButtonKeys::ButtonKeys(QWidget* window) : QObject(window), window_(window) {
    QCoreApplication::instance()->installEventFilter(this); // buttons come and go with the story
}

bool ButtonKeys::eventFilter(QObject* watched, QEvent* event) {
    const QEvent::Type type = event->type();
    if (type != QEvent::FocusIn && type != QEvent::ShortcutOverride && type != QEvent::KeyPress) return false;
    auto* button = qobject_cast<QAbstractButton*>(watched);
    if (!button || button->window() != window_) return false;
    if (type == QEvent::FocusIn) {
        by_key_ = static_cast<QFocusEvent*>(event)->reason() != Qt::MouseFocusReason;
        return false;
    }
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
    if ((key->modifiers() & ~Qt::KeypadModifier) != 0 || (!enter && key->key() != Qt::Key_Space)) return false;
    if (type == QEvent::ShortcutOverride) {
        if (!enter && !by_key_) return false;
        event->accept();
        return true;
    }
    if (!enter) return false; // Space presses by itself
    if (button->isEnabled() && !key->isAutoRepeat()) button->click();
    return true;
}

} // namespace gradus
