#pragma once

#include <QPixmap>

class QWidget;

namespace gradus {

/// What a widget paints once and shows often. Its buffer is used again where the size stays: memory that is new costs as
/// much as what is painted into it.
class KeptPicture {
public:
    /// It is to be painted anew.
    void forget() { there_ = false; }
    bool there() const { return there_; }
    /// A picture of that size, in the screen's pixels, with nothing on its ground yet: paint on it at once.
    QPixmap& renew(const QWidget& widget, const QSize& size, const QColor& ground = Qt::transparent);
    const QPixmap& pixmap() const { return pixmap_; }

private:
    QPixmap pixmap_;
    bool there_ = false;
};

} // namespace gradus
