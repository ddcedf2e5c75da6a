#include "tests/views/test_graph.hpp"

#include "tests/views/graph_stage.hpp"
#include "tests/views/written_run.hpp"
#include "engine/trace/derive/event_tree.hpp"
#include "engine/trace/derive/norm.hpp"
#include "views/graph/graph_widget.hpp"
#include "views/graph/graph_wires.hpp"
#include "views/theme/numbers.hpp"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace gradus;
using testing::graph_area, testing::graph_run;

std::shared_ptr<const Run> testing::graph_run(const QString& data, const QString& layers) {
    static std::map<std::pair<QString, QString>, std::shared_ptr<const Run>> made;
    auto& run = made[{data, layers}];
    if (!run) run = sample_run(data.toStdString(), layers.toStdString(), 2);
    return run;
}

void TestGraph::boxes_fit_and_never_overlap_data() {
    QTest::addColumn<QString>("data");
    QTest::addColumn<QString>("layers");
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("height");
    const std::pair<QString, QString> nets[] = {{"fashion-mnist", "784,128,64,10"},
                                                {"fashion-mnist", "784,10"},
                                                {"xor", "2,2,1"},
                                                {"spirals", "2,16,16,16,16,16,16,16,16,16,16,2"}};
    const std::pair<int, int> sizes[] = {{1024, 700}, {1280, 800}, {1920, 1080}, {3840, 2160}};
    for (const auto& [data, layers] : nets)
        for (const auto& [width, height] : sizes)
            QTest::addRow("%s %s at %dx%d", qPrintable(data), qPrintable(layers), width, height)
                << data << layers << width << height;
}

void TestGraph::boxes_fit_and_never_overlap() {
    QFETCH(QString, data);
    QFETCH(QString, layers);
    QFETCH(int, width);
    QFETCH(int, height);
    const auto run = graph_run(data, layers);
    const QRectF area = graph_area(width, height);
    const GraphModel model = make_graph(*run, fold_for(*run, area.width()));
    const double most = scale_for(model, area.size());
    for (const double scale : {1.0, most}) {
        const GraphGeometry geometry = lay_out(model, nullptr, area, {}, Ruler::none, scale);
        QCOMPARE(geometry.scale, scale);
        QCOMPARE(geometry.items.size(), model.nodes.size());
        for (std::size_t i = 0; i < geometry.items.size(); ++i) {
            const GraphItem& item = geometry.items[i];
            QVERIFY2(area.adjusted(-0.5, -0.5, 0.5, 0.5).contains(item.rect), item.id.c_str());
            QVERIFY2(item.rect.width() >= 8 && item.rect.height() >= 30, item.id.c_str());
            for (std::size_t k = i + 1; k < geometry.items.size(); ++k)
                QVERIFY2(!item.rect.intersects(geometry.items[k].rect),
                         (item.id + " and " + geometry.items[k].id).c_str());
        }
    }
}

// Where there is more room than boxes and gaps need, all of it grows, and never past the room.
void TestGraph::boxes_grow_where_there_is_room() {
    const GraphModel model = make_graph(*graph_run("xor", "2,2,1"), Fold::modules);
    QCOMPARE(scale_for(model, {300, 200}), 1.0);
    QCOMPARE(scale_for(model, {4000, 4000}), 1.6);
    const double wide = scale_for(model, {4000, 420}), high = scale_for(model, {700, 4000});
    QVERIFY(wide > 1 && wide < 1.6 && high > 1 && high < 1.6);
    const QRectF area(10, 20, 700, 600);
    const double scale = scale_for(model, area.size());
    const GraphGeometry small = lay_out(model, nullptr, QRectF(area.topLeft() / scale, area.size() / scale).adjusted(1, 1, -1, -1)),
                        large = lay_out(model, nullptr, area, {}, Ruler::none, scale);
    QVERIFY(scale > 1.1);
    for (std::size_t i = 0; i < small.items.size(); ++i) {
        QVERIFY(std::abs(large.items[i].rect.width() - scale * small.items[i].rect.width()) <= 1);
        QCOMPARE(large.items[i].scale, scale);
    }
    for (std::size_t i = 0; i < large.arrows.size(); ++i) // they still begin at their boxes
        QVERIFY(large.items[large.arrows[i].from].rect.adjusted(-2, -2, 2, 2).contains(large.arrows[i].points.front()));
}

void TestGraph::a_cover_lies_inside_its_outline() {
    for (const QSizeF size : {QSizeF(140, 52), QSizeF(70, 56), QSizeF(56, 56), QSizeF(80, 34), QSizeF(104, 29)})
        for (const bool loss : {false, true})
            for (const double bar : {-1.0, 0.5}) {
                GraphItem item;
                item.rect = QRectF(QPointF(20, 30), size);
                item.loss = loss;
                item.bar = bar;
                const QRectF cover = value_line(item);
                QVERIFY(cover.width() >= 12 && cover.height() >= 9 && cover.bottom() <= item.rect.bottom() - 3);
                QVERIFY(std::abs(cover.center().x() - item.rect.center().x()) < 1e-9);
                const double radius = loss ? size.height() / 2 : 8;
                for (const QPointF& corner : {cover.topLeft(), cover.topRight(), cover.bottomLeft(), cover.bottomRight()}) {
                    const QRectF centres = item.rect.adjusted(radius, radius, -radius, -radius);
                    const QPointF nearest(std::clamp(corner.x(), centres.left(), std::max(centres.left(), centres.right())),
                                          std::clamp(corner.y(), centres.top(), std::max(centres.top(), centres.bottom())));
                    const double away = std::hypot(corner.x() - nearest.x(), corner.y() - nearest.y());
                    QVERIFY2(away <= radius - 1, qPrintable(QString("%1×%2: %3 of %4").arg(size.width()).arg(size.height()).arg(away).arg(radius)));
                }
            }
}

void TestGraph::first_lesson_shows_every_meaning() {
    const auto run = graph_run("fashion-mnist", "784,128,64,10");
    const GraphModel ops = make_graph(*run, Fold::ops);
    QCOMPARE(ops.columns, 10); // x, 3 × (matmul, add_bias), 2 × relu, loss
    for (const char* id : {"x", "y", "W1", "b1", "W3", "dz3", "da2", "dW1", "db3"})
        QVERIFY2(ops.find(id), id);
    QCOMPARE(ops.find("W1")->tensor.shape.text(), std::string("784×128"));
    QCOMPARE(ops.find("dW2")->words(), QStringLiteral("∂W₂"));
    QCOMPARE(ops.find("W2")->row, GraphNode::Row::operand);
    QCOMPARE(ops.find("dW2")->column, ops.find("W2")->column);
    double flops = 0; // every op but accuracy and the updates stands in exactly one box
    for (const GraphNode& node : ops.nodes)
        for (const GraphOp& op : node.ops) flops += op.flops;
    double counted = 0;
    for (std::size_t i = 0; i < run->sites().size(); ++i) {
        const EventSite& site = run->sites()[i];
        const bool shown = site.phase == Phase::forward || site.phase == Phase::backward;
        if (site.level == Level::op && shown && site.name != "accuracy") counted += site.cost.flops;
    }
    QCOMPARE(flops, counted);
    QCOMPARE(make_graph(*run, Fold::linear).columns, 7);
    QCOMPARE(make_graph(*run, Fold::modules).columns, 5);
}

void TestGraph::folds_to_the_width_data() {
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("fold");
    QTest::newRow("1024") << 1024 << static_cast<int>(Fold::modules);
    QTest::newRow("1280") << 1280 << static_cast<int>(Fold::linear);
    QTest::newRow("1920") << 1920 << static_cast<int>(Fold::ops);
}

void TestGraph::folds_to_the_width() {
    QFETCH(int, width);
    QFETCH(int, fold);
    const auto run = graph_run("fashion-mnist", "784,128,64,10");
    QCOMPARE(static_cast<int>(fold_for(*run, graph_area(width, 800).width())), fold);
}

void TestGraph::values_are_the_runs() {
    const auto run = graph_run("fashion-mnist", "784,128,64,10");
    const GraphModel model = make_graph(*run, Fold::ops);
    const GraphValues values = values_of(model, *run, 1);
    const auto tensors = run->tensors_of(1);
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
        const GraphNode& node = model.nodes[i];
        if (node.id == "y") continue; // labels have no norm
        QVERIFY2(values.value[i].has_value(), node.id.c_str());
        if (node.loss()) QCOMPARE(*values.value[i], *run->value_at("loss", 1));
        if (node.is_op) QVERIFY2(values.seconds[i].value_or(-1) > 0, node.id.c_str());
        if (node.id == "dW3") {
            const Tensor& gradient = tensors->find("dW3")->tensor;
            double sum = 0;
            for (Dim k = 0; k < gradient.elements(); ++k) sum += gradient.at(k) * gradient.at(k);
            QVERIFY(std::abs(*values.value[i] - std::sqrt(sum)) <= 1e-12 * std::sqrt(sum));
        }
    }
    // A parameter's box shows what the iteration began with, not what its update left.
    const GraphNode* weight = model.find("W1");
    const auto at = static_cast<std::size_t>(weight - model.nodes.data());
    QCOMPARE(*values.value[at], l2_norm(run->tensors_of(0)->find("W1")->tensor));
    QVERIFY(*values.value[at] != l2_norm(tensors->find("W1")->tensor));
}

void TestGraph::names_are_whole_or_symbols() {
    const auto run = testing::run_of_experiment("linear_stack", {{"width", "8"}, {"inputs", "5"}}, 2);
    const GraphModel model = make_graph(*run, Fold::modules);
    const auto last = std::find_if(model.nodes.begin(), model.nodes.end(), [](const GraphNode& node) { return node.loss(); });
    QVERIFY(last != model.nodes.end());
    QCOMPARE(last->words(), QString("MSE")); // of two outputs: nothing learns from it
    QCOMPARE(symbols_shown(lay_out(model, nullptr, QRectF(0, 0, 280, 190))), QStringList({"@: matmul"}));
    QVERIFY(symbols_shown(lay_out(model, nullptr, QRectF(0, 0, 1100, 190))).isEmpty());
    const auto learns = graph_run("fashion-mnist", "784,128,64,10");
    const GraphModel net = make_graph(*learns, Fold::ops);
    QVERIFY(std::any_of(net.nodes.begin(), net.nodes.end(), [](const GraphNode& node) { return node.loss() && node.words() == "loss"; }));
}

void TestGraph::where_a_class_sits_shapes_stand_before_rows_to_come() {
    GraphWish wish;
    wish.sparse = true;
    wish.cursor = {3, -1};
    const auto rows = [&](double height) {
        wish.area = QRectF(0, 0, 900, height);
        return rows_shown(wish);
    };
    using Rows = std::pair<int, int>;
    QCOMPARE(rows(300), Rows(0, 4));
    QCOMPARE(rows(236), Rows(0, 2)); // the gradients are still to come
    wish.backward = true;
    QCOMPARE(rows(236), Rows(0, 4));
    wish.backward = false;
    wish.cursor = {};
    QCOMPARE(rows(236), Rows(0, 4));
    wish.cursor = {3, -1};
    wish.sparse = false;
    QCOMPARE(rows(236), Rows(0, 4));
}

void TestGraph::what_is_fed_has_a_box_and_constants_their_values() {
    const auto run = testing::run_of_experiment("linear_stack", {{"width", "8"}, {"inputs", "5"}, {"between", "shuffle"}}, 2);
    const GraphModel model = make_graph(*run, Fold::ops);
    const GraphValues values = values_of(model, *run, 1);
    const auto value = [&](const char* id) { return values.value[static_cast<std::size_t>(model.find(id) - model.nodes.data())]; };
    const GraphNode* x = model.find("x"); // no event made it
    QVERIFY(x && x->row == GraphNode::Row::forward && x->column == 0 && x->tensor.role == Role::data);
    QCOMPARE(x->tensor.shape.text(), run->tensors_of(1)->find("x")->tensor.shape().text());
    QVERIFY(x->ops.empty() && x->last_ordinal() == -1);
    QCOMPARE(value("x"), std::optional(l2_norm(run->tensors_of(1)->find("x")->tensor)));
    QVERIFY(value("x") != std::optional(l2_norm(run->tensors_of(0)->find("x")->tensor))); // other inputs in each step
    QVERIFY(model.find("P"));
    QCOMPARE(value("P"), std::optional(l2_norm(run->tensors_of(-1)->find("P")->tensor)));
    const auto reads_x = [&](const GraphEdge& edge) { return model.nodes[edge.from].id == "x"; };
    QCOMPARE(std::count_if(model.edges.begin(), model.edges.end(), reads_x), 2); // the stack, and what it folds to
    // What only the ops of one closed module read is inside it.
    const auto lines = testing::run_of_experiment("compose_lines", {}, 2);
    const GraphModel closed = make_graph(*lines, Fold::modules), open = make_graph(*lines, Fold::modules, {"fit"});
    for (const char* constant : {"Q", "T", "powers"}) QVERIFY2(!closed.find(constant) && open.find(constant), constant);
    // So are the parameters of a module that stands alone, until one opens it.
    const auto plane = testing::run_of_experiment("compose_lines", {{"surface", "plane"}}, 2);
    const GraphModel alone = make_graph(*plane, Fold::modules), inside = make_graph(*plane, Fold::modules, {"plane"});
    QCOMPARE(alone.nodes.size(), closed.nodes.size() + 1);
    for (const char* part : {"slope_x1", "intercept_z", "x1"}) QVERIFY2(!alone.find(part) && inside.find(part), part);
    QVERIFY(closed.find("x") && closed.find("slope_f") && closed.holds_constants && !open.holds_constants);
    QCOMPARE(fold_for(*lines, 4000), Fold::modules); // until one opens it
    QCOMPARE(fold_for(*graph_run("xor", "2,2,1"), 4000), Fold::ops);
}

// A small net's graph is there with the first look; a deep one's comes when it is laid out, and until then the last one stays.
void TestGraph::deep_net_is_laid_out_elsewhere() {
    QString layers = "2";
    for (int i = 0; i < 60; ++i) layers += ",4";
    const std::vector<std::shared_ptr<const Run>> small{graph_run("xor", "2,2,1")}, deep{graph_run("spirals", layers + ",2")};
    QVERIFY(deep[0]->sites().size() > 400);
    GraphWidget view(load_theme(ThemeMode::light), nullptr);
    view.resize(1280, 600);
    AppState state;
    state.cursor.iteration = 1;
    const auto present = [&](const std::vector<std::shared_ptr<const Run>>& runs) {
        view.present(Look{runs, state, runs[0], 0, 2, false});
        return view.model();
    };
    const GraphModel* first = present(small);
    QVERIFY(first);
    const std::size_t first_nodes = first->nodes.size();
    QCOMPARE(present(deep), first);
    QTRY_VERIFY(present(deep) != first);
    QTRY_VERIFY(present(deep) && view.values());
    QCOMPARE(view.values()->iteration, 1);
    QCOMPARE(view.geometryOfItems().items.size(), view.model()->nodes.size());
    const auto order = [&] { // of the modules, from left to right
        std::vector<std::pair<double, std::string>> boxes;
        for (const GraphItem& item : view.geometryOfItems().items)
            if (item.is_op) boxes.emplace_back(item.rect.left(), view.model()->nodes[item.node].module);
        std::sort(boxes.begin(), boxes.end());
        std::vector<std::string> modules;
        for (const auto& [x, module] : boxes)
            if (modules.empty() || modules.back() != module) modules.push_back(module);
        return modules;
    };
    const std::vector<std::string> closed = order();
    const std::size_t boxes = view.model()->nodes.size();
    state.open_modules = {"layer30"};
    const GraphModel* before = view.model();
    QCOMPARE(present(deep), before);
    state.ruler = Ruler::flops; // a later wish that only asks for other numbers does not lose the one before it
    QTRY_VERIFY(present(deep) != before);
    QVERIFY(view.model()->nodes.size() > boxes);
    QVERIFY(order() == closed);
    QTRY_COMPARE((present(deep), view.geometryOfItems().ruler), Ruler::flops);
    state.open_modules = {"layer31"}; // what was asked for of a net that one has left comes too late
    present(deep);
    const GraphModel* back = present(small);
    QCOMPARE(back->nodes.size(), first_nodes);
    for (int i = 0; i < 50; ++i) {
        QTest::qWait(2);
        QCOMPARE(present(small), back);
    }
}

// What an op costs is covered where it stands, and what it holds is not; an op that is hidden altogether is covered either way.
void TestGraph::work_is_hidden_without_the_norm() {
    const std::vector<std::shared_ptr<const Run>> runs{graph_run("xor", "2,2,1")};
    GraphWidget view(load_theme(ThemeMode::light), nullptr);
    view.resize(1280, 600);
    AppState state;
    state.cursor.iteration = 1;
    for (const bool whole : {false, true})
        for (const Ruler ruler : {Ruler::none, Ruler::flops, Ruler::time}) {
            state.ruler = ruler;
            view.setVeil({{whole ? QStringLiteral("layer1/matmul") : QStringLiteral("layer1/matmul.work")}, 0});
            QTRY_VERIFY((view.present(Look{runs, state, runs[0], 0, 2, false}), view.values() && view.geometryOfItems().ruler == ruler));
            QCOMPARE(view.hidden().painted.size(), static_cast<std::size_t>(whole || ruler != Ruler::none ? 1 : 0));
            int told = 0;
            for (const ViewItem& item : view.readable())
                if (item.parts.contains("layer1/matmul")) told += item.value != "?";
            QCOMPARE(told, whole || ruler != Ruler::none ? 0 : 1);
        }
}

// A product's gradients cost what it costs: who asks for one hides all of them, and nothing else.
void TestGraph::work_of_a_kind_is_hidden_forward_and_backward() {
    const std::vector<std::shared_ptr<const Run>> runs{graph_run("xor", "2,2,1")};
    GraphWidget view(load_theme(ThemeMode::light), nullptr);
    view.resize(1280, 600);
    view.setVeil({{QStringLiteral("matmul.work")}, 0});
    AppState state;
    state.cursor.iteration = 1;
    for (const std::vector<std::string>& open : {std::vector<std::string>{}, {"layer1", "layer2"}})
        for (const Ruler ruler : {Ruler::none, Ruler::flops, Ruler::bytes, Ruler::time}) {
            state.ruler = ruler;
            state.open_modules = open;
            QTRY_VERIFY((view.present(Look{runs, state, runs[0], 0, 2, false}), view.values() && view.geometryOfItems().ruler == ruler));
            int products = 0, others = 0;
            const std::vector<ViewItem> readable = view.readable();
            for (std::size_t i = 0; i < readable.size(); ++i) {
                const GraphNode& node = view.model()->nodes[view.geometryOfItems().items[i].node];
                const bool product = std::any_of(node.ops.begin(), node.ops.end(), [](const GraphOp& op) { return op.name == "matmul"; });
                if (readable[i].value.isEmpty()) continue;
                QVERIFY2((readable[i].value == "?") == (product && ruler != Ruler::none), qPrintable(readable[i].id + " " + readable[i].value));
                ++(product ? products : others);
            }
            QVERIFY(products >= 5 && others > 0); // two forward, and the gradients of two matrices and of what is between
        }
}

// A phase and a module reach to the end of what is inside them, in each net to its own.
void TestGraph::what_one_stands_on_has_run() {
    const std::vector<std::shared_ptr<const Run>> small{graph_run("xor", "2,2,1")}, wide{graph_run("xor", "2,3,3,1")};
    GraphWidget view(load_theme(ThemeMode::light), nullptr);
    view.resize(1280, 600);
    AppState state;
    state.cursor.iteration = 1;
    const auto stand = [&](const std::vector<std::shared_ptr<const Run>>& runs, std::string_view path, Level level) {
        state.cursor.level = level;
        state.cursor.ordinal = EventTree(*runs[0]).find(path)->ordinal;
        view.present(Look{runs, state, runs[0], 0, 2, false});
    };
    for (const auto& runs : {small, wide}) {
        stand(runs, "forward", Level::phase);
        for (const GraphItem& item : view.geometryOfItems().items) {
            const GraphNode& node = view.model()->nodes[item.node];
            const bool backward = node.row == GraphNode::Row::gradient || node.row == GraphNode::Row::parameter_gradient;
            QVERIFY2(item.reached != backward, item.id.c_str());
            QVERIFY2(!item.here, item.id.c_str());
        }
    }
    QCOMPARE(EventTree(*small[0]).find("forward")->ordinal, EventTree(*wide[0]).find("forward")->ordinal); // or it says less
    stand(wide, "forward/layer2", Level::module);
    for (const GraphItem& item : view.geometryOfItems().items) {
        const GraphNode& node = view.model()->nodes[item.node];
        if (node.row != GraphNode::Row::forward || !node.is_op) continue;
        QVERIFY2(item.here == (node.module == "layer2"), item.id.c_str());
        QVERIFY2(item.reached == (node.module == "layer1" || node.module == "layer2"), item.id.c_str());
    }
}

// Its ops have no boxes of their own: each is seen on the parameter that it writes.
void TestGraph::an_update_shows_where_it_writes() {
    const std::vector<std::shared_ptr<const Run>> runs{graph_run("xor", "2,3,3,1")};
    GraphWidget view(load_theme(ThemeMode::light), nullptr);
    view.resize(1280, 600);
    AppState state;
    state.cursor.iteration = 0;
    const EventTree tree(*runs[0]);
    const auto stand = [&](std::int32_t ordinal, Level level) {
        state.cursor.level = level;
        state.cursor.ordinal = ordinal;
        for (int looks = 0; looks < 200 && (looks == 0 || !view.values() || view.values()->iteration != 0); ++looks) {
            view.present(Look{runs, state, runs[0], 0, 2, false});
            QTest::qWait(5);
        }
        view.present(Look{runs, state, runs[0], 0, 2, false});
    };
    const auto updated = [&] {
        std::set<std::string> out;
        for (const GraphItem& item : view.geometryOfItems().items)
            if (item.updated) out.insert(item.id);
        return out;
    };
    stand(tree.find("backward")->ordinal, Level::phase);
    QVERIFY(updated().empty());
    const QString before = view.geometryOfItems().find("W1")->value;
    stand(tree.find("update")->ordinal, Level::phase);
    QCOMPARE(updated(), (std::set<std::string>{"W1", "b1", "W2", "b2", "W3", "b3"}));
    QVERIFY(!view.geometryOfItems().find("W1")->here); // nobody stands on one of them
    std::vector<std::int32_t> writers;
    for (std::size_t i = 0; i < runs[0]->sites().size(); ++i)
        if (const EventSite& site = runs[0]->sites()[i]; site.phase == Phase::update && site.level == Level::op) writers.push_back(site.ordinal);
    QCOMPARE(writers.size(), std::size_t{6});
    stand(writers[1], Level::op);
    QCOMPARE(updated().size(), std::size_t{2}); // it, and the one before it
    std::size_t here = 0;
    for (const GraphItem& item : view.geometryOfItems().items) here += item.here;
    QCOMPARE(here, std::size_t{1});
    // What stands there is what the next step begins with.
    const auto next = runs[0]->tensors_of(1);
    for (const GraphItem& item : view.geometryOfItems().items) {
        if (!item.updated) continue;
        for (const RecordedTensor& recorded : next->tensors)
            if (recorded.name == item.id) {
                QCOMPARE(item.value, three_digits(recorded.tensor.elements() == 1 ? recorded.tensor.at(0) : l2_norm(recorded.tensor)));
                break;
            }
    }
    state.cursor.level = Level::iteration; // from outside, a step's values are what it begins with
    view.present(Look{runs, state, runs[0], 0, 2, false});
    QVERIFY(updated().empty());
    QCOMPARE(view.geometryOfItems().find("W1")->value, before);
}

// An edit of W2 changes what stands behind it in the forward pass and every gradient; x, y and the first layer keep their bits.
void TestGraph::a_branch_says_what_its_edit_reaches() {
    const auto forked = testing::forked_runs("xor", "2,3,1", 6, 1, {{"W2[0,0]=0.5", 2}});
    const Run &parent = *forked.runs[0], &branch = *forked.runs[1];
    const GraphModel model = make_graph(branch, Fold::ops);
    const GraphValues values = values_of(model, branch, 2, forked.runs[0]);
    GraphGeometry geometry = lay_out(model, &values, QRectF(0, 0, 1200, 400));
    QVERIFY(geometry.compares());
    for (const char* same : {"x", "W1", "b1", "b2", "y"}) QVERIFY2(geometry.find(same)->kept_its_bits(), same);
    for (const char* other : {"W2", "dW1", "dz1", "dW2"}) QVERIFY2(geometry.find(other)->touched(), other);
    QCOMPARE(geometry.find("W2")->compared->differing, Dim{1});
    QCOMPARE(geometry.find("W2")->compared->elements, Dim{3});
    QCOMPARE(geometry.find("W2")->compared->before, std::optional(l2_norm(parent.tensors_of(1)->find("W2")->tensor)));
    for (const GraphItem& item : geometry.items) {
        if (item.loss) QCOMPARE(item.compared->before, parent.value_at("loss", 2));
        const bool first_layer = model.nodes[item.node].is_op && model.nodes[item.node].column < model.find("W2")->column;
        if (first_layer) QVERIFY2(item.kept_its_bits(), item.id.c_str());
        if (item.loss || item.id == "matmul a1·W2") QVERIFY2(item.touched(), item.id.c_str());
    }
    for (const GraphArrow& arrow : geometry.arrows) QCOMPARE(arrow.touched, geometry.items[arrow.from].touched());
    // What has not been computed yet says nothing; without the other Run there is nothing to say.
    geometry = lay_out(model, &values, QRectF(0, 0, 1200, 400), reach_at(branch, EventTree(branch).find("forward")->ordinal));
    QVERIFY(!geometry.find("dW1")->compared && geometry.find("W1")->compared);
    QVERIFY(!geometry.find("dW1")->bold && !geometry.find("W1")->bold && geometry.find("W2")->bold);
    const GraphValues lone = values_of(model, branch, 2);
    geometry = lay_out(model, &lone, QRectF(0, 0, 1200, 400));
    QVERIFY(!geometry.compares() && geometry.find("W1")->bold);
}

void TestGraph::a_module_stays_closed_where_its_ops_could_not_be_read() {
    GraphWish wish;
    wish.run = graph_run("fashion-mnist", "784,128,64,10");
    wish.open = {"layer1"};
    for (const auto& [width, opens] : {std::pair{280.0, false}, {640.0, true}}) {
        wish.area = QRectF(0, 0, width, 300);
        const PlacedGraph placed = place(wish);
        const bool open = std::any_of(placed.model->nodes.begin(), placed.model->nodes.end(), [](const GraphNode& node) { return node.title == "matmul"; });
        QCOMPARE(open, opens);
        QCOMPARE(placed.model->kept_closed, !opens); // and says so
        wish.open.clear();
        QVERIFY(!place(wish).model->kept_closed); // nobody asked
        wish.open = {"layer1"};
    }
}
