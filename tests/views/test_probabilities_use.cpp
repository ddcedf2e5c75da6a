#include "tests/views/test_probabilities.hpp"

#include "tests/views/probabilities_stage.hpp"
#include "views/probabilities/probability_painter.hpp"
#include "views/theme/numbers.hpp"

#include <QTest>
#include <cmath>

using namespace gradus;
using Quantity = ProbabilityQuantity;
using Stage = testing::ProbabilitiesStage;
using testing::logits_run;

void TestProbabilities::a_pull_edits_its_logit() {
    for (const int classes : {3, 5, 10}) {
        const auto run = logits_run(classes);
        Stage stage(run, {800, 600});
        const int last = classes - 1; // every logit, not only those that have a slider
        const QString id = QStringLiteral("z/%1").arg(last);
        const ProbabilityRow row = probability_row(*run, 0);
        const ProbabilityGeometry::Row axis = *stage.view.picture().geometry.row(Quantity::z);
        const QPoint from = stage.centre(id);
        QTest::mousePress(&stage.view, Qt::LeftButton, Qt::NoModifier, from);
        QCOMPARE(stage.selected.back(), (Selection{"z", {0, last}}));
        stage.move(from - QPoint(0, 2));
        QVERIFY(stage.dragged.empty()); // still a click
        stage.move(from - QPoint(0, 20));
        QCOMPARE(stage.dragged.size(), std::size_t{1});
        QCOMPARE(stage.item(id)->value, three_digits(stage.dragged[0].values[0])); // the bar follows the hand
        QVERIFY(stage.edited.empty());
        QTest::mouseRelease(&stage.view, Qt::LeftButton, Qt::NoModifier, from - QPoint(0, 20));
        QCOMPARE(stage.edited.size(), std::size_t{1});
        const Edit& edit = stage.edited[0];
        QCOMPARE(edit.kind, Edit::Kind::element);
        QCOMPARE(edit.target, std::string("z"));
        QCOMPARE(edit.index, (std::vector<Dim>{0, last}));
        QCOMPARE(Edit::parse(edit.text()), edit);
        const double expected = row.z[static_cast<std::size_t>(last)] + 20 * (axis.high - axis.low) / axis.plot.height();
        QVERIFY(std::abs(edit.values[0] - expected) < (axis.high - axis.low) / axis.plot.height());
        const QPoint down = from + QPoint(0, 30);
        QTest::mousePress(&stage.view, Qt::LeftButton, Qt::NoModifier, from);
        stage.move(down);
        QTest::mouseRelease(&stage.view, Qt::LeftButton, Qt::NoModifier, down);
        QVERIFY(stage.edited.back().values[0] < row.z[static_cast<std::size_t>(last)]);
    }
    Stage stage(logits_run(5), {800, 600}); // only logits can be pulled
    const QPoint at = stage.centre("p/1");
    QTest::mousePress(&stage.view, Qt::LeftButton, Qt::NoModifier, at);
    stage.move(at - QPoint(0, 20));
    QTest::mouseRelease(&stage.view, Qt::LeftButton, Qt::NoModifier, at - QPoint(0, 20));
    QVERIFY(stage.edited.empty() && stage.dragged.empty());
    QCOMPARE(stage.selected.back(), (Selection{"p", {0, 1}}));
}

void TestProbabilities::escape_puts_it_back() {
    const auto run = logits_run(5);
    Stage stage(run, {800, 600});
    const QPoint from = stage.centre("z/2");
    QTest::mousePress(&stage.view, Qt::LeftButton, Qt::NoModifier, from);
    stage.move(from - QPoint(0, 200)); // beyond the axis, which grows
    QVERIFY(stage.view.picture().geometry.contents.z_end >= stage.dragged.back().values[0]);
    QTest::keyClick(&stage.view, Qt::Key_Escape);
    QCOMPARE(stage.cancelled, 1);
    QTest::mouseRelease(&stage.view, Qt::LeftButton, Qt::NoModifier, from - QPoint(0, 200));
    QVERIFY(stage.edited.empty());
    QCOMPARE(stage.item("z/2")->value, three_digits(probability_row(*run, 0).z[2]));
    QTest::mousePress(&stage.view, Qt::LeftButton, Qt::NoModifier, from); // back where it was: nothing changes
    stage.move(from - QPoint(0, 20));
    stage.move(from);
    QTest::mouseRelease(&stage.view, Qt::LeftButton, Qt::NoModifier, from);
    QVERIFY(stage.edited.empty());
    QCOMPARE(stage.cancelled, 2);
}

void TestProbabilities::a_click_pins_and_a_double_click_asks() {
    Stage stage(logits_run(5), {800, 600});
    QTest::mouseClick(&stage.view, Qt::LeftButton, Qt::NoModifier, stage.centre("dz/3"));
    QCOMPARE(stage.selected.back(), (Selection{"dz", {0, 3}}));
    stage.state.selection = stage.selected.back();
    stage.present();
    QCOMPARE(stage.view.picture().marked, std::optional(Quantity::dz));
    QCOMPARE(stage.view.picture().marked_class, std::size_t{3});
    QTest::mouseDClick(&stage.view, Qt::LeftButton, Qt::NoModifier, stage.centre("z/4"));
    QCOMPARE(stage.asked.size(), std::size_t{1});
    QCOMPARE(stage.asked[0].text(), std::string("z[0, 4] = 0"));
    QTest::mouseDClick(&stage.view, Qt::LeftButton, Qt::NoModifier, stage.centre("p/4"));
    QCOMPARE(stage.asked.size(), std::size_t{1});
}

void TestProbabilities::a_veil_covers_what_it_names_data() {
    QTest::addColumn<int>("classes");
    QTest::addColumn<QString>("id");
    QTest::addColumn<QStringList>("covered");
    QTest::addColumn<QStringList>("read");
    QTest::newRow("p") << 5 << "p" << QStringList{"p/0", "p/4", "loss"} << QStringList{"z/0", "z/4", "dz/1"};
    QTest::newRow("dz") << 10 << "dz" << QStringList{"dz/0", "dz/9"} << QStringList{"z/0", "p/3", "loss"};
    QTest::newRow("a series of p") << 5 << "p3" << QStringList{"p/0", "p/3"} << QStringList{"z/3"};
    QTest::newRow("loss") << 5 << "loss" << QStringList{"loss"} << QStringList{"p/0", "dz/0", "z/0"};
    QTest::newRow("p of three") << 3 << "p" << QStringList{"p/1", "point", "arrow"} << QStringList{"z/1"};
    QTest::newRow("dz of three") << 3 << "dz" << QStringList{"dz/1", "arrow", "point", "step"} << QStringList{"z/1", "p/1"};
    QTest::newRow("its length, as all of it is read") << 3 << "arrow" << QStringList{"arrow", "step"} << QStringList{"z/0"};
    QTest::newRow("its length") << 3 << "arrow" << QStringList{"arrow", "point"} << QStringList{"z/2"};
    QTest::newRow("something else") << 3 << "layer1/matmul" << QStringList{} << QStringList{"p/0", "arrow"};
}

void TestProbabilities::a_veil_covers_what_it_names() {
    QFETCH(int, classes);
    QFETCH(QString, id);
    QFETCH(QStringList, covered);
    QFETCH(QStringList, read);
    Stage stage(logits_run(classes, 1), {900, 700});
    stage.view.setVeil({{id}, 0});
    const auto value = [&](const QString& of) {
        for (const ViewItem& item : stage.view.readable())
            if (item.id == of) return item.value;
        return QStringLiteral("none");
    };
    for (const QString& of : covered) QCOMPARE(value(of), QStringLiteral("?"));
    for (const QString& of : read) QVERIFY2(value(of) != "?" && value(of) != "none", qPrintable(of));
    QCOMPARE(stage.view.hidden().painted.empty(), covered.isEmpty());
    // A cover is as wide as the row's grid; what names it and its axis stays in sight.
    const std::vector<QRectF> covers = stage.view.hidden().painted;
    for (const QRectF& cover : covers)
        for (const ProbabilityGeometry::Row& row : stage.view.picture().geometry.rows) {
            if (!cover.contains(row.plot)) continue;
            QVERIFY(std::abs(cover.left() - row.plot.left()) <= 2 && std::abs(cover.right() - row.plot.right()) <= 2);
            QVERIFY(row.title.isNull() || !cover.intersects(row.title.adjusted(0, 0, 0, below_title - 1)));
        }
    for (std::size_t i = 0; i < covers.size(); ++i)
        for (std::size_t k = 0; k < i; ++k) QVERIFY(!covers[i].intersects(covers[k]));
}

void TestProbabilities::what_is_to_come_has_no_number() {
    const auto run = logits_run(3);
    Stage stage(run, {800, 600});
    std::int32_t softmax = -1;
    for (std::size_t i = 0; i < run->sites().size(); ++i)
        if (run->sites()[i].name == "softmax" && run->sites()[i].level == Level::op && run->sites()[i].module != "setup") softmax = run->sites()[i].ordinal;
    QVERIFY(softmax >= 0);
    stage.state.cursor.level = Level::op;
    stage.state.cursor.ordinal = softmax;
    stage.present();
    QVERIFY(!stage.view.picture().p_to_come && stage.view.picture().dz_to_come);
    QVERIFY(stage.item("p/0") && stage.item("point") && !stage.item("dz/0") && !stage.item("arrow"));
    QVERIFY(stage.item("dz")); // its place stays
    QVERIFY(!stage.view.picture().step());
    stage.state.cursor.ordinal = probability_row(*run, 0).made_dz.ordinal; // the gradient is there, the update is not
    stage.present();
    QVERIFY(stage.item("arrow") && !stage.item("step"));
    stage.state.cursor.ordinal = probability_row(*run, 0).made_next_z.ordinal;
    stage.present();
    QVERIFY(stage.item("arrow") && stage.item("step"));
}

/// Numbers or not: an outline alone would seem to be a bar. As long as it fits.
void TestProbabilities::what_is_to_come_says_so_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<QString>("words");
    QTest::newRow("wide") << QSize(800, 600) << "outlines: computed later in this step";
    QTest::newRow("no numbers") << QSize(400, 240) << "outlines: computed later in this step";
    QTest::newRow("narrow") << QSize(270, 240) << "outlines: computed later";
    QTest::newRow("narrower") << QSize(180, 240) << "";
}

void TestProbabilities::what_is_to_come_says_so() {
    QFETCH(QSize, size);
    QFETCH(QString, words);
    Stage stage(logits_run(5), size);
    ProbabilityPicture picture = stage.view.picture();
    const ProbabilityGeometry::Row* row = picture.geometry.row(Quantity::dz);
    QVERIFY(row);
    QCOMPARE(to_come_words(picture, *row), QString());
    picture.dz_to_come = true;
    QCOMPARE(to_come_words(picture, *row), words);
    QVERIFY(row->plot.top() - picture.geometry.contents.line >= picture.geometry.row(Quantity::p)->plot.bottom()); // the room it takes
}

void TestProbabilities::runs_without_probabilities_say_so() {
    Stage stage(testing::sample_run("xor", "2,3,1", 3));
    QVERIFY(stage.view.items().empty());
    QCOMPARE(stage.view.sentence(), QStringLiteral("This run has no logits z with probabilities p."));
    QVERIFY(!stage.view.grab().isNull());
    QTest::mouseClick(&stage.view, Qt::LeftButton, Qt::NoModifier, {100, 100});
    QVERIFY(stage.selected.empty() && stage.edited.empty());
}
