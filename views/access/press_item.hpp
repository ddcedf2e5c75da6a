#pragma once

#include <QCoreApplication>
#include <QMouseEvent>
#include <QWidget>

namespace gradus {

/// Choosing a thing without a pointer: the widget meets the click that a pointer would have made there. `twice`: a
/// double click, which opens it.
inline void press_item(QWidget& widget, QPointF place, bool twice = false) {
    const auto send = [&](QEvent::Type type, Qt::MouseButtons held) {
        QMouseEvent event(type, place, widget.mapToGlobal(place), Qt::LeftButton, held, Qt::NoModifier);
        QCoreApplication::sendEvent(&widget, &event);
    };
    send(twice ? QEvent::MouseButtonDblClick : QEvent::MouseButtonPress, Qt::LeftButton);
    send(QEvent::MouseButtonRelease, Qt::NoButton);
}

} // namespace gradus
