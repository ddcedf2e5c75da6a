#include "views/theme/color_map.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

using Triple = std::array<double, 3>;

double linear(double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); }
double encoded(double c) { return c <= 0.0031308 ? c * 12.92 : 1.055 * std::pow(c, 1 / 2.4) - 0.055; }

Triple oklab(const QColor& colour) {
    const double r = linear(colour.redF()), g = linear(colour.greenF()), b = linear(colour.blueF());
    const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
            1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
            0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

QColor from_oklab(const Triple& lab) {
    const auto cube = [](double x) { return x * x * x; };
    const double l = cube(lab[0] + 0.3963377774 * lab[1] + 0.2158037573 * lab[2]);
    const double m = cube(lab[0] - 0.1055613458 * lab[1] - 0.0638541728 * lab[2]);
    const double s = cube(lab[0] - 0.0894841775 * lab[1] - 1.2914855480 * lab[2]);
    const auto part = [](double c) { return static_cast<float>(encoded(std::clamp(c, 0.0, 1.0))); };
    return QColor::fromRgbF(part(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
                            part(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
                            part(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s));
}

double luminance(const QColor& colour) {
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

constexpr double text_contrast = 4.5; // the least that text needs

double contrast(const QColor& a, const QColor& b) {
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

/// Entries first to last, both tokens kept exactly.
void fill(ColorMap& map, std::size_t first, std::size_t last, const QColor& from, const QColor& to) {
    for (std::size_t i = first; i <= last; ++i)
        map.entries[i] = mixed(from, to, static_cast<double>(i - first) / static_cast<double>(last - first)).rgb();
}

/// The entries change with the theme alone, but a map is asked for with every tensor, and mixing takes a while.
template <class Tokens, class Fill> ColorMap kept_map(const Tokens& tokens, double end, const Fill& fill_all) {
    thread_local struct {
        Tokens tokens;
        ColorMap map;
    } kept;
    if (kept.tokens != tokens) {
        fill_all(kept.map);
        kept.tokens = tokens;
    }
    kept.map.end = end;
    return kept.map;
}

} // namespace

QColor mixed(const QColor& from, const QColor& to, double share) {
    if (share <= 0) return from;
    if (share >= 1) return to;
    const Triple a = oklab(from), b = oklab(to);
    Triple between;
    for (std::size_t i = 0; i < between.size(); ++i) between[i] = a[i] + share * (b[i] - a[i]);
    return from_oklab(between);
}

std::size_t ColorMap::entry(double value) const {
    const double share = end > 0 ? std::clamp(value / end, -1.0, 1.0) : 0.0;
    const double place = with_sign ? (share + 1) / 2 : std::max(share, 0.0);
    return static_cast<std::size_t>(std::lround(place * 255));
}

ColorMap signed_map(const Theme& theme, double end) {
    const std::array tokens{theme.below, theme.surface, theme.above};
    return kept_map(tokens, end, [&](ColorMap& map) {
        map.with_sign = true;
        fill(map, 0, 127, tokens[0], tokens[1]);
        fill(map, 128, 255, tokens[1], tokens[2]);
    });
}

ColorMap unsigned_map(const Theme& theme, double end) {
    return kept_map(theme.unsigned_map, end, [&](ColorMap& map) {
        const std::size_t segments = theme.unsigned_map.size() - 1, step = 255 / segments;
        for (std::size_t i = 0; i < segments; ++i)
            fill(map, i * step, (i + 1) * step, theme.unsigned_map[i], theme.unsigned_map[i + 1]);
    });
}

QColor readable_on(QRgb background, const Theme& theme) {
    const auto on_it = [ground = QColor(background)](const QColor& text) { return contrast(text, ground); };
    const QColor better = on_it(theme.ink) >= on_it(theme.surface) ? theme.ink : theme.surface;
    if (on_it(better) >= text_contrast) return better;
    const QColor black(Qt::black), white(Qt::white); // one of them always has that
    return on_it(black) >= on_it(white) ? black : white;
}

QColor under_ink(const QColor& colour, const Theme& theme) {
    for (int share = 100; share > 0; --share)
        if (const QColor ground = mixed(theme.surface, colour, share / 100.0); contrast(theme.ink, ground) >= text_contrast) return ground;
    return theme.surface;
}

} // namespace gradus
