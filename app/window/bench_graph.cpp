#include "app/window/bench_graph.hpp"

#include "app/window/bench_time.hpp"

#include "engine/trace/run_writer.hpp"
#include "views/graph/graph_widget.hpp"

#include <QApplication>
#include <QElapsedTimer>
#include <QGraphicsRectItem>
#include <QGraphicsView>
#include <QMouseEvent>
#include <QPainter>
#include <QProcess>
#include <QStandardPaths>
#include <algorithm>
#include <fmt/format.h>

namespace gradus {

using cli::BenchRow;
using cli::median;

namespace {

constexpr QSize graph_size(1600, 900);

/// The forward pass of a transformer, op by op: eight ops and four parameters per block, each block also reading what
/// the one before it wrote.
std::shared_ptr<const Run> transformer(int nodes) {
    Manifest manifest;
    manifest.planned_steps = 1;
    manifest.id = "run";
    auto run = std::make_shared<Run>(manifest, std::vector<SeriesInfo>{{"loss", "", Provenance::computed, true}}, nullptr);
    RunWriter writer(run);
    const Shape shape{{64, "B"}, {64, "out"}};
    std::int32_t ordinal = 0;
    std::string before = "x0", residual = "x0";
    const auto output = [&](const std::string& name, Role role) { return OutputInfo{name, role, DType::f32, shape}; };
    EventSite setup;
    setup.level = Level::op;
    setup.module = "setup";
    setup.path = "setup/x0";
    setup.name = "load";
    setup.outputs = {output("x0", Role::data)};
    writer.add_site(setup);
    constexpr int ops = 8;
    for (int block = 0; 12 * (block + 1) <= nodes; ++block) {
        const std::string residual_before = residual;
        for (int i = 0; i < ops; ++i) {
            const bool product = i % 2 == 0;
            const std::string name = fmt::format("z{}_{}", block, i), weight = fmt::format("W{}_{}", block, i);
            EventSite site;
            site.level = Level::op;
            site.phase = Phase::forward;
            site.name = product ? "matmul" : i == ops - 1 ? "add" : "gelu";
            site.module = fmt::format("block{}", block);
            site.path = fmt::format("forward/block{}/{} {}", block, site.name, name);
            site.ordinal = ordinal++;
            site.outputs = {output(name, Role::activation)};
            site.inputs.push_back({TensorRef::When::same_iteration, ordinal - 2, 0, -1, before});
            if (product) {
                EventSite kept = setup;
                kept.path = "setup/" + weight;
                kept.outputs = {output(weight, Role::parameter)};
                writer.add_site(kept);
                site.inputs.push_back({TensorRef::When::setup, -1, 0, -1, weight});
            }
            if (i == ops - 1) site.inputs.push_back({TensorRef::When::same_iteration, 0, 0, -1, residual_before});
            writer.add_site(site);
            before = name;
        }
        residual = before;
    }
    return run;
}

/// The same boxes and arrows for dot.
QByteArray dot_of(const GraphModel& model) {
    QByteArray text = "digraph { rankdir=LR; node [shape=box];\n";
    for (std::size_t i = 0; i < model.nodes.size(); ++i) text += fmt::format("n{};\n", i).c_str();
    for (const GraphEdge& edge : model.edges) text += fmt::format("n{} -> n{};\n", edge.from, edge.to).c_str();
    return text + "}\n";
}

void bench_frame(std::vector<BenchRow>& rows) {
    const auto run = transformer(10'000);
    const std::vector<std::shared_ptr<const Run>> runs{run};
    AppState state;
    GraphWidget view(load_theme(ThemeMode::light), nullptr);
    view.resize(graph_size);
    QImage screen(graph_size, QImage::Format_ARGB32_Premultiplied);
    const auto look = [&] { view.present(Look{runs, state, nullptr, 0, 1, false}); };
    double stall = 0; // of the window, while it is laid out
    do stall = std::max(stall, milliseconds_of(look));
    while (!view.model());
    const double first = milliseconds_of([&] { view.render(&screen); });
    const GraphModel whole = make_graph(*run, Fold::ops);
    QGraphicsScene scene;
    const GraphGeometry geometry = lay_out(whole, nullptr, QRectF(0, 0, 200'000, 900));
    for (const GraphItem& item : geometry.items) scene.addRect(item.rect);
    for (const GraphArrow& arrow : geometry.arrows) scene.addLine(QLineF(arrow.points.front(), arrow.points.back()));
    QGraphicsView peer(&scene);
    peer.resize(graph_size);
    peer.fitInView(scene.sceneRect());
    std::vector<double> ours, theirs;
    for (int i = 0; i < 15; ++i) {
        const QPointF at(100.0 + 90 * i, 200.0 + 30 * (i % 10)); // hovering paints it anew
        ours.push_back(milliseconds_of([&] {
            QMouseEvent over(QEvent::MouseMove, at, view.mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
            QCoreApplication::sendEvent(&view, &over);
            look();
            view.render(&screen);
        }));
        theirs.push_back(milliseconds_of([&] {
            QPainter painter(&screen);
            peer.render(&painter);
        }));
    }
    rows.push_back({"window", "graph of 10 000 nodes, fit all, one frame", median(ours), "ms", 16, false,
                    fmt::format("{} nodes of the run in {} boxes; QGraphicsView, every node an item, {:.1f} ms",
                                whole.nodes.size(), view.geometryOfItems().items.size(), median(theirs)), false});
    rows.push_back({"window", "graph of 10 000 nodes, longest stall of the window", std::max(stall, first), "ms", 16, false,
                    fmt::format("{:.2f} ms while it is laid out on a thread of its own, {:.2f} ms for its first picture", stall, first), false});
}

void bench_layout(std::vector<BenchRow>& rows) {
    const auto run = transformer(2'000);
    std::vector<double> ours;
    GraphModel model;
    for (int i = 0; i < 9; ++i)
        ours.push_back(milliseconds_of([&] {
            model = make_graph(*run, Fold::ops);
            lay_out(model, nullptr, QRectF(0, 0, 1600, 900));
        }));
    rows.push_back({"window", "layout of a graph of 2000 nodes", median(ours) / 1000, "s", 0.1, false,
                    fmt::format("{} nodes, {} edges", model.nodes.size(), model.edges.size()), false});
    const QString dot = QStandardPaths::findExecutable("dot");
    if (dot.isEmpty()) {
        rows.push_back({"window", "layout of 2000 nodes, dot / ours", 0, "ratio", 0, false, "dot is not installed", true});
        return;
    }
    QProcess process;
    bool laid = false;
    QElapsedTimer timer; // by the clock: it works in a process of its own
    timer.start();
    const auto ask = [&] {
        process.start(dot, {"-Tplain"});
        process.write(dot_of(model));
        process.closeWriteChannel();
        laid = process.waitForFinished(120'000) && process.exitCode() == 0;
    };
    ask();
    const double theirs = static_cast<double>(timer.nsecsElapsed()) / 1e6;
    rows.push_back({"window", "layout of 2000 nodes, dot / ours", theirs / median(ours), "ratio", 0, false,
                    laid ? fmt::format("{:.2f} s", theirs / 1000) : "dot gave up", !laid});
}

} // namespace

void bench_graph(std::vector<BenchRow>& rows) {
    bench_frame(rows);
    bench_layout(rows);
}

} // namespace gradus
