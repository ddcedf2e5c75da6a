#include "tests/views/test_tensor_use.hpp"

#include "engine/trace/derive/kernel_coverage.hpp"
#include "tests/views/kernel_stage.hpp"
#include "tests/views/sample_run.hpp"
#include "tests/views/tensor_stage.hpp"
#include "views/derive/settings.hpp"
#include "views/tensor/tensor_histogram.hpp"
#include "views/tensor/tensor_text.hpp"
#include "views/theme/numbers.hpp"

#include <QTest>

using namespace gradus;
using testing::TensorStage;
using testing::fashion;
using testing::run_of;
using testing::run_with;

void TestTensorUse::the_card_says_what_made_a_number() {
    const auto run = fashion();
    TensorStage stage(run, "dW2", {1200, 700});
    const Tensor& gradient = run->tensors_of(0)->find("dW2")->tensor;
    const ElementCard card = card_of(stage.view.shown()->model, {13, 6});
    QCOMPARE(card.place, QString("[13, 6]"));
    QCOMPARE(card.value, three_digits(gradient.at(13, 6)));
    const QString digits = QString(card.digits).replace(QChar(0x2212), '-'); // not every Qt reads a minus
    QCOMPARE(digits.toFloat(), static_cast<float>(gradient.at(13, 6))); // nothing of the number is lost
    QCOMPARE(card.formula, QString("Σₙ a₁[n, 13] · ∂z₂[n, 6]"));
    QCOMPARE(card.maker, QString("matmul, step 0, fp32"));
    QVERIFY(card.heading.contains("32") && !card.terms.empty());
    // In little room one line says the same: the largest terms with their numbers, how many there are, and the sum.
    const TextMetrics fm(text_font(12));
    const QString line = sum_line(card, 1000, fm);
    QVERIFY2(line.endsWith(QStringLiteral(" + … (32 terms) = ") + card.value) && line.count(QStringLiteral(" · ")) == 3, qPrintable(line));
    QVERIFY(line.startsWith(card.products[0] + QStringLiteral(" + ")) && card.terms[0].contains(card.products[0].section(' ', 0, 0).remove('(').remove(')')));
    QCOMPARE(sum_line(card, fm.horizontalAdvance(line) - 1, fm).count(QStringLiteral(" · ")), 2);
    QVERIFY(sum_line(card, 20, fm).isEmpty());
    TensorStage forward(run, "z1");
    const ElementCard sum = card_of(forward.view.shown()->model, {0, 0});
    QCOMPARE(sum.formula, QString("(x·W₁)[0, 0] + b₁[0]"));
    const auto number = [&](const char* name) { return run->tensors_of(0)->find(name)->tensor.at(0); };
    const QString bias = three_digits(parameter_in(*run->tensors_of(0), "b1", false)->tensor.at(0)), sign = bias.startsWith(QChar(0x2212)) ? "(%1)" : "%1";
    QCOMPARE(sum.numbers, three_digits(number("x·W1")) + " + " + sign.arg(bias));
    QVERIFY(sum.terms.empty() && sum_line(sum, 1000, fm).isEmpty());
    TensorStage gate(run, "a1");
    QCOMPARE(card_of(gate.view.shown()->model, {0, 0}).numbers, "max(0, " + three_digits(number("z1")) + ")");
    TensorStage back(run, "dz1"); // what came back, times the local derivative
    const ElementCard open = card_of(back.view.shown()->model, {0, 0});
    const QString through = three_digits(number("a1") > 0 ? 1 : 0), came = three_digits(number("da1"));
    QCOMPARE(open.numbers, came + QString::fromUtf8(" · ") + through);
    QCOMPARE(open.heading, "local derivative " + through);
    const auto bent = testing::run_of_experiment("train_mlp", {{"data", "xor"}, {"layers", "2,3,1"}, {"activation", "tanh"}, {"batch", "4"}}, 1);
    TensorStage tanh(bent, "dz1");
    const double y = bent->tensors_of(0)->find("a1")->tensor.at(0);
    const ElementCard bend = card_of(tanh.view.shown()->model, {0, 0});
    QCOMPARE(bend.heading, "local derivative " + three_digits(1 - y * y));
    QVERIFY2(bend.numbers.endsWith(QString::fromUtf8(" · ") + three_digits(1 - y * y)), qPrintable(bend.numbers));
    TensorStage loss(run, "loss");
    QVERIFY(card_of(loss.view.shown()->model, {}).numbers.isEmpty()); // made of more than one
    TensorStage weight(run, "W1");
    QCOMPARE(card_of(weight.view.shown()->model, {1, 2}).maker, QString("init, before step 0, fp32"));
    QCOMPARE(all_digits(0.1, DType::f64), QString("0.1"));
    QCOMPARE(all_digits(static_cast<double>(0.1F), DType::f32), QString("0.1"));
    QCOMPARE(grouped(2560), "2" + QString(QChar(0x2009)) + "560");
}

void TestTensorUse::a_cell_that_a_kernel_wrote_says_from_what() {
    const auto run = testing::run_of_experiment("run_kernel", {{"ladder", "attention"}, {"rung", "1_naive"}, {"sizes", "BH=1,T=8,D=16,causal=1"}, {"record", "all"}}, 1);
    TensorStage scores(run, "S");
    const ElementCard score = card_of(scores.view.shown()->model, {0, 5, 2});
    QCOMPARE(score.formula, QString::fromUtf8("Σ of 16 products, from Q[0, 5, 0–15], K[0, 2, 0–15]"));
    QVERIFY2(score.maker.startsWith("attention_naive_scores, block 0, thread "), qPrintable(score.maker));
    QVERIFY2(score.total.endsWith(QString::fromUtf8(" → ") + score.value), qPrintable(score.total)); // it is scaled
    const double sum = number_of(score.total.section(' ', 0, 0));
    QVERIFY(std::abs(sum / 4 - number_of(score.value)) < 0.01); // √16
    QVERIFY(sum_line(score, 1000, TextMetrics(text_font(12))).endsWith(score.total));
    QCOMPARE(score.sources, (std::vector<std::string>{"Q", "K"}));
    TensorStage weights(run, "P");
    const ElementCard weight = card_of(weights.view.shown()->model, {0, 5, 2});
    QCOMPARE(weight.formula, QString::fromUtf8("from S[0, 5, 0–5]"));
    TensorStage outputs(run, "O");
    const ElementCard output = card_of(outputs.view.shown()->model, {0, 3, 9});
    QVERIFY(output.total.isEmpty() && output.all_terms);
    QCOMPARE(sum_line(output, 1000, TextMetrics(text_font(12))).count(QString::fromUtf8(" · ")), 4); // all of four
    TensorStage inputs(run, "Q");
    QVERIFY(card_of(inputs.view.shown()->model, {0, 0, 0}).formula.isEmpty()); // no thread wrote it
}

void TestTensorUse::a_pull_edits_the_element_under_it() {
    const auto run = run_of("xor", "2,3,1");
    TensorStage stage(run, "W1");
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

void TestTensorUse::only_parameters_can_be_pulled() {
    TensorStage stage(run_of("xor", "2,3,1"), "dW1");
    const QPoint at = stage.centre({0, 1});
    stage.pull(at, 40);
    QTest::mouseRelease(&stage.view, Qt::LeftButton, Qt::NoModifier, at - QPoint(0, 40));
    QVERIFY(stage.edited.empty());
    QCOMPARE(stage.selected.back(), (Selection{"dW1", {0, 1}}));
}

void TestTensorUse::keys_move_the_pinned_element() {
    TensorStage stage(fashion(), "dW2", {380, 290});
    stage.pin({0, 0});
    const auto press = [&](Qt::Key key) {
        stage.selected.clear();
        QTest::keyClick(&stage.view, key);
        if (stage.selected.empty()) return std::vector<Dim>{};
        stage.pin(stage.selected.back().element);
        return stage.selected.back().element;
    };
    QCOMPARE(press(Qt::Key_Right), (std::vector<Dim>{0, 1})); // as it is written, though it has more rows than columns
    QCOMPARE(press(Qt::Key_Down), (std::vector<Dim>{1, 1}));
    QCOMPARE(press(Qt::Key_Left), (std::vector<Dim>{1, 0}));
    QCOMPARE(press(Qt::Key_Left), (std::vector<Dim>{})); // there is no further
    stage.pin({31, 9});
    QVERIFY(!rect_of(stage.view.layoutOfItems(), stage.view.shown()->model, {31, 9}).isNull()); // it came into view
    QCOMPARE(stage.item("pinned")->value, three_digits(stage.view.shown()->model.value(std::vector<Dim>{31, 9})));
}

void TestTensorUse::pictures_are_the_rows_of_x() {
    const auto run = fashion();
    TensorStage stage(run, "x", {1200, 700});
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
    TensorStage weight(run, "W1", {1200, 700}); // its axis is named "in": the data says that these are pixels
    QCOMPARE(weight.view.layoutOfItems().contents.form, TensorContents::Form::pictures);
    QCOMPARE(weight.view.shown()->model.picture(5).at(2, 3), weight.view.shown()->model.value(std::vector<Dim>{2 * 28 + 3, 5}));
    TensorStage gradient(run, "dW1", {1200, 700});
    QCOMPARE(gradient.view.layoutOfItems().contents.form, TensorContents::Form::matrix);
    QVERIFY(gradient.item("toggle").has_value());
    QVERIFY(!TensorStage(run, "W2").item("toggle").has_value());
}

void TestTensorUse::slices_of_higher_ranks() {
    std::vector<float> values(2 * 3 * 4 * 5);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
    TensorStage stage(run_with(Shape({{2, "B"}, {3, "H"}, {4, "T"}, {5, "D"}}), values), "t");
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
    TensorStage scalar(fashion(), "loss");
    QCOMPARE(scalar.item("number")->value, three_digits(*fashion()->value_at("loss", 0)));
}

namespace {

/// Attention of eight tokens, each of which sees itself and those before; every launch is recorded whole.
std::shared_ptr<const Run> masked() {
    static const auto run = testing::run_of_experiment("run_kernel", {{"ladder", "attention"}, {"rung", "1_naive"}, {"sizes", "BH=1,T=8,D=16,causal=1"}, {"block", "32x8"}, {"record", "all"}}, 1);
    return run;
}

} // namespace

void TestTensorUse::what_no_lane_wrote_is_no_fault() {
    TensorStage scores(masked(), "S");
    const TensorShown& shown = *scores.view.shown();
    QCOMPARE(static_cast<Dim>(shown.statistics.nans), Dim{28});
    QCOMPARE(shown.unwritten_count, Dim{28});
    for (Dim row = 0; row < 8; ++row)
        for (Dim column = 0; column < 8; ++column) QCOMPARE(shown.is_unwritten(row, column), column > row);
    QVERIFY(faults_text(shown.statistics, shown.unwritten_count).isEmpty());
    QCOMPARE(unwritten_text(shown.unwritten_count), QString("28 not written"));
    QVERIFY(!scores.item("slice/0")); // of one head there is none to choose
    TensorStage output(masked(), "O");
    QVERIFY(output.view.shown()->unwritten.empty());
    // A number that went wrong is told as before, by a net and by a kernel that wrote it.
    QCOMPARE(faults_text(TensorStage(run_with(Shape({Axis{2, "r"}, Axis{2, "c"}}), {1, NAN, 2, 3}), "t").view.shown()->statistics), QString("✕ 1 NaN"));
    const auto trace = masked()->tensors_of(0)->kernels;
    QVERIFY(trace && knows_all_writes(*trace));
    const auto one = testing::product()->tensors_of(0)->kernels; // a block of many
    QVERIFY(one && !knows_all_writes(*one));
}

void TestTensorUse::lanes_at_work_are_outlined() {
    testing::KernelStage<TensorView> stage(masked());
    stage.state.selection.tensor = "S";
    stage.state.cursor.level = Level::warp_instruction;
    const KernelTrace& trace = stage.kernels->trace();
    std::size_t seen = 0;
    for (std::size_t step = 0; step < trace.steps(); ++step) {
        const std::vector<std::int64_t> wanted = elements_of_step(trace, step, "S");
        if (wanted.empty() || seen == 3) continue;
        ++seen;
        stage.go(0, stage.kernels->of_step(step));
        QTRY_VERIFY((stage.frame(), stage.view.shown() != nullptr && stage.view.touched() == wanted)); // read by another thread
        QVERIFY(caption_of(stage.view.sceneNow(), 1000).contains(QLatin1String("what the lanes touch now")));
    }
    QCOMPARE(seen, std::size_t{3});
    stage.go(0, stage.kernels->of_launch(0)); // above the steps nobody is at work
    stage.state.cursor.level = Level::kernel;
    stage.frame();
    QVERIFY(stage.view.touched().empty());
}

void TestTensorUse::nothing_to_show_is_said() {
    TensorStage stage(fashion(), "W9");
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
