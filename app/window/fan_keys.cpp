#include "app/window/fan_keys.hpp"

#include "app/window/presenter.hpp"

#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTextEdit>
#include <utility>

namespace gradus {

namespace {

bool chooses(int key) {
    switch (key) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Escape:
    case Qt::Key_F: return true;
    default: return false;
    }
}

} // namespace

FanKeys::FanKeys(Presenter& presenter, std::function<void()> open, QWidget* window)
    : QObject(window), presenter_(presenter), open_(std::move(open)), window_(window) {
    let_go_.setSingleShot(true);
    let_go_.setInterval(60);
    connect(&let_go_, &QTimer::timeout, this, [this] {
        if (!std::exchange(held_, false)) return;
        presenter_.closeFan(true);
    });
    qApp->installEventFilter(this); // views with the focus have arrow keys of their own
}

bool FanKeys::eventFilter(QObject* watched, QEvent* event) {
    if (watched == window_ && event->type() == QEvent::WindowDeactivate && held_) {
        held_ = false; // the key is let go where nobody sees it
        presenter_.closeFan(false);
        return false;
    }
    const bool press_or_ask = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    if (!press_or_ask && event->type() != QEvent::KeyRelease) return false;
    const auto* widget = qobject_cast<QWidget*>(watched);
    if (!widget || widget->window() != window_) return false;
    const auto& key = static_cast<const QKeyEvent&>(*event);
    if (event->type() == QEvent::ShortcutOverride) {
        if (!presenter_.fan() || !chooses(key.key())) return false;
        event->accept(); // it comes again as a key
        return true;
    }
    if (event->type() == QEvent::KeyPress) return press(key);
    if (key.key() != Qt::Key_F || key.isAutoRepeat() || !held_) return false;
    let_go_.start(); // a display that is busy tells a repeated key as let go and pressed again
    return true;
}

bool FanKeys::press(const QKeyEvent& key) {
    if (!presenter_.fan()) {
        const QWidget* focus = QApplication::focusWidget();
        const bool writes = qobject_cast<const QLineEdit*>(focus) || qobject_cast<const QTextEdit*>(focus) || qobject_cast<const QPlainTextEdit*>(focus);
        if (key.key() != Qt::Key_F || key.modifiers() != Qt::NoModifier || key.isAutoRepeat() || writes) return false;
        open_();
        held_ = presenter_.fan() != nullptr;
        return true;
    }
    if (key.key() == Qt::Key_F) let_go_.stop();
    if (!chooses(key.key())) return false;
    switch (key.key()) {
    case Qt::Key_Left:
    case Qt::Key_Down: presenter_.nextFuture(-1); break;
    case Qt::Key_Right:
    case Qt::Key_Up: presenter_.nextFuture(1); break;
    case Qt::Key_Escape:
        held_ = false;
        presenter_.closeFan(false);
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        held_ = false;
        presenter_.closeFan(true);
        break;
    default: break; // the held key repeats
    }
    return true;
}

} // namespace gradus
