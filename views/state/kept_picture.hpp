#pragma once

#include <QImage>

class QWidget;

namespace gradus {

/// What a widget paints once and shows often. Its memory is used again where the size stays, and by other pictures where it
/// does not.
class KeptPicture {
public:
    /// It is to be painted anew.
    void forget() { there_ = false; }
    bool there() const { return there_; }
    /// A picture of that size, in the screen's pixels, with nothing on its ground yet: paint on it at once. Where the ground
    /// is opaque, so is all of it, and it is copied where others are blended.
    QImage& renew(const QWidget& widget, const QSize& size, const QColor& ground = Qt::transparent);
    const QImage& picture() const { return picture_; }

private:
    QImage picture_;
    bool there_ = false;
};

} // namespace gradus
