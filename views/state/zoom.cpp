#include "views/state/zoom.hpp"

#include <QGraphicsProxyWidget>
#include <QGraphicsScene>
#include <QGraphicsView>
#include <QImage>
#include <QPaintEngine>
#include <QPainter>
#include <QWidget>
#include <cmath>

namespace gradus {

double zoom_of(const QWidget& widget) {
    const QGraphicsProxyWidget* proxy = widget.window()->graphicsProxyWidget();
    return proxy ? proxy->scale() : 1;
}

void take_keys(QWidget& widget, Qt::FocusReason reason) {
    if (const QGraphicsProxyWidget* proxy = widget.window()->graphicsProxyWidget(); proxy && proxy->scene())
        for (QGraphicsView* view : proxy->scene()->views()) view->setFocus(reason);
    widget.setFocus(reason);
}

double pixel_ratio(const QWidget& widget) { return widget.devicePixelRatioF() * zoom_of(widget); }

bool covers_whole(const QPainter& painter) {
    return painter.paintEngine()->type() == QPaintEngine::Raster && painter.deviceTransform().type() <= QTransform::TxTranslate;
}

void draw_kept(QPainter& painter, QPointF at, const QImage& picture) {
    const QTransform to_device = painter.deviceTransform();
    const bool enlarged = to_device.type() == QTransform::TxScale && qFuzzyCompare(to_device.m11(), to_device.m22()) &&
                          qFuzzyCompare(to_device.m11(), picture.devicePixelRatio());
    if (!enlarged || painter.paintEngine()->type() != QPaintEngine::Raster) {
        painter.drawImage(at, picture);
        return;
    }
    const QTransform world = painter.worldTransform(), beyond = world.inverted() * to_device;
    const QPointF place = to_device.map(at);
    painter.setWorldTransform(QTransform::fromTranslate(std::round(place.x()), std::round(place.y())) * beyond.inverted());
    const QRectF all(0, 0, picture.width(), picture.height());
    painter.drawImage(all, picture, all);
    painter.setWorldTransform(world);
}

} // namespace gradus
