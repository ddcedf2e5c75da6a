#include "tests/views/test_tensor.hpp"

#include "engine/trace/run_writer.hpp"
#include "tests/support/slowed.hpp"
#include "tests/views/sample_run.hpp"
#include "views/derive/settings.hpp"
#include "views/tensor/tensor_histogram.hpp"
#include "views/tensor/tensor_painter.hpp"
#include "views/tensor/tensor_text.hpp"
#include "views/tensor/tensor_view.hpp"
#include "views/theme/numbers.hpp"

#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <ctime>
#include <map>

using namespace gradus;

namespace {

std::shared_ptr<const Run> run_of(const std::string& data, const std::string& layers) {
    static std::map<std::string, std::shared_ptr<const Run>> made;
    auto& run = made[data + layers];
    if (!run) run = testing::sample_run(data, layers, 3);
    return run;
}
std::shared_ptr<const Run> fashion() { return run_of("fashion-mnist", "784,32,10"); }

/// A Run of one iteration that kept this one tensor.
std::shared_ptr<const Run> run_with(const Shape& shape, const std::vector<float>& values, Role role = Role::activation) {
    auto run = std::make_shared<Run>(Manifest{}, std::vector<SeriesInfo>{}, nullptr);
    RunWriter writer(run);
    EventSite site;
    site.name = site.path = "made";
    site.formula = "t = given";
    site.ordinal = 0;
    site.outputs = {{"t", role, DType::f32, shape}};
    const std::int32_t number = writer.add_site(site);
    writer.begin_iteration(0, true);
    writer.end(writer.begin(), number);
    auto kept = std::make_shared<IterationTensors>();
    kept->tensors = {{{{0, 0}, 0}, "t", role, Tensor::from<float>(*std::make_shared<BufferPool>(), shape, values), 0}};
    writer.keep(kept);
    writer.end_iteration();
    return run;
}

/// A view in front of a Run, and what it says.
struct Stage {
    std::vector<std::shared_ptr<const Run>> runs;
    AppState state;
    TensorView view;
    std::vector<Selection> selected;
    std::vector<Edit> edited;

    Stage(std::shared_ptr<const Run> run, const std::string& tensor, QSize size = {640, 480}, StepIndex iteration = 0)
        : runs{std::move(run)}, view(load_theme(ThemeMode::light)) {
        state.selection.tensor = tensor;
        state.cursor.iteration = iteration;
        QObject::connect(&view, &View::selected, &view, [this](const Selection& s) { selected.push_back(s); });
        QObject::connect(&view, &View::edited, &view, [this](const Edit& e) { edited.push_back(e); });
        view.resize(size);
        view.show();
        wait();
    }
    void present() { view.present({runs, state, runs[0], 0, 10, false}); }
    /// Until the worker has gone over the tensor.
    void wait() {
        for (int i = 0; i < 500; ++i) {
            present();
            if (!view.message().isEmpty()) return;
            if (view.shown() && view.shown()->model.iteration == state.cursor.iteration &&
                (state.selection.tensor.empty() || view.shown()->model.recorded.name == state.selection.tensor))
                return;
            QTest::qWait(5);
        }
        QFAIL("the worker does not answer");
    }
    void pin(std::vector<Dim> index) {
        state.selection.element = std::move(index);
        present();
    }
    std::optional<ViewItem> item(const QString& id) const {
        for (const ViewItem& item : view.items())
            if (item.id == id) return item;
        return std::nullopt;
    }
    QPoint centre(const std::vector<Dim>& index) const {
        return rect_of(view.layoutOfItems(), view.shown()->model, index).center().toPoint();
    }
    void move(QPoint to) { // QTest::mouseMove says nothing of buttons
        QMouseEvent event(QEvent::MouseMove, to, view.mapToGlobal(to), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&view, &event);
    }
    void pull(QPoint from, int up) {
        QTest::mousePress(&view, Qt::LeftButton, Qt::NoModifier, from);
        move(from - QPoint(0, up / 2));
        move(from - QPoint(0, up));
    }
};

Shape shape_of(std::initializer_list<Axis> axes) { return Shape(axes); }

/// Of this thread: what else the machine has to do does not count.
qint64 processor_ns() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<qint64>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

double lightness(QRgb c) { return 0.2126 * qRed(c) + 0.7152 * qGreen(c) + 0.0722 * qBlue(c); }

} // namespace

void TestTensor::color_maps_end_at_their_tokens() {
    for (const ThemeMode mode : {ThemeMode::light, ThemeMode::dark}) {
        const Theme theme = load_theme(mode);
        const ColorMap both = signed_map(theme, 2), up = unsigned_map(theme, 2);
        QCOMPARE(both.at(-2), theme.below.rgb());
        QCOMPARE(both.at(-1e300), theme.below.rgb());
        QCOMPARE(both.at(2), theme.above.rgb());
        QCOMPARE(both.at(0), theme.surface.rgb());
        QCOMPARE(both.at(1e-9), theme.surface.rgb());
        QCOMPARE(both.entries[127], both.entries[128]);
        for (std::size_t i = 0; i < 6; ++i) QCOMPARE(up.at(static_cast<double>(i) * 0.4), theme.unsigned_map[i].rgb());
        QCOMPARE(up.at(-3), theme.unsigned_map[0].rgb());
        QCOMPARE(signed_map(theme, 0).at(5), theme.surface.rgb()); // all zeros: nothing stands out
    }
    QCOMPARE(load_theme(ThemeMode::light).unsigned_map[0], QColor("#0B1F4B"));
    QCOMPARE(load_theme(ThemeMode::dark).unsigned_map[5], QColor("#FDEA45"));
}

void TestTensor::color_maps_go_in_even_steps() {
    for (const ThemeMode mode : {ThemeMode::light, ThemeMode::dark}) {
        const Theme theme = load_theme(mode);
        const ColorMap up = unsigned_map(theme, 1), both = signed_map(theme, 1);
        for (std::size_t i = 1; i < 256; ++i) {
            QVERIFY(lightness(up.entries[i]) >= lightness(up.entries[i - 1]) - 0.5); // ever lighter
            for (const ColorMap* map : {&up, &both})
                for (const int shift : {0, 8, 16}) {
                    const auto part = [&](std::size_t k) { return static_cast<int>((map->entries[k] >> shift) & 255U); };
                    QVERIFY(std::abs(part(i) - part(i - 1)) <= 8); // no edge that the numbers do not have
                }
        }
    }
}

void TestTensor::everything_stays_inside_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("columns");
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("height");
    QTest::addColumn<bool>("as_pictures");
    const std::pair<int, int> shapes[] = {{256, 784}, {10, 256}, {1, 256}, {3, 2}, {1, 1}, {1024, 1024}, {2, 100000}};
    const std::pair<int, int> sizes[] = {{1, 1}, {40, 30}, {264, 138}, {344, 228}, {604, 418}, {1164, 638}, {3800, 2100}, {200, 1200}};
    for (const auto& [rows, columns] : shapes)
        for (const auto& [width, height] : sizes)
            QTest::addRow("%dx%d in %dx%d", rows, columns, width, height) << rows << columns << width << height << false;
    for (const auto& [width, height] : sizes)
        QTest::addRow("256 pictures in %dx%d", width, height) << 784 << 256 << width << height << true;
}

void TestTensor::everything_stays_inside() {
    QFETCH(int, rows);
    QFETCH(int, columns);
    QFETCH(int, width);
    QFETCH(int, height);
    QFETCH(bool, as_pictures);
    const QRectF area(18, 44, width, height);
    TensorContents contents;
    contents.rows = rows;
    contents.columns = columns;
    if (as_pictures) {
        contents.form = TensorContents::Form::pictures;
        contents.pictures = columns;
        contents.side = 28;
        contents.toggles = true;
    }
    for (const double cell : {0.0, 0.2, 9.0, 40.0}) {
        TensorZoom zoom;
        zoom.cell = cell;
        zoom.row = rows / 2;
        zoom.column = columns / 3;
        const TensorGeometry g = lay_out(contents, zoom, area);
        const QRectF bounds = area.adjusted(-0.5, -0.5, 0.5, 0.5);
        const QRectF parts[] = {g.slices, g.overview, g.map, g.row_labels, g.column_labels, g.legend, g.caption, g.toggle, g.card, g.histogram};
        for (const QRectF& part : parts)
            if (!part.isNull()) QVERIFY2(bounds.contains(part), qPrintable(QString("%1 %2 %3 %4").arg(part.x()).arg(part.y()).arg(part.width()).arg(part.height())));
        for (const QRectF& below : {g.card, g.histogram, g.caption, g.toggle, g.legend, g.overview, g.row_labels, g.column_labels})
            if (!below.isNull()) QVERIFY(!below.intersects(g.map));
        QVERIFY(!g.card.intersects(g.histogram) && !g.caption.intersects(g.card) && !g.legend.intersects(g.caption));
        if (width >= 264 && height >= 138) QVERIFY(g.map.width() > 20 && g.map.height() >= 10);
        if (as_pictures || g.map.isNull()) {
            for (Dim k = g.first; k < g.first + g.shown; ++k) {
                QVERIFY(bounds.contains(g.picture(k)));
                const auto at = g.pixel_at(g.pixel(k, 3 * 28 + 5).center());
                QVERIFY(at && at->first == k && at->second == 3 * 28 + 5);
            }
            continue;
        }
        QVERIFY(g.window.row + g.window.rows <= rows && g.window.column + g.window.columns <= columns);
        if (!g.overview.isNull()) QVERIFY(g.overview.adjusted(-0.5, -0.5, 0.5, 0.5).contains(g.frame));
        for (const Dim r : {g.window.row, g.window.row + g.window.rows - 1})
            for (const Dim c : {g.window.column, g.window.column + g.window.columns - 1}) {
                const auto at = g.cell_at(g.cell(r, c).center());
                QVERIFY(at && at->first == r && at->second == c);
            }
    }
}

void TestTensor::zoom_reaches_the_whole_and_the_single_cell() {
    Stage stage(fashion(), "z1", {640, 480});
    for (int i = 0; i < 30; ++i) QTest::keyClick(&stage.view, Qt::Key_Plus);
    QVERIFY(stage.view.layoutOfItems().cell_width >= cell_for_numbers); // numbers stand in the cells
    const CellWindow before = stage.view.layoutOfItems().window;
    QTest::keyClick(&stage.view, Qt::Key_Right, Qt::ShiftModifier);
    QTest::keyClick(&stage.view, Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(stage.view.layoutOfItems().window, before);
    for (int i = 0; i < 60; ++i) QTest::keyClick(&stage.view, Qt::Key_Minus);
    const TensorGeometry& g = stage.view.layoutOfItems();
    QCOMPARE(g.window, (CellWindow{0, 0, g.contents.rows, g.contents.columns}));
    QVERIFY(g.overview.isNull());
}

void TestTensor::cells_are_the_runs_values_data() {
    QTest::addColumn<QString>("data");
    QTest::addColumn<QString>("layers");
    QTest::addColumn<QString>("tensor");
    for (const char* name : {"z1", "W2", "dW2", "b1", "p", "y"}) QTest::addRow("fashion %s", name) << "fashion-mnist" << "784,32,10" << name;
    for (const char* name : {"x", "W1", "W2", "da1", "b2"}) QTest::addRow("xor %s", name) << "xor" << "2,3,1" << name;
}

void TestTensor::cells_are_the_runs_values() {
    QFETCH(QString, data);
    QFETCH(QString, layers);
    QFETCH(QString, tensor);
    const auto run = run_of(data.toStdString(), layers.toStdString());
    Stage stage(run, tensor.toStdString(), {380, 290}, 1);
    const auto tensors = run->tensors_of(1);
    const RecordedTensor* recorded = parameter_in(*tensors, tensor.toStdString(), tensor[0] != 'W' && tensor[0] != 'b');
    QVERIFY(recorded);
    const Tensor& wanted = recorded->tensor;
    const TensorGeometry& g = stage.view.layoutOfItems();
    int checked = 0;
    for (Dim i = 0; i < wanted.elements(); ++i) {
        const Dim columns = wanted.shape().rank() > 1 ? wanted.shape()[1] : 1;
        std::vector<Dim> index{i / columns};
        if (wanted.shape().rank() > 1) index.push_back(i % columns);
        const QRectF where = rect_of(g, stage.view.shown()->model, index);
        if (where.isNull()) continue;
        const std::vector<Dim> found = element_at(g, stage.view.shown()->model, where.center());
        QCOMPARE(found, index);
        QCOMPARE(stage.view.shown()->model.value(found), wanted.at(i));
        const CellSource source = stage.view.shown()->model.source();
        const auto place = stage.view.shown()->model.place_of(index);
        QCOMPARE(source.at(place->first, place->second), wanted.at(i));
        ++checked;
    }
    QVERIFY(checked >= static_cast<int>(std::min<Dim>(wanted.elements(), 20)));
    // Where single cells are items they say the same number, and clicking one selects it.
    for (const ViewItem& item : stage.view.items()) {
        if (!item.id.startsWith("cell/")) continue;
        std::vector<Dim> index;
        for (const QString& part : item.id.mid(5).split(',')) index.push_back(part.toLongLong());
        QCOMPARE(item.value, three_digits(wanted.shape().rank() > 1 ? wanted.at(index[0], index[1]) : wanted.at(index[0])));
        stage.selected.clear();
        QTest::mouseClick(&stage.view, Qt::LeftButton, Qt::NoModifier, item.rect.center().toPoint());
        QCOMPARE(stage.selected, (std::vector<Selection>{{tensor.toStdString(), index}}));
    }
    QVERIFY(stage.edited.empty());
}

void TestTensor::averages_keep_outliers_and_faults() {
    std::vector<float> values(64 * 64, 1.0F);
    values[5 * 64 + 9] = 100;                       // far out
    values[40 * 64 + 40] = std::nanf("");
    values[63 * 64 + 63] = -INFINITY;
    for (int r = 16; r < 32; ++r)
        for (int c = 16; c < 32; ++c) values[static_cast<std::size_t>(r * 64 + c)] = static_cast<float>((r + c) % 2) * 4;
    const auto bytes = reinterpret_cast<const std::byte*>(values.data());
    const CellSource source{bytes, DType::f32, 64, 64, 64, 1}, turned{bytes, DType::f32, 64, 64, 1, 64};
    const auto small = reduce_cells(source, source.all(), 4, 4, 50), other = reduce_cells(turned, turned.all(), 4, 4, 50);
    const auto at = [](const std::vector<double>& cells, std::size_t r, std::size_t c) { return cells[r * 4 + c]; };
    QCOMPARE(at(small, 0, 0), 100.0);
    QCOMPARE(at(small, 1, 1), 2.0); // the mean of 0 and 4
    QCOMPARE(at(small, 0, 3), 1.0);
    QVERIFY(std::isnan(at(small, 2, 2)) && std::isnan(at(small, 3, 3)));
    for (std::size_t r = 0; r < 4; ++r)
        for (std::size_t c = 0; c < 4; ++c)
            QVERIFY(at(small, r, c) == at(other, c, r) || (std::isnan(at(small, r, c)) && std::isnan(at(other, c, r))));
    const auto exact = reduce_cells(source, {5, 8, 2, 3}, 100, 100, 50);
    QCOMPARE(exact, (std::vector<double>{1, 100, 1, 1, 1, 1}));
    const Theme theme = load_theme(ThemeMode::light);
    const ColorMap map = unsigned_map(theme, 4);
    const QImage image = heat_image(source, source.all(), {4, 4}, 50, map, theme.fault);
    QCOMPARE(image.pixel(1, 1), map.at(2));
    QCOMPARE(image.pixel(0, 0), map.at(100));
    QCOMPARE(image.pixel(2, 2), theme.fault.rgb());
}

void TestTensor::state_is_shown_as_the_step_began_with_it() {
    const auto run = fashion();
    Stage stage(run, "W2", {640, 480}, 1);
    const Tensor& before = run->tensors_of(0)->find("W2")->tensor; // what the step before left
    const Tensor& after = run->tensors_of(1)->find("W2")->tensor;
    QVERIFY(stage.view.shown()->model.before_update);
    QCOMPARE(stage.view.shown()->model.value(std::vector<Dim>{3, 4}), before.at(3, 4));
    QVERIFY(before.at(3, 4) != after.at(3, 4));
    stage.state.cursor.iteration = 2;
    stage.wait();
    QCOMPARE(stage.view.shown()->model.value(std::vector<Dim>{3, 4}), after.at(3, 4));
    QVERIFY(stage.view.note().contains("step 2") && stage.view.note().contains("fp32"));
}

void TestTensor::with_nothing_selected_the_first_parameter() {
    Stage stage(fashion(), "");
    QCOMPARE(stage.view.shown()->model.recorded.name, std::string("W1"));
    QCOMPARE(stage.item("tensor")->name, QString("W₁"));
    QCOMPARE(stage.item("tensor")->role, Role::parameter);
}

void TestTensor::the_legend_says_where_it_clips() {
    std::vector<float> values(1000, 0.5F);
    for (std::size_t i = 0; i < 500; ++i) values[i] = -0.25F;
    values[999] = 9;
    Stage stage(run_with(shape_of({{10, "r"}, {100, "c"}}), values), "t");
    QCOMPARE(stage.view.shown()->statistics.clip, 0.5);
    QCOMPARE(stage.item("legend/upper")->value, QString("≥ 0.500"));
    QCOMPARE(stage.item("legend/lower")->value, QString("−0.500")); // nothing lies below it
    const Theme theme = load_theme(ThemeMode::light);
    const ColorMap map = map_for(stage.view.shown()->statistics, theme);
    QVERIFY(map.with_sign);
    const std::vector<Dim> none;
    const TensorScene scene{*stage.view.shown(), stage.view.layoutOfItems(), theme, map, none, none, {}};
    QVERIFY(caption_of(scene).contains("99.5 %"));
    Stage flat(run_with(shape_of({{10, "r"}, {100, "c"}}), std::vector<float>(1000, 0.5F)), "t");
    QCOMPARE(flat.item("legend/upper")->value, QString("0.500"));
    QCOMPARE(flat.item("legend/lower")->value, QString("0"));
    QVERIFY(!map_for(flat.view.shown()->statistics, theme).with_sign);
}

void TestTensor::what_is_not_finite_is_a_fault() {
    std::vector<float> values(12, 1.0F);
    values[5] = std::nanf("");
    values[7] = INFINITY;
    Stage stage(run_with(shape_of({{3, "r"}, {4, "c"}}), values), "t");
    const Theme theme = load_theme(ThemeMode::light);
    QCOMPARE(faults_text(stage.view.shown()->statistics), QString("✕ 1 NaN, 1 inf"));
    const QImage image = stage.view.grab().toImage();
    const QRectF cell = rect_of(stage.view.layoutOfItems(), stage.view.shown()->model, {1, 1});
    QCOMPARE(image.pixelColor(cell.topLeft().toPoint() + QPoint(4, 4)).rgb(), theme.fault.rgb());
    const QRectF healthy = rect_of(stage.view.layoutOfItems(), stage.view.shown()->model, {0, 0});
    QVERIFY(image.pixelColor(healthy.topLeft().toPoint() + QPoint(4, 4)).rgb() != theme.fault.rgb());
    QCOMPARE(stage.item("cell/1,1")->value, QString("NaN"));
    const ElementCard card = card_of(stage.view.shown()->model, {1, 1});
    QVERIFY(!card.finite && card.value == "✕ NaN");
}

void TestTensor::the_card_says_what_made_a_number() {
    const auto run = fashion();
    Stage stage(run, "dW2", {1200, 700});
    const Tensor& gradient = run->tensors_of(0)->find("dW2")->tensor;
    const ElementCard card = card_of(stage.view.shown()->model, {13, 6});
    QCOMPARE(card.place, QString("[13, 6]"));
    QCOMPARE(card.value, three_digits(gradient.at(13, 6)));
    QCOMPARE(card.digits.toFloat(), static_cast<float>(gradient.at(13, 6))); // nothing of the number is lost
    QCOMPARE(card.formula, QString("Σₙ a₁[n, 13] · ∂z₂[n, 6]"));
    QCOMPARE(card.maker, QString("matmul, step 0, fp32"));
    QVERIFY(card.heading.contains("32") && !card.terms.empty());
    Stage forward(run, "z1");
    const ElementCard sum = card_of(forward.view.shown()->model, {0, 0});
    QCOMPARE(sum.formula, QString("z_ij = x_ij + b_j"));
    QVERIFY(sum.terms.empty());
    Stage weight(run, "W1");
    QCOMPARE(card_of(weight.view.shown()->model, {1, 2}).maker, QString("init, before step 0, fp32"));
    QCOMPARE(all_digits(0.1, DType::f64), QString("0.1"));
    QCOMPARE(all_digits(static_cast<double>(0.1F), DType::f32), QString("0.1"));
    QCOMPARE(grouped(2560), "2" + QString(QChar(0x2009)) + "560");
}

void TestTensor::a_pull_edits_the_element_under_it() {
    const auto run = run_of("xor", "2,3,1");
    Stage stage(run, "W1");
    const double value = stage.view.shown()->model.value(std::vector<Dim>{1, 2});
    const QPoint at = stage.centre({1, 2});
    stage.pull(at, 40);
    QVERIFY(stage.edited.empty()); // only when it is let go
    QTest::mouseRelease(&stage.view, Qt::LeftButton, Qt::NoModifier, at - QPoint(0, 40));
    QCOMPARE(stage.edited.size(), std::size_t{1});
    const Edit& edit = stage.edited[0];
    QCOMPARE(edit.kind, Edit::Kind::element);
    QCOMPARE(edit.target, std::string("W1"));
    QCOMPARE(edit.index, (std::vector<Dim>{1, 2}));
    QCOMPARE(edit.values.size(), std::size_t{1});
    QVERIFY(edit.values[0] > value);
    QCOMPARE(Edit::parse(edit.text()), edit);
    stage.pull(at, -60); // down is less
    QTest::mouseRelease(&stage.view, Qt::LeftButton, Qt::NoModifier, at + QPoint(0, 60));
    QVERIFY(stage.edited[1].values[0] < value);
    stage.pull(at, 50);
    QTest::keyClick(&stage.view, Qt::Key_Escape);
    QTest::mouseRelease(&stage.view, Qt::LeftButton, Qt::NoModifier, at - QPoint(0, 50));
    QCOMPARE(stage.edited.size(), std::size_t{2}); // Escape: not
    QTest::mouseClick(&stage.view, Qt::LeftButton, Qt::NoModifier, at);
    QCOMPARE(stage.edited.size(), std::size_t{2}); // a click is no edit
}

void TestTensor::only_parameters_can_be_pulled() {
    Stage stage(run_of("xor", "2,3,1"), "dW1");
    const QPoint at = stage.centre({0, 1});
    stage.pull(at, 40);
    QTest::mouseRelease(&stage.view, Qt::LeftButton, Qt::NoModifier, at - QPoint(0, 40));
    QVERIFY(stage.edited.empty());
    QCOMPARE(stage.selected.back(), (Selection{"dW1", {0, 1}}));
}

void TestTensor::keys_move_the_pinned_element() {
    Stage stage(fashion(), "dW2", {380, 290});
    stage.pin({0, 0});
    const auto press = [&](Qt::Key key) {
        stage.selected.clear();
        QTest::keyClick(&stage.view, key);
        if (stage.selected.empty()) return std::vector<Dim>{};
        stage.pin(stage.selected.back().element);
        return stage.selected.back().element;
    };
    QCOMPARE(press(Qt::Key_Right), (std::vector<Dim>{1, 0})); // 32 rows lie across the screen
    QCOMPARE(press(Qt::Key_Down), (std::vector<Dim>{1, 1}));
    QCOMPARE(press(Qt::Key_Left), (std::vector<Dim>{0, 1}));
    QCOMPARE(press(Qt::Key_Left), (std::vector<Dim>{})); // there is no further
    stage.pin({31, 9});
    QVERIFY(!rect_of(stage.view.layoutOfItems(), stage.view.shown()->model, {31, 9}).isNull()); // it came into view
    QCOMPARE(stage.item("pinned")->value, three_digits(stage.view.shown()->model.value(std::vector<Dim>{31, 9})));
}

void TestTensor::pictures_are_the_rows_of_x() {
    const auto run = fashion();
    Stage stage(run, "x", {1200, 700});
    const TensorGeometry& g = stage.view.layoutOfItems();
    QCOMPARE(g.contents.form, TensorContents::Form::pictures);
    QCOMPARE(g.shown, Dim{32});
    const Tensor &x = run->tensors_of(0)->find("x")->tensor, &y = run->tensors_of(0)->find("y")->tensor;
    for (Dim k = 0; k < 32; ++k) {
        QCOMPARE(stage.item(QString("picture/%1").arg(k))->value, QString("class %1").arg(y.at(k)));
        for (const Dim pixel : {Dim{0}, Dim{27}, Dim{400}, Dim{783}}) {
            const std::vector<Dim> index = element_at(g, stage.view.shown()->model, g.pixel(k, pixel).center());
            QCOMPARE(index, (std::vector<Dim>{k, pixel}));
            QCOMPARE(stage.view.shown()->model.picture(k).at(pixel / 28, pixel % 28), x.at(k, pixel));
        }
    }
    QTest::keyClick(&stage.view, Qt::Key_I);
    QCOMPARE(stage.view.layoutOfItems().contents.form, TensorContents::Form::matrix);
    QTest::mouseClick(&stage.view, Qt::LeftButton, Qt::NoModifier, stage.item("toggle")->rect.center().toPoint());
    QCOMPARE(stage.view.layoutOfItems().contents.form, TensorContents::Form::pictures);
    Stage weight(run, "W1", {1200, 700}); // its axis is named "in": the data says that these are pixels
    QCOMPARE(weight.view.layoutOfItems().contents.form, TensorContents::Form::pictures);
    QCOMPARE(weight.view.shown()->model.picture(5).at(2, 3), weight.view.shown()->model.value(std::vector<Dim>{2 * 28 + 3, 5}));
    Stage gradient(run, "dW1", {1200, 700});
    QCOMPARE(gradient.view.layoutOfItems().contents.form, TensorContents::Form::matrix);
    QVERIFY(gradient.item("toggle").has_value());
    QVERIFY(!Stage(run, "W2").item("toggle").has_value());
}

void TestTensor::slices_of_higher_ranks() {
    std::vector<float> values(2 * 3 * 4 * 5);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
    Stage stage(run_with(shape_of({{2, "B"}, {3, "H"}, {4, "T"}, {5, "D"}}), values), "t");
    const auto shown = [&](Dim r, Dim c) { return stage.view.shown()->model.source().at(r, c); };
    QCOMPARE(shown(1, 2), 7.0);
    const auto until = [&](double wanted) {
        for (int i = 0; i < 500 && shown(1, 2) != wanted; ++i) {
            stage.present();
            QTest::qWait(5);
        }
        return shown(1, 2);
    };
    QTest::keyClick(&stage.view, Qt::Key_PageDown);
    QCOMPARE(until(27), 27.0); // H 1
    QTest::mouseClick(&stage.view, Qt::LeftButton, Qt::NoModifier, (stage.item("slice/0")->rect.topRight() + QPointF(-6, 10)).toPoint());
    QCOMPARE(until(87), 87.0); // and B 1
    QVERIFY(stage.item("slice/1")->name.contains("H 1 of 3"));
    const std::vector<Dim> index = element_at(stage.view.layoutOfItems(), stage.view.shown()->model, stage.view.layoutOfItems().cell(1, 2).center());
    QCOMPARE(index, (std::vector<Dim>{1, 1, 1, 2}));
    stage.pin({0, 2, 3, 4}); // in another slice: it is stepped to
    QCOMPARE(until(47), 47.0);
    Stage scalar(fashion(), "loss");
    QCOMPARE(scalar.item("number")->value, three_digits(*fashion()->value_at("loss", 0)));
}

void TestTensor::nothing_to_show_is_said() {
    Stage stage(fashion(), "W9");
    QVERIFY2(stage.view.message().contains("W₉"), qPrintable(stage.view.message()));
    QVERIFY(stage.view.items().empty());
    stage.state.selection.tensor = "W2";
    stage.wait();
    QVERIFY(stage.view.message().isEmpty() && stage.view.shown());
    // While the iteration is computed again what was there stays.
    stage.state.cursor.iteration = 2;
    stage.view.present({stage.runs, stage.state, nullptr, 0.4, 10, false});
    QCOMPARE(stage.view.shown()->model.iteration, StepIndex{0});
    QTest::qWait(260);
    stage.view.present({stage.runs, stage.state, nullptr, 0.4, 10, false});
    QVERIFY2(stage.view.note().contains("computed again, 40 %"), qPrintable(stage.view.note()));
    TensorView fresh(load_theme(ThemeMode::dark));
    fresh.present({stage.runs, stage.state, nullptr, 0, 10, false});
    fresh.resize(300, 200);
    QVERIFY(!fresh.grab().isNull() && fresh.items().empty());
}

void TestTensor::sizes_from_one_pixel_to_4k() {
    for (const char* name : {"x", "W1", "dW2", "b1", "loss"})
        for (const QSize size : {QSize(1, 1), QSize(60, 50), QSize(300, 200), QSize(3840, 2160)}) {
            Stage stage(fashion(), name, size);
            const QImage image = stage.view.grab().toImage();
            QCOMPARE(image.size(), size);
            for (const ViewItem& item : stage.view.items())
                if (size.width() >= 300) QVERIFY2(stage.view.rect().toRectF().adjusted(-3, -3, 3, 3).contains(item.rect), qPrintable(item.id));
            stage.view.setTheme(load_theme(ThemeMode::dark));
            QVERIFY(stage.view.grab().toImage() != image || size.width() < 2);
        }
}

void TestTensor::a_megapixel_is_painted_in_a_frame() {
    std::vector<float> values(1024 * 1024);
    std::uint32_t state = 1;
    for (float& value : values) value = static_cast<float>(static_cast<std::int32_t>(state = state * 1664525U + 1013904223U)) * 1e-9F;
    Stage stage(run_with(shape_of({{1024, "in"}, {1024, "out"}}), values, Role::gradient), "t", {1920, 1080});
    QPixmap target(1920, 1080);
    std::vector<qint64> fresh, again;
    for (int i = 0; i < 15; ++i) {
        stage.view.setTheme(load_theme(ThemeMode::light)); // throws away what was painted
        const qint64 start = processor_ns();
        stage.view.render(&target);
        const qint64 middle = processor_ns();
        stage.view.render(&target);
        fresh.push_back(middle - start);
        again.push_back(processor_ns() - middle);
    }
    std::sort(fresh.begin(), fresh.end());
    std::sort(again.begin(), again.end());
    qInfo("1024×1024 at 1920×1080: %.2f ms anew, %.2f ms again", static_cast<double>(fresh[7]) / 1e6, static_cast<double>(again[7]) / 1e6);
    QVERIFY(fresh[7] < test::slowed * 50'000'000);
}
