#include "views/derive/test_image.hpp"

#include <cstring>

namespace gradus {

QImage test_image(const Dataset& data, Dim which) {
    const Tensor& x = data.test_x;
    if (!data.images || !x.defined() || x.dtype() != DType::u8 || !x.contiguous() || which < 0 || which >= x.shape()[0]) return {};
    QImage image(data.image_columns, data.image_rows, QImage::Format_Grayscale8);
    const auto* bytes = x.data<std::uint8_t>() + which * x.shape()[1];
    for (int row = 0; row < data.image_rows; ++row)
        std::memcpy(image.scanLine(row), bytes + static_cast<std::ptrdiff_t>(row) * data.image_columns, static_cast<std::size_t>(data.image_columns));
    return image;
}

} // namespace gradus
