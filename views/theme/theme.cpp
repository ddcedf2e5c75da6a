#include "views/theme/theme.hpp"

#include "engine/core/error.hpp"

#include <QCoreApplication>
#include <QFile>
#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QWidget>
#include <algorithm>
#include <fmt/format.h>

// A static library's resources are linked in only where somebody asks for them; this must stand outside a namespace.
static void link_resources() { Q_INIT_RESOURCE(gradus); }

namespace gradus {

namespace {

QColor colour(const QJsonValue& value, const std::string& name) {
    const QColor parsed(value.toString());
    if (!parsed.isValid()) throw FileError(fmt::format("themes/tokens.json: '{}' is missing or no colour", name));
    return parsed;
}

/// Hangul needs more pixels than Latin to be read, so a language says how small its words may be: by translating this
/// number.
int least_text() { return std::max(metrics::small_text, QCoreApplication::translate("Theme", "11").toInt()); }

} // namespace

Theme load_theme(ThemeMode mode, bool high_contrast) {
    link_resources();
    QFile file(":/gradus/themes/tokens.json");
    if (!file.open(QIODevice::ReadOnly)) throw FileError("themes/tokens.json is not among the program's resources");
    const char* section = mode == ThemeMode::dark ? "dark" : "light";
    const QJsonObject all = QJsonDocument::fromJson(file.readAll()).object(), tokens = all[section].toObject();
    Theme theme;
    theme.mode = mode;
    const std::pair<const char*, QColor*> names[] = {
        {"window", &theme.window}, {"surface", &theme.surface}, {"fill", &theme.fill}, {"line", &theme.line},
        {"ink", &theme.ink}, {"ink2", &theme.ink2}, {"ink3", &theme.ink3}, {"data", &theme.data},
        {"gradient", &theme.gradient}, {"parameter", &theme.parameter}, {"optimizer", &theme.optimizer},
        {"fault", &theme.fault}, {"data_tint", &theme.data_tint}, {"gradient_tint", &theme.gradient_tint},
        {"parameter_tint", &theme.parameter_tint}, {"optimizer_tint", &theme.optimizer_tint},
        {"below", &theme.below}, {"above", &theme.above}};
    for (const auto& [name, target] : names)
        *target = colour(tokens[QLatin1String(name)], fmt::format("{}.{}", section, name));
    if (high_contrast) {
        theme.line = theme.ink3;
        theme.ink3 = theme.ink2;
        theme.ink2 = theme.ink;
    }
    const QJsonArray memory = tokens["memory"].toArray();
    for (std::size_t i = 0; i < theme.memory.size(); ++i)
        theme.memory[i] = colour(memory.at(static_cast<qsizetype>(i)), fmt::format("{}.memory[{}]", section, i));
    const QJsonArray bits = tokens["bits"].toArray();
    for (std::size_t i = 0; i < theme.bits.size(); ++i)
        theme.bits[i] = colour(bits.at(static_cast<qsizetype>(i)), fmt::format("{}.bits[{}]", section, i));
    const QJsonArray steps = all["unsigned_map"].toArray();
    for (std::size_t i = 0; i < theme.unsigned_map.size(); ++i)
        theme.unsigned_map[i] = colour(steps.at(static_cast<qsizetype>(i)), fmt::format("unsigned_map[{}]", i));
    return theme;
}

QColor Theme::hue(Role role) const {
    switch (role) {
    case Role::data:
    case Role::activation: return data;
    case Role::gradient: return gradient;
    case Role::parameter: return parameter;
    case Role::optimizer_state: return optimizer;
    case Role::loss:
    case Role::metric: return ink;
    }
    return ink;
}

QColor Theme::tint(Role role) const {
    switch (role) {
    case Role::data:
    case Role::activation: return data_tint;
    case Role::gradient: return gradient_tint;
    case Role::parameter: return parameter_tint;
    case Role::optimizer_state: return optimizer_tint;
    case Role::loss:
    case Role::metric: return surface;
    }
    return surface;
}

namespace {
int smallest_text = metrics::small_text; // changed and read on the GUI thread only
} // namespace

void set_smallest_text(int pixels) { smallest_text = pixels; }

namespace {

QStringList families(bool mono) {
    static const QStringList words{"Inter", "Noto Sans CJK KR", "Noto Sans", "DejaVu Sans"},
        numbers{"JetBrains Mono", "DejaVu Sans Mono", "Noto Sans CJK KR", "Monospace"};
    return mono ? numbers : words;
}

QString sheet_families(bool mono) { return "font-family: \"" + families(mono).join("\", \"") + "\";"; }

/// Every call gives the same font, not an equal one: Qt looks the faces of each new font up again.
QFont kept_font(bool mono, int pixels, QFont::Weight weight) {
    thread_local QHash<quint64, QFont> fonts;
    const quint64 key = static_cast<quint64>(pixels) << 16 | static_cast<quint64>(weight) << 1 | static_cast<quint64>(mono);
    if (const auto known = fonts.constFind(key); known != fonts.cend()) return *known;
    QFont font;
    font.setFamilies(families(mono)); // and no style hint, which a style sheet cannot give
    font.setPixelSize(pixels);
    font.setWeight(weight);
    return *fonts.insert(key, font);
}

} // namespace

QFont text_font(int pixels, QFont::Weight weight) {
    return kept_font(false, std::max({pixels, least_text(), smallest_text}), weight);
}

QString mono_sheet(int pixels, QFont::Weight weight) {
    return sheet_families(true) + QStringLiteral(" font-size: %1px; font-weight: %2;").arg(pixels).arg(static_cast<int>(weight));
}

QFont mono_font(int pixels, QFont::Weight weight) { return kept_font(true, std::max(pixels, smallest_text), weight); }

QString style_sheet(const Theme& theme) {
    const auto name = [](const QColor& c) { return c.name(); };
    return QString(R"(
        QLabel, QLineEdit, QComboBox, QPushButton, QMenu { color: %1; }
        QLabel { background: transparent; %7 font-size: 13px; }
        QMenu { background: %3; border: 1px solid %4; padding: 5px; }
        QMenu::item { padding: 6px 22px 6px 12px; border-radius: 5px; }
        QMenu::item:selected { background: %5; color: %1; }
        QMenu::item:disabled { color: %2; }
        QMenu::separator { background: %6; height: 1px; margin: 5px 8px; }
        QLabel[role="title"] { font-size: 22px; font-weight: 700; }
        QLabel[role="section"] { font-weight: 600; }
        QLabel[role="quiet"] { color: %2; }
        QLineEdit, QComboBox, QPushButton {
            background: %3; border: 1px solid %4; border-radius: 6px; padding: 0 8px; min-height: 30px;
        }
        QLineEdit { %8 }
        QComboBox { %7 font-size: 13px; }
        QLineEdit { selection-background-color: %1; selection-color: %3; }
        QLineEdit:focus, QComboBox:focus, QPushButton:focus { border: 2px solid %1; padding: 0 7px; min-height: 28px; }
        QComboBox::drop-down { border: none; width: 16px; }
        QComboBox::down-arrow { image: none; }
        QComboBox QAbstractItemView {
            background: %3; color: %1; border: 1px solid %4; outline: none;
            selection-background-color: %5; selection-color: %1;
        }
        QPushButton { %7 font-size: 13px; }
        QPushButton[role="tab"] { background: transparent; border: none; padding: 0 4px; min-height: 26px; color: %2; }
        QPushButton[role="tab"]:checked { color: %1; font-weight: 600; }
        QPushButton[role="tab"]:focus { border: 2px solid %1; padding: 0 2px; min-height: 22px; }
        QPushButton:hover { background: %5; }
        QPushButton[role="main"] { background: %1; color: %3; border-color: %1; font-weight: 600; }
        QPushButton[role="main"]:hover { background: %2; }
        QPushButton[role="main"]:focus { border: 2px solid %4; }
        QPushButton[role="main"]:disabled { background: %3; color: %2; border-color: %6; }
        QPushButton:disabled, QLineEdit:disabled { color: %2; border-color: %6; }
        QToolTip { background: %3; color: %1; border: 1px solid %4; padding: 4px; }
    )")
        .arg(name(theme.ink), name(theme.ink2), name(theme.surface), name(theme.ink3), name(theme.fill),
             name(theme.line), sheet_families(false), sheet_families(true));
}

QString scroll_bar_sheet(const Theme& theme) {
    return QString(R"(
        QScrollBar { background: transparent; margin: 0; }
        QScrollBar:vertical { width: 8px; }
        QScrollBar:horizontal { height: 8px; }
        QScrollBar::handle { background: %1; border-radius: 3px; }
        QScrollBar::handle:vertical { min-height: 32px; margin: 0 1px; }
        QScrollBar::handle:horizontal { min-width: 32px; margin: 1px 0; }
        QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
        QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
        QAbstractScrollArea::corner { background: transparent; border: none; }
    )")
        .arg(theme.ink3.name());
}

void set_style(QWidget& widget, const QString& sheet) {
    if (widget.styleSheet() != sheet) widget.setStyleSheet(sheet);
}

} // namespace gradus
