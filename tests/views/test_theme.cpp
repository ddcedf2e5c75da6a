#include "tests/views/test_theme.hpp"

#include "engine/trace/derive/clock_step.hpp"
#include "views/state/picture_memory.hpp"
#include "views/state/zoom.hpp"
#include "views/theme/color_map.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/paragraph.hpp"
#include "views/theme/paragraph_label.hpp"
#include "views/theme/rounded.hpp"
#include "views/theme/theme.hpp"
#include "views/theme/words.hpp"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

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
        for (const QColor& mark : t.memory) {
            const QColor ground = under_ink(mark, t); // as much of it as there may be, and no more
            QVERIFY2(contrast(t.ink, ground) >= 4.49 && (ground == mark || contrast(t.ink, ground) < 4.65), qPrintable(ground.name()));
        }
        QVERIFY(contrast(under_ink(t.memory[3], t), t.surface) >= 3); // what a sector's lanes ask for, and what is moved for nothing
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

void TestTheme::a_clock_has_no_finer_digits_data() {
    QTest::addColumn<double>("value");
    QTest::addColumn<double>("step");
    QTest::addColumn<QString>("text");
    QTest::newRow("a step of 10 ns") << 40.1e-9 << 1.002e-8 << "40 ns";
    QTest::newRow("a hair below it") << 19.96e-9 << 0.998e-8 << "20 ns";
    QTest::newRow("one step") << 10.02e-9 << 1.002e-8 << "10 ns";
    QTest::newRow("hundreds") << 412.0e-9 << 1.002e-8 << "0.41 µs";
    QTest::newRow("three digits that it can tell") << 3.587e-6 << 1.002e-8 << "3.59 µs";
    QTest::newRow("two decimals of which it can tell one") << 3.587e-6 << 1e-7 << "3.6 µs";
    QTest::newRow("a fine clock") << 40.1e-9 << 0.47e-9 << "40.1 ns";
    QTest::newRow("a step of whole nanoseconds") << 40.1e-9 << 3.3e-9 << "40 ns";
    QTest::newRow("nothing") << 0.0 << 1e-8 << "0 s";
    QTest::newRow("no step is known") << 40.1e-9 << 0.0 << "40.1 ns";
    QTest::newRow("long") << 2.25e-3 << 1e-8 << "2.25 ms";
}

void TestTheme::a_clock_has_no_finer_digits() {
    QFETCH(double, value);
    QFETCH(double, step);
    QFETCH(QString, text);
    QCOMPARE(with_prefix(value, "s", step), text);
}

void TestTheme::a_clocks_stride_is_seen_data() {
    QTest::addColumn<QList<int>>("ticks"); ///< that events took
    QTest::addColumn<double>("step");      ///< nanoseconds, of ticks of 0.5
    QTest::newRow("strides of 21 ticks, give or take one") << QList<int>{42, 63, 21, 84, 105, 43, 62, 9000} << 10.5;
    QTest::newRow("none of one stride") << QList<int>{42, 63, 43, 84, 105, 126, 64} << 10.5;
    QTest::newRow("every tick") << QList<int>{37, 52, 61, 83, 97, 114, 45} << 0.5;
    QTest::newRow("few") << QList<int>{21, 42, 63} << 0.5;
    QTest::newRow("all alike") << QList<int>{21, 21, 21, 21, 21, 21, 21} << 0.5;
    QTest::newRow("none") << QList<int>{} << 0.5;
}

void TestTheme::a_clocks_stride_is_seen() {
    QFETCH(QList<int>, ticks);
    QFETCH(double, step);
    std::vector<EventRecord> events;
    for (const int length : ticks) events.push_back({0, 0, 1000, static_cast<Ticks>(1000 + length)});
    QVERIFY2(std::abs(clock_step(events, {0, 0, 0.5}) * 1e9 - step) < 0.3, qPrintable(QString::number(clock_step(events, {0, 0, 0.5}) * 1e9)));
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

namespace {

QImage drawn(const std::function<void(QPainter&)>& draw) {
    QImage image(300, 60, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    draw(painter);
    return image;
}

/// The greatest difference of one channel, of 255.
int difference(const QImage& a, const QImage& b) {
    int most = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x) {
            const QRgb p = a.pixel(x, y), q = b.pixel(x, y);
            most = std::max({most, std::abs(qRed(p) - qRed(q)), std::abs(qGreen(p) - qGreen(q)), std::abs(qBlue(p) - qBlue(q))});
        }
    return most;
}

} // namespace

void TestTheme::texts_are_as_qt_draws_them() {
    for (const QFont& font : {text_font(13), text_font(15, QFont::Bold), mono_font(12)})
        for (const QString text : {"layer 1 · 0.125 → 3", "그래디언트가 흐릅니다.", "η = 0.1 학습률", " "}) {
            QCOMPARE(TextMetrics(font).horizontalAdvance(text), QFontMetricsF(font).horizontalAdvance(text));
            for (int turn = 0; turn < 2; ++turn) { // shaped, then remembered
                const QImage ours = drawn([&](QPainter& painter) { painter.setFont(font), draw_text(painter, QPointF(10, 40), text); });
                const QImage theirs = drawn([&](QPainter& painter) { painter.setFont(font), painter.drawText(QPointF(10, 40), text); });
                QCOMPARE(difference(ours, theirs), 0);
                for (const Qt::Alignment align : {Qt::AlignLeft | Qt::AlignTop, Qt::AlignRight | Qt::AlignVCenter, Qt::AlignHCenter | Qt::AlignBottom})
                    for (const QRectF box : {QRectF(8, 6, 280, 48), QRectF(8, 6, 40, 48)}) { // the second one is too narrow
                        const QImage in_box = drawn([&](QPainter& painter) { painter.setFont(font), draw_text(painter, box, align.toInt(), text); });
                        const QImage in_qt = drawn([&](QPainter& painter) { painter.setFont(font), painter.drawText(box, align.toInt(), text); });
                        QCOMPARE(difference(in_box, in_qt), 0);
                    }
            }
        }
    QCOMPARE(TextMetrics(text_font()).elidedText("a word", Qt::ElideRight, 1e3), QString("a word"));
    QVERIFY(TextMetrics(text_font()).elidedText("a word", Qt::ElideRight, 30).endsWith(QChar(0x2026)));
    QCOMPARE(TextMetrics(text_font()).elidedText("a word", Qt::ElideRight, 30), TextMetrics(text_font()).elidedText("a word", Qt::ElideRight, 30));
}

void TestTheme::round_boxes_are_as_qt_draws_them() {
    for (const QRect box : {QRect(4, 4, 290, 50), QRect(20, 10, 16, 16), QRect(9, 9, 20, 30)}) {
        const QImage ours = drawn([&](QPainter& painter) {
            fill_rounded(painter, box, 8, Qt::yellow);
            painter.setPen(QPen(Qt::black, 1, Qt::SolidLine, Qt::FlatCap));
            outline_rounded(painter, QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 7.5);
        });
        const QImage theirs = drawn([&](QPainter& painter) {
            painter.setPen(QPen(Qt::black, 1));
            painter.setBrush(Qt::yellow);
            painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 7.5, 7.5);
        });
        QVERIFY2(difference(ours, theirs) <= 90, qPrintable(QString::number(difference(ours, theirs)))); // where a side meets a corner
    }
}

void TestTheme::kept_pictures_are_copied_pixel_for_pixel() {
    QImage picture(75, 45, QImage::Format_RGB32);
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x) picture.setPixel(x, y, qRgb((x * 37 + y * 91) % 256, (x * 11) % 256, (y * 53) % 256));
    QImage kept = picture;
    kept.setDevicePixelRatio(1.5);
    const QImage shown = drawn([&](QPainter& painter) {
        painter.setRenderHint(QPainter::SmoothPixmapTransform);
        painter.translate(3, 2);
        painter.scale(1.5, 1.5);
        draw_kept(painter, {4.2, 1.7}, kept); // at (9.3, 4.55) on the screen
        painter.fillRect(QRectF(100, 0, 10, 10), Qt::red); // the painter is as it was
    });
    QCOMPARE(shown.copy(9, 5, 75, 45), picture);
    QCOMPARE(shown.pixel(160, 8), QColor(Qt::red).rgb());
}

void TestTheme::pictures_lie_where_earlier_ones_did() {
    const auto place = [](const QImage& picture) { return std::as_const(picture).constBits(); };
    QImage first = recycled_picture({400, 300}, QImage::Format_RGB32);
    first.fill(Qt::red);
    QCOMPARE(first.pixel(399, 299), qRgb(255, 0, 0));
    const uchar* const there = place(first);
    const QImage second = recycled_picture({400, 300}, QImage::Format_RGB32);
    QVERIFY(place(second) != there); // both are shown
    QImage shown = first;
    first = {};
    QCOMPARE(shown.pixel(0, 0), qRgb(255, 0, 0)); // somebody has it still
    QVERIFY(place(recycled_picture({400, 300}, QImage::Format_RGB32)) != there);
    shown = {};
    QImage later = recycled_picture({300, 350}, QImage::Format_ARGB32_Premultiplied); // of another shape, and smaller
    QCOMPARE(place(later), there);
    later.fill(Qt::transparent);
    QCOMPARE(later.pixel(299, 349), 0u);
    const QImage larger = recycled_picture({2000, 1000}, QImage::Format_RGB32), small = recycled_picture({3, 2}, QImage::Format_RGB32);
    QVERIFY(larger.size() == QSize(2000, 1000) && small.size() == QSize(3, 2));
    QVERIFY(recycled_picture({0, 5}, QImage::Format_RGB32).isNull() && recycled_picture({-3, 4}, QImage::Format_RGB32).isNull());
}

void TestTheme::paragraphs_end_at_spaces() {
    const QString text = "이 실행에는 역전파가 없어 그래디언트가 흐르지 않습니다.";
    const TextMetrics font(text_font(15));
    for (double width = 110; width < 500; width += 13) {
        const QString broken = broken_at_spaces(text, font, width);
        QCOMPARE(QString(broken).replace('\n', ' '), text); // a break anywhere else would add a space
        for (const QString& line : broken.split('\n')) QVERIFY(font.horizontalAdvance(line) <= width);
    }
    QCOMPARE(broken_at_spaces(text, font, 1e5), text);
    QCOMPARE(broken_at_spaces("a\nb c", font, 1e5), QString("a\nb c"));
    const QString formula = "그 자리의 p − y입니다. 오차 5 % 이내면 정답이고 −ln ½ = ln 2입니다.";
    for (double width = 140; width < 500; width += 7)
        for (const QString& line : broken_at_spaces(formula, font, width).split('\n')) {
            QVERIFY2(!(line.indexOf(' ') == 1 && belongs_together(line.left(1), {})) && !belongs_together({}, line.section(' ', -1)), qPrintable(line));
            QVERIFY2(!line.startsWith('%') && !line.endsWith("ln"), qPrintable(line));
        }
    const QString numbers = "of the 16 384 bytes that 100 / 16 tiles ask for, 1 024 are 12 lanes 512 times";
    for (double width = 90; width < 500; width += 7)
        for (const QString& line : broken_at_spaces(numbers, font, width).split('\n'))
            QVERIFY2(!line.startsWith("384") && !line.startsWith("024") && !line.startsWith('/') && !line.endsWith('/'), qPrintable(line));
    // What is wider than a line is cut, behind its marks if it has some.
    const QString path = "there is no /usr/share/datasets/fashion-mnist/train-images-idx3-ubyte.gz, or none to read 데이터세트가없어서안됩니다";
    for (const double width : {60.0, 120.0, 200.0}) {
        const QStringList lines = broken_at_spaces(path, font, width).split('\n');
        QCOMPARE(lines.join(QString()).remove(' '), QString(path).remove(' '));
        for (const QString& line : lines) QVERIFY2(font.horizontalAdvance(line) <= width, qPrintable(line));
    }
    QVERIFY(broken_at_spaces(path, font, 200).contains("/\n"));
    QPixmap picture(120, 200);
    QPainter painter(&picture);
    painter.setFont(text_font(15));
    QVERIFY(draw_paragraph(painter, QRectF(0, 0, 120, 200), Qt::AlignLeft | Qt::AlignTop, text).height() > 60);
    QVERIFY(draw_paragraph(painter, QRectF(0, 0, 40, 200), Qt::AlignLeft | Qt::AlignTop, text).width() <= 41); // cut where it must
}

void TestTheme::a_paragraph_without_room_ends_in_an_ellipsis() {
    ParagraphLabel label;
    label.setFont(text_font(14));
    label.setAlignment(Qt::AlignLeft | Qt::AlignTop);
    const int line = label.fontMetrics().lineSpacing();
    label.resize(160, 9 * line);
    label.setParagraph("x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x");
    const int lines = static_cast<int>(label.text().count('\n')) + 1;
    QVERIFY(lines > 2 && lines < 9);
    const auto painted = [&] {
        QImage image(label.size(), QImage::Format_RGB32);
        image.fill(Qt::white);
        label.render(&image, {}, {}, {});
        return image;
    };
    const auto ink_below = [&](int top) {
        const QImage image = painted();
        int count = 0;
        for (int y = top; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) count += qGray(image.pixel(x, y)) < 128;
        return count;
    };
    QVERIFY(ink_below(line) > 0);
    const QRect first(0, 0, 160, line - 2), second(0, line, 160, line);
    const QImage all = painted();
    label.resize(160, 2 * line + line / 2); // two lines and a half: nothing of the third
    QVERIFY(ink_below(line) > 0);
    QVERIFY(painted().copy(first) == all.copy(first) && painted().copy(second) != all.copy(second)); // which has the ellipsis
    QCOMPARE(ink_below(2 * line), 0);
    QCOMPARE(static_cast<int>(label.text().count('\n')) + 1, lines); // who hears it hears all of it
    label.setParagraph("줄이 여럿인 글은 그 줄들이 모두 보일 만큼 높아야 합니다");
    QVERIFY(label.heightForWidth(160) >= (label.text().count('\n') + 1) * TextMetrics(label.font()).lineHeight("줄")); // higher than a line of English
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
