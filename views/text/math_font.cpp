#include "views/text/math_font.hpp"

#include "views/theme/theme.hpp"

#include <QFontDatabase>
#include <QFontMetricsF>
#include <QHash>
#include <QPainterPath>

namespace gradus {

namespace {

QFont make_font(MathFace face, int pixels) {
    if (face == MathFace::number) return mono_font(pixels, QFont::DemiBold);
    QFont font;
    font.setPixelSize(pixels);
    font.setHintingPreference(QFont::PreferNoHinting); // a formula's parts are placed between pixels
    if (face >= MathFace::size1) {
        static const char* const families[] = {"STIXSizeOneSym", "STIXSizeTwoSym", "STIXSizeThreeSym", "STIXSizeFourSym"};
        font.setFamilies({families[static_cast<int>(face) - static_cast<int>(MathFace::size1)], "STIXGeneral"});
        return font;
    }
    font.setFamilies({"STIXGeneral", "STIX", "STIX Two Text", "STIX Two Math", "Noto Serif", "DejaVu Serif",
                      "Noto Sans CJK KR"});
    font.setItalic(face == MathFace::italic || face == MathFace::bold_italic);
    if (face == MathFace::bold || face == MathFace::bold_italic) font.setBold(true);
    return font;
}

} // namespace

QFont math_font(MathFace face, int pixels) {
    static QHash<quint32, QFont> made;
    const quint32 key = static_cast<quint32>(pixels) << 8 | static_cast<quint32>(face);
    auto found = made.find(key);
    if (found == made.end()) found = made.insert(key, make_font(face, pixels));
    return *found;
}

bool has_face(MathFace face) {
    static QHash<quint32, bool> known;
    const auto key = static_cast<quint32>(face);
    if (!known.contains(key)) known[key] = QFontDatabase::hasFamily(math_font(face, 16).families().first());
    return known[key];
}

MathGlyph math_glyph(MathFace face, int pixels, const QString& text) {
    const auto measure = [&] {
        const QFont font = math_font(face, pixels);
        QPainterPath outline; // metrics would count the way from the baseline to a sign that hovers as ink
        outline.addText(0, 0, font, text);
        return MathGlyph{QFontMetricsF(font).horizontalAdvance(text), outline.boundingRect()};
    };
    if (face == MathFace::number) return measure(); // another one every frame
    static QHash<QString, MathGlyph> measured;
    const QString key = QString(QChar(static_cast<ushort>(pixels))) + QChar(static_cast<ushort>(face) + 1) + text;
    auto found = measured.find(key);
    if (found != measured.end()) return *found;
    return *measured.insert(key, measure());
}

} // namespace gradus
