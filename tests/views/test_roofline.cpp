#include "tests/views/test_roofline.hpp"

#include "engine/hardware/chips.hpp"
#include "tests/views/kernel_stage.hpp"
#include "views/access/press_item.hpp"
#include "views/roofline/roofline_view.hpp"
#include "views/theme/numbers.hpp"

#include <QSignalSpy>
#include <QTest>
#include <cmath>

using namespace gradus;
using gradus::testing::climb;
using gradus::testing::product;
using gradus::testing::transpose;

namespace {

using Stage = gradus::testing::KernelStage<RooflineView>;

RooflineModel some_model() {
    RooflineModel model;
    model.roofs = {{"cache", 4e10, 1e11, Provenance::measured, "cache", "here", "here", "cache"}, {"memory", 1e10, 1e11, Provenance::measured, "memory", "", "", "memory"}, {"chip", 2e12, 2e13, Provenance::modelled, "memory", "chip", "chip", ""}};
    for (int i = 0; i < 8; ++i) model.dots.push_back({i, QString::number(i + 1), QString::number(i + 1), i == 2, 0.25 * (i + 1), 1e9 * (i + 1), 0.9e9 * (i + 1), 5e11 * (i + 1)});
    model.best = 21;
    return model;
}

RooflineRoom some_room() {
    RooflineRoom room;
    room.slopes = {{90, 14}, {90, 14}, {90, 14}};
    room.flats = {{120, 14}, {}, {120, 14}};
    room.label = {10, 12};
    room.best = {110, 14};
    return room;
}

} // namespace

void TestRoofline::roofs_bend_at_their_knees() {
    const RooflineModel model = some_model();
    const RooflineGeometry g = lay_out_roofline(model, some_room(), QRectF(10, 10, 700, 400));
    QCOMPARE(g.roofs.size(), model.roofs.size());
    for (std::size_t i = 0; i < g.roofs.size(); ++i) {
        const RooflineRoof& roof = model.roofs[i];
        QCOMPARE(g.roofs[i].size(), 3);
        QVERIFY(std::abs(g.roofs[i][1].x() - g.x_of(roof.peak / roof.bandwidth)) < 0.01 && std::abs(g.roofs[i][1].y() - g.y_of(roof.peak)) < 0.01);
        QCOMPARE(g.roofs[i][2].y(), g.roofs[i][1].y());
        QVERIFY(std::abs(g.roofs[i][2].x() - g.plot.right()) < 0.01);
        for (const QPointF& each : g.roofs[i]) QVERIFY(g.plot.adjusted(-0.1, -0.1, 0.1, 0.1).contains(each));
        // A slope rises a decade in a decade.
        const double decade_x = g.plot.width() / (g.x_to - g.x_from), decade_y = g.plot.height() / (g.y_to - g.y_from);
        QVERIFY(std::abs((g.roofs[i][0].y() - g.roofs[i][1].y()) / decade_y - (g.roofs[i][1].x() - g.roofs[i][0].x()) / decade_x) < 0.01);
    }
    QVERIFY(std::abs(g.best_top.x() - g.x_of(21)) < 0.01);
    QVERIFY(lay_out_roofline(model, some_room(), QRectF(0, 0, 40, 40)).plot.isNull());
}

void TestRoofline::words_stand_apart_data() {
    QTest::addColumn<QSizeF>("size");
    QTest::newRow("wide") << QSizeF(900, 500);
    QTest::newRow("half") << QSizeF(560, 380);
    QTest::newRow("small") << QSizeF(340, 220);
}

void TestRoofline::words_stand_apart() {
    QFETCH(QSizeF, size);
    const RooflineGeometry g = lay_out_roofline(some_model(), some_room(), QRectF(QPointF(18, 44), size));
    std::vector<QRectF> boxes;
    for (const std::vector<QRectF>& part : {g.slopes, g.flats}) boxes.insert(boxes.end(), part.begin(), part.end());
    for (const RooflineGeometry::Dot& dot : g.dots) boxes.push_back(dot.measured_label), boxes.push_back(dot.modelled_label);
    boxes.push_back(g.best_label);
    std::erase_if(boxes, [](const QRectF& box) { return box.isNull(); });
    QVERIFY(boxes.size() >= 8 && !g.flats[0].isNull());
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        QVERIFY(g.plot.contains(boxes[i]));
        for (std::size_t j = 0; j < i; ++j) QVERIFY(!boxes[i].intersects(boxes[j]));
        for (const RooflineGeometry::Dot& dot : g.dots) QVERIFY(!boxes[i].contains(dot.measured) && !boxes[i].contains(dot.modelled));
    }
    for (const QRectF& slope : g.slopes) // a slope's words stand on no roof
        for (const QPolygonF& roof : g.roofs)
            for (double share = 0; !slope.isNull() && share <= 1; share += 0.001) QVERIFY(!slope.contains(roof[0] + (roof[1] - roof[0]) * share));
}

void TestRoofline::a_dot_stands_where_its_numbers_are() {
    Stage stage(climb());
    const Run& run = *climb();
    const RooflineModel& model = stage.view.picture().model;
    const RooflineGeometry& g = stage.view.picture().geometry;
    QCOMPARE(model.dots.size(), std::size_t{3});
    const Chip& a100 = chip("a100");
    for (StepIndex i = 0; i < 3; ++i) {
        const RooflineDot& dot = model.dots[static_cast<std::size_t>(i)];
        const double flops = *run.value_at("flops", i), bytes = *run.value_at("bytes_l1", i), seconds = *run.value_at("plain_seconds", i);
        QCOMPARE(dot.intensity, flops / bytes);
        QCOMPARE(dot.measured.has_value(), std::isfinite(seconds)); // a sanitizer's build times no kernels
        if (dot.measured) QCOMPARE(*dot.measured, flops / seconds);
        QCOMPARE(*dot.modelled, std::min(a100.fp32_flops, flops / bytes * a100.memory_bandwidth));
        QCOMPARE(dot.here, i == 0);
        const RooflineGeometry::Dot& at = g.dots[static_cast<std::size_t>(i)];
        QVERIFY(std::abs(at.modelled.x() - g.x_of(dot.intensity)) < 0.01 && std::abs(at.modelled.y() - g.y_of(*dot.modelled)) < 0.01);
        QCOMPARE(stage.item(dot.name) != nullptr, dot.measured.has_value());
        if (const ViewItem* item = stage.item(dot.name)) {
            QVERIFY(std::abs(at.measured.x() - g.x_of(dot.intensity)) < 0.01 && std::abs(at.measured.y() - g.y_of(*dot.measured)) < 0.01);
            QVERIFY(item->provenance == Provenance::measured && item->value.contains(with_prefix(*dot.measured, "FLOP/s")));
        }
        const ViewItem* chip_item = stage.item(dot.name + ".modelled");
        QVERIFY(chip_item && chip_item->provenance == Provenance::modelled && chip_item->name.contains("A100"));
    }
    QVERIFY(model.dots[1].intensity > model.dots[0].intensity && model.dots[2].intensity > model.dots[1].intensity); // the ladder climbs to the right
    QCOMPARE(*model.best, 2.0 * 64 * 64 * 64 / (3 * 64 * 64 * 4));
    QCOMPARE(model.roofs.size(), std::size_t{3});
    QCOMPARE(model.roofs[1].bandwidth, *run.value_at("memory_bandwidth", 0));
    QVERIFY(model.roofs[0].provenance == Provenance::measured && model.roofs[2].provenance == Provenance::modelled);
    stage.go(2);
    QVERIFY(stage.view.picture().model.dots[2].here && stage.item("5_tile_2d.modelled")->name.contains("where you stand"));
}

void TestRoofline::a_click_goes_to_the_rung() {
    Stage stage(climb());
    QSignalSpy moved(&stage.view, &View::cursorMoved);
    for (const auto& [id, iteration] : {std::pair{"3_shared.modelled", 1}, {"5_tile_2d.modelled", 2}, {"1_naive.modelled", 0}, {"3_shared", 1}}) {
        if (!stage.item(id) && !stage.view.picture().model.dots[0].measured) continue; // a sanitizer's build times no kernels
        QVERIFY2(stage.item(id), id);
        press_item(stage.view, stage.item(id)->rect.center());
        QCOMPARE(moved.size(), 1);
        QCOMPARE(moved.takeFirst()[0].toInt(), iteration);
    }
    press_item(stage.view, stage.view.picture().geometry.plot.bottomRight() - QPointF(2, 2));
    QCOMPARE(moved.size(), 0);
}

void TestRoofline::a_single_kernel_has_one_dot() {
    Stage stage(product());
    const RooflineModel& model = stage.view.picture().model;
    QCOMPARE(model.dots.size(), std::size_t{1});
    QVERIFY(model.dots[0].here && !model.dots[0].measured && model.dots[0].modelled);
    QCOMPARE(model.dots[0].intensity, 2.0 * 64 * 64 * 64 / ((2.0 * 64 * 64 * 64 / 16 + 64 * 64) * 4));
    QCOMPARE(model.chip, QStringLiteral("H100")); // compute capability 9.0
    QCOMPARE(model.roofs.size(), std::size_t{1});
}

void TestRoofline::without_arithmetic_it_says_so() {
    Stage stage(transpose());
    QVERIFY(stage.view.picture().model.dots.empty() && stage.view.picture().model.counted);
    QVERIFY(stage.view.items().empty());
    QVERIFY(!stage.view.grab().isNull());
}

void TestRoofline::what_is_asked_for_is_hidden() {
    Stage stage(climb());
    stage.view.setVeil({{"dots"}, 0});
    QVERIFY(!stage.view.hidden().painted.empty());
    for (const ViewItem& item : stage.view.readable()) QCOMPARE(item.value, QStringLiteral("?"));
}

void TestRoofline::every_size_is_painted() {
    for (const auto& [width, height] : {std::pair{120, 100}, {240, 120}, {344, 228}, {604, 418}, {1164, 638}, {3800, 2100}})
        for (const bool sparse : {false, true}) {
            Stage stage(climb(), {width, height});
            stage.view.setSparse(sparse);
            stage.view.resize(width + 1, height);
            stage.go(1);
            QVERIFY(!stage.view.grab().isNull());
            for (const ViewItem& item : stage.view.items()) QVERIFY2(QRectF(stage.view.rect()).contains(item.rect), qPrintable(item.id));
        }
}
