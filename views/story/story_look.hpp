#pragma once

#include "views/text/rich_layout.hpp"
#include "views/theme/theme.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

/// Theme and text size of the story column; its widgets share one.
struct StoryLook {
    Theme theme;
    double scale = 1;

    double px(double pixels) const { return std::round(pixels * scale); }
    int text_px(double pixels) const { return std::max(metrics::small_text, static_cast<int>(px(pixels))); }
    QFont text(double pixels, QFont::Weight weight = QFont::Normal) const { return text_font(text_px(pixels), weight); }
    QFont mono(double pixels, QFont::Weight weight = QFont::Normal) const { return mono_font(text_px(pixels), weight); }
    RichStyle rich(int pixels, double line, QFont::Weight weight = QFont::Normal) const {
        return {pixels, line, 12, scale, weight, false};
    }
};

/// Room around a control for its focus ring, in pixels.
constexpr int ring_room = 4;

} // namespace gradus
