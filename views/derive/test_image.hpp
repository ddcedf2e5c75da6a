#pragma once

#include "engine/data/dataset.hpp"

#include <QImage>

namespace gradus {

/// A test image of a data set, a pixel for each byte, grey from black (0) to white (255). Null where there is none: the
/// examples are no images, or there are not so many.
QImage test_image(const Dataset& data, Dim which);

} // namespace gradus
