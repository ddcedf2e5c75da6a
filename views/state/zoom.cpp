#include "views/state/zoom.hpp"

#include <QGraphicsProxyWidget>
#include <QWidget>

namespace gradus {

double zoom_of(const QWidget& widget) {
    const QGraphicsProxyWidget* proxy = widget.window()->graphicsProxyWidget();
    return proxy ? proxy->scale() : 1;
}

double pixel_ratio(const QWidget& widget) { return widget.devicePixelRatioF() * zoom_of(widget); }

} // namespace gradus
