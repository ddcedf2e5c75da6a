#include "tests/views/test_flow.hpp"

#include "engine/core/element_index.hpp"
#include "engine/trace/derive/norm.hpp"
#include "lessons/runtime/session.hpp"
#include "tests/views/sample_run.hpp"
#include "views/flow/flow_words.hpp"
#include "views/flow/gradient_flow_view.hpp"
#include "views/theme/numbers.hpp"

#include <QSignalSpy>
#include <QTest>
#include <cmath>
#include <ctime>

using namespace gradus;

namespace {

std::shared_ptr<const Run> deep_run() {
    static const auto run = testing::sample_run("spirals", "2,8,8,8,8,8,8,8,8,2", 3);
    return run;
}
std::shared_ptr<const Run> small_run() {
    static const auto run = testing::sample_run("moons", "2,6,4,2", 6);
    return run;
}

/// A view with frames as the window would give them.
struct Stage {
    explicit Stage(std::shared_ptr<const Run> run, int width = 1200, int height = 700)
        : runs{run}, view(load_theme(ThemeMode::light), nullptr) {
        view.resize(width, height);
        view.show(); // offscreen: layouts happen
        state.cursor.iteration = run->head() - 1;
    }
    void frame() { view.present(Look{runs, state, runs[state.run], 1, 100, playing}); }
    template <class Done> bool until(Done done) {
        for (int i = 0; i < 3000; ++i) {
            frame();
            if (done()) return true;
            QTest::qWait(1);
        }
        return false;
    }
    bool settled() {
        return until([this] {
            const auto& p = view.picture();
            return p.numbers && p.numbers->iteration == state.cursor.iteration && p.history && p.history->run == runs[state.run] && !p.checking;
        });
    }
    std::vector<std::shared_ptr<const Run>> runs;
    AppState state;
    GradientFlowView view;
    bool playing = false;
};

const ViewItem* find(const std::vector<ViewItem>& items, const QString& id) {
    for (const ViewItem& item : items)
        if (item.id == id) return &item;
    return nullptr;
}

} // namespace

void TestFlow::lines_fit_and_never_overlap_data() {
    QTest::addColumn<bool>("deep");
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("height");
    for (const bool deep : {false, true})
        for (const auto& [width, height] : {std::pair{344, 228}, {604, 418}, {1164, 638}, {3800, 2100}})
            QTest::addRow("%s at %dx%d", deep ? "nine layers" : "three layers", width, height) << deep << width << height;
}

void TestFlow::lines_fit_and_never_overlap() {
    QFETCH(bool, deep);
    QFETCH(int, width);
    QFETCH(int, height);
    const auto layers = gradient_layers(deep ? *deep_run() : *small_run());
    const QRectF area(18, 44, width, height);
    const FlowGeometry g = lay_out_flow(layers, area);
    QCOMPARE(g.rows.size(), layers.size());
    QVERIFY(!g.lines.empty());
    QCOMPARE(g.updates.isNull(), width < 500);
    QCOMPARE(g.sizes.isNull(), width < 960);
    QVERIFY(!g.check.isNull() && area.contains(g.check));
    const QRectF near = area.adjusted(-0.5, -0.5, 0.5, 0.5);
    for (std::size_t i = 0; i < g.lines.size(); ++i) {
        QVERIFY(near.contains(g.lines[i].rect) && near.contains(g.lines[i].bar));
        QVERIFY(g.lines[i].bar.width() >= 40);
        QVERIFY(g.lines[i].rect.bottom() <= g.axis.top() + 0.5);
        for (std::size_t k = i + 1; k < g.lines.size(); ++k) {
            QVERIFY(!g.lines[i].bar.intersects(g.lines[k].bar));
            if (g.names) QVERIFY(!g.lines[i].rect.adjusted(0, 0.1, 0, -0.1).intersects(g.lines[k].rect));
        }
        const auto hit = g.line_at(g.lines[i].rect.center());
        QVERIFY(hit && hit->layer == g.lines[i].layer && hit->kind == g.lines[i].kind);
    }
    for (std::size_t i = 1; i < g.lines.size(); ++i) QVERIFY(std::abs(g.lines[i].rect.height() - g.lines[0].rect.height()) < 1e-6); // one pitch, whatever a layer has
    for (std::size_t i = 1; i < g.rows.size(); ++i) { // what divides two layers lies midway between their lines
        const double above = g.lines[g.rows[i - 1].lines.back()].rect.bottom(), below = g.lines[g.rows[i].lines.front()].rect.top();
        QVERIFY(std::abs(g.rows[i].rect.top() - (above + below) / 2) < 1e-6);
        QCOMPARE(g.rows[i].rect.top(), g.rows[i - 1].rect.bottom());
    }
    QVERIFY(lay_out_flow(layers, QRectF(0, 0, 1, 1)).rows.empty());
    QVERIFY(lay_out_flow({}, area).rows.empty());
}

void TestFlow::decades() {
    DecadeScale scale = DecadeScale::none();
    QVERIFY(scale.empty());
    scale.include(0);
    scale.include(-1);
    scale.include(std::nan(""));
    scale.include(INFINITY);
    QVERIFY(scale.empty());
    QVERIFY(scale.settled().high > scale.settled().low);
    scale.include(0.02);
    scale.include(3);
    QCOMPARE(scale.low, -2);
    QCOMPARE(scale.high, 1);
    QCOMPARE(scale.share(0.01), 0.0);
    QCOMPARE(scale.share(10), 1.0);
    QVERIFY(std::abs(scale.share(0.1) - 1.0 / 3) < 1e-12);
    QCOMPARE(scale.share(0), 0.0);
    QCOMPARE(scale.ticks(9), (std::vector<int>{-2, -1, 0, 1}));
    QCOMPARE((DecadeScale{-12, 0}.ticks(4)), (std::vector<int>{-12, -8, -4, 0}));
    QCOMPARE((DecadeScale{-2, 1}.ticks(3)), (std::vector<int>{-2, 1}));
    QCOMPARE(flow_words::six_digits(-9.182261e-9), QStringLiteral("−9.18226e−9"));
    QCOMPARE(flow_words::six_digits(1e12), QStringLiteral("1e12"));
    QCOMPARE(decade_label(-12), QStringLiteral("1e−12"));
    QCOMPARE(decade_label(-4), QStringLiteral("1e−4"));
    QCOMPARE(decade_label(-3), QStringLiteral("0.001"));
    QCOMPARE(decade_label(0), QStringLiteral("1"));
    QCOMPARE(decade_label(5), QStringLiteral("100000"));
    QCOMPARE(decade_label(6), QStringLiteral("1e6"));
}

void TestFlow::values_are_the_runs() {
    Stage stage(small_run());
    QVERIFY(stage.settled());
    const auto tensors = small_run()->tensors_of(5);
    const auto items = stage.view.items();
    for (const char* name : {"dW1", "db1", "dz1", "da1", "dW3", "db3", "dz3"}) {
        const ViewItem* item = find(items, name);
        QVERIFY2(item, name);
        QCOMPARE(item->value, flow_words::number(l2_norm(tensors->find(name)->tensor)));
        QVERIFY(item->role == Role::gradient && item->provenance == Provenance::computed);
    }
    QVERIFY(!find(items, "da3"));
    const ViewItem* update = find(items, "W2.update");
    QVERIFY(update && update->role == Role::optimizer_state);
    const double ratio = *flow_words::ratio_to_next(*stage.view.picture().numbers, 1);
    QVERIFY(std::abs(ratio - l2_norm(tensors->find("dz2")->tensor) / l2_norm(tensors->find("dz3")->tensor)) < 1e-12);
    stage.state.cursor.iteration = 2; // back: other numbers
    QVERIFY(stage.settled());
    QCOMPARE(find(stage.view.items(), "dW1")->value, flow_words::number(l2_norm(small_run()->tensors_of(2)->find("dW1")->tensor)));
}

void TestFlow::history_grows_and_joins_branches() {
    RunRequest request;
    request.parameters = {{"data", "moons"}, {"layers", "2,4,2"}, {"batch", "16"}};
    request.steps = 40;
    request.observe_every = 1;
    request.device.threads = 1;
    Session session(request);
    session.run_to(20);
    session.wait();
    NormBook book;
    const auto layers = gradient_layers(*session.run(0));
    const auto first = book.look(session.run(0), layers);
    QCOMPARE(first->samples.size(), std::size_t{20});
    session.submit(Edit::parse("W1[0, 0] = 4"), 0, 8);
    session.run_to(15);
    session.wait();
    const auto branch = session.run(1);
    const auto joined = book.look(branch, layers);
    QCOMPARE(joined->samples.size(), static_cast<std::size_t>(branch->head()));
    for (std::size_t i = 0; i < joined->samples.size(); ++i) {
        QCOMPARE(joined->samples[i].iteration, static_cast<StepIndex>(i));
        const double norm = l2_norm(branch->tensors_of(static_cast<StepIndex>(i))->find("dW1")->tensor);
        QCOMPARE(*joined->samples[i].norms[1][static_cast<std::size_t>(GradientKind::weight)], norm);
    }
    QVERIFY(joined->samples[8].norms != first->samples[8].norms);
    QVERIFY(joined->samples[7].norms == first->samples[7].norms);
    QCOMPARE(book.look(session.run(0), layers)->samples.size(), static_cast<std::size_t>(session.run(0)->head()));
}

void TestFlow::a_click_selects_and_is_checked() {
    qRegisterMetaType<Selection>();
    Stage stage(small_run());
    QVERIFY(stage.settled());
    QSignalSpy spy(&stage.view, &View::selected);
    const auto item = *find(stage.view.items(), "dW2");
    QTest::mouseClick(&stage.view, Qt::LeftButton, {}, item.rect.center().toPoint());
    QCOMPARE(spy.size(), 1);
    stage.state.selection = spy[0][0].value<Selection>();
    QCOMPARE(stage.state.selection.tensor, std::string("dW2"));
    QVERIFY(stage.until([&] { return stage.view.picture().check != nullptr; }));
    const FiniteDifference check = stage.view.picture().check->check;
    QVERIFY2(stage.view.picture().check->refusal.empty(), stage.view.picture().check->refusal.c_str());
    const Tensor& gradient = small_run()->tensors_of(5)->find("dW2")->tensor;
    double largest = 0;
    for (Dim i = 0; i < gradient.elements(); ++i) largest = std::max(largest, std::abs(gradient.at(i)));
    QCOMPARE(std::abs(check.gradient), largest);
    QVERIFY(check.flipped > 0 || check.relative < 1e-3);
    QVERIFY(find(stage.view.items(), "check"));
    stage.state.selection = {"W1", {1, 2}};
    QVERIFY(stage.until([&] { return stage.view.picture().check->check.parameter == "W1"; }));
    QCOMPARE(stage.view.picture().check->check.gradient, small_run()->tensors_of(5)->find("dW1")->tensor.at(1, 2));
    stage.state.selection = {"W1", {7, 7}}; // outside
    QVERIFY(stage.until([&] { return !stage.view.picture().check->refusal.empty(); }));
    stage.state.selection = {"x", {}};
    stage.frame();
    QVERIFY(!stage.view.picture().check);
    stage.state.selection = {"dz1", {}}; // curves and sizes follow the kind
    stage.frame();
    QVERIFY(stage.view.picture().kind == GradientKind::preactivation);
    // A bar of a histogram selects a number of that size, a place on the curves a step.
    stage.state.selection = {"dW1", {}};
    QVERIFY(stage.settled());
    const auto& p = stage.view.picture();
    const auto& row = p.geometry.rows.back();
    const LogHistogram& sizes = *p.flow(row.layer)->sizes[static_cast<std::size_t>(GradientKind::weight)];
    QTest::mouseClick(&stage.view, Qt::LeftButton, {}, p.bin_rect(row, sizes, 0).center().toPoint());
    const auto element = spy.last()[0].value<Selection>();
    QCOMPARE(element.tensor, std::string("dW1"));
    QCOMPARE(element.element, index_of(small_run()->tensors_of(5)->find("dW1")->tensor.shape(), sizes.example[0]));
    QSignalSpy moved(&stage.view, &View::cursorMoved);
    QTest::mouseClick(&stage.view, Qt::LeftButton, {}, QPointF(p.step_x(p.curve_area(row), 50), row.steps.center().y()).toPoint());
    QCOMPARE(moved.size(), 1);
    QVERIFY(std::abs(moved[0][0].toLongLong() - 50) <= 1);
}

// It may have kept hundreds of megabytes.
void TestFlow::a_run_that_is_left_is_let_go_of() {
    auto left = testing::sample_run("moons", "2,6,4,2", 6);
    Stage stage(left);
    stage.state.selection = {"W1", {1, 2}};
    QVERIFY(stage.settled());
    QVERIFY(stage.view.picture().check);
    stage.runs = {small_run()};
    stage.playing = true; // nothing is checked on it yet
    QVERIFY(stage.settled());
    QVERIFY(!stage.view.picture().check);
    QTRY_COMPARE(left.use_count(), 1L);
    stage.playing = false;
    QVERIFY(stage.settled());
    QCOMPARE(stage.view.picture().check->wish.origin, small_run());

    left = testing::sample_run("moons", "2,6,4,2", 6);
    stage.runs = {left};
    QVERIFY(stage.settled());
    stage.state.selection = {};
    stage.runs = {small_run()};
    QVERIFY(stage.settled());
    QTRY_COMPARE(left.use_count(), 1L);
}

void TestFlow::a_run_without_gradients_says_so() {
    RunRequest request;
    request.parameters = {{"data", "xor"}, {"layers", "2,4,1"}, {"batch", "0"}, {"omit", "backward"}};
    request.steps = 2;
    Session session(request);
    session.play();
    session.wait();
    Stage stage(session.run(0), 380, 290);
    stage.frame();
    QVERIFY(stage.view.items().empty());
    stage.view.grab();
    Stage bare(small_run()); // no tensors yet
    bare.view.present(Look{bare.runs, bare.state, nullptr, 0.4, 100, false});
    QVERIFY(bare.view.items().empty());
    QVERIFY(bare.view.note().contains("40 %"));
    bare.view.grab();
}

void TestFlow::every_size_is_painted() {
    for (const auto& run : {small_run(), deep_run()}) {
        Stage stage(run);
        stage.state.selection = {"dW1", {}};
        QVERIFY(stage.settled());
        for (const QSize size : {QSize(1, 1), QSize(60, 60), QSize(200, 120), QSize(380, 290), QSize(1920, 1080), QSize(3840, 2160)}) {
            stage.view.resize(size);
            stage.frame();
            stage.view.grab();
            for (const ViewItem& item : stage.view.items())
                QVERIFY2(QRectF(stage.view.rect()).contains(item.rect), qPrintable(item.id));
        }
        stage.view.resize(1920, 1080);
        stage.view.setTheme(load_theme(ThemeMode::dark));
        QImage image(1920, 1080, QImage::Format_ARGB32_Premultiplied);
        stage.view.render(&image);
        const std::clock_t start = std::clock(); // processor time: other programs do not count
        stage.view.setTheme(load_theme(ThemeMode::light)); // all anew
        stage.view.render(&image);
        const double ms = 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        qInfo("gradient flow, all painted anew at 1920×1080: %.1f ms", ms);
        QVERIFY2(ms < 200, qPrintable(QString::number(ms)));
    }
}
