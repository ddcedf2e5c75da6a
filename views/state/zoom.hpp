#pragma once

#include <Qt>

class QImage;
class QPainter;
class QPointF;
class QWidget;

namespace gradus {

/// Pixels of the screen per pixel of a widget: the screen's own ratio, times how much larger the lab is shown. What a
/// widget keeps as a picture is made with so many.
double pixel_ratio(const QWidget& widget);

/// How much larger the lab is shown around this widget: 1 where it is not.
double zoom_of(const QWidget& widget);

/// Gives a widget the keys. Shown larger it lies in a scene, whose view must have them first.
void take_keys(QWidget& widget, Qt::FocusReason reason = Qt::OtherFocusReason);

/// Paints a picture of pixel_ratio() pixels per pixel of the widget, each on one pixel of the screen. QPainter would
/// interpolate between them, which takes longer and is not as sharp.
void draw_kept(QPainter& painter, QPointF at, const QImage& picture);

/// A picture without holes, drawn with draw_kept() at a whole place, leaves nothing of what was below it.
bool covers_whole(const QPainter& painter);

} // namespace gradus
