#pragma once

#include "engine/autograd/tape.hpp"
#include "views/state/app_state.hpp"

#include <QColor>
#include <QFont>
#include <array>

class QWidget;

namespace gradus {

/// Every colour there is, by meaning. Read from resources/themes/tokens.json; no colour is written anywhere else.
struct Theme {
    ThemeMode mode = ThemeMode::light;
    QColor window, surface, fill, line;
    QColor ink, ink2, ink3; ///< ink 3 is for lines and outlines only
    QColor data, gradient, parameter, optimizer, fault;
    QColor data_tint, gradient_tint, parameter_tint, optimizer_tint;
    QColor below, above;          ///< ends of the signed map
    std::array<QColor, 5> memory; ///< near to far
    std::array<QColor, 3> bits;   ///< behind sign, exponent and fraction of a number's bits
    std::array<QColor, 6> unsigned_map; ///< from 0 upwards; the same in both modes

    QColor hue(Role role) const;  ///< ink for what has no hue of its own
    QColor tint(Role role) const; ///< the fill of a box of that meaning
};

/// High contrast: every ink but the first is one step stronger. Throws FileError naming the token that is missing or
/// no colour.
Theme load_theme(ThemeMode mode, bool high_contrast = false);

/// Sizes in pixels on a grid of 4.
namespace metrics {
constexpr int gap = 12;      // between panels
constexpr int inside = 18;   // from a panel's edge to its contents
constexpr int radius = 8;    // of a panel
constexpr int small_text = 11;
constexpr int text = 13;
constexpr int title = 22;
} // namespace metrics

/// No text of the lab is smaller than that from now on; in class it is more than metrics::small_text. Of the process:
/// one window at a time stands in front of a class.
void set_smallest_text(int pixels);

QFont text_font(int pixels = metrics::text, QFont::Weight weight = QFont::Normal);
/// For numbers and code.
QFont mono_font(int pixels = metrics::text, QFont::Weight weight = QFont::Normal);
inline QFont small_mono(QFont::Weight weight = QFont::Normal) { return mono_font(metrics::small_text, weight); }

/// mono_font() in a style sheet's words: one font of Qt's then, not a second one that looks the same.
QString mono_sheet(int pixels, QFont::Weight weight = QFont::Normal);

/// The style of the standard controls (fields, lists of choices, buttons) in this theme.
QString style_sheet(const Theme& theme);
/// Thin bars, in the theme, of what scrolls.
QString scroll_bar_sheet(const Theme& theme);
/// Gives the widget a style sheet if it has another one: Qt styles it and all it contains anew even for the same.
void set_style(QWidget& widget, const QString& sheet);

} // namespace gradus
