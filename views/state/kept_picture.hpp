#pragma once

#include "views/state/zoom.hpp"

#include <QImage>
#include <QPainter>
#include <QWidget>
#include <utility>

namespace gradus {

/// What a widget paints once and shows often. Its memory is used again where the size stays, and by other pictures where it
/// does not.
class KeptPicture {
public:
    /// It is to be painted anew.
    void forget() { there_ = seen_ = false; }
    bool there() const { return there_; }

    /// Paints `area` of the widget with what paint(painter) paints in the widget's coordinates. The first time straight onto the
    /// screen: while a net trains or a window is pulled larger the next time it is another, and a picture would be a copy more.
    template <class Paint> void show(QPainter& painter, const QWidget& widget, const QRect& area, const QColor& ground, Paint&& paint) {
        if (!there_ && !std::exchange(seen_, true) && covers_whole(painter)) {
            painter.save();
            painter.setClipRect(area, Qt::IntersectClip);
            painter.setRenderHint(QPainter::Antialiasing, false);
            if (ground.alpha() > 0) painter.fillRect(area, ground);
            paint(painter);
            painter.restore();
            return;
        }
        if (!there_) {
            QPainter once(&renew(widget, area.size(), ground));
            once.translate(-area.topLeft());
            paint(once);
        }
        draw_kept(painter, area.topLeft(), picture_);
    }
    template <class Paint> void show(QPainter& painter, const QWidget& widget, Paint&& paint) {
        show(painter, widget, widget.rect(), Qt::transparent, std::forward<Paint>(paint));
    }
    /// A picture of that size, in the screen's pixels, with nothing on its ground yet: paint on it at once. Where the ground
    /// is opaque, so is all of it, and it is copied where others are blended.
    QImage& renew(const QWidget& widget, const QSize& size, const QColor& ground = Qt::transparent);
    const QImage& picture() const { return picture_; }

private:
    QImage picture_;
    bool there_ = false, seen_ = false;
};

} // namespace gradus
