#include "app/window/waiting_keys.hpp"

#include <QApplication>
#include <QWidget>
#include <utility>

namespace gradus {

namespace {

constexpr qint64 most_ms = 20'000; // a kernel that takes longer does not come

bool writes(const QKeyEvent& key) {
    if (key.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier) || key.key() == Qt::Key_Escape) return false;
    return !key.text().isEmpty();
}

} // namespace

WaitingKeys::WaitingKeys(QWidget* window) : QObject(window), window_(window) {}

void WaitingKeys::wait() {
    if (!waiting()) qApp->installEventFilter(this);
    typed_.clear();
    since_.start();
}

void WaitingKeys::drop() {
    if (waiting()) qApp->removeEventFilter(this);
    since_.invalidate();
    typed_.clear();
}

void WaitingKeys::give(QWidget& editor) {
    const auto typed = std::exchange(typed_, {});
    drop();
    for (const auto& key : typed) QCoreApplication::sendEvent(&editor, key.get());
}

bool WaitingKeys::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride) return false;
    const auto* widget = qobject_cast<QWidget*>(watched);
    if (!widget || widget->window() != window_ || !writes(static_cast<const QKeyEvent&>(*event))) return false;
    if (since_.elapsed() > most_ms) {
        drop();
        return false;
    }
    if (event->type() == QEvent::KeyPress) typed_.emplace_back(static_cast<QKeyEvent*>(event)->clone());
    event->accept(); // what asks whether it is a shortcut comes again as a key
    return true;
}

} // namespace gradus
