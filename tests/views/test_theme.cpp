#include "tests/views/test_theme.hpp"

#include "views/theme/color_map.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/paragraph.hpp"
#include "views/theme/theme.hpp"

#include <QTest>
#include <algorithm>
#include <cmath>

using namespace gradus;

namespace {

/// Relative luminance and contrast as WCAG 2.1 defines them.
double luminance(const QColor& colour) {
    const auto part = [](double c) { return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * part(colour.redF()) + 0.7152 * part(colour.greenF()) + 0.0722 * part(colour.blueF());
}
double contrast(const QColor& a, const QColor& b) {
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

double lightness(QRgb c) { return 0.2126 * qRed(c) + 0.7152 * qGreen(c) + 0.0722 * qBlue(c); }

} // namespace

void TestTheme::every_token_is_there() {
    for (const ThemeMode mode : {ThemeMode::light, ThemeMode::dark}) {
        const Theme theme = load_theme(mode);
        QVERIFY(theme.ink.isValid() && theme.memory[4].isValid());
        QVERIFY(theme.hue(Role::gradient) == theme.gradient && theme.tint(Role::parameter) == theme.parameter_tint);
    }
    QVERIFY(load_theme(ThemeMode::light).window != load_theme(ThemeMode::dark).window);
}

void TestTheme::text_has_contrast() {
    for (const ThemeMode mode : {ThemeMode::light, ThemeMode::dark}) {
        const Theme t = load_theme(mode);
        for (const QColor& ground : {t.window, t.surface}) {
            for (const QColor& text : {t.ink, t.ink2, t.data, t.gradient, t.parameter, t.optimizer, t.fault})
                QVERIFY2(contrast(text, ground) >= 4.5, qPrintable(text.name() + " on " + ground.name()));
            for (const QColor& mark : t.memory)
                QVERIFY2(contrast(mark, ground) >= 3, qPrintable(mark.name() + " on " + ground.name()));
        }
        for (const QColor& tint : {t.data_tint, t.gradient_tint, t.parameter_tint, t.optimizer_tint, t.fill})
            for (const QColor& text : {t.ink, t.ink2})
                QVERIFY2(contrast(text, tint) >= 4.5, qPrintable(text.name() + " on " + tint.name()));
    }
}

void TestTheme::numbers_data() {
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("prefixed");
    QTest::newRow("zero") << 0.0 << "0" << "0 s";
    QTest::newRow("loss") << 0.44849 << "0.448" << "448 ms";
    QTest::newRow("rounds up to the next power") << 9.9999 << "10.0" << "10.0 s";
    QTest::newRow("trailing zeros stay") << 0.1 << "0.100" << "100 ms";
    QTest::newRow("negative") << -0.0608 << "−0.0608" << "−60.8 ms";
    QTest::newRow("small") << 1.234e-5 << "1.23e−5" << "12.3 µs";
    QTest::newRow("whole digits") << 12345.6 << "12346" << "12.3 ks";
    QTest::newRow("prefix rounds up") << 999.9 << "1000" << "1.00 ks";
    QTest::newRow("large") << 1.5e9 << "1.50e9" << "1.50 Gs";
    QTest::newRow("infinite") << double(INFINITY) << "inf" << "inf s";
    QTest::newRow("not a number") << std::nan("") << "NaN" << "NaN s";
}

void TestTheme::numbers() {
    QFETCH(double, value);
    QFETCH(QString, text);
    QFETCH(QString, prefixed);
    QCOMPARE(three_digits(value), text);
    QCOMPARE(with_prefix(value, "s"), prefixed);
}

void TestTheme::names() {
    QCOMPARE(written_name("dW12", true), QString("∂W₁₂"));
    QCOMPARE(written_name("data", false), QString("data"));
    QCOMPARE(written_name("x·W1"), QString("x·W₁"));
    QCOMPARE(written_name("2x"), QString("2x"));
}

void TestTheme::paragraphs_end_at_spaces() {
    const QString text = "이 실행에는 역전파가 없어 그래디언트가 흐르지 않습니다.";
    const QFontMetricsF font(text_font(15));
    for (double width = 110; width < 500; width += 13) {
        const QString broken = broken_at_spaces(text, font, width);
        QCOMPARE(QString(broken).replace('\n', ' '), text); // a break anywhere else would add a space
        for (const QString& line : broken.split('\n')) QVERIFY(font.horizontalAdvance(line) <= width);
    }
    QCOMPARE(broken_at_spaces(text, font, 1e5), text);
    QCOMPARE(broken_at_spaces("a\nb c", font, 1e5), QString("a\nb c"));
    QPixmap picture(120, 200);
    QPainter painter(&picture);
    painter.setFont(text_font(15));
    QVERIFY(draw_paragraph(painter, QRectF(0, 0, 120, 200), Qt::AlignLeft | Qt::AlignTop, text).height() > 60);
    QVERIFY(draw_paragraph(painter, QRectF(0, 0, 40, 200), Qt::AlignLeft | Qt::AlignTop, text).width() <= 41); // cut where it must
}

void TestTheme::color_maps_end_at_their_tokens() {
    for (const ThemeMode mode : {ThemeMode::light, ThemeMode::dark}) {
        const Theme theme = load_theme(mode);
        const ColorMap both = signed_map(theme, 2), up = unsigned_map(theme, 2);
        QCOMPARE(both.at(-2), theme.below.rgb());
        QCOMPARE(both.at(-1e300), theme.below.rgb());
        QCOMPARE(both.at(2), theme.above.rgb());
        QCOMPARE(both.at(0), theme.surface.rgb());
        QCOMPARE(both.at(1e-9), theme.surface.rgb());
        QCOMPARE(both.entries[127], both.entries[128]);
        for (std::size_t i = 0; i < 6; ++i) QCOMPARE(up.at(static_cast<double>(i) * 0.4), theme.unsigned_map[i].rgb());
        QCOMPARE(up.at(-3), theme.unsigned_map[0].rgb());
        QCOMPARE(signed_map(theme, 0).at(5), theme.surface.rgb()); // all zeros: nothing stands out
    }
    QCOMPARE(load_theme(ThemeMode::light).unsigned_map[0], QColor("#0B1F4B"));
    QCOMPARE(load_theme(ThemeMode::dark).unsigned_map[5], QColor("#FDEA45"));
}

void TestTheme::color_maps_go_in_even_steps() {
    for (const ThemeMode mode : {ThemeMode::light, ThemeMode::dark}) {
        const Theme theme = load_theme(mode);
        const ColorMap up = unsigned_map(theme, 1), both = signed_map(theme, 1);
        for (std::size_t i = 1; i < 256; ++i) {
            QVERIFY(lightness(up.entries[i]) >= lightness(up.entries[i - 1]) - 0.5); // ever lighter
            for (const ColorMap* map : {&up, &both})
                for (const int shift : {0, 8, 16}) {
                    const auto part = [&](std::size_t k) { return static_cast<int>((map->entries[k] >> shift) & 255U); };
                    QVERIFY(std::abs(part(i) - part(i - 1)) <= 8); // no edge that the numbers do not have
                }
        }
    }
}
