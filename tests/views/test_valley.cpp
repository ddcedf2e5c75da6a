#include "tests/views/test_valley.hpp"

#include "tests/views/valley_stage.hpp"

#include <QTest>
#include <cmath>

using namespace gradus;
using Kind = ObjectiveConstants::Kind;
using Stage = testing::ValleyStage;

namespace {

ValleyGeometry sample_geometry() {
    ValleyGeometry g = lay_out_valley(QRectF(18, 44, 604, 418), Kind::parabola, {15, 30}, 1, false);
    g.range = {-1.5, 1.5, 0, 4.5};
    return g;
}

} // namespace

void TestValley::everything_stands_inside_data() {
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("height");
    QTest::addColumn<double>("line");
    QTest::newRow("nothing") << 1 << 1 << 15.0;
    QTest::newRow("tiny") << 90 << 60 << 15.0;
    QTest::newRow("small") << 260 << 120 << 15.0;
    QTest::newRow("640×480") << 604 << 418 << 15.0;
    QTest::newRow("upright") << 300 << 900 << 15.0;
    QTest::newRow("class") << 1164 << 560 << 34.0;
    QTest::newRow("4K") << 3800 << 2100 << 15.0;
}

void TestValley::everything_stands_inside() {
    QFETCH(int, width);
    QFETCH(int, height);
    QFETCH(double, line);
    const QRectF area(18, 44, width, height);
    for (const Kind kind : {Kind::parabola, Kind::bowl, Kind::line})
        for (const int rows : {1, 2}) {
            const ValleyGeometry g = lay_out_valley(area, kind, {line, 2 * line}, rows, line > 30);
            QVERIFY(area.adjusted(-1, -3, 1, 1).contains(g.plot));
            QVERIFY(g.readouts.isNull() || (area.adjusted(-1, -3, 1, 1).contains(g.readouts) && g.readouts.bottom() <= g.plot.top()));
            QVERIFY(g.plot.width() >= 1 && g.plot.height() >= 1);
            if (g.axes) QVERIFY(g.plot.bottom() + g.lane + line <= area.bottom() + 1); // numbers under it
        }
}

void TestValley::coordinates_go_both_ways() {
    const ValleyGeometry g = sample_geometry();
    QCOMPARE(g.at(-1.5, 0), g.plot.bottomLeft());
    QCOMPARE(g.at(1.5, 4.5), g.plot.topRight());
    for (const QPointF value : {QPointF(0, 0), QPointF(1, 2), QPointF(-0.3, 4)}) {
        const QPointF back = g.from(g.at(value.x(), value.y()));
        QVERIFY(std::abs(back.x() - value.x()) < 1e-12 && std::abs(back.y() - value.y()) < 1e-12);
    }
    for (const QSizeF size : {QSizeF(600, 300), QSizeF(200, 700), QSizeF(400, 400)}) { // circles stay circles
        const QRectF plot(QPointF(0, 0), size);
        const ValleyRange r = bowl_range(plot, 1.25);
        QVERIFY(std::abs(plot.width() / (r.right - r.left) - plot.height() / (r.top - r.bottom)) < 1e-9);
        QVERIFY(std::abs(std::min(r.right, r.top) - 1.25) < 1e-12);
    }
}

void TestValley::arrows_are_as_long_as_the_numbers() {
    const ValleyGeometry g = sample_geometry();
    const double unit = g.plot.width() / 3;
    for (const auto& [w, slope, rate] : {std::tuple(1.0, 4.0, 0.1), {-0.5, -2.0, 0.05}, {1.2, 4.8, 0.25}}) {
        const QLineF arrow = g.update(w, w - rate * slope);
        QVERIFY(std::abs(arrow.length() - rate * std::abs(slope) * unit) < 1e-9); // η·|f'|
        QVERIFY((arrow.dx() < 0) == (slope > 0));                                  // downhill
        const QLineF tangent = g.tangent(w, 2, slope);
        QVERIFY(std::abs(QLineF(tangent.center(), g.at(w, 2)).length()) < 1e-9);
        const QPointF a = g.from(tangent.p1()), b = g.from(tangent.p2());
        QVERIFY(std::abs((b.y() - a.y()) / (b.x() - a.x()) - slope) < 1e-9);
    }
    QCOMPARE(g.update(1, -9).x2(), g.plot.left()); // cut at the edge
    ValleyGeometry bowl = sample_geometry();
    bowl.range = bowl_range(bowl.plot, 1.25);
    const double side = bowl.plot.height();
    QVERIFY(std::abs(bowl.uphill(1, 1, 3, 4, 5).length() - 0.15 * side) < 1e-9);
    QVERIFY(std::abs(bowl.uphill(1, 1, 2.7, 3.6, 5).length() - 0.135 * side) < 1e-9);
    QVERIFY(std::abs(bowl.uphill(1, 1, 3e9, 4e9, 5).length() - 0.4 * side) < 1e-6);
    QVERIFY(bowl.uphill(1, 1, 3, 4, 5).dx() > 0 && bowl.uphill(1, 1, 3, 4, 5).dy() < 0); // up on the screen
    QCOMPARE(bowl.uphill(1, 1, 3e-9, 4e-9, 5).length(), bowl.ring + 10);
    QCOMPARE(bowl.uphill(1, 1, 0, 0, 5).length(), 0.0);
    QCOMPARE(bowl.uphill(1, 1, NAN, 0, 5).length(), 0.0);
}

void TestValley::the_first_arrow_uphill_fits_data() {
    QTest::addColumn<double>("w1");
    QTest::addColumn<double>("w2");
    QTest::addColumn<double>("a1");
    QTest::addColumn<double>("a2");
    QTest::newRow("the card's") << 1.0 << 1.0 << 4.0 << 1.0;
    QTest::newRow("the flat way") << 0.1 << 3.0 << 4.0 << 1.0;
    QTest::newRow("steep") << -2.0 << 0.0 << 50.0 << 0.1;
    QTest::newRow("below") << 0.3 << -10.0 << 1.0 << 1.0;
    QTest::newRow("round already") << 4.0 << -4.0 << 1.0 << 1.0;
}

void TestValley::the_first_arrow_uphill_fits() {
    QFETCH(double, w1);
    QFETCH(double, w2);
    QFETCH(double, a1);
    QFETCH(double, a2);
    const double reach = round_reach(room_beyond(Kind::bowl) * std::max(std::abs(w1), std::abs(w2)));
    for (const QSizeF size : {QSizeF(1000, 400), QSizeF(420, 380), QSizeF(300, 700), QSizeF(230, 190)}) {
        ValleyGeometry g = lay_out_valley(QRectF(QPointF(18, 44), size), Kind::bowl, {15, 30, 16, 16}, 1, false);
        g.range = bowl_range(g.plot, reach);
        const QLineF arrow = g.uphill(w1, w2, a1 * w1, a2 * w2, std::hypot(a1 * w1, a2 * w2));
        QVERIFY(arrow.length() > g.ring);
        QVERIFY2(g.plot.adjusted(2, 2, -2, -2).contains(arrow.p2()), qPrintable(QStringLiteral("%1 %2").arg(arrow.x2()).arg(arrow.y2())));
    }
}

/// A class sees a shaft, and what the two arrows of a bowl are.
void TestValley::arrows_of_a_bowl_are_named_data() { the_first_arrow_uphill_fits_data(); }

void TestValley::arrows_of_a_bowl_are_named() {
    QFETCH(double, w1);
    QFETCH(double, w2);
    QFETCH(double, a1);
    QFETCH(double, a2);
    const double reach = round_reach(room_beyond(Kind::bowl) * std::max(std::abs(w1), std::abs(w2)));
    for (const QSizeF size : {QSizeF(250, 250), QSizeF(235, 190), QSizeF(420, 380)}) {
        ValleyGeometry g = lay_out_valley(QRectF(QPointF(18, 44), size), Kind::bowl, {15, 30, 16, 16}, 1, true);
        g.range = bowl_range(g.plot, reach);
        const QLineF arrow = g.uphill(w1, w2, a1 * w1, a2 * w2, std::hypot(a1 * w1, a2 * w2));
        QVERIFY2(g.plot.adjusted(2, 2, -2, -2).contains(arrow.p2()), qPrintable(QStringLiteral("%1 %2").arg(arrow.x2()).arg(arrow.y2())));
        QVERIFY(arrow.length() >= g.ring + 10);
        if (w1 == 1.0 && size.height() >= 250) QVERIFY(arrow.length() - g.ring - g.head >= 17); // 40 pixels of a screen at 1280×800
        const QRectF ring(g.at(w1, w2) - QPointF(g.ring, g.ring), QSizeF(2 * g.ring, 2 * g.ring));
        std::vector<QRectF> taken = boxes_of(arrow, g.head / 2);
        taken.push_back(ring);
        const QRectF name = g.name_of(arrow, {18, 15}, taken);
        QVERIFY(!name.isNull() && g.plot.contains(name));
        for (const QRectF& box : taken) QVERIFY(!box.intersects(name));
        QVERIFY(g.name_of(arrow, {18, 15}, {g.plot}).isNull()); // no room, no name
    }
}

void TestValley::names_of_axes_stand_apart_data() {
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("height");
    QTest::addColumn<bool>("named");
    QTest::newRow("in class") << 250 << 250 << true;
    QTest::newRow("a narrow window") << 220 << 200 << true;
    QTest::newRow("wide") << 1000 << 400 << true;
    QTest::newRow("tiny") << 120 << 80 << false;
}

void TestValley::names_of_axes_stand_apart() {
    QFETCH(int, width);
    QFETCH(int, height);
    QFETCH(bool, named);
    const QRectF area(18, 44, width, height);
    for (const Kind kind : {Kind::parabola, Kind::bowl, Kind::line}) {
        const ValleyText text = valley_text(kind, {-2, 2, -2, 2});
        const ValleyGeometry g = lay_out_valley(area, kind, text, 1, true);
        QCOMPARE(!g.across_name.isNull(), named);
        QCOMPARE(!g.up_name.isNull(), named);
        if (!named) continue;
        QVERIFY(area.adjusted(-1, -1, 1, 1).contains(g.across_name) && area.adjusted(-1, -1, 1, 1).contains(g.up_name));
        QVERIFY(!g.across_name.intersects(g.plot) && !g.up_name.intersects(g.plot) && !g.up_name.intersects(g.readouts));
        QVERIFY(g.up_name.left() > g.plot.left() - 8); // where the numbers of the upright axis end
        QVERIFY(std::abs(g.across_name.center().y() - g.plot.bottom()) < 1); // on the axis, not in the row of its numbers
    }
}

void TestValley::numbers_above_are_whole() {
    ValleyWalk walk;
    walk.here = ValleyPlace{0, {-1.0 / 3e9, 2.0 / 3e9}, 1e-18};
    walk.slope = {-4.0 / 3e9, 2.0 / 3e9};
    walk.next = {-0.9 / 3e9, 1.9 / 3e9}; // all with a sign and a power of ten
    for (const double width : {640.0, 800.0, 1200.0}) {
        const auto readouts = valley_words::readouts(Kind::bowl, walk);
        const double line = valley_text(Kind::bowl, {}).line;
        const auto places = place_readouts(readouts, QRectF(18, 44, width, readout_rows(readouts, width) * (line + 4)), line);
        QCOMPARE(places.size(), std::size_t{5});
        for (std::size_t i = 0; i < places.size(); ++i) {
            QVERIFY2(QFontMetricsF(valley_font()).horizontalAdvance(readouts[i].text) <= places[i].width() + 0.5, qPrintable(readouts[i].text));
            for (std::size_t k = 0; k < i; ++k) QVERIFY(!places[i].intersects(places[k]));
        }
    }
}

void TestValley::names_of_futures_stand_apart_data() {
    QTest::addColumn<QList<QPointF>>("ends");
    QTest::addColumn<int>("now");
    QTest::addColumn<QList<int>>("least"); // of those that must have a name
    QTest::newRow("none") << QList<QPointF>{} << -1 << QList<int>{};
    QTest::newRow("one") << QList<QPointF>{{300, 200}} << 0 << QList<int>{0};
    QTest::newRow("far apart") << QList<QPointF>{{60, 60}, {300, 200}, {540, 330}} << 1 << QList<int>{0, 1, 2};
    QTest::newRow("a heap on the axis") << QList<QPointF>{{320, 338}, {310, 339}, {304, 340}, {301, 340}, {300, 340}, {300, 340}, {300, 340}} << 4 << QList<int>{0, 4, 6};
    QTest::newRow("all in one place") << QList<QPointF>{{300, 340}, {300, 340}, {300, 340}, {300, 340}} << 1 << QList<int>{0, 1, 3};
    QTest::newRow("in a corner") << QList<QPointF>{{2, 340}, {2, 338}, {6, 335}} << 0 << QList<int>{0, 2};
    QTest::newRow("at the edges") << QList<QPointF>{{0, 0}, {600, 0}, {600, 340}} << -1 << QList<int>{0, 2};
}

void TestValley::names_of_futures_stand_apart() {
    QFETCH(QList<QPointF>, ends);
    QFETCH(int, now);
    QFETCH(QList<int>, least);
    FanRoom room{QRectF(0, 0, 600, 340), QPointF(430, 240), 7, 4, {}};
    for (int i = 0; i <= 150; ++i) // a valley
        room.line.emplace_back(4.0 * i, 340 - 330 * std::pow((i - 75) / 75.0, 2));
    std::vector<FutureEnd> all;
    for (qsizetype i = 0; i < ends.size(); ++i) all.push_back({static_cast<std::size_t>(i), ends[i], {80, 15}});
    const auto names = place_future_names(all, now, room);
    for (const int wanted : least)
        QVERIFY2(std::any_of(names.begin(), names.end(), [&](const FutureName& name) { return static_cast<int>(name.future) == wanted; }), qPrintable(QString::number(wanted)));
    for (std::size_t i = 0; i < names.size(); ++i) {
        const FutureName& name = names[i];
        QVERIFY(room.plot.contains(name.rect) && name.rect.size() == QSizeF(80, 15));
        QVERIFY(!name.rect.contains(*room.cursor));
        for (const QPointF& end : ends) QVERIFY(!name.rect.contains(end));
        for (const QPointF& at : room.line) QVERIFY(!name.rect.contains(at));
        if (!name.leader.isNull()) QVERIFY(QLineF(name.leader.p1(), ends[static_cast<qsizetype>(name.future)]).length() < 6);
        for (std::size_t k = 0; k < i; ++k) {
            QVERIFY(!name.rect.intersects(names[k].rect));
            if (!name.leader.isNull() && !names[k].leader.isNull()) QVERIFY(name.leader.intersects(names[k].leader, nullptr) != QLineF::BoundedIntersection);
        }
    }
}

void TestValley::edges_say_what_lies_beyond() {
    const ValleyGeometry g = sample_geometry();
    QVERIFY(!g.beyond(g.at(1, 2)));
    QVERIFY(!g.beyond(g.at(1.5, 4.5)));
    QVERIFY(!g.beyond(g.at(NAN, 2)));
    QVERIFY(g.holds(g.at(1, 2)) && !g.holds(g.at(NAN, 2)) && !g.holds(g.at(1, NAN)) && !g.holds(g.at(2, 2)));
    for (const auto& [w, f, dx, dy] : {std::tuple(3.0, 18.0, 1, 0), {-3.0, 18.0, -1, 0}, {1e12, 1e24, 1, 0}, {0.5, 9.0, 0, -1}}) {
        const auto arrow = g.beyond(g.at(w, f));
        QVERIFY(arrow && g.holds(arrow->p1()) && g.holds(arrow->p2()));
        QCOMPARE(std::lround(arrow->dx()), 28L * dx);
        QCOMPARE(std::lround(arrow->dy()), 28L * dy);
    }
    for (const QPointF place : {QPointF(1, 2), QPointF(-1.4, 4), QPointF(0.01, 0.01), QPointF(1.5, 4.5), QPointF(-0.4, 0.3)}) {
        const QPointF pixel = g.at(place.x(), place.y());
        const QRectF words = g.beside(pixel, {90, 15});
        QVERIFY(g.plot.contains(words));
        QVERIFY(!words.contains(pixel));
    }
}

void TestValley::round_numbers() {
    for (const auto& [value, reach] : {std::pair(1.2, 1.25), {1.25, 1.25}, {1.26, 1.5}, {12.0, 12.5}, {0.0, 1.0}, {9.0, 10.0}, {0.04, 0.04}, {INFINITY, 1.0}})
        QVERIFY(std::abs(round_reach(value) - reach) < 1e-12);
    QCOMPARE(round_ticks(-1.25, 1.25, 5), (std::vector<double>{-1, -0.5, 0, 0.5, 1}));
    QVERIFY(round_ticks(0, 0, 5).empty() && round_ticks(0, INFINITY, 5).empty());
    QCOMPARE(without_idle_digits(0.123456, 0.004), 0.123);
    for (const auto& [value, text] : {std::pair(-0.5, "−0.5"), {2000.0, "2000"}, {2e6, "2e6"}, {-5e-7, "−5e−7"}}) // one notation of powers
        QCOMPARE(valley_words::tick(value), QString::fromUtf8(text));
}

void TestValley::values_are_the_runs() {
    for (const char* objective : {"parabola", "bowl", "line"}) {
        Stage stage({{"objective", objective}, {"start", "-1"}, {"start2", "0.5"}}, 12);
        const Run& run = *stage.runs[0];
        for (const StepIndex at : {StepIndex{0}, StepIndex{5}, run.head() - 1}) {
            stage.state.cursor.iteration = at;
            QVERIFY(stage.settled());
            const ValleyScene& scene = stage.view.scene();
            const ValleyNames names = ValleyNames::of(scene.kind);
            QVERIFY(scene.walk.here && scene.walk.slope && scene.walk.next);
            QCOMPARE(scene.walk.here->f, *run.value_at("loss", at));
            QCOMPARE(static_cast<StepIndex>(scene.walk.trail.size()), at + 1);
            for (std::size_t i = 0; i < names.series.size(); ++i) {
                QCOMPARE(scene.walk.here->w[i], *run.value_at(names.series[i], at));
                QCOMPARE((*scene.walk.slope)[i], *run.value_at("gradient_" + names.series[i], at));
                if (const auto next = run.value_at(names.series[i], at + 1)) QCOMPARE((*scene.walk.next)[i], *next);
                QVERIFY(std::abs((*scene.walk.next)[i] - (scene.walk.here->w[i] - 0.1 * (*scene.walk.slope)[i])) < 1e-12); // η 0.1
            }
            const auto items = stage.view.items();
            QCOMPARE(items.size(), scene.kind == Kind::line ? std::size_t{101} : std::size_t{3});
            for (const ViewItem& item : items) QVERIFY(!item.name.isEmpty() && !item.value.isEmpty());
            if (scene.kind != Kind::parabola) continue;
            QCOMPARE(stage.item("point").value, valley_words::place(Kind::parabola, *scene.walk.here));
            QVERIFY(QLineF(stage.item("point").rect.center(), stage.view.layout().at(scene.walk.here->w[0], scene.walk.here->f)).length() < 1e-9);
        }
    }
}

void TestValley::every_size_is_painted() {
    for (const char* objective : {"parabola", "bowl", "line"})
        for (const char* rate : {"0.1", "0.7", "50"}) { // near, far, not finite
            Stage stage({{"objective", objective}, {"lr", rate}}, 200);
            stage.state.cursor.iteration = stage.runs[0]->head() - 1;
            for (const bool sparse : {false, true}) {
                stage.view.setSparse(sparse);
                for (const QSize size : {QSize(1, 1), QSize(60, 60), QSize(200, 120), QSize(380, 290), QSize(400, 900), QSize(1920, 1080)}) {
                    stage.view.resize(size);
                    QVERIFY(stage.settled());
                    stage.view.grab();
                }
            }
        }
}
