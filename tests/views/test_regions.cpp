#include "tests/views/test_regions.hpp"

#include "lessons/runtime/session.hpp"
#include "tests/views/sample_run.hpp"
#include "views/regions/neuron_lines.hpp"
#include "views/regions/region_painter.hpp"
#include "views/regions/regions_view.hpp"

#include <QApplication>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <ctime>
#include <cmath>

using namespace gradus;

namespace {

std::shared_ptr<const Run> run_of(const std::string& data, const std::string& layers, StepIndex steps) {
    static std::map<std::string, std::shared_ptr<const Run>> made;
    auto& run = made[data + layers];
    if (!run) run = testing::sample_run(data, layers, steps);
    return run;
}

struct Stage {
    explicit Stage(std::shared_ptr<const Run> run, int width = 640, int height = 480)
        : runs{run}, view(load_theme(ThemeMode::light), nullptr) {
        view.resize(width, height);
        view.show();
        state.cursor.iteration = run->head() - 1;
    }
    void frame() { view.present(Look{runs, state, runs[0], 1, 100, playing}); }
    bool settled() {
        for (int i = 0; i < 3000; ++i) {
            frame();
            const RegionField* field = view.field();
            if (field && field->wish.iteration == state.cursor.iteration &&
                (field->width != 2 || field->wish.cells == cells_for(view.layout(), playing)))
                return true;
            QTest::qWait(1);
        }
        return false;
    }
    QPoint pixel_of(std::size_t point) const {
        const RegionField& field = *view.field();
        return view.layout().at(field.square, field.points.x[2 * point], field.points.x[2 * point + 1]).toPoint();
    }
    std::vector<std::shared_ptr<const Run>> runs;
    AppState state;
    RegionsView view;
    bool playing = false;
};

/// Drags with the left button to a pixel.
void move(QWidget& widget, QPoint to) {
    QMouseEvent event(QEvent::MouseMove, to, widget.mapToGlobal(to), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&widget, &event);
}

} // namespace

Q_DECLARE_METATYPE(gradus::NeuronLine)

void TestRegions::the_plane_is_square_data() {
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("height");
    QTest::addColumn<bool>("legend");
    QTest::newRow("380×290") << 344 << 228 << true;
    QTest::newRow("640×480") << 604 << 418 << true;
    QTest::newRow("1200×700") << 1164 << 638 << true;
    QTest::newRow("upright") << 400 << 900 << true;
    QTest::newRow("4K") << 3800 << 2100 << true;
    QTest::newRow("tiny") << 100 << 60 << false;
    QTest::newRow("nothing") << 1 << 1 << false;
}

void TestRegions::the_plane_is_square() {
    QFETCH(int, width);
    QFETCH(int, height);
    QFETCH(bool, legend);
    const QRectF area(18, 44, width, height);
    const RegionGeometry g = lay_out_regions(area);
    QCOMPARE(g.plot.width(), g.plot.height());
    QVERIFY(g.plot.width() >= 1);
    QVERIFY(area.adjusted(-1, -1, 1, 1).contains(g.plot));
    QCOMPARE(!g.legend.isNull(), legend);
    if (legend) {
        QVERIFY(!g.legend.intersects(g.plot));
        QVERIFY(area.adjusted(-1, -1, 1, 1).contains(g.legend));
        QVERIFY(g.legend.width() >= 110);
    }
    QVERIFY(cells_for(g, true) <= 64 && cells_for(g, true) <= cells_for(g, false));
    if (width == 604) QVERIFY(std::abs(g.plot.width() / cells_for(g, false) - 2) < 0.05);
}

void TestRegions::coordinates_go_both_ways() {
    const RegionGeometry g = lay_out_regions(QRectF(18, 44, 604, 418));
    const PlaneSquare square{-1.5, -0.5, 3};
    for (const QPointF value : {QPointF(-1.5, -0.5), QPointF(1.5, 2.5), QPointF(0.1, 0.7)}) {
        const QPointF back = g.from(square, g.at(square, value.x(), value.y()));
        QVERIFY(std::abs(back.x() - value.x()) < 1e-12 && std::abs(back.y() - value.y()) < 1e-12);
    }
    QCOMPARE(g.at(square, -1.5, -0.5), g.plot.bottomLeft());
    QCOMPARE(g.at(square, 1.5, 2.5), g.plot.topRight()); // x₂ grows upwards
    QCOMPARE(axis_ticks(-0.9, 2, 4), (std::vector<double>{-0.5, 0, 0.5, 1}));
    QCOMPARE(rounded_to_pixel(0.123456, 0.004), 0.123);
    QCOMPARE(rounded_to_pixel(-1234.5, 30), -1230.0);
    const PlaneSquare round = square_of({0, 0, 1, 1, 0, 1, 1, 0});
    QVERIFY(std::abs(round.left + 0.15) < 1e-12 && std::abs(round.size - 1.3) < 1e-12);
    QCOMPARE(square_of({}).size, 2.0);
}

void TestRegions::values_are_the_runs() {
    for (const auto& [data, layers] : {std::pair{"xor", "2,4,1"}, {"spirals", "2,8,2"}, {"blobs", "2,8,3"}}) {
        const auto run = run_of(data, layers, 20);
        Stage stage(run);
        QVERIFY(stage.settled());
        const RegionField& field = *stage.view.field();
        QVERIFY2(field.refusal.empty(), field.refusal.c_str());
        QCOMPARE(field.points.size(), std::string(data) == "xor" ? std::size_t{4} : std::size_t{400});
        if (std::string(data) == "xor") { // the batch is the whole set: outputs have the Run's very bits
            const Tensor z = run->tensors_of(19)->find("z2")->tensor;
            for (Dim i = 0; i < 4; ++i) QCOMPARE(field.point_outputs[static_cast<std::size_t>(i)], z.at(i));
            QCOMPARE(4 - static_cast<int>(field.wrong()), static_cast<int>(std::lround(*run->value_at("accuracy", 19) * 4)));
        }
        // A cell's class is that of the net at its centre.
        const int row = field.grid.rows / 3, column = field.grid.columns / 2;
        const std::vector<double> centre{field.grid.x(column), field.grid.y(row)};
        QCOMPARE(field.classes[static_cast<std::size_t>(row * field.grid.columns + column)],
                 field.rule.class_of(outputs_at(*field.probe, centre)));
        QCOMPARE(field.scores.empty(), std::string(data) == "blobs");
        std::size_t lines = 0;
        for (const NeuronLine& line : field.neurons) lines += place_line(line, field.square, stage.view.layout()).has_value();
        QCOMPARE(stage.view.items().size(), field.points.size() + 1 + lines);
        const QImage image = region_image(field, load_theme(ThemeMode::light));
        QCOMPARE(image.size(), QSize(field.wish.cells, field.wish.cells));
    }
}

void TestRegions::a_neurons_line_is_where_it_is_zero() {
    const auto run = run_of("xor", "2,4,1", 20);
    Stage stage(run);
    QVERIFY(stage.settled());
    const RegionField& field = *stage.view.field();
    QCOMPARE(field.neurons.size(), std::size_t{4});
    const Tensor z = run->tensors_of(19)->find("z1")->tensor;
    for (std::size_t h = 0; h < 4; ++h) {
        const NeuronLine& line = field.neurons[h];
        const auto value = [&](double x, double y) { return line.w1 * x + line.w2 * y + line.b; };
        for (std::size_t i = 0; i < 4; ++i)
            QVERIFY(std::abs(value(field.points.x[2 * i], field.points.x[2 * i + 1]) - z.at(static_cast<Dim>(i), static_cast<Dim>(h))) < 1e-6);
        const auto drawn = place_line(line, field.square, stage.view.layout());
        if (!drawn) continue;
        for (const QPointF end : {drawn->p1(), drawn->p2(), drawn->center()}) {
            const QPointF at = stage.view.layout().from(field.square, end);
            QVERIFY(std::abs(value(at.x(), at.y())) < 1e-9 * (std::abs(line.w1) + std::abs(line.w2)));
        }
    }
    const RegionGeometry g = lay_out_regions(QRectF(18, 44, 604, 418));
    const PlaneSquare square{-1, -1, 2};
    QCOMPARE(place_line({1, 0, 0}, square, g)->dx(), 0.0);  // upright
    QCOMPARE(place_line({0, -2, 1}, square, g)->dy(), 0.0); // level
    for (const NeuronLine& none : {NeuronLine{0, 0, 1}, NeuronLine{1, 1, 9}, NeuronLine{NAN, 1, 0}, NeuronLine{1, 1, INFINITY}, NeuronLine{1, 1, 2}})
        QVERIFY(!place_line(none, square, g)); // no direction, beside it, not finite, through a corner alone
    QCOMPARE(line_equation({0.5, -2, 0.25}), QStringLiteral("0.500·x₁ − 2.00·x₂ + 0.250 = 0"));
    for (const auto& [data, layers] : {std::pair{"xor", "2,1"}, {"spirals", "2,16,2"}}) { // no hidden layer; too many
        Stage other(run_of(data, layers, 20));
        QVERIFY(other.settled());
        QVERIFY(other.view.field()->neurons.empty());
    }
}

void TestRegions::a_neurons_mark_is_inside_data() {
    QTest::addColumn<NeuronLine>("line");
    QTest::addColumn<int>("side");
    for (const int side : {130, 240, 480}) {
        QTest::addRow("through the middle, %d", side) << NeuronLine{1, 0.1, -0.6} << side;
        QTest::addRow("near a corner that it points to, %d", side) << NeuronLine{1, -1, -0.8} << side;
        QTest::addRow("near a corner that it points away from, %d", side) << NeuronLine{-1, 1, 0.8} << side;
        QTest::addRow("along the upper edge, %d", side) << NeuronLine{0, 1, -1.12} << side;
        QTest::addRow("along the left edge, %d", side) << NeuronLine{-1, 0, -0.12} << side;
    }
}

/// Its line, its arrow and its name, and the name on nothing.
void TestRegions::a_neurons_mark_is_inside() {
    QFETCH(NeuronLine, line);
    QFETCH(int, side);
    RegionField field;
    field.square = {-0.15, -0.15, 1.3};
    field.points.x = {0, 0, 0, 1, 1, 0, 1, 1};
    field.points.labels = {0, 1, 1, 0};
    field.predicted = {0, 0, 0, 0};
    field.neurons = {line, {0.3, 1, -0.5}};
    RegionGeometry g;
    g.plot = QRectF(60, 40, side, side);
    g.mark = 5;
    const QSizeF size(22, 16);
    const std::vector<NeuronMark> marks = place_neuron_marks(field, g, size);
    QCOMPARE(marks.size(), std::size_t{2});
    for (const NeuronMark& mark : marks) {
        QVERIFY(!mark.name.isNull() && g.plot.contains(mark.name));
        if (mark.arrow) QVERIFY(g.plot.contains(mark.arrow->p1()) && g.plot.contains(mark.arrow->p2()));
        for (int part = 0; part <= 100; ++part) QVERIFY(!mark.name.contains(mark.line.pointAt(part / 100.0))); // never on its own line
        if (side < 200) continue;
        for (const QRectF& point : boxes_of_points(field, g)) QVERIFY(!point.intersects(mark.name));
        QVERIFY(mark.arrow || line.w1 * line.w2 == 0); // beside an edge there is no room for one
    }
    if (side >= 200) QVERIFY(!marks[0].name.intersects(marks[1].name));
}

/// A line past a point that is on a wrong side, in the window's small plane and in class.
void TestRegions::an_arrow_keeps_off_a_ring() {
    RegionField field;
    field.square = {-0.15, -0.15, 1.3};
    field.points.x = {0, 0, 0, 1, 1, 0, 1, 1};
    field.points.labels = {0, 1, 1, 0};
    field.predicted = {0, 0, 0, 0};
    field.neurons = {{1, -1, -0.93}};
    for (const auto& [side, clear] : {std::pair(150.0, 5), {163.0, 6}, {240.0, 8}, {480.0, 8}}) {
        RegionGeometry g;
        g.plot = QRectF(60, 40, side, side);
        g.mark = std::clamp(side / 60, 2.5, 7.0);
        const std::vector<NeuronMark> marks = place_neuron_marks(field, g, {18, 14});
        QVERIFY(marks.size() == 1 && marks[0].arrow && !marks[0].name.isNull());
        const QPointF ring = g.at(field.square, 1, 0);
        double nearest = 1e9;
        for (int part = 0; part <= 20; ++part) nearest = std::min(nearest, QLineF(marks[0].arrow->pointAt(part / 20.0), ring).length() - g.mark - 4);
        QVERIFY2(nearest >= clear, qPrintable(QString("%1: %2").arg(side).arg(nearest)));
        QVERIFY(gap_between(marks[0].name, box_around(ring, {1, 1})) >= g.mark + 4);
    }
}

void TestRegions::a_drag_edits_its_point() {
    qRegisterMetaType<Edit>();
    qRegisterMetaType<Selection>();
    Stage stage(run_of("xor", "2,4,1", 20));
    QVERIFY(stage.settled());
    QSignalSpy spy(&stage.view, &View::edited), chosen(&stage.view, &View::selected);
    const QPoint from = stage.pixel_of(2), to = from + QPoint(-60, 40);
    QTest::mousePress(&stage.view, Qt::LeftButton, {}, from);
    move(stage.view, from + QPoint(-20, 10));
    move(stage.view, to);
    QCOMPARE(spy.size(), 0); // one edit, when it is let go
    QTest::mouseRelease(&stage.view, Qt::LeftButton, {}, to);
    QCOMPARE(spy.size(), 1);
    const Edit edit = spy[0][0].value<Edit>();
    QVERIFY(edit.kind == Edit::Kind::point);
    QCOMPARE(edit.index, std::vector<Dim>{2});
    const RegionField& field = *stage.view.field();
    const double per_pixel = field.square.size / stage.view.layout().plot.width();
    QVERIFY(std::abs(edit.values.at(0) - (1 - 60 * per_pixel)) < 1.5 * per_pixel); // point 2 of xor is (1, 0)
    QVERIFY(std::abs(edit.values.at(1) - (0 - 40 * per_pixel)) < 1.5 * per_pixel);
    QCOMPARE(Edit::parse(edit.text()), edit);
    QTest::qWait(1);
    QTest::mouseClick(&stage.view, Qt::LeftButton, {}, stage.pixel_of(1)); // no drag: it is chosen
    QCOMPARE(spy.size(), 1);
    QCOMPARE(chosen.size(), 1);
    const Selection selection = chosen[0][0].value<Selection>();
    QCOMPARE(selection.tensor, std::string("x"));
    QCOMPARE(selection.element, (std::vector<Dim>{1, 0}));
}

void TestRegions::escape_puts_it_back() {
    Stage stage(run_of("xor", "2,4,1", 20));
    QVERIFY(stage.settled());
    QSignalSpy spy(&stage.view, &View::edited);
    const QPoint from = stage.pixel_of(0);
    QTest::mousePress(&stage.view, Qt::LeftButton, {}, from);
    move(stage.view, from + QPoint(50, -50));
    stage.view.grab();
    QTest::keyClick(&stage.view, Qt::Key_Escape);
    QTest::mouseRelease(&stage.view, Qt::LeftButton, {}, from + QPoint(50, -50));
    QCOMPARE(spy.size(), 0);
}

void TestRegions::runs_without_a_plane_say_so() {
    Stage stage(run_of("fashion-mnist", "784,10", 2), 380, 290);
    QVERIFY(stage.settled());
    QCOMPARE(stage.view.field()->width, Dim{784});
    QVERIFY(stage.view.items().empty());
    stage.view.grab();
    Stage bare(run_of("xor", "2,4,1", 20)); // no tensors yet
    bare.view.present(Look{bare.runs, bare.state, nullptr, 0.4, 100, false});
    QVERIFY(!bare.view.field());
    QVERIFY(bare.view.note().contains("40 %"));
    bare.view.grab();
}

void TestRegions::what_is_not_finite_is_said() {
    RunRequest request;
    request.parameters = {{"data", "spirals"}, {"layers", "2,6,2"}, {"batch", "32"}, {"loss", "mse"}, {"lr", "1e5"}};
    request.steps = 40;
    request.observe_every = 1;
    Session session(request);
    session.play();
    session.wait();
    Stage stage(session.run(0), 380, 290);
    QVERIFY(stage.settled());
    const RegionField& field = *stage.view.field();
    QCOMPARE(field.not_finite, static_cast<std::size_t>(field.wish.cells * field.wish.cells));
    QCOMPARE(field.wrong(), field.points.size());
    QCOMPARE(stage.view.items()[1].value, QStringLiteral("✕ NaN"));
    stage.view.grab();
}

void TestRegions::every_size_is_painted() {
    Stage stage(run_of("spirals", "2,8,2", 20));
    for (const QSize size : {QSize(1, 1), QSize(60, 60), QSize(200, 120), QSize(380, 290), QSize(400, 900), QSize(3840, 2160)}) {
        stage.view.resize(size);
        QVERIFY(stage.settled());
        stage.view.grab();
    }
    stage.view.resize(1920, 1080);
    QVERIFY(stage.settled());
    QImage image(1920, 1080, QImage::Format_ARGB32_Premultiplied);
    stage.view.render(&image);
    const std::clock_t start = std::clock(); // processor time: other programs do not count
    stage.view.setTheme(load_theme(ThemeMode::dark)); // all anew
    stage.view.render(&image);
    const double ms = 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    qInfo("regions, all painted anew at 1920×1080: %.1f ms", ms);
    QVERIFY2(ms < 200, qPrintable(QString::number(ms)));
}

void TestRegions::futures_stand_side_by_side() {
    Stage stage(run_of("moons", "2,8,2", 40), 420, 300);
    QVERIFY(stage.settled());
    Fan fan;
    fan.iteration = 20;
    fan.horizon = 20;
    const auto other = testing::sample_run("moons", "2,4,2", 40);
    for (int i = 0; i < 16; ++i) // the last is not done yet
        fan.futures.push_back({0.1 * (i + 1), i % 2 == 0 ? stage.runs[0] : other, i < 15, false});
    const auto planes = [&] {
        const auto all = stage.view.fan().fields();
        return std::count_if(all.begin(), all.end(), [](const auto& field) { return field != nullptr; });
    };
    const auto frame = [&] {
        Look look{stage.runs, stage.state, stage.runs[0], 1, 100, false};
        look.fan = &fan;
        stage.view.present(look);
    };
    QTRY_VERIFY((frame(), planes() == 15));
    auto fields = stage.view.fan().fields();
    QCOMPARE(fields[0]->point_outputs, stage.view.field()->point_outputs); // of the same run and step
    QVERIFY(fields[1]->point_outputs != fields[0]->point_outputs);
    const auto items = stage.view.items();
    QCOMPARE(items.size(), 15U);
    for (std::size_t i = 0; i < items.size(); ++i) {
        QVERIFY(QRectF(stage.view.rect()).contains(items[i].rect) && items[i].rect.width() >= 40);
        for (std::size_t k = 0; k < i; ++k) QVERIFY(!items[i].rect.intersects(items[k].rect));
    }
    QSignalSpy chosen(&stage.view, &View::futureChosen), taken(&stage.view, &View::futureTaken);
    const QPoint third = items[2].rect.center().toPoint();
    QMouseEvent over(QEvent::MouseMove, third, stage.view.mapToGlobal(third), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(&stage.view, &over);
    QCOMPARE(chosen.last()[0].toInt(), 2);
    QTest::mouseClick(&stage.view, Qt::LeftButton, {}, third);
    QCOMPARE(taken.size(), 1);
    stage.frame(); // the fan is closed
    QVERIFY(!stage.view.fan().open());
    QCOMPARE(stage.view.items().front().id, QString("plane"));
    fan.futures.clear();
    fields.clear();
    QTRY_COMPARE(other.use_count(), 1L); // and lets go of its futures
}
