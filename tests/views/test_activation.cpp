#include "tests/views/test_activation.hpp"

#include "tests/views/sample_run.hpp"
#include "views/activation/activation_view.hpp"
#include "views/activation/activation_words.hpp"

#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <ctime>
#include <map>

using namespace gradus;

namespace {

constexpr std::size_t step = 0, sigmoid = 1, tanh_op = 2, relu = 3, gelu = 4, silu = 5;

std::shared_ptr<const Run> run_with(const std::string& activation, const std::string& layers = "2,8,5,2") {
    static std::map<std::string, std::shared_ptr<const Run>> made;
    auto& run = made[activation + layers];
    if (!run) run = testing::run_of_experiment("train_mlp", {{"data", "moons"}, {"layers", layers}, {"batch", "16"}, {"activation", activation}}, 6);
    return run;
}

struct Stage {
    explicit Stage(std::shared_ptr<const Run> run, int width = 900, int height = 460, Selection selection = {})
        : runs{run}, view(load_theme(ThemeMode::light), nullptr) {
        view.resize(width, height);
        view.show();
        state.cursor.iteration = run->head() - 1;
        state.selection = std::move(selection);
        frame();
    }
    void frame(bool kept = true) { view.present(Look{runs, state, kept ? runs[0] : nullptr, 0.4, 100, false}); }
    const ViewItem* item(const QString& id) {
        items = view.items();
        const auto at = std::find_if(items.begin(), items.end(), [&](const ViewItem& one) { return one.id == id; });
        return at == items.end() ? nullptr : &*at;
    }
    double recorded(const char* tensor, Dim n, Dim i) const { return runs[0]->tensors_of(state.cursor.iteration)->find(tensor)->tensor.at(n, i); }
    std::vector<std::shared_ptr<const Run>> runs;
    AppState state;
    ActivationView view;
    std::vector<ViewItem> items;
};

} // namespace

void TestActivation::panels_fit_and_show_what_is_in_use_data() {
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("height");
    QTest::addColumn<bool>("in_class");
    QTest::addColumn<QList<int>>("relu_in_use");
    QTest::addColumn<QList<int>>("step_in_use");
    const QList<int> all{0, 1, 2, 3, 4, 5}, first{0, 1, 2}, second{3, 4, 5};
    QTest::newRow("900×400") << 900 << 400 << false << all << all;
    QTest::newRow("4K") << 3800 << 2100 << false << all << all;
    QTest::newRow("1280×800, above two others") << 752 << 268 << false << all << all;
    QTest::newRow("upright") << 400 << 700 << false << all << all;
    QTest::newRow("a strip") << 700 << 150 << false << second << first;
    QTest::newRow("a column") << 200 << 420 << false << second << first;
    QTest::newRow("small") << 340 << 200 << false << QList<int>{0, 3} << QList<int>{0, 3};
    QTest::newRow("smaller") << 200 << 150 << false << QList<int>{3} << QList<int>{0};
    QTest::newRow("class") << 560 << 260 << true << QList<int>{0, 3} << QList<int>{0, 3};
    QTest::newRow("class, half") << 250 << 240 << true << QList<int>{3} << QList<int>{0};
    QTest::newRow("tiny") << 60 << 40 << false << QList<int>{3} << QList<int>{0};
    QTest::newRow("nothing") << 0 << 0 << false << QList<int>{} << QList<int>{};
}

void TestActivation::panels_fit_and_show_what_is_in_use() {
    QFETCH(int, width);
    QFETCH(int, height);
    QFETCH(bool, in_class);
    QFETCH(QList<int>, relu_in_use);
    QFETCH(QList<int>, step_in_use);
    const QRectF area(18, 44, width, height);
    for (const std::size_t in_use : {step, sigmoid, tanh_op, relu, gelu, silu}) {
        const ActivationGeometry g = lay_out_activations(area, in_use, in_class);
        QList<int> shown;
        for (const auto& panel : g.panels) {
            shown << static_cast<int>(panel.op);
            QVERIFY(area.adjusted(-1, -1, 1, 1).contains(panel.rect));
            if (width < 100) continue;
            QVERIFY(panel.rect.contains(panel.plot) && panel.rect.contains(panel.header) && !panel.header.intersects(panel.plot));
            QVERIFY(panel.plot.width() >= 96 && panel.plot.height() >= 56);
            QVERIFY(panel.plot.left() - panel.rect.left() >= 28 && panel.rect.bottom() - panel.plot.bottom() >= 18); // tick labels
            if (height >= 400) QVERIFY(!panel.z_name.isNull());
            if (!panel.z_name.isNull()) // below the labels, and in the middle, so that it is no unit of one of them
                QVERIFY(panel.z_name.top() >= panel.plot.bottom() + 15 && panel.rect.contains(panel.z_name) && panel.z_name.center().x() == panel.plot.center().x());
            for (const auto& other : g.panels) QVERIFY(&other == &panel || !other.rect.intersects(panel.rect));
        }
        if (in_use == relu) QCOMPARE(shown, relu_in_use);
        if (in_use == step) QCOMPARE(shown, step_in_use);
        if (width > 0) QVERIFY(g.panel_of(in_use));
    }
}

void TestActivation::places_are_pixels() {
    const ActivationGeometry g = lay_out_activations(QRectF(0, 0, 900, 400), relu, false);
    for (const auto& panel : g.panels) {
        QCOMPARE(panel.at(-4, panel.least_y), panel.plot.bottomLeft());
        QCOMPARE(panel.at(4, panel.most_y), panel.plot.topRight());
        QVERIFY(panel.holds(0, 0) && panel.holds(-4, panel.most_y) && !panel.holds(4.01, 0) && !panel.holds(0, NAN) && !panel.holds(NAN, 0));
        QCOMPARE(g.panel_at(panel.rect.center()), &panel);
    }
    QCOMPARE(g.panel_at(QPointF(-1, -1)), nullptr);
    QCOMPARE(activation_ticks(-1.25, 1.25), (std::vector<double>{-1, 0, 1}));
    QCOMPARE(activation_ticks(-1, 4.5), (std::vector<double>{0, 2, 4}));
    QCOMPARE(activation_ticks(-4, 4), (std::vector<double>{-4, -2, 0, 2, 4}));
}

void TestActivation::a_selection_means_an_element_data() {
    QTest::addColumn<QString>("tensor");
    QTest::addColumn<QList<int>>("element");
    QTest::addColumn<int>("use");
    QTest::addColumn<QList<int>>("index");
    QTest::addColumn<QString>("bare");
    QTest::newRow("nothing") << "" << QList<int>{} << 0 << QList<int>{} << "";
    QTest::newRow("z") << "z1" << QList<int>{3, 5} << 0 << QList<int>{3, 5} << "";
    QTest::newRow("a") << "a1" << QList<int>{3, 5} << 0 << QList<int>{3, 5} << "";
    QTest::newRow("its gradient") << "da1" << QList<int>{3, 5} << 0 << QList<int>{3, 5} << "";
    QTest::newRow("that of z") << "dz2" << QList<int>{1, 4} << 1 << QList<int>{1, 4} << "";
    QTest::newRow("z without its bias") << "x·W1" << QList<int>{2, 7} << 0 << QList<int>{2, 7} << "";
    QTest::newRow("a bias") << "b1" << QList<int>{5} << 0 << QList<int>{0, 5} << "";
    QTest::newRow("a weight") << "W1" << QList<int>{1, 6} << 0 << QList<int>{0, 6} << "";
    QTest::newRow("of the second layer") << "W2" << QList<int>{7, 3} << 1 << QList<int>{0, 3} << "";
    QTest::newRow("a bias' gradient") << "db2" << QList<int>{2} << 1 << QList<int>{0, 2} << "";
    QTest::newRow("all of a") << "a2" << QList<int>{} << 1 << QList<int>{} << "";
    QTest::newRow("all of W") << "W2" << QList<int>{} << 1 << QList<int>{} << "";
    QTest::newRow("the last layer") << "z3" << QList<int>{0, 1} << 0 << QList<int>{} << "layer3";
    QTest::newRow("its weight") << "W3" << QList<int>{0, 1} << 0 << QList<int>{} << "layer3";
    QTest::newRow("the data") << "x" << QList<int>{0, 1} << 0 << QList<int>{} << "";
    QTest::newRow("the loss") << "loss" << QList<int>{} << 0 << QList<int>{} << "";
    QTest::newRow("no tensor") << "V9" << QList<int>{1} << 0 << QList<int>{} << "";
}

void TestActivation::a_selection_means_an_element() {
    QFETCH(QString, tensor);
    QFETCH(QList<int>, element);
    QFETCH(int, use);
    QFETCH(QList<int>, index);
    QFETCH(QString, bare);
    const auto run = run_with("relu");
    const auto uses = activation_uses(*run);
    QCOMPARE(uses.size(), 2U);
    QCOMPARE(uses[1].z + uses[1].a + uses[1].module, std::string("z2a2layer2"));
    const ActivationChoice choice = activation_choice(*run, uses, {tensor.toStdString(), {element.begin(), element.end()}});
    QCOMPARE(static_cast<int>(choice.use), use);
    QCOMPARE(QList<int>(choice.index.begin(), choice.index.end()), index);
    QCOMPARE(QString::fromStdString(choice.bare), bare);
}

void TestActivation::the_mark_is_what_the_run_recorded() {
    const std::pair<const char*, std::size_t> rows[] = {{"step", step}, {"sigmoid", sigmoid}, {"tanh", tanh_op}, {"relu", relu}, {"gelu", gelu}, {"silu", silu}};
    for (const auto& [name, op] : rows) {
        Stage stage(run_with(name), 900, 460, {"a1", {3, 5}});
        const ActivationPicture& picture = stage.view.picture();
        QCOMPARE(picture.in_use, op);
        QVERIFY(picture.point.has_value());
        const double z = stage.recorded("z1", 3, 5), a = stage.recorded("a1", 3, 5), da = stage.recorded("da1", 3, 5), dz = stage.recorded("dz1", 3, 5);
        QCOMPARE(picture.point->z, z);
        QCOMPARE(picture.point->a, a);
        QVERIFY(std::abs(picture.point->slope * da - dz) <= 1e-6 * std::abs(da)); // it is what the Run's own backward pass used
        const ViewItem* point = stage.item("point");
        QVERIFY(point);
        QCOMPARE(point->value, activation_words::numbers(z, a, picture.point->slope));
        QCOMPARE(point->name, QStringLiteral("a₁[3, 5]"));
        QVERIFY(QRectF(stage.view.rect()).contains(point->rect) && point->provenance == Provenance::computed);
        QVERIFY(stage.view.note().startsWith(QStringLiteral("a₁[3, 5], ")));
        stage.state.cursor.iteration = 2; // another step, other numbers
        stage.frame();
        QCOMPARE(stage.view.picture().point->z, stage.recorded("z1", 3, 5));
        stage.state.selection = {"b2", {4}};
        stage.frame();
        QCOMPARE(stage.view.picture().point->a, stage.recorded("a2", 0, 4));
        QSignalSpy selected(&stage.view, &View::selected);
        if (const ViewItem* mark = stage.item("point"); mark && !mark->rect.isEmpty()) QTest::mouseClick(&stage.view, Qt::LeftButton, {}, mark->rect.center().toPoint());
        QCOMPARE(selected.size(), 1);
        QVERIFY((qvariant_cast<Selection>(selected[0][0]) == Selection{"a2", {0, 4}}));
        stage.view.grab();
    }
}

void TestActivation::the_curves_are_the_engines() {
    Stage stage(run_with("tanh"));
    const auto& curves = stage.view.picture().curves->curves();
    QCOMPARE(curves.size(), 6U);
    const auto at = [&](std::size_t op, double z) {
        const auto found = std::find_if(curves[op].z.begin(), curves[op].z.end(), [&](double one) { return std::abs(one - z) < 1e-6; });
        return static_cast<std::size_t>(found - curves[op].z.begin());
    };
    for (std::size_t op = 0; op < curves.size(); ++op) {
        QCOMPARE(curves[op].z.front(), ActivationGeometry::least_z);
        QCOMPARE(curves[op].z.back(), ActivationGeometry::most_z);
        QVERIFY(at(op, 0) < curves[op].z.size());
        const ActivationGeometry::Panel* panel = stage.view.picture().geometry.panel_of(op);
        QVERIFY(panel);
        for (std::size_t i = 0; i < curves[op].z.size(); ++i) // no curve leaves its axes
            QVERIFY(panel->holds(curves[op].z[i], curves[op].y[i]) && panel->holds(curves[op].z[i], curves[op].slope[i]));
    }
    QCOMPARE(curves[step].y[at(step, 0.025)], 1.0);
    QCOMPARE(*std::max_element(curves[step].slope.begin(), curves[step].slope.end()), 0.0);
    QVERIFY(std::abs(curves[sigmoid].slope[at(sigmoid, 0)] - 0.25) < 1e-6);
    QVERIFY(std::abs(curves[tanh_op].slope[at(tanh_op, 0)] - 1) < 1e-6);
    QCOMPARE(curves[relu].y[at(relu, -2)], 0.0);
    QVERIFY(std::abs(curves[gelu].y[at(gelu, 1)] - 0.841345) < 1e-5);
    QVERIFY(std::abs(curves[silu].y[at(silu, 1)] - 0.731059) < 1e-5);
    const auto items = stage.view.items();
    QCOMPARE(items.size(), 6U);
    QVERIFY(items[tanh_op].name.contains("tanh") && items[tanh_op].name != "tanh"); // said to be in use
    QCOMPARE(items[gelu].name, QStringLiteral("GELU"));
    // Every formula and every number of a card is there.
    for (std::size_t op = 0; op < curves.size(); ++op) {
        const auto lines = activation_words::curve_card(op, curves[op], at(op, 1));
        QVERIFY(lines.size() >= 5 && lines[1].text.size() > 6);
        QCOMPARE(lines[2].text, QStringLiteral("z = 1.00"));
        QVERIFY(!lines[3].source.isEmpty() && !lines[4].source.isEmpty());
    }
}

void TestActivation::what_is_not_kept_is_not_marked() {
    Stage stage(run_with("relu"), 900, 460, {"a1", {3, 5}});
    stage.state.cursor.iteration = 1;
    stage.frame(false); // being computed again
    QVERIFY(!stage.view.picture().point && !stage.item("point"));
    QVERIFY(stage.view.note().contains("40 %"));
    stage.view.grab();
    stage.frame();
    QVERIFY(stage.item("point"));
    stage.state.cursor.iteration = 99; // no such step
    stage.frame();
    QVERIFY(!stage.item("point"));
    for (const Selection& selection : {Selection{"a1", {16, 0}}, Selection{"a1", {0, 8}}, Selection{"b1", {8}}, Selection{"a1", {}}, Selection{}}) {
        Stage other(run_with("relu"), 900, 460, selection);
        QVERIFY(!other.item("point") && other.view.items().size() == 6);
        other.view.grab();
    }
}

void TestActivation::beyond_the_axes_and_no_numbers() {
    const ActivationGeometry g = lay_out_activations(QRectF(0, 0, 900, 400), relu, false);
    const auto& panel = *g.panel_of(relu);
    const auto mark = [&](double z, double a) { return mark_of(panel, {{}, {0, 0}, z, a, 1}); };
    QCOMPARE(mark(1, 1).center(), panel.at(1, 1));
    QCOMPARE(mark(9, 9).center(), panel.at(4, 4.5));
    QCOMPARE(mark(-9, 0).center(), panel.at(-4, 0));
    QVERIFY(mark(NAN, NAN).isNull() && mark(1, INFINITY).isNull());
    const PointNumbers wide = numbers_of(panel, {{}, {0, 0}, -0.3126, 0, 0});
    QCOMPARE(wide.text, QStringLiteral("z −0.313   a 0   ∂ 0"));
    QVERIFY(panel.header.contains(wide.rect));
    QVERIFY(numbers_of(panel, {{}, {0, 0}, NAN, NAN, NAN}).text.contains(QStringLiteral("✕ NaN")));
    ActivationGeometry::Panel narrow = panel; // the derivative gives way first, then all: whole or not at all
    narrow.header.setWidth(180);
    const PointNumbers two = numbers_of(narrow, {{}, {0, 0}, -0.0326, -0.016, 0.484});
    QCOMPARE(two.text + '|' + two.slope, QStringLiteral("z −0.0326 a −0.0160|∂ 0.484"));
    QVERIFY(narrow.plot.contains(two.slope_rect) && narrow.header.contains(two.rect));
    narrow.header.setWidth(50);
    QVERIFY(numbers_of(narrow, {{}, {0, 0}, -0.3126, 0, 0}).text.isEmpty());
}

void TestActivation::a_prediction_covers_the_mark() {
    Stage stage(run_with("relu"), 900, 460, {"a1", {3, 5}});
    QVERIFY(stage.view.hidden().painted.empty());
    stage.view.setVeil({{"a1"}, 0});
    const View::Hidden hidden = stage.view.hidden();
    QCOMPARE(hidden.painted.size(), 1U);
    const auto& picture = stage.view.picture();
    const auto& panel = *picture.geometry.panel_of(relu);
    QVERIFY(hidden.painted[0].contains(mark_of(panel, *picture.point)) && hidden.painted[0].contains(numbers_of(panel, *picture.point).rect));
    for (const ViewItem& item : stage.view.readable())
        if (item.id == "point") QCOMPARE(item.value, QStringLiteral("?"));
    stage.view.setVeil({{"W1"}, 0});
    QVERIFY(stage.view.hidden().painted.empty());
}

void TestActivation::runs_and_layers_without_one_say_so() {
    Stage line(run_with("relu", "2,2")); // one layer, no activation
    QVERIFY(line.view.items().empty() && line.view.note().isEmpty());
    line.view.grab();
    Stage last(run_with("relu"), 900, 460, {"z3", {0, 1}});
    QVERIFY(!last.item("point"));
    QVERIFY2(last.view.note().contains("3"), qPrintable(last.view.note()));
    last.runs[0] = run_with("relu", "2,2"); // another run on the same stage
    last.frame();
    QVERIFY(last.view.items().empty());
    last.runs[0] = run_with("silu");
    last.state.selection = {"z1", {0, 1}};
    last.frame();
    QCOMPARE(last.view.picture().in_use, silu);
    QVERIFY(last.item("point"));
}

void TestActivation::every_size_is_painted() {
    Stage stage(run_with("silu"), 900, 460, {"a1", {3, 5}});
    for (const bool sparse : {false, true})
        for (const QSize size : {QSize(1, 1), QSize(60, 60), QSize(200, 120), QSize(380, 290), QSize(400, 900), QSize(3840, 2160)}) {
            stage.view.setSparse(sparse);
            stage.view.resize(size);
            stage.frame();
            QVERIFY(!sparse || stage.view.picture().geometry.panels.size() <= 2);
            stage.view.grab();
            for (const ViewItem& item : stage.view.items()) QTest::mouseMove(&stage.view, item.rect.center().toPoint());
        }
    stage.view.setSparse(false);
    stage.view.resize(1920, 1080);
    QImage image(1920, 1080, QImage::Format_ARGB32_Premultiplied);
    stage.frame();
    stage.view.render(&image);
    const std::clock_t start = std::clock(); // processor time: other programs do not count
    stage.view.setTheme(load_theme(ThemeMode::dark));
    stage.view.render(&image);
    const std::clock_t painted = std::clock();
    ActivationCurves curves("", DType::f32);
    const auto ms = [](std::clock_t from, std::clock_t until) { return 1e3 * static_cast<double>(until - from) / CLOCKS_PER_SEC; };
    qInfo("activations, all painted anew at 1920×1080: %.1f ms; all curves computed: %.2f ms", ms(start, painted), ms(painted, std::clock()));
    QVERIFY2(ms(start, painted) < 100, qPrintable(QString::number(ms(start, painted))));
}
