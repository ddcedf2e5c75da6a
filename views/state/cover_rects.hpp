#pragma once

#include <QRectF>
#include <vector>

namespace gradus {

/// Covers as they are painted, none on another. Edges stand on whole pixels, and where two would almost be in line they are, on the
/// outer one. Covers that lie inside others, that touch along a whole side, or that fill with another nearly all of the rectangle
/// around both, become one; where that would cover too much they lie side by side. Nothing that was covered is seen.
std::vector<QRectF> tidy_covers(std::vector<QRectF> covers);

} // namespace gradus
