#pragma once

#include "views/theme/theme.hpp"

#include <QRgb>
#include <array>

namespace gradus {

/// A colour for every value between two ends, as a table: heat maps are images looked up in it.
struct ColorMap {
    std::array<QRgb, 256> entries{};
    bool with_sign = false;
    double end = 1; ///< the last colour stands for this value and all beyond; the first for -end, or for 0 without sign

    /// The entry of a finite value; what lies beyond the ends takes theirs.
    std::size_t entry(double value) const;
    QRgb at(double value) const { return entries[entry(value)]; }
};

/// Below zero – surface – above zero: entries 127 and 128 are the surface, where nothing stands.
ColorMap signed_map(const Theme& theme, double end);
/// The theme's steps from dark to light, from 0 upwards, the same in both modes.
ColorMap unsigned_map(const Theme& theme, double end);

/// A colour between two, `share` from 0 to 1, mixed in Oklab so that equal steps look equal.
/// Source: B. Ottosson, "A perceptual color space for image processing", 2020.
QColor mixed(const QColor& from, const QColor& to, double share);

/// Ink or surface, whichever is read better on this colour.
QColor readable_on(QRgb background, const Theme& theme);

/// As much of a colour on the surface as ink can still be read on, with a contrast of 4.5 : 1.
QColor under_ink(const QColor& colour, const Theme& theme);

} // namespace gradus
