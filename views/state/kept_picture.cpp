#include "views/state/kept_picture.hpp"

#include "views/state/picture_memory.hpp"
#include "views/state/zoom.hpp"

namespace gradus {

QImage& KeptPicture::renew(const QWidget& widget, const QSize& size, const QColor& ground) {
    const double ratio = pixel_ratio(widget);
    const QSize pixels = (size * ratio).expandedTo({1, 1}); // there is nothing to paint on without a pixel
    const QImage::Format format = ground.alpha() == 255 ? QImage::Format_RGB32 : QImage::Format_ARGB32_Premultiplied;
    if (picture_.size() != pixels || picture_.format() != format) {
        picture_ = {}; // first, so that the new one may lie where it did
        picture_ = recycled_picture(pixels, format);
    }
    picture_.setDevicePixelRatio(ratio);
    picture_.fill(ground);
    there_ = true;
    return picture_;
}

} // namespace gradus
