#include "views/state/kept_picture.hpp"

#include "views/state/zoom.hpp"

namespace gradus {

QPixmap& KeptPicture::renew(const QWidget& widget, const QSize& size, const QColor& ground) {
    const double ratio = pixel_ratio(widget);
    const QSize pixels = (size * ratio).expandedTo({1, 1}); // there is nothing to paint on without a pixel
    if (pixmap_.size() != pixels) pixmap_ = QPixmap(pixels);
    pixmap_.setDevicePixelRatio(ratio);
    pixmap_.fill(ground);
    there_ = true;
    return pixmap_;
}

} // namespace gradus
