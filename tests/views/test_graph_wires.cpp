#include "tests/views/test_graph.hpp"

#include "tests/views/graph_stage.hpp"
#include "views/graph/graph_layout.hpp"
#include "views/graph/graph_painter.hpp"
#include "views/graph/graph_widget.hpp"
#include "views/graph/graph_wires.hpp"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <map>

using namespace gradus;
using testing::graph_area, testing::graph_run;

void TestGraph::arrows_start_and_end_at_boxes() {
    const auto run = graph_run("fashion-mnist", "784,128,64,10");
    for (const Fold fold : {Fold::ops, Fold::linear, Fold::modules}) {
        const GraphModel model = make_graph(*run, fold);
        const GraphGeometry geometry = lay_out(model, nullptr, graph_area(1920, 1080));
        QCOMPARE(geometry.arrows.size(), model.edges.size());
        for (std::size_t i = 0; i < model.edges.size(); ++i) {
            const auto& points = geometry.arrows[i].points;
            const QRectF from = geometry.items[model.edges[i].from].rect, to = geometry.items[model.edges[i].to].rect;
            QVERIFY(from.adjusted(-1, -1, 1, 1).contains(points.front()));
            QVERIFY(to.adjusted(-6.1, -6.1, 6.1, 6.1).contains(points.back()));
            const bool gradient = model.edges[i].role == Role::gradient;
            const bool level = points.front().y() == points.back().y();
            if (level) QCOMPARE(points.back().x() < points.front().x(), gradient); // backward runs left
        }
    }
}

/// Wherever one stands, an arrow that leads there ends before the ring, with a head that is seen.
void TestGraph::no_tip_lies_under_a_ring() {
    const auto run = graph_run("fashion-mnist", "784,128,64,10");
    for (const auto& [width, height] : {std::pair{700, 300}, {332, 190}, {500, 230}, {1536, 600}})
        for (const Fold fold : {Fold::linear, Fold::modules}) {
            const GraphModel model = make_graph(*run, fold);
            for (const GraphNode& node : model.nodes) {
                if (node.ops.empty() || node.last_ordinal() < 0) continue;
                const std::int32_t at = node.last_ordinal();
                const GraphGeometry g = lay_out(model, nullptr, QRectF(22, 48, width, height), {at, at});
                for (std::size_t i = 0; i < g.arrows.size(); ++i) {
                    const GraphItem& to = g.items[model.edges[i].to];
                    if (!to.here || to.rect.width() < 30) continue;
                    const QRectF ring = to.rect.adjusted(-cursor_ring, -cursor_ring, cursor_ring, cursor_ring);
                    const auto& points = g.arrows[i].points;
                    QVERIFY2(!ring.adjusted(0.1, 0.1, -0.1, -0.1).contains(points.back()), to.id.c_str());
                    const QPointF last = points.back() - points[points.size() - 2];
                    QVERIFY(std::hypot(last.x(), last.y()) > 0.5);
                }
            }
        }
}

void TestGraph::wires_keep_apart() {
    // Three boxes above that a fourth one below on the right reads, and two arrows that pass beneath the row.
    std::vector<GraphItem> items(8);
    for (std::size_t i = 0; i < 3; ++i) items[i].rect = QRectF(110.0 * static_cast<double>(i), 0, 84, 52);
    for (std::size_t i = 3; i < 8; ++i) items[i].rect = QRectF(110.0 * static_cast<double>(i - 3), 92, 84, 52);
    const std::pair<std::size_t, std::size_t> edges[] = {{0, 6}, {1, 6}, {2, 6}, {3, 5}, {4, 7}, {0, 3}};
    std::vector<GraphArrow> arrows;
    std::vector<std::size_t> targets;
    for (const auto& [from, to] : edges) {
        GraphArrow arrow;
        arrow.points = route(items[from].rect, items[to].rect, false, items[from].rect.top() == items[to].rect.top());
        arrows.push_back(arrow);
        targets.push_back(to);
    }
    part_wires(arrows, targets, items);
    const auto level = [&](std::size_t i) { return QLineF(arrows[i].points[1], arrows[i].points[2]); };
    for (std::size_t i = 0; i < 5; ++i) {
        QCOMPARE(arrows[i].points.size(), std::size_t{4});
        QVERIFY(items[targets[i]].rect.adjusted(0, -6.1, 0, 6.1).contains(arrows[i].points.back()));
        for (std::size_t k = 0; k < i; ++k) {
            QVERIFY2(std::abs(level(i).y1() - level(k).y1()) >= 3 || level(i).x1() > level(k).x2() || level(k).x1() > level(i).x2(),
                     qPrintable(QString("%1 and %2").arg(i).arg(k)));
            QVERIFY(targets[i] != targets[k] || std::abs(arrows[i].points.back().x() - arrows[k].points.back().x()) >= 8);
        }
    }
    // The one from farthest away lies lowest and ends first, so that none of the three crosses another.
    QVERIFY(level(0).y1() > level(1).y1() && level(1).y1() > level(2).y1());
    QVERIFY(level(0).x2() < level(1).x2() && level(1).x2() < level(2).x2());
}

void TestGraph::heads_of_straight_and_bent_arrows_do_not_touch() {
    // Above a pill that begins below the second of three boxes: one arrow bends into its near end, beside a straight one.
    std::vector<GraphItem> items(4);
    for (std::size_t i = 0; i < 3; ++i) items[i].rect = QRectF(110.0 * static_cast<double>(i), 0, 84, 52);
    items[3].rect = QRectF(180, 92, 140, 52);
    items[3].loss = true;
    std::vector<GraphArrow> arrows(3);
    for (std::size_t i = 0; i < 3; ++i) {
        arrows[i].from = i;
        arrows[i].points = route(items[i].rect, items[3].rect, false, false);
    }
    QCOMPARE(arrows[0].points.size(), std::size_t{4});
    QCOMPARE(arrows[1].points.size(), std::size_t{2});
    QVERIFY(std::abs(arrows[1].points.back().x() - arrows[0].points.back().x()) < 14);
    part_wires(arrows, {3, 3, 3}, items);
    for (std::size_t i = 0; i < 3; ++i) {
        const QPointF first = arrows[i].points.front(), tip = arrows[i].points.back();
        QVERIFY(items[i].rect.adjusted(-0.1, 0, 0.1, 0.1).contains(first));
        QVERIFY(tip.x() > items[3].rect.left() + 14 && tip.x() < items[3].rect.right() - 14); // where the pill is level
        if (i > 0) QVERIFY(tip.x() - arrows[i - 1].points.back().x() >= 14);
    }
}

// A box above two others: the arrow to the one aside leaves near the corner, where the other one's middle would lead down.
void TestGraph::a_straight_arrow_makes_room_for_a_bent_one() {
    std::vector<GraphItem> items(3);
    items[0].rect = QRectF(100, 0, 84, 52);
    items[1].rect = QRectF(-20, 92, 70, 52);
    items[2].rect = QRectF(60, 92, 70, 52);
    std::vector<GraphArrow> arrows(2);
    for (std::size_t i = 0; i < 2; ++i) arrows[i].points = route(items[0].rect, items[i + 1].rect, false, false);
    QVERIFY(arrows[0].points.size() == 4 && arrows[1].points.size() == 2);
    QVERIFY(arrows[1].points[0].x() < arrows[0].points[0].x()); // the level part would pass through it
    part_wires(arrows, {1, 2}, items);
    QVERIFY(arrows[1].points[0].x() - arrows[0].points[0].x() >= 8.9);
    QCOMPARE(arrows[1].points[0].x(), arrows[1].points[1].x());
    QVERIFY(arrows[1].points[1].x() < items[2].rect.right() - 2);
}

void TestGraph::where_boxes_are_narrow_no_two_wires_are_one_data() {
    QTest::addColumn<int>("width");
    for (const int width : {264, 280, 300, 340, 380, 420, 560, 640}) QTest::addRow("%d", width) << width;
}

/// Of two arrows in one corridor neither goes upright where the other does.
void TestGraph::where_boxes_are_narrow_no_two_wires_are_one() {
    QFETCH(int, width);
    const auto run = testing::run_of_experiment("linear_stack", {{"width", "8"}, {"inputs", "5"}}, 2);
    const GraphGeometry geometry = lay_out(make_graph(*run, Fold::modules), nullptr, QRectF(0, 0, width, 190));
    int upright = 0;
    const auto& arrows = geometry.arrows;
    const auto is_upright = [](const GraphArrow& arrow) { return arrow.points.size() > 1 && arrow.points[0].x() == arrow.points[1].x(); };
    for (std::size_t i = 0; i < arrows.size(); ++i)
        for (std::size_t k = 0; k < i; ++k) {
            if (!is_upright(arrows[i]) || !is_upright(arrows[k])) continue;
            const auto &a = arrows[i].points, &b = arrows[k].points;
            if (std::abs(a.front().y() - b.front().y()) > 1 || std::abs(a.back().y() - b.back().y()) > 1) continue;
            ++upright;
            for (const QPointF& mine : {a.front(), a.back()})
                for (const QPointF& other : {b.front(), b.back()})
                    QVERIFY2(std::abs(mine.x() - other.x()) >= 5, qPrintable(QString("%1 and %2 at %3").arg(i).arg(k).arg(mine.x())));
        }
    QVERIFY(upright > 5);
}

/// A layer's matrix and bias: both straight and well apart, or one line with one head; their gradients alike. Wherever one stands.
void TestGraph::parameters_aside_share_one_head() {
    const auto run = graph_run("fashion-mnist", "784,128,64,10");
    const GraphModel model = make_graph(*run, Fold::modules);
    for (const double width : {290.0, 332.0, 632.0, 1100.0})
        for (std::size_t at = 0; at <= model.nodes.size(); ++at) {
            StepReach cursor;
            if (at < model.nodes.size()) {
                if (model.nodes[at].ops.empty() || model.nodes[at].last_ordinal() < 0) continue;
                cursor = {model.nodes[at].last_ordinal(), model.nodes[at].last_ordinal()};
            }
            const GraphGeometry g = lay_out(model, nullptr, QRectF(22, 48, width, 190), cursor);
            const auto wire = [&](const std::string& from, const std::string& to) -> const GraphArrow* {
                for (std::size_t i = 0; i < g.arrows.size(); ++i)
                    if (model.nodes[model.edges[i].from].id == from && (to.empty() || model.nodes[model.edges[i].to].id == to)) return &g.arrows[i];
                return nullptr;
            };
            const auto source = [&](const std::string& to) {
                for (const GraphEdge& edge : model.edges)
                    if (model.nodes[edge.to].id == to) return model.nodes[edge.from].id;
                return std::string();
            };
            for (const std::string layer : {"1", "2", "3"})
                for (const bool gradient : {false, true}) {
                    const GraphArrow* w = gradient ? wire(source("dW" + layer), "dW" + layer) : wire("W" + layer, "");
                    const GraphArrow* b = gradient ? wire(source("db" + layer), "db" + layer) : wire("b" + layer, "");
                    QVERIFY(w && b);
                    QCOMPARE(w->joined >= 0, b->joined >= 0);
                    if (w->joined < 0) {
                        QVERIFY(w->points.size() == 2 && b->points.size() == 2);
                        QVERIFY(std::abs(w->points[0].x() - b->points[0].x()) >= 8);
                        continue;
                    }
                    QCOMPARE(w->joined, b->joined);
                    QCOMPARE(w->points[1].y(), b->points[1].y());
                    const std::size_t shared = gradient ? 0 : 3;
                    QCOMPARE(w->points[shared], b->points[shared]);
                    const double least = std::min(w->points[0].x(), w->points[3].x()), most = std::max(b->points[0].x(), b->points[3].x());
                    for (const GraphArrow& other : g.arrows) // no other line meets the level part
                        if (other.joined != w->joined && std::abs(other.points[0].y() - w->points[0].y()) < 1)
                            for (const QPointF& point : other.points) QVERIFY(point.x() < least - 5 || point.x() > most + 5 || std::abs(other.points[0].y() - other.points.back().y()) < 8);
                }
            if (width < 400 || width > 1000) QCOMPARE(wire("W1", "")->joined >= 0, width < 400);
        }
}

namespace {

std::shared_ptr<const Run> run_of_card(const QString& name) {
    using Parameters = std::map<std::string, std::string>;
    static const std::map<QString, std::pair<std::string, Parameters>> cards{
        {"stack", {"linear_stack", {{"width", "8"}, {"inputs", "5"}}}},
        {"deep stack", {"linear_stack", {{"width", "8"}, {"inputs", "5"}, {"depth", "5"}}}},
        {"broken stack", {"linear_stack", {{"width", "8"}, {"inputs", "5"}, {"between", "relu"}}}},
        {"lines", {"compose_lines", {}}},
        {"descent", {"descend", {{"objective", "parabola"}}}},
        {"logits", {"logits", {}}},
        {"xor", {"train_mlp", {{"data", "xor"}, {"layers", "2,2,1"}, {"batch", "4"}, {"loss", "mse"}}}},
        {"softmax", {"train_mlp", {{"data", "xor"}, {"layers", "2,3,2"}, {"batch", "4"}, {"loss", "softmax"}}}},
        {"net", {"train_mlp", {{"data", "fashion-mnist"}, {"layers", "784,128,64,10"}, {"batch", "32"}}}}};
    static std::map<QString, std::shared_ptr<const Run>> made;
    auto& run = made[name];
    if (!run) run = testing::run_of_experiment(cards.at(name).first, cards.at(name).second, 2);
    return run;
}

const QStringList card_names{"stack", "deep stack", "broken stack", "lines", "descent", "logits", "xor", "softmax", "net"};

} // namespace

void TestGraph::no_wire_touches_a_box_of_others_data() {
    QTest::addColumn<QString>("card");
    QTest::addColumn<QSizeF>("room");
    for (const QString& card : card_names)
        for (const QSizeF& room : {QSizeF(332, 190), QSizeF(632, 200), QSizeF(632, 380), QSizeF(1000, 300), QSizeF(1260, 600)})
            QTest::addRow("%s %.0fx%.0f", qPrintable(card), room.width(), room.height()) << card << room;
}

/// Wherever one stands: a wire keeps off every box but its own two; beneath a row off the ring round one, too.
void TestGraph::no_wire_touches_a_box_of_others() {
    QFETCH(QString, card);
    QFETCH(QSizeF, room);
    const auto run = run_of_card(card);
    GraphWish wish;
    wish.run = run;
    wish.area = QRectF({22, 48}, room);
    wish.model = place(wish).model;
    const GraphModel& model = *wish.model;
    for (std::size_t at = 0; at <= model.nodes.size(); ++at) {
        if (at < model.nodes.size()) {
            const std::int32_t ordinal = model.nodes[at].last_ordinal();
            if (model.nodes[at].ops.empty() || ordinal < 0) continue;
            wish.cursor = {ordinal, ordinal};
        } else {
            wish.cursor = {};
        }
        const GraphGeometry g = lay_out(model, nullptr, wish.area, wish.cursor, Ruler::none, scale_for(model, room));
        for (std::size_t i = 0; i < g.arrows.size(); ++i) {
            const auto& p = g.arrows[i].points;
            const bool beneath = p.size() == 4 && std::abs(p[0].y() - p[3].y()) <= 8 * g.scale;
            for (std::size_t k = 1; k < p.size(); ++k) {
                const QRectF piece = QRectF(p[k - 1], p[k]).normalized().adjusted(-0.5, -0.5, 0.5, 0.5);
                for (std::size_t b = 0; b < g.items.size(); ++b) {
                    if (b == model.edges[i].from || b == model.edges[i].to || g.items[b].rect.width() < 30) continue;
                    const double ring = beneath && g.items[b].here ? cursor_ring : 0;
                    QVERIFY2(!piece.intersects(g.items[b].rect.adjusted(-ring, -ring, ring, ring)),
                             qPrintable(QString("%1 to %2 at %3").arg(QString::fromStdString(g.items[model.edges[i].from].id), QString::fromStdString(g.items[model.edges[i].to].id),
                                                                      QString::fromStdString(g.items[b].id))));
                }
            }
            if (!beneath) continue;
            const QRectF& to = g.items[model.edges[i].to].rect;
            QVERIFY2(p[3].y() > to.bottom() && p[2].y() >= p[3].y() + 5.9, "from beneath its row the head points up");
            QVERIFY(p[1].y() > p[0].y() + 10);
        }
    }
}

void TestGraph::costs_of_one_graph_are_written_alike_data() { no_wire_touches_a_box_of_others_data(); }

/// All with their mark, or none; all with their unit, or none; and none with fewer digits than its number has.
void TestGraph::costs_of_one_graph_are_written_alike() {
    QFETCH(QString, card);
    QFETCH(QSizeF, room);
    const auto run = run_of_card(card);
    for (const bool sparse : {false, true})
        for (const Ruler ruler : {Ruler::flops, Ruler::bytes}) {
            GraphWish wish;
            wish.run = run;
            wish.area = QRectF({22, 48}, room);
            wish.ruler = ruler;
            wish.sparse = sparse;
            const GraphGeometry g = place(wish).geometry;
            const QStringList said = costs_shown(g);
            QCOMPARE(said.size(), static_cast<qsizetype>(g.items.size()));
            int written = 0, marked = 0, units = 0;
            for (qsizetype i = 0; i < said.size(); ++i) {
                if (said[i].isEmpty()) continue;
                const QString text = said[i].startsWith('|') ? said[i].mid(1) : said[i];
                QCOMPARE(text.section(' ', 0, 0), g.items[static_cast<std::size_t>(i)].measured.section(' ', 0, 0));
                ++written;
                marked += said[i].startsWith('|');
                units += text.endsWith(ruler == Ruler::flops ? "FLOP" : "B");
            }
            QVERIFY2(marked == 0 || marked == written, qPrintable(said.join(", ")));
            QVERIFY2(units == 0 || units == written, qPrintable(said.join(", ")));
            if (room.width() > 600 && card != "descent") QVERIFY2(written > 0, qPrintable(card));
        }
}

/// In boxes that a long number would fill from edge to edge the unit goes, since the legend has it; the mark stays, and a pill has a
/// number as well. A shape stands only where there is room for it, the number and the bar.
void TestGraph::a_cost_has_its_mark_before_its_unit() {
    const GraphModel model = keep_rows(make_graph(*testing::run_of_experiment("linear_stack", {}, 1), Fold::modules), 0, 2);
    for (const double height : {193.0, 146.0}) {
        const GraphGeometry g = lay_out(model, nullptr, QRectF(0, 0, 632, height), {}, Ruler::flops), plain = lay_out(model, nullptr, QRectF(0, 0, 632, height));
        const QStringList said = costs_shown(g);
        int written = 0;
        for (std::size_t i = 0; i < g.items.size(); ++i) {
            const GraphItem& item = g.items[i];
            QCOMPARE(item.rect, plain.items[i].rect); // nothing jumps
            QCOMPARE(item.no_shape, height < 150);
            QVERIFY(item.no_shape || item.rect.height() >= height_for_bars);
            if (item.measured.isEmpty()) continue;
            const QString& cost = said[static_cast<qsizetype>(i)];
            QVERIFY2(cost.startsWith('|') && !cost.endsWith("FLOP"), qPrintable(item.name + ": " + cost));
            ++written;
        }
        QCOMPARE(written, 6); // three products, the fold, its product and the comparison
    }
}

/// Three wires to one box: in a low graph boxes give way to them, and in a lower one they are one line with three ends.
void TestGraph::where_rows_are_near_wires_stay_apart() {
    const auto run = testing::run_of_experiment("linear_stack", {{"width", "8"}, {"inputs", "5"}}, 1);
    const GraphModel model = keep_rows(make_graph(*run, Fold::modules), 0, 2);
    for (const double height : {100.0, 110.0, 125.0, 138.0, 150.0, 165.0, 193.0}) {
        const GraphGeometry g = lay_out(model, nullptr, QRectF(0, 0, 460, height));
        std::vector<double> levels;
        double below = 1e9; // where the row begins that they lead to
        for (std::size_t i = 0; i < g.arrows.size(); ++i) {
            const auto& p = g.arrows[i].points;
            if (p.size() != 4 || model.edges[i].role != Role::parameter) continue;
            levels.push_back(p[1].y());
            below = std::min(below, p[3].y());
        }
        QCOMPARE(levels.size(), std::size_t{3});
        std::sort(levels.begin(), levels.end());
        const bool bus = levels[0] == levels[2];
        QVERIFY2(!bus || height < 130, qPrintable(QString("%1: boxes of %2, levels %3 to %4, tips at %5").arg(height).arg(g.items.front().rect.height()).arg(levels[0]).arg(levels[2]).arg(below)));
        for (std::size_t k = 0; k < 2; ++k) QVERIFY2(bus || levels[k + 1] - levels[k] >= 5, qPrintable(QString("%1: %2").arg(height).arg(levels[k + 1] - levels[k])));
        QVERIFY(levels[2] <= below - 5); // clear of the heads
    }
}
