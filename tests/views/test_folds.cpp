#include "tests/views/test_folds.hpp"

#include "tests/views/sample_run.hpp"
#include "views/folds/folds_view.hpp"
#include "views/theme/numbers.hpp"

#include <QSignalSpy>
#include <QTest>
#include <algorithm>

using namespace gradus;

namespace {

/// So many matrices with a relu behind one of them.
std::vector<ChainStep> chain_with(int depth, int after) {
    std::vector<ChainStep> out;
    for (int i = 1; i <= depth; ++i) {
        ChainStep step;
        step.kind = ChainStep::Kind::matrix;
        step.op = "matmul";
        step.operand = "W" + std::to_string(i);
        out.push_back(step);
        if (i != after) continue;
        step.kind = ChainStep::Kind::nonlinear;
        step.op = "relu";
        step.operand.clear();
        out.push_back(step);
    }
    return out;
}

LegalFolds two_groups(std::size_t depth, std::size_t after) {
    LegalFolds out;
    out.groups = {{0, after - 1, after, false, 64, 64}, {after + 1, depth, depth - after, false, 64, 64}};
    out.barriers = {{after, 100, 40}};
    return out;
}

struct Scene {
    explicit Scene(const Parameters& parameters, int width = 700, int height = 320)
        : runs{testing::run_of_experiment("linear_stack", parameters, 2)}, view(load_theme(ThemeMode::light), nullptr) {
        view.resize(width, height);
        view.show();
        state.cursor.iteration = 1;
    }
    bool settled() {
        for (int i = 0; i < 3000; ++i) {
            view.present(Look{runs, state, runs[0], 1, 1, false});
            if (view.picture().result && view.picture().result->wish.iteration == 1) return true;
            QTest::qWait(1);
        }
        return false;
    }
    void press() { QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, view.layout().button.center().toPoint()); }
    QString value(const QString& id) const {
        for (const ViewItem& item : view.readable())
            if (item.id == id) return item.value;
        return QStringLiteral("none");
    }
    std::vector<std::shared_ptr<const Run>> runs;
    AppState state;
    FoldsView view;
};

const Parameters one_relu{{"width", "8"}, {"inputs", "20"}, {"depth", "16"}, {"between", "relu"}, {"after", "5"}};

} // namespace

void TestFolds::matrices_stand_in_rows_data() {
    QTest::addColumn<double>("width");
    QTest::addColumn<double>("height");
    QTest::addColumn<std::size_t>("rows"); // 0: no room for any
    QTest::addColumn<int>("lines");
    QTest::addColumn<bool>("result");      // a row of what is left
    QTest::addColumn<bool>("data");        // what goes in and comes out
    QTest::newRow("wide") << 1200.0 << 300.0 << std::size_t{1} << 0 << true << true; // under their brackets
    QTest::newRow("stage") << 700.0 << 300.0 << std::size_t{2} << 1 << true << true;
    QTest::newRow("narrow") << 300.0 << 500.0 << std::size_t{4} << 1 << true << true;
    QTest::newRow("low") << 700.0 << 134.0 << std::size_t{2} << 0 << false << true;
    QTest::newRow("very low") << 700.0 << 60.0 << std::size_t{0} << 0 << false << false;
    QTest::newRow("nothing") << 1.0 << 1.0 << std::size_t{0} << 2 << false << false;
}

void TestFolds::matrices_stand_in_rows() {
    QFETCH(double, width);
    QFETCH(double, height);
    QFETCH(std::size_t, rows);
    QFETCH(int, lines);
    QFETCH(bool, result);
    QFETCH(bool, data);
    const auto chain = chain_with(16, 5);
    const LegalFolds folds = two_groups(16, 5);
    const QRectF area(18, 44, width, height);
    for (const double legend : {0.0, 120.0}) { // without and with pictures of the matrices
        FoldSizes sizes{16, 16, 40, 34, 60, 1};
        sizes.legend = legend;
        const FoldGeometry g = lay_out_folds(chain, {&folds}, area, sizes);
        QCOMPARE(g.bands.size(), rows);
        QCOMPARE(g.boxes.size(), rows > 0 ? std::size_t{16} : 0);
        QCOMPARE(g.label_lines, lines);
        QCOMPARE(!g.result.isNull(), result);
        QCOMPARE(!g.input.isNull() && !g.output.isNull(), data);
        std::vector<QRectF> things; // none may lie on another
        for (const auto* list : {&g.boxes, &g.words, &g.kept})
            for (const auto& place : *list) things.push_back(place.rect);
        for (const auto& folded : g.folded) things.push_back(folded.rect);
        for (const QRectF* box : {&g.input, &g.output, &g.folded_input, &g.folded_output, &g.sentence, &g.button})
            if (!box->isNull()) things.push_back(*box);
        for (std::size_t i = 0; i < things.size(); ++i) {
            QVERIFY(area.adjusted(0, 0, 0.5, 0.5).contains(things[i]));
            for (std::size_t j = 0; j < i; ++j) QVERIFY(!things[i].adjusted(1, 1, -1, -1).intersects(things[j]));
        }
        for (const auto* arrows : {&g.arrows, &g.folded_arrows})
            for (const auto& arrow : *arrows) {
                QVERIFY(arrow.to.x() - arrow.from.x() >= sizes.arrow - 0.5 && arrow.from.y() == arrow.to.y());
                for (const QRectF& thing : things) QVERIFY(!thing.adjusted(1, 1, -1, -1).contains((arrow.from + arrow.to) / 2));
            }
        for (const QRectF& band : g.bands) QVERIFY(band.bottom() <= area.bottom() + 0.5);
        QCOMPARE(g.folded.size(), result ? std::size_t{2} : 0);
        QCOMPARE(g.kept.size(), result ? std::size_t{1} : 0);
        for (const auto& folded : g.folded) QVERIFY(g.result.contains(folded.rect) && folded.words.bottom() <= g.result.bottom() + 0.5);
    }
}

void TestFolds::few_matrices_are_large() {
    const QRectF area(18, 44, 640, 300);
    FoldSizes sizes{16, 16, 40, 34, 60, 1};
    const auto height = [&](const FoldGeometry& g) { return g.boxes[0].rect.height(); };
    const FoldGeometry few = lay_out_folds(chain_with(3, 1), {}, area, sizes), many = lay_out_folds(chain_with(16, 5), {}, area, sizes);
    QVERIFY(few.grow > 1.3 && many.grow < 1.2);
    sizes.legend = 120; // with pictures
    const FoldGeometry seen = lay_out_folds(chain_with(3, 1), {}, area, sizes);
    QVERIFY(seen.name > 0 && seen.picture(seen.boxes[0].rect).width() >= 100);
    QCOMPARE(seen.picture(seen.boxes[0].rect).width(), seen.picture(seen.boxes[0].rect).height()); // a square matrix is one
    QVERIFY(height(seen) > 1.5 * height(few));
    QVERIFY(seen.input.left() >= area.left() && seen.output.right() <= area.right());
    QVERIFY(seen.output.right() - seen.input.left() > 0.95 * area.width()); // they take the room there is
    // What is left stands under its brackets, as large as what it was made of or larger.
    const LegalFolds folds = two_groups(3, 1);
    const FoldGeometry folded = lay_out_folds(chain_with(3, 1), {&folds}, area, sizes);
    QVERIFY(folded.falls && folded.folded.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
        QVERIFY(std::abs(folded.folded[i].rect.center().x() - (folded.brackets[i].left + folded.brackets[i].right) / 2) <= 1);
        QVERIFY(folded.folded[i].rect.height() >= height(folded));
    }
    // In class sixteen of them leave room for what the brackets say, though their rows stand closer.
    const LegalFolds sixteen = two_groups(16, 5);
    QCOMPARE(lay_out_folds(chain_with(16, 5), {&sixteen}, QRectF(18, 44, 416, 206), FoldSizes{16, 18, 35, 40, 73, 1}).label_lines, 1);
}

void TestFolds::a_cover_keeps_the_room_of_what_it_hides() {
    const auto chain = chain_with(6, 3);
    const LegalFolds folds = two_groups(6, 3);
    FoldSizes sizes{16, 16, 40, 34, 60, 1};
    sizes.legend = 120;
    const QRectF area(18, 44, 640, 300);
    const FoldGeometry covered = lay_out_folds(chain, {&folds, true}, area, sizes), shown = lay_out_folds(chain, {&folds}, area, sizes);
    QVERIFY(covered.folded.empty() && covered.kept.empty() && !covered.result.isNull());
    QCOMPARE(covered.result, shown.result);
    for (std::size_t i = 0; i < covered.boxes.size(); ++i) QCOMPARE(covered.boxes[i].rect, shown.boxes[i].rect);
    // One cover for all that is asked for, which lies on no edge of what is not.
    for (const QSizeF& room : {QSizeF(640, 300), QSizeF(260, 500), QSizeF(500, 160)}) {
        const FoldGeometry g = lay_out_folds(chain, {&folds, true}, QRectF(QPointF(18, 44), room), sizes);
        if (g.told().isNull()) continue;
        QVERIFY(g.told().height() >= 16 && g.told().width() == room.width());
        for (const auto* list : {&g.boxes, &g.words})
            for (const auto& place : *list) QVERIFY(!g.told().adjusted(0, -2, 0, 2).intersects(place.rect));
    }
    // Nor does the room tell how many there are.
    LegalFolds one;
    one.groups = {{0, 6, 6, false, 64, 64}};
    QCOMPARE(lay_out_folds(chain, {&one, true}, area, sizes).result, covered.result);
}

void TestFolds::brackets_join_what_folds() {
    const auto chain = chain_with(16, 5);
    const LegalFolds folds = two_groups(16, 5);
    const FoldGeometry wide = lay_out_folds(chain, {&folds}, QRectF(0, 0, 1400, 300), FoldSizes{16, 16, 40, 34, 60, 1});
    QCOMPARE(wide.brackets.size(), std::size_t{2});
    QCOMPARE(wide.brackets[0].left, wide.boxes[0].rect.left());
    QCOMPARE(wide.brackets[0].right, wide.boxes[4].rect.right());
    QCOMPARE(wide.brackets[1].left, wide.boxes[5].rect.left());
    QCOMPARE(wide.brackets[1].right, wide.boxes[15].rect.right());
    // In two rows the second group has a part in each, and says its name once.
    const FoldGeometry two = lay_out_folds(chain, {&folds}, QRectF(0, 0, 700, 300), FoldSizes{16, 16, 40, 34, 60, 1});
    QCOMPARE(two.brackets.size(), std::size_t{3});
    QVERIFY(two.brackets[1].opens && !two.brackets[1].closes && !two.brackets[2].opens && two.brackets[2].closes);
    QCOMPARE(std::count_if(two.brackets.begin(), two.brackets.end(), [](const auto& part) { return !part.label.isNull(); }), 2);
    QVERIFY(lay_out_folds(chain, {}, QRectF(0, 0, 1400, 300), FoldSizes{16, 16, 40, 34, 60, 1}).brackets.empty());
}

void TestFolds::steps_between_matrices_stand_in_line() {
    std::vector<ChainStep> chain = chain_with(6, 3);
    const auto relu = std::find_if(chain.begin(), chain.end(), [](const ChainStep& step) { return step.kind != ChainStep::Kind::matrix; });
    ChainStep bias = *relu;
    bias.kind = ChainStep::Kind::bias;
    chain.insert(relu, bias);
    FoldSizes sizes{16, 16, 40, 50, 60, 2};
    for (const ChainStep& step : chain) sizes.steps.push_back(step.kind == ChainStep::Kind::matrix ? 0 : step.kind == ChainStep::Kind::bias ? 30 : 50);
    const FoldGeometry wide = lay_out_folds(chain, {}, QRectF(0, 0, 900, 300), sizes);
    QCOMPARE(wide.words.size(), std::size_t{2});
    QVERIFY(wide.words[0].rect.right() < wide.words[1].rect.left());
    QCOMPARE(wide.words[0].rect.center().y(), wide.words[1].rect.center().y());
    for (const auto& arrow : wide.arrows) // each ends on what it leads to, none in a seam
        for (const auto& word : wide.words) QVERIFY(!word.rect.adjusted(1, 0, -1, 0).contains(arrow.to));
    const auto between = std::find_if(wide.arrows.begin(), wide.arrows.end(), [&](const auto& arrow) { return arrow.from.x() == wide.words[0].rect.right(); });
    QVERIFY(between != wide.arrows.end() && between->to.x() == wide.words[1].rect.left());
    const FoldGeometry narrow = lay_out_folds(chain, {}, QRectF(0, 0, 210, 300), sizes); // where it would cost too much they stay one above the other
    QCOMPARE(narrow.words.size(), std::size_t{2});
    QVERIFY(narrow.words[0].rect.bottom() <= narrow.words[1].rect.top());
}

void TestFolds::pressing_shows_the_folds() {
    Scene scene(one_relu);
    QVERIFY(scene.settled());
    QVERIFY(scene.view.layout().brackets.empty());
    QCOMPARE(scene.value("matrices_left"), QString("none"));
    scene.press();
    QVERIFY(scene.value("matrices_left").startsWith("2 of 16"));
    QVERIFY(!scene.view.layout().brackets.empty());
    const auto& matrices = scene.view.picture().result->matrices;
    QCOMPARE(matrices.size(), std::size_t{2});
    for (int group = 0; group < 2; ++group) {
        const QString said = scene.value(QStringLiteral("result %1").arg(group));
        QVERIFY2(said.contains(three_digits(matrices[static_cast<std::size_t>(group)]->largest_difference)), qPrintable(said));
    }
    QSignalSpy chosen(&scene.view, &View::selected);
    QTest::mouseClick(&scene.view, Qt::LeftButton, Qt::NoModifier, scene.view.layout().boxes[5].rect.center().toPoint());
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen[0][0].value<Selection>().tensor, std::string("W6"));
    QTest::mouseClick(&scene.view, Qt::LeftButton, Qt::NoModifier, scene.view.layout().input.center().toPoint());
    QCOMPARE(chosen.count(), 2);
    QCOMPARE(chosen[1][0].value<Selection>().tensor, std::string("x"));
    QCOMPARE(scene.value("input"), QString("20×8"));
    scene.press();
    QVERIFY(scene.view.layout().brackets.empty());
    Parameters lifted = one_relu;
    lifted["bias"] = "100";
    Scene other(lifted);
    QVERIFY(other.settled());
    other.press();
    QVERIFY(other.value("matrices_left").startsWith("1 of 16"));
}

void TestFolds::a_prediction_hides_them() {
    Scene scene(one_relu);
    QVERIFY(scene.settled());
    scene.view.setVeil({{"folds"}, 0});
    QVERIFY(!scene.view.hidden().painted.empty());
    QVERIFY(scene.view.layout().button.isNull()); // there is nothing to press under a cover
    for (const ViewItem& item : scene.view.readable()) {
        if (item.id == "input" || item.id == "output") continue; // shapes tell nothing
        QVERIFY2(item.value.isEmpty() || item.value == "?", qPrintable(item.id + ": " + item.value));
        QVERIFY2(!item.id.startsWith("group") && !item.id.startsWith("result "), "how many there are is the answer");
    }
    // No bracket is drawn, so none is covered: between the rows nothing stands.
    QVERIFY(!scene.view.layout().brackets.empty());
    const auto hidden = scene.view.hidden().painted;
    const QImage picture = scene.view.grab().toImage();
    for (const auto& part : scene.view.layout().brackets) {
        const QPointF on_line((part.left + part.right) / 2, part.bottom - 1);
        QVERIFY(std::none_of(hidden.begin(), hidden.end(), [&](const QRectF& cover) { return cover.contains(on_line); }));
        QCOMPARE(picture.pixelColor(on_line.toPoint()), scene.view.theme().surface);
    }
    scene.view.setVeil({});
    QVERIFY(scene.value("matrices_left").startsWith("2 of 16")); // revealed in their place
}

void TestFolds::every_size_is_painted() {
    for (const QSize size : {QSize(1, 1), QSize(90, 60), QSize(320, 150), QSize(700, 320), QSize(1900, 900)}) {
        Scene scene(one_relu, size.width(), size.height());
        QVERIFY(scene.settled());
        scene.press();
        QVERIFY(!scene.view.grab().isNull());
    }
    Scene none({{"width", "8"}, {"inputs", "20"}, {"depth", "1"}});
    QVERIFY(none.settled());
    none.press();
    QVERIFY(none.value("matrices_left").startsWith("1 of 1"));
}

/// Colours end where 99.5 % of the sizes lie below, and the legend says whether there are numbers beyond.
void TestFolds::one_far_number_does_not_pale_the_others() {
    Scene scene({{"width", "64"}, {"inputs", "8"}});
    QVERIFY(scene.settled());
    const FoldResult& result = *scene.view.picture().result;
    QVERIFY(result.weight_end < result.largest_weight); // normally distributed: 99.5 % lie below 2.8 times their spread
    QVERIFY(std::abs(result.weight_end - 2.81 * 0.125) < 0.03);
    QVERIFY(scene.view.picture().clips());
    FoldPicture few = scene.view.picture();
    auto other = std::make_shared<FoldResult>(result);
    other->weight_end = other->largest_weight;
    few.result = other;
    QVERIFY(!few.clips());
    QVERIFY(scene.view.picture().end() < few.end());
}
