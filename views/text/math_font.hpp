#pragma once

#include <QFont>
#include <QRectF>
#include <QString>

namespace gradus {

/// The faces of a formula. size1 to size4 hold larger cuts of ∑, ∏ and the delimiters.
enum class MathFace : std::uint8_t { italic, upright, bold, bold_italic, size1, size2, size3, size4, number };

/// STIX in that face (package fonts-stix), with fallbacks; `number` is the mono face of live numbers.
QFont math_font(MathFace face, int pixels);

/// True if the face is installed; without size1 to size4 large signs are scaled.
bool has_face(MathFace face);

/// One sign's advance and its ink around the origin on the baseline.
struct MathGlyph {
    double advance = 0;
    QRectF ink;
};
/// Measured once per sign, face and size. Called by the GUI thread only.
MathGlyph math_glyph(MathFace face, int pixels, const QString& text);

} // namespace gradus
