#include "tests/views/test_fan.hpp"

#include "tests/views/sample_run.hpp"
#include "tests/views/written_run.hpp"
#include "views/derive/fan_words.hpp"
#include "views/graph/graph_geometry.hpp"
#include "views/plots/fan_geometry.hpp"
#include "views/plots/fan_painter.hpp"
#include "views/why/why_panel.hpp"

#include <QTest>
#include <cmath>

using namespace gradus;
using namespace gradus::testing;

namespace {

/// Sixteen futures of a written Run, each falling the faster the larger its rate; the last `broken` end in NaN.
Fan fan_of(std::size_t broken = 0, double spread = 0.001) {
    Fan fan;
    WrittenRun parent;
    parent.steps = 10;
    const std::shared_ptr<const Run> run = parent.write();
    fan.iteration = 10;
    fan.horizon = 8;
    fan.now = 0.1;
    for (std::size_t k = 0; k < 16; ++k) {
        WrittenRun future;
        future.parent = run;
        future.from = 10;
        future.steps = 18;
        const bool breaks = k + broken >= 16;
        future.loss = [k, breaks, spread](StepIndex i) {
            if (breaks && i > 13) return std::nan("");
            return breaks ? std::pow(10.0, static_cast<double>(i - 10)) : 1 - spread * static_cast<double>(k) * static_cast<double>(i - 9);
        };
        fan.futures.push_back({0.025 * std::pow(16.0, static_cast<double>(k) / 15), future.write(), true, breaks});
    }
    return fan;
}

QPointF to_pixel(const SeriesPoint& point, const QRectF& area, const FanCurves& curves) {
    return {area.left() + static_cast<double>(point.iteration - 10) * 20,
            area.bottom() - (point.value - curves.least) / (curves.greatest - curves.least) * area.height()};
}

FanPicture picture_of(const Fan& fan, const FanCurves& curves, const QRectF& area) {
    return lay_out_fan(fan, curves, area, area.left() + 180, [&](const SeriesPoint& point) { return to_pixel(point, area, curves); });
}

} // namespace

void TestFan::names_keep_apart_and_inside_data() {
    QTest::addColumn<double>("height");
    QTest::addColumn<int>("chosen");
    QTest::addColumn<int>("broken");
    QTest::newRow("room for all") << 300.0 << -1 << 0;
    QTest::newRow("room for six") << 95.0 << -1 << 0;
    QTest::newRow("one of six is chosen") << 95.0 << 7 << 0;
    QTest::newRow("three broke") << 200.0 << 15 << 3;
    QTest::newRow("all but one broke") << 120.0 << 2 << 15;
    QTest::newRow("no room") << 4.0 << 3 << 0;
}

void TestFan::names_keep_apart_and_inside() {
    QFETCH(double, height);
    QFETCH(int, chosen);
    QFETCH(int, broken);
    Fan fan = fan_of(static_cast<std::size_t>(broken));
    fan.chosen = chosen;
    const FanCurves curves = fan_curves(fan, "loss");
    const QRectF area(40, 20, 300, height);
    const FanPicture picture = picture_of(fan, curves, area);
    QCOMPARE(picture.lines.size(), std::size_t{16});
    for (std::size_t i = 0; i < 16; ++i) QCOMPARE(picture.lines[i].broken, static_cast<int>(i) + broken >= 16);
    const auto room = static_cast<std::size_t>(height / 15);
    QVERIFY(picture.names.size() <= room);
    std::vector<int> named(16, 0);
    for (std::size_t k = 0; k < picture.names.size(); ++k) {
        const FanName& name = picture.names[k];
        QVERIFY(area.contains(name.rect));
        for (std::size_t other = 0; other < k; ++other) QVERIFY(!picture.names[other].rect.intersects(name.rect));
        for (std::size_t i = name.first; i <= name.last; ++i) ++named[i];
        QCOMPARE(name.holds(chosen), chosen >= static_cast<int>(name.first) && chosen <= static_cast<int>(name.last));
        for (std::size_t i = name.first; i <= name.last; ++i) { // along a name, one after the other
            const double along = (static_cast<double>(i - name.first) + 0.5) / static_cast<double>(name.last - name.first + 1);
            QCOMPARE(picture.at({name.rect.left() + along * name.rect.width(), name.rect.center().y()}), static_cast<int>(i));
        }
    }
    QCOMPARE(named, std::vector<int>(16, room > 0 ? 1 : 0)); // each has one name
}

void TestFan::ends_in_one_point_have_one_name() {
    Fan fan = fan_of(0, 1e-5); // a hundredth of a pixel apart
    const FanCurves curves = fan_curves(fan, "loss");
    const QRectF area(40, 20, 300, 300);
    const auto flat = [&](const SeriesPoint& point) { return QPointF(area.left() + static_cast<double>(point.iteration) * 9, area.center().y()); };
    QCOMPARE(lay_out_fan(fan, curves, area, area.left() + 180, flat).names.size(), std::size_t{1});
    fan.futures[7].value = fan.now; // stands alone
    const FanPicture picture = lay_out_fan(fan, curves, area, area.left() + 180, flat);
    QCOMPARE(picture.names.size(), std::size_t{3});
    QCOMPARE(picture.names[1].first, std::size_t{7});
    QCOMPARE(picture.names[1].last, std::size_t{7});
    QCOMPARE(futures_name(fan, 0, 6), QString("η 0.0250–0.0758"));
    QCOMPARE(future_name(fan, 7), QString("now η 0.100"));
}

void TestFan::the_nearest_line_is_chosen() {
    const Fan fan = fan_of(0, 0.02);
    const FanCurves curves = fan_curves(fan, "loss");
    const QRectF area(40, 20, 300, 400);
    const FanPicture picture = picture_of(fan, curves, area);
    for (std::size_t i = 0; i < 16; ++i) {
        const QPointF end = picture.lines[i].points.back();
        QCOMPARE(picture.at(end + QPointF(0, 1)), static_cast<int>(i));
    }
    QCOMPARE(picture.at({area.left() + 60, area.bottom() - 5}), -1);
    QCOMPARE(picture.at({-500, 0}), -1);
}

void TestFan::what_explodes_leaves_the_axis_to_the_others() {
    const Fan fan = fan_of(2);
    const FanCurves curves = fan_curves(fan, "loss");
    QVERIFY(curves.least > 0.8 && curves.greatest < 2); // not a thousand
    QCOMPARE(curves.broken_at[15], StepIndex{14});
    QCOMPARE(curves.broken_at[3], StepIndex{-1});
    const QRectF area(40, 20, 300, 200);
    const FanPicture picture = picture_of(fan, curves, area);
    QCOMPARE(picture.lines[15].end.y(), area.top());
    QVERIFY(picture.lines[15].left && !picture.lines[3].left); // and its name says so
    QCOMPARE(picture.lines[15].end.x(), area.left() + 4 * 20);
    Fan empty = fan;
    for (Future& future : empty.futures) future.run.reset(); // not yet begun
    const FanCurves none = fan_curves(empty, "loss");
    QVERIFY(std::isfinite(none.least) && none.least < none.greatest);
    QCOMPARE(picture_of(empty, none, area).at({50, 50}), -1);
}

void TestFan::a_ruler_gives_every_box_of_ops_a_bar() {
    const auto run = sample_run("xor", "2,8,1", 3);
    const GraphModel model = make_graph(*run, Fold::ops);
    const GraphValues values = values_of(model, *run, 2);
    const QRectF area(0, 0, 1200, 500);
    const GraphGeometry plain = lay_out(model, &values, area);
    double flops = 0, products = 0;
    for (const Ruler ruler : {Ruler::flops, Ruler::bytes, Ruler::time}) {
        const GraphGeometry geometry = lay_out(model, &values, area, {}, ruler);
        double longest = 0;
        for (std::size_t i = 0; i < geometry.items.size(); ++i) {
            const GraphItem& item = geometry.items[i];
            const GraphNode& node = model.nodes[item.node];
            QCOMPARE(item.rect, plain.items[i].rect);
            QCOMPARE(item.bar >= 0, node.is_made() && !node.ops.empty());
            QCOMPARE(plain.items[i].bar, -1.0);
            if (item.bar < 0) continue;
            QVERIFY(item.bar <= 1 && !item.measured.isEmpty());
            longest = std::max(longest, item.bar);
            if (ruler != Ruler::flops) continue;
            flops += item.bar;
            if (node.ops[0].name == "matmul") products += item.bar;
        }
        QCOMPARE(longest, 1.0);
        QVERIFY(!geometry.longest.isEmpty());
    }
    QVERIFY(products > flops / 2); // products are most of the arithmetic
    const GraphGeometry blind = lay_out(model, nullptr, area, {}, Ruler::time); // not measured yet
    for (const GraphItem& item : blind.items) QCOMPARE(item.bar, -1.0);
}

void TestFan::a_chain_is_told_in_words() {
    const auto run = sample_run("blobs", "2,5,3", 3);
    WhyStory story;
    const Why found = why(*run, *run, 2, "loss", {});
    story.chain = found.chain;
    story.end = found.end;
    QVERIFY(why_title(story).startsWith("Why is loss"));
    const auto lines = why_lines(story);
    QCOMPARE(lines.size(), found.chain.size());
    QCOMPARE(lines[0].step, QString("step 2"));
    QVERIFY(lines[1].name.startsWith("p[") && lines[1].how.contains("of all 32 parts"));
    bool product = false;
    for (const WhyLine& line : lines) product |= line.how.startsWith("matmul: times W");
    QVERIFY(product || found.chain.back().tensor[0] == 'b');
    QVERIFY(!why_end(story).isEmpty());
    for (const ThemeMode mode : {ThemeMode::light, ThemeMode::dark}) {
        WhyPanel panel(load_theme(mode), nullptr);
        panel.present(story);
        panel.resize(430, panel.heightNeeded(430));
        QVERIFY(!panel.grab().isNull());
        QVERIFY(panel.rect().contains(panel.lineRect(lines.size() - 1).toRect()));
        panel.resize(120, 60); // no room
        panel.grab();
        panel.present({});
        panel.grab();
    }
}
