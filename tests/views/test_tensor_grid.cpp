#include "tests/views/test_tensor_grid.hpp"

#include "tests/views/tensor_stage.hpp"
#include "views/tensor/tensor_grid.hpp"

#include <QTest>
#include <algorithm>
#include <cmath>

using namespace gradus;
using gradus::testing::TensorStage;

namespace {

std::shared_ptr<const Run> plane_run(double slope_x1, double slope_x2) {
    return testing::run_of_experiment("compose_lines", {{"surface", "plane"}, {"slope_x1", std::to_string(slope_x1)}, {"slope_x2", std::to_string(slope_x2)}}, 2);
}

TensorContents grid_of(Dim rows, Dim columns, double aspect, bool unpointed) {
    TensorContents contents;
    contents.rows = rows;
    contents.columns = columns;
    contents.aspect = aspect;
    contents.unpointed = unpointed;
    return contents;
}

} // namespace

void TestTensorGrid::the_picture_is_true_to_the_axes_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("columns");
    QTest::addColumn<double>("aspect");
    for (const auto& [rows, columns, aspect] : {std::tuple(64, 64, 1.0), std::tuple(33, 64, 2.0), std::tuple(64, 20, 0.5)}) QTest::addRow("%dx%d", rows, columns) << rows << columns << aspect;
}

void TestTensorGrid::the_picture_is_true_to_the_axes() {
    QFETCH(int, rows);
    QFETCH(int, columns);
    QFETCH(double, aspect);
    const std::pair<int, int> sizes[] = {{1, 1}, {90, 60}, {296, 215}, {344, 228}, {640, 600}, {537, 257}, {640, 290}, {1164, 638}, {1860, 960}, {200, 900}};
    for (const auto& [width, height] : sizes)
        for (const bool unpointed : {false, true}) {
            const QRectF area(18, 44, width, height), bounds = area.adjusted(-0.5, -0.5, 0.5, 0.5);
            const TensorGeometry g = lay_out(grid_of(rows, columns, aspect, unpointed), {}, area);
            for (const QRectF& part : {g.map, g.row_labels, g.column_labels, g.row_name, g.column_name, g.legend, g.caption, g.card, g.histogram})
                if (!part.isNull()) QVERIFY2(bounds.contains(part), qPrintable(QStringLiteral("%1x%2: %3 %4 %5 %6").arg(width).arg(height).arg(part.x()).arg(part.y()).arg(part.width()).arg(part.height())));
            const std::vector<QRectF> apart{g.map, g.row_labels, g.column_labels, g.row_name, g.column_name, g.legend, g.caption, g.card, g.histogram};
            for (std::size_t i = 0; i < apart.size(); ++i)
                for (std::size_t j = 0; j < i; ++j)
                    if (!apart[i].isNull() && !apart[j].isNull()) QVERIFY(!apart[i].adjusted(0.5, 0.5, -0.5, -0.5).intersects(apart[j]));
            if (width < 296 || height < 215) continue;
            QVERIFY(std::abs(g.cell_height - aspect * g.cell_width) < 1e-9);
            QVERIFY(std::max(g.map.width() / width, g.map.height() / height) > 0.45); // it is what one looks at
            QVERIFY(!g.row_name.isNull() && !g.column_name.isNull());
        }
}

void TestTensorGrid::ticks_stand_where_their_numbers_are_data() {
    QTest::addColumn<double>("first");
    QTest::addColumn<double>("last");
    QTest::addColumn<bool>("across");
    QTest::addColumn<double>("apart");
    QTest::addColumn<std::vector<double>>("numbers");
    QTest::newRow("left to right") << -4.0 << 4.0 << true << 60.0 << std::vector<double>{-4, -2, 0, 2, 4};
    QTest::newRow("upwards") << 4.0 << -4.0 << false << 60.0 << std::vector<double>{-4, -2, 0, 2, 4};
    QTest::newRow("finer") << -4.0 << 4.0 << true << 30.0 << std::vector<double>{-4, -3, -2, -1, 0, 1, 2, 3, 4};
    QTest::newRow("from 0") << 0.0 << 1.0 << true << 100.0 << std::vector<double>{0, 0.5, 1};
}

void TestTensorGrid::ticks_stand_where_their_numbers_are() {
    QFETCH(double, first);
    QFETCH(double, last);
    QFETCH(bool, across);
    QFETCH(double, apart);
    QFETCH(std::vector<double>, numbers);
    TensorGeometry g;
    g.map = QRectF(30, 40, 320, 320);
    g.window = {0, 0, 64, 64};
    g.cell_width = g.cell_height = 5;
    std::vector<double> values;
    for (int i = 0; i < 64; ++i) values.push_back(first + (last - first) * i / 63);
    const auto ticks = grid_ticks(g, values, across, apart);
    QCOMPARE(ticks.size(), numbers.size());
    for (std::size_t i = 0; i < ticks.size(); ++i) {
        QVERIFY(std::abs(ticks[i].value - numbers[i]) < 1e-9);
        const double share = (ticks[i].value - first) / (last - first);
        QVERIFY(std::abs(ticks[i].at - ((across ? 30 : 40) + 2.5 + share * 315)) < 1e-9);
        if (i > 0) QVERIFY(std::abs(ticks[i].at - ticks[i - 1].at) >= apart - 25); // round numbers, not any
    }
    // A framed part has the numbers that are in it.
    g.window = {16, 16, 32, 32};
    for (const GridTick& tick : grid_ticks(g, values, across, apart)) QVERIFY(tick.at >= (across ? 30 : 40) && tick.at <= (across ? 30 : 40) + 160);
}

void TestTensorGrid::the_axes_are_the_runs() {
    TensorStage stage(plane_run(2, -3), "plane", {676, 644});
    QVERIFY(stage.view.shown()->model.is_grid());
    QCOMPARE(stage.item("axis/columns")->value, QString("−4.00 to 4.00"));
    QCOMPARE(stage.item("axis/columns")->name, QString("axis x₁"));
    QCOMPARE(stage.item("axis/rows")->name, QString("axis x₂"));
    const TensorGeometry& g = stage.view.layoutOfItems();
    QCOMPARE(g.map.width(), g.map.height());
    const auto up = grid_ticks(g, stage.view.shown()->model.row_values, false, 40);
    QVERIFY(up.size() > 2 && up.front().value == -4 && up.back().value == 4 && up.front().at > up.back().at); // x₂ upwards
    QCOMPARE(grid_place(stage.view.shown()->model, {0, 63}), QString("x₁ 4.00, x₂ 4.00"));
}

void TestTensorGrid::level_lines_carry_their_values() {
    TensorStage stage(plane_run(2, -3), "plane", {676, 644});
    const TensorShown& shown = *stage.view.shown();
    QVERIFY(shown.levels.size() >= 6 && shown.levels.size() <= 9);
    const TensorGeometry& g = stage.view.layoutOfItems();
    int labels = 0;
    for (const ViewItem& item : stage.view.items()) {
        if (!item.id.startsWith("level/")) continue;
        ++labels;
        QVERIFY(g.map.contains(item.rect));
        // The plane has that value under the middle of the label.
        const QPointF at = item.rect.center();
        const double column = (at.x() - g.map.left()) / g.cell_width - 0.5, row = (at.y() - g.map.top()) / g.cell_height - 0.5;
        const double x1 = -4 + 8 * column / 63, x2 = 4 - 8 * row / 63;
        QVERIFY(std::abs(2 * x1 - 3 * x2 + 1 - QString(item.value).replace(QChar(0x2212), '-').toDouble()) < 1e-6);
    }
    QVERIFY(labels >= 5);
    TensorStage flat(plane_run(0, 0), "plane", {676, 644});
    QVERIFY(flat.view.shown()->levels.empty());
    QVERIFY(!flat.view.grab().isNull());
}

void TestTensorGrid::another_tensor_has_indices() {
    TensorStage stage(plane_run(2, -3), "coefficients", {676, 644});
    QVERIFY(!stage.view.shown()->model.is_grid() && stage.view.shown()->levels.empty());
    QVERIFY(!stage.item("axis/rows"));
}
