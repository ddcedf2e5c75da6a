#include "tests/views/test_tensor.hpp"

#include "engine/core/half.hpp"
#include "tests/support/slowed.hpp"
#include "tests/views/tensor_stage.hpp"
#include "views/derive/settings.hpp"
#include "views/tensor/tensor_histogram.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/words.hpp"

#include <QPainter>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <ctime>

using namespace gradus;
using testing::TensorStage;
using testing::fashion;
using testing::run_of;
using testing::run_with;

namespace {

Shape shape_of(std::initializer_list<Axis> axes) { return Shape(axes); }

/// Of this thread: what else the machine has to do does not count.
qint64 processor_ns() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<qint64>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

} // namespace

void TestTensor::everything_stays_inside_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("columns");
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("height");
    QTest::addColumn<bool>("as_pictures");
    const std::pair<int, int> shapes[] = {{256, 784}, {10, 256}, {1, 256}, {1, 5}, {3, 2}, {1, 1}, {1024, 1024}, {2, 100000}};
    const std::pair<int, int> sizes[] = {{1, 1}, {40, 30}, {264, 138}, {344, 228}, {604, 418}, {1164, 638}, {3800, 2100}, {200, 1200}};
    for (const auto& [rows, columns] : shapes)
        for (const auto& [width, height] : sizes)
            QTest::addRow("%dx%d in %dx%d", rows, columns, width, height) << rows << columns << width << height << false;
    for (const auto& [width, height] : sizes)
        QTest::addRow("256 pictures in %dx%d", width, height) << 784 << 256 << width << height << true;
}

void TestTensor::everything_stays_inside() {
    QFETCH(int, rows);
    QFETCH(int, columns);
    QFETCH(int, width);
    QFETCH(int, height);
    QFETCH(bool, as_pictures);
    const QRectF area(18, 44, width, height);
    TensorContents contents;
    contents.rows = rows;
    contents.columns = columns;
    if (as_pictures) {
        contents.form = TensorContents::Form::pictures;
        contents.pictures = columns;
        contents.side = 28;
        contents.toggles = true;
    }
    for (const double cell : {0.0, 0.2, 9.0, 40.0, -1.0}) {
        contents.unpointed = cell < 0; // in class
        TensorZoom zoom;
        zoom.cell = std::max(cell, 0.0);
        zoom.row = rows / 2;
        zoom.column = columns / 3;
        const TensorGeometry g = lay_out(contents, zoom, area);
        const QRectF bounds = area.adjusted(-0.5, -0.5, 0.5, 0.5);
        const QRectF parts[] = {g.slices, g.overview, g.map, g.row_labels, g.column_labels, g.legend, g.caption, g.toggle, g.card, g.histogram, g.bars};
        for (const QRectF& part : parts)
            if (!part.isNull()) QVERIFY2(bounds.contains(part), qPrintable(QString("%1 %2 %3 %4").arg(part.x()).arg(part.y()).arg(part.width()).arg(part.height())));
        for (const QRectF& below : {g.card, g.histogram, g.caption, g.toggle, g.legend, g.overview, g.row_labels, g.column_labels})
            if (!below.isNull()) QVERIFY(!below.intersects(g.map) && !below.intersects(g.bars));
        QVERIFY(!g.bars.intersects(g.map));
        if (rows == 1 && columns <= 32 && columns > 1 && width >= 604 && height >= 418) QVERIFY(g.bars.height() >= 40);
        if (rows > 1) QVERIFY(g.bars.isNull());
        QVERIFY(!g.card.intersects(g.histogram) && !g.caption.intersects(g.card) && !g.legend.intersects(g.caption));
        if (width >= 264 && height >= 138) QVERIFY(g.map.width() > 20 && g.map.height() >= 10);
        if (!g.toggle.isNull() && !g.legend.isNull()) QVERIFY(g.legend.bottom() <= g.toggle.top() - 8 || g.legend.right() <= g.toggle.left());
        if (as_pictures && !contents.unpointed && g.shown > g.across && !g.map.isNull()) { // a framed picture and the numbers of the next row
            const double digits = TextMetrics(mono_font(metrics::small_text)).capHeight();
            QVERIFY(g.picture(g.first + g.across).top() - 4 - digits - (g.picture(g.first).bottom() + 2.5) >= 5);
        }
        if (as_pictures && !g.caption.isNull() && !g.map.isNull()) QVERIFY(g.caption.top() - g.map.bottom() >= 6);
        if (g.numbered) QVERIFY(!g.bars.isNull() && g.legend.isNull() && g.cell_width >= cell_for_numbers);
        if (as_pictures || g.map.isNull()) {
            for (Dim k = g.first; k < g.first + g.shown; ++k) {
                QVERIFY(bounds.contains(g.picture(k)));
                const auto at = g.pixel_at(g.pixel(k, 3 * 28 + 5).center());
                QVERIFY(at && at->first == k && at->second == 3 * 28 + 5);
            }
            continue;
        }
        QVERIFY(g.window.row + g.window.rows <= rows && g.window.column + g.window.columns <= columns);
        if (!g.overview.isNull()) {
            QVERIFY(g.overview.adjusted(-0.5, -0.5, 0.5, 0.5).contains(g.frame));
            QVERIFY(std::abs(g.overview.right() - g.map.right()) < 0.5 && g.overview.left() == g.map.left()); // the whole and its part are as wide
        }
        for (const Dim r : {g.window.row, g.window.row + g.window.rows - 1})
            for (const Dim c : {g.window.column, g.window.column + g.window.columns - 1}) {
                const auto at = g.cell_at(g.cell(r, c).center());
                QVERIFY(at && at->first == r && at->second == c);
            }
    }
}

void TestTensor::one_row_is_drawn_once_data() {
    QTest::addColumn<int>("columns");
    QTest::addColumn<double>("number");
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("height");
    QTest::addColumn<bool>("numbered");
    QTest::newRow("in class") << 5 << 40.0 << 235 << 230 << true;
    QTest::newRow("no room for the numbers") << 5 << 60.0 << 235 << 230 << false;
    QTest::newRow("too many") << 32 << 40.0 << 604 << 418 << false;
    QTest::newRow("in a window") << 10 << 50.0 << 604 << 418 << true;
    QTest::newRow("no room for bars") << 5 << 40.0 << 235 << 60 << false;
}

void TestTensor::one_row_is_drawn_once() {
    QFETCH(int, columns);
    QFETCH(double, number);
    QFETCH(int, width);
    QFETCH(int, height);
    QFETCH(bool, numbered);
    TensorContents contents;
    contents.rows = 1;
    contents.columns = columns;
    contents.number = number;
    contents.named = true;
    contents.unpointed = true;
    const TensorGeometry g = lay_out(contents, {}, QRectF(18, 44, width, height));
    QCOMPARE(g.numbered, numbered); // bars and numbers, or colours and their legend
    QCOMPARE(g.legend.isNull(), numbered);
    if (numbered) QVERIFY(g.cell_width >= number && !g.bars.isNull());
    if (!g.column_name.isNull()) { // on a line of its own
        QVERIFY(g.column_name.top() >= g.column_labels.bottom());
        QCOMPARE(g.column_name.center().x(), g.map.center().x());
    }
    QCOMPARE(!g.column_name.isNull(), height >= 200);
}

void TestTensor::zoom_reaches_the_whole_and_the_single_cell() {
    TensorStage stage(fashion(), "z1", {640, 480});
    for (int i = 0; i < 30; ++i) QTest::keyClick(&stage.view, Qt::Key_Plus);
    QVERIFY(stage.view.layoutOfItems().cell_width >= cell_for_numbers); // numbers stand in the cells
    const CellWindow before = stage.view.layoutOfItems().window;
    QTest::keyClick(&stage.view, Qt::Key_Right, Qt::ShiftModifier);
    QTest::keyClick(&stage.view, Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(stage.view.layoutOfItems().window, before);
    for (int i = 0; i < 60; ++i) QTest::keyClick(&stage.view, Qt::Key_Minus);
    const TensorGeometry& g = stage.view.layoutOfItems();
    QCOMPARE(g.window, (CellWindow{0, 0, g.contents.rows, g.contents.columns}));
    QVERIFY(g.overview.isNull());
}

void TestTensor::cells_are_the_runs_values_data() {
    QTest::addColumn<QString>("data");
    QTest::addColumn<QString>("layers");
    QTest::addColumn<QString>("tensor");
    for (const char* name : {"z1", "W2", "dW2", "b1", "p", "y"}) QTest::addRow("fashion %s", name) << "fashion-mnist" << "784,32,10" << name;
    for (const char* name : {"x", "W1", "W2", "da1", "b2"}) QTest::addRow("xor %s", name) << "xor" << "2,3,1" << name;
}

void TestTensor::cells_are_the_runs_values() {
    QFETCH(QString, data);
    QFETCH(QString, layers);
    QFETCH(QString, tensor);
    const auto run = run_of(data.toStdString(), layers.toStdString());
    TensorStage stage(run, tensor.toStdString(), {380, 290}, 1);
    const auto tensors = run->tensors_of(1);
    const RecordedTensor* recorded = parameter_in(*tensors, tensor.toStdString(), tensor[0] != 'W' && tensor[0] != 'b');
    QVERIFY(recorded);
    const Tensor& wanted = recorded->tensor;
    const TensorGeometry& g = stage.view.layoutOfItems();
    int checked = 0;
    for (Dim i = 0; i < wanted.elements(); ++i) {
        const Dim columns = wanted.shape().rank() > 1 ? wanted.shape()[1] : 1;
        std::vector<Dim> index{i / columns};
        if (wanted.shape().rank() > 1) index.push_back(i % columns);
        const QRectF where = rect_of(g, stage.view.shown()->model, index);
        if (where.isNull()) continue;
        const std::vector<Dim> found = element_at(g, stage.view.shown()->model, where.center());
        QCOMPARE(found, index);
        QCOMPARE(stage.view.shown()->model.value(found), wanted.at(i));
        const CellSource source = stage.view.shown()->model.source();
        const auto place = stage.view.shown()->model.place_of(index);
        QCOMPARE(source.at(place->first, place->second), wanted.at(i));
        ++checked;
    }
    QVERIFY(checked >= static_cast<int>(std::min<Dim>(wanted.elements(), 20)));
    // Where single cells are items they say the same number, and clicking one selects it.
    for (const ViewItem& item : stage.view.items()) {
        if (!item.id.startsWith("cell/")) continue;
        std::vector<Dim> index;
        for (const QString& part : item.id.mid(5).split(',')) index.push_back(part.toLongLong());
        QCOMPARE(item.value, three_digits(wanted.shape().rank() > 1 ? wanted.at(index[0], index[1]) : wanted.at(index[0])));
        stage.selected.clear();
        QTest::mouseClick(&stage.view, Qt::LeftButton, Qt::NoModifier, item.rect.center().toPoint());
        QCOMPARE(stage.selected, (std::vector<Selection>{{tensor.toStdString(), index}}));
    }
    QVERIFY(stage.edited.empty());
}

void TestTensor::averages_keep_outliers_and_faults() {
    std::vector<float> values(64 * 64, 1.0F);
    values[5 * 64 + 9] = 100;                       // far out
    values[40 * 64 + 40] = std::nanf("");
    values[63 * 64 + 63] = -INFINITY;
    for (int r = 16; r < 32; ++r)
        for (int c = 16; c < 32; ++c) values[static_cast<std::size_t>(r * 64 + c)] = static_cast<float>((r + c) % 2) * 4;
    const auto bytes = reinterpret_cast<const std::byte*>(values.data());
    const CellSource source{bytes, DType::f32, 64, 64, 64, 1}, turned{bytes, DType::f32, 64, 64, 1, 64};
    const auto small = reduce_cells(source, source.all(), 4, 4, 50), other = reduce_cells(turned, turned.all(), 4, 4, 50);
    const auto at = [](const std::vector<double>& cells, std::size_t r, std::size_t c) { return cells[r * 4 + c]; };
    QCOMPARE(at(small, 0, 0), 100.0);
    QCOMPARE(at(small, 1, 1), 2.0); // the mean of 0 and 4
    QCOMPARE(at(small, 0, 3), 1.0);
    QVERIFY(std::isnan(at(small, 2, 2)) && std::isnan(at(small, 3, 3)));
    for (std::size_t r = 0; r < 4; ++r)
        for (std::size_t c = 0; c < 4; ++c)
            QVERIFY(at(small, r, c) == at(other, c, r) || (std::isnan(at(small, r, c)) && std::isnan(at(other, c, r))));
    const auto exact = reduce_cells(source, {5, 8, 2, 3}, 100, 100, 50);
    QCOMPARE(exact, (std::vector<double>{1, 100, 1, 1, 1, 1}));
    const std::vector<half> halves{half(1.5F), half(-2.0F), half(3.0F), half(5.5F)};
    const CellSource narrow{reinterpret_cast<const std::byte*>(halves.data()), DType::f16, 2, 2, 2, 1};
    QCOMPARE(narrow.at(1, 0), 3.0);
    QCOMPARE(reduce_cells(narrow, narrow.all(), 1, 1, INFINITY), (std::vector<double>{2}));
    const Theme theme = load_theme(ThemeMode::light);
    const ColorMap map = unsigned_map(theme, 4);
    const QImage image = heat_image(source, source.all(), {4, 4}, 50, map, theme.fault);
    QCOMPARE(image.pixel(1, 1), map.at(2));
    QCOMPARE(image.pixel(0, 0), map.at(100));
    QCOMPARE(image.pixel(2, 2), theme.fault.rgb());
    std::vector<float> wave(300 * 700);
    for (std::size_t i = 0; i < wave.size(); ++i) wave[i] = i % 977 == 5 ? NAN : static_cast<float>(std::sin(static_cast<double>(i)));
    const CellSource wide{reinterpret_cast<const std::byte*>(wave.data()), DType::f32, 300, 700, 700, 1};
    for (const CellWindow& part : {wide.all(), CellWindow{17, 40, 211, 333}}) { // cell by cell it is drawn in strips
        QImage drawn(720, 320, QImage::Format_RGB32);
        drawn.fill(Qt::white);
        QPainter painter(&drawn);
        const QRect where(11, 7, static_cast<int>(part.columns), static_cast<int>(part.rows));
        paint_heat(painter, where, wide, part, INFINITY, map, theme.fault);
        painter.end();
        QCOMPARE(drawn.copy(where), heat_image(wide, part, where.size(), INFINITY, map, theme.fault));
        QCOMPARE(drawn.pixel(where.right() + 1, 100), QColor(Qt::white).rgb());
        QCOMPARE(drawn.pixel(100, where.bottom() + 1), QColor(Qt::white).rgb());
    }
    const CellWindow few{0, 0, 28, 28}; // column 5 of the first row is not finite
    const QImage colours = heat_image(wide, few, {28, 28}, INFINITY, map, theme.fault);
    for (const QRectF& where : {QRectF(11.3, 7.6, 93.5, 88.2), QRectF(4, 5.5, 56, 28.5)}) { // enlarged, each cell is a rectangle
        QImage drawn(120, 110, QImage::Format_RGB32), expected = drawn;
        for (QImage* canvas : {&drawn, &expected}) canvas->fill(Qt::white);
        QPainter painter(&drawn), filler(&expected);
        for (QPainter* one : {&painter, &filler}) one->translate(0.7, 2);
        paint_heat(painter, where, wide, few, INFINITY, map, theme.fault);
        for (int r = 0; r < 28; ++r)
            for (int c = 0; c < 28; ++c)
                filler.fillRect(QRectF(QPointF(where.left() + where.width() * c / 28, where.top() + where.height() * r / 28),
                                       QPointF(where.left() + where.width() * (c + 1) / 28, where.top() + where.height() * (r + 1) / 28)), QColor(colours.pixel(c, r)));
        painter.end(), filler.end();
        QCOMPARE(drawn, expected);
    }
}

void TestTensor::state_is_shown_as_the_step_began_with_it() {
    const auto run = fashion();
    TensorStage stage(run, "W2", {640, 480}, 1);
    const Tensor& before = run->tensors_of(0)->find("W2")->tensor; // what the step before left
    const Tensor& after = run->tensors_of(1)->find("W2")->tensor;
    QVERIFY(stage.view.shown()->model.before_update);
    QCOMPARE(stage.view.shown()->model.value(std::vector<Dim>{3, 4}), before.at(3, 4));
    QVERIFY(before.at(3, 4) != after.at(3, 4));
    stage.state.cursor.iteration = 2;
    stage.wait();
    QCOMPARE(stage.view.shown()->model.value(std::vector<Dim>{3, 4}), after.at(3, 4));
    QVERIFY(stage.view.note().contains("step 2") && stage.view.note().contains("fp32"));
}

void TestTensor::what_the_cursor_has_not_reached_comes_later() {
    const auto run = fashion();
    std::int32_t product = -1; // the first
    for (std::size_t i = 0; i < run->sites().size() && product < 0; ++i)
        if (run->sites()[i].name == "matmul") product = run->sites()[i].ordinal;
    QVERIFY(product >= 0);
    for (const auto& [tensor, later] : {std::pair{"dW2", true}, {"loss", true}, {"x", false}, {"W2", false}}) {
        TensorStage stage(run, tensor);
        QVERIFY2(!stage.view.note().contains("later"), tensor); // from outside, the step is whole
        stage.state.cursor.level = Level::op;
        stage.state.cursor.ordinal = product;
        stage.wait();
        QVERIFY2(stage.view.note().contains("later in step 0") == later, qPrintable(tensor + (": " + stage.view.note())));
    }
}

void TestTensor::with_nothing_selected_the_first_parameter() {
    TensorStage stage(fashion(), "");
    QCOMPARE(stage.view.shown()->model.recorded.name, std::string("W1"));
    QCOMPARE(stage.item("tensor")->name, QString("W₁"));
    QCOMPARE(stage.item("tensor")->role, Role::parameter);
}

void TestTensor::the_legend_says_where_it_clips() {
    std::vector<float> values(1000, 0.5F);
    for (std::size_t i = 0; i < 500; ++i) values[i] = -0.25F;
    values[999] = 9;
    TensorStage stage(run_with(shape_of({{10, "r"}, {100, "c"}}), values), "t");
    QCOMPARE(stage.view.shown()->statistics.clip, 0.5);
    QCOMPARE(stage.item("legend/upper")->value, QString("≥ 0.500"));
    QCOMPARE(stage.item("legend/lower")->value, QString("−0.500")); // nothing lies below it
    const Theme theme = load_theme(ThemeMode::light);
    const ColorMap map = map_for(stage.view.shown()->statistics, theme);
    QVERIFY(map.with_sign);
    QVERIFY(caption_of(stage.view.sceneNow(), 1000).contains("99.5 %"));
    TensorStage flat(run_with(shape_of({{10, "r"}, {100, "c"}}), std::vector<float>(1000, 0.5F)), "t");
    QCOMPARE(flat.item("legend/upper")->value, QString("0.500"));
    QCOMPARE(flat.item("legend/lower")->value, QString("0"));
    QVERIFY(!map_for(flat.view.shown()->statistics, theme).with_sign);
}

void TestTensor::what_is_not_finite_is_a_fault() {
    std::vector<float> values(12, 1.0F);
    values[5] = std::nanf("");
    values[7] = INFINITY;
    TensorStage stage(run_with(shape_of({{3, "r"}, {4, "c"}}), values), "t");
    const Theme theme = load_theme(ThemeMode::light);
    QCOMPARE(faults_text(stage.view.shown()->statistics), QString("✕ 1 NaN, 1 inf"));
    const QImage image = stage.view.grab().toImage();
    const QRectF cell = rect_of(stage.view.layoutOfItems(), stage.view.shown()->model, {1, 1});
    QCOMPARE(image.pixelColor(cell.topLeft().toPoint() + QPoint(4, 4)).rgb(), theme.fault.rgb());
    const QRectF healthy = rect_of(stage.view.layoutOfItems(), stage.view.shown()->model, {0, 0});
    QVERIFY(image.pixelColor(healthy.topLeft().toPoint() + QPoint(4, 4)).rgb() != theme.fault.rgb());
    QCOMPARE(stage.item("cell/1,1")->value, QString("NaN"));
    const ElementCard card = card_of(stage.view.shown()->model, {1, 1});
    QVERIFY(!card.finite && card.value == "✕ NaN");
}

void TestTensor::sizes_from_one_pixel_to_4k() {
    for (const char* name : {"x", "W1", "dW2", "b1", "loss"})
        for (const QSize size : {QSize(1, 1), QSize(60, 50), QSize(300, 200), QSize(3840, 2160)}) {
            TensorStage stage(fashion(), name, size);
            const QImage image = stage.view.grab().toImage();
            QCOMPARE(image.size(), size);
            for (const ViewItem& item : stage.view.items())
                if (size.width() >= 300) QVERIFY2(stage.view.rect().toRectF().adjusted(-3, -3, 3, 3).contains(item.rect), qPrintable(item.id));
            stage.view.setTheme(load_theme(ThemeMode::dark));
            QVERIFY(stage.view.grab().toImage() != image || size.width() < 2);
        }
}

void TestTensor::a_megapixel_is_painted_in_a_frame() {
    std::vector<float> values(1024 * 1024);
    std::uint32_t state = 1;
    for (float& value : values) value = static_cast<float>(static_cast<std::int32_t>(state = state * 1664525U + 1013904223U)) * 1e-9F;
    TensorStage stage(run_with(shape_of({{1024, "in"}, {1024, "out"}}), values, Role::gradient), "t", {1920, 1080});
    QPixmap target(1920, 1080);
    std::vector<qint64> fresh, again;
    for (int i = 0; i < 15; ++i) {
        stage.view.setTheme(load_theme(ThemeMode::light)); // throws away what was painted
        const qint64 start = processor_ns();
        stage.view.render(&target);
        const qint64 middle = processor_ns();
        stage.view.render(&target);
        fresh.push_back(middle - start);
        again.push_back(processor_ns() - middle);
    }
    std::sort(fresh.begin(), fresh.end());
    std::sort(again.begin(), again.end());
    qInfo("1024×1024 at 1920×1080: %.2f ms anew, %.2f ms again", static_cast<double>(fresh[7]) / 1e6, static_cast<double>(again[7]) / 1e6);
    QVERIFY(fresh[7] < test::slowed * 50'000'000);
}
