#include "tests/views/test_probabilities.hpp"

#include "tests/views/probabilities_stage.hpp"
#include "views/probabilities/probability_painter.hpp"
#include "views/probabilities/probability_words.hpp"
#include "views/probabilities/triangle_labels.hpp"
#include "views/theme/numbers.hpp"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <map>

using namespace gradus;
using Quantity = ProbabilityQuantity;
using Stage = testing::ProbabilitiesStage;
using testing::logits_run;

namespace {

double distance(QPointF a, QPointF b) { return std::hypot(a.x() - b.x(), a.y() - b.y()); }

} // namespace

std::shared_ptr<const Run> testing::logits_run(int classes, int label, const std::string& scale) {
    static std::map<std::string, std::shared_ptr<const Run>> made;
    auto& run = made[std::to_string(classes) + '/' + std::to_string(label) + '/' + scale];
    if (!run)
        run = run_of_experiment("logits", {{"classes", std::to_string(classes)}, {"label", std::to_string(label)}, {"scale", scale}}, 8);
    return run;
}

void TestProbabilities::a_sure_guess_lies_at_its_corner_data() {
    QTest::addColumn<QSizeF>("area");
    QTest::newRow("640×480") << QSizeF(604, 418);
    QTest::newRow("1280×800") << QSizeF(800, 500);
    QTest::newRow("upright") << QSizeF(260, 420);
    QTest::newRow("in class") << QSizeF(254, 230);
    QTest::newRow("4K") << QSizeF(2400, 1500);
}

void TestProbabilities::a_sure_guess_lies_at_its_corner() {
    QFETCH(QSizeF, area);
    const QRectF all(QPointF(18, 44), area);
    ProbabilityContents contents;
    contents.classes = 3;
    const ProbabilityGeometry g = lay_out_probabilities(contents, all);
    QVERIFY(!g.triangle.isNull());
    QCOMPARE(g.at({1, 0, 0}), g.corners[0]);
    QCOMPARE(g.at({0, 1, 0}), g.corners[1]);
    QCOMPARE(g.at({0, 0, 1}), g.corners[2]);
    // Equal sides, and the uniform guess as far from each corner.
    const QPointF centre = g.at({1 / 3.0, 1 / 3.0, 1 / 3.0});
    for (std::size_t i = 0; i < 3; ++i) {
        QVERIFY(std::abs(distance(g.corners[i], g.corners[(i + 1) % 3]) - g.side()) < 1e-6 * g.side());
        QVERIFY(std::abs(distance(centre, g.corners[i]) - g.side() / std::sqrt(3.0)) < 1e-6 * g.side());
    }
    QCOMPARE(g.at({0.5, 0.5, 0}), (g.corners[0] + g.corners[1]) / 2);
    QVERIFY(g.corners[2].y() < g.corners[0].y() && g.corners[0].y() == g.corners[1].y());
    // The logits stand beside it or below, nothing over another.
    QVERIFY(g.row(Quantity::z));
    QVERIFY(all.adjusted(-1, -1, 1, 1).contains(g.triangle));
    QVERIFY(g.words.isNull() || all.adjusted(-1, -1, 1, 1).contains(g.words));
    for (const ProbabilityGeometry::Row& row : g.rows) QVERIFY(!row.area.intersects(g.triangle) && !row.area.intersects(g.words));
}

void TestProbabilities::bars_stand_in_shared_columns_data() {
    QTest::addColumn<int>("classes");
    QTest::addColumn<QSizeF>("area");
    QTest::addColumn<int>("rows");
    QTest::addColumn<bool>("numbers");
    QTest::newRow("five at 640×480") << 5 << QSizeF(604, 418) << 3 << true;
    QTest::newRow("ten at 640×480") << 10 << QSizeF(604, 418) << 3 << true;
    QTest::newRow("sixteen at 640×480") << 16 << QSizeF(604, 418) << 3 << true;
    QTest::newRow("two, wide") << 2 << QSizeF(1600, 800) << 3 << true;
    QTest::newRow("ten in class") << 10 << QSizeF(254, 230) << 3 << true;
    QTest::newRow("numbers before height") << 5 << QSizeF(400, 200) << 3 << true;
    QTest::newRow("low") << 5 << QSizeF(400, 180) << 3 << false;
    QTest::newRow("lower") << 5 << QSizeF(400, 130) << 2 << false;
    QTest::newRow("one row") << 5 << QSizeF(400, 70) << 1 << false;
    QTest::newRow("tiny") << 5 << QSizeF(60, 30) << 0 << false;
    QTest::newRow("nothing") << 5 << QSizeF(0, 0) << 0 << false;
}

void TestProbabilities::bars_stand_in_shared_columns() {
    QFETCH(int, classes);
    QFETCH(QSizeF, area);
    QFETCH(int, rows);
    QFETCH(bool, numbers);
    const QRectF all(QPointF(18, 44), area);
    ProbabilityContents contents;
    contents.classes = static_cast<std::size_t>(classes);
    contents.line = 16;
    const ProbabilityGeometry g = lay_out_probabilities(contents, all);
    QCOMPARE(g.rows.size(), static_cast<std::size_t>(rows));
    QVERIFY(g.triangle.isNull());
    QCOMPARE(g.number_line > 0, numbers);
    double bottom = all.top();
    for (const ProbabilityGeometry::Row& row : g.rows) {
        QVERIFY(row.area.top() >= bottom - 1e-6);
        bottom = row.area.bottom();
        QVERIFY(row.plot.top() - row.area.top() >= 8 - 1e-6 && row.area.bottom() - row.plot.bottom() >= 8 - 1e-6); // half of a tick's number
        QVERIFY(row.area.adjusted(-1e-6, -1e-6, 1e-6, 1e-6).contains(row.plot));
        QCOMPARE(row.plot.right(), all.right()); // nothing beside it is left empty
        if (!row.title.isNull()) QVERIFY(row.plot.top() - g.number_line >= row.title.bottom() + below_title - 1e-6);
        for (std::size_t i = 0; i < contents.classes; ++i) {
            const QRectF column = g.column(row, i);
            QCOMPARE(column.left(), g.column(g.rows.front(), i).left()); // aligned from row to row
            QCOMPARE(g.class_at(row, column.center()), static_cast<int>(i));
            QVERIFY(g.bar <= column.width());
        }
        QCOMPARE(g.class_at(row, row.area.topLeft()), -1); // the gutter
    }
    if (rows > 0) QVERIFY(g.rows.front().quantity == Quantity::z && g.classes.bottom() <= all.bottom() + 1 && g.classes.top() >= bottom - 1e-6);
    if (rows != 2) return;
    QCOMPARE(g.rows[1].quantity, Quantity::p);
    contents.wanted = Quantity::dz; // what a part is about keeps its place
    QCOMPARE(lay_out_probabilities(contents, all).rows[1].quantity, Quantity::dz);
    contents.gradient = false;
    QCOMPARE(lay_out_probabilities(contents, all).rows[1].quantity, Quantity::p);
}

void TestProbabilities::bars_are_as_high_as_their_numbers() {
    ProbabilityContents contents;
    contents.classes = 5;
    contents.z_end = 4;
    const ProbabilityGeometry g = lay_out_probabilities(contents, QRectF(18, 44, 604, 418));
    const auto& z = *g.row(Quantity::z);
    const auto& p = *g.row(Quantity::p);
    const auto& dz = *g.row(Quantity::dz);
    QCOMPARE(z.y(4), z.plot.top());
    QCOMPARE(z.y(-4), z.plot.bottom());
    QCOMPARE(z.y(0), z.plot.center().y());
    QCOMPARE(z.y(40), z.plot.top()); // cut at the edge
    QCOMPARE(p.y(0), p.plot.bottom());
    QCOMPARE(p.y(1), p.plot.top());
    QCOMPARE(g.bar_of(p, 2, 0.25).height(), p.plot.height() / 4);
    QCOMPARE(g.bar_of(p, 2, 0.25).bottom(), p.plot.bottom());
    QCOMPARE(g.bar_of(dz, 0, -0.5).top(), dz.plot.center().y()); // below zero hangs
    QCOMPARE(g.bar_of(dz, 0, -0.5).height(), dz.plot.height() / 4);
    QCOMPARE(g.bar_of(dz, 1, 0.5).bottom(), dz.plot.center().y());
    QCOMPARE(g.bar_of(z, 1, std::nan("")).height(), 0.0);
}

void TestProbabilities::the_logits_axis_has_room_data() {
    QTest::addColumn<double>("largest");
    QTest::addColumn<double>("end");
    QTest::newRow("zeros") << 0.0 << 4.0;
    QTest::newRow("the card's") << 2.0 << 4.0;
    QTest::newRow("full") << 3.2 << 4.0;
    QTest::newRow("a little more") << 3.3 << 5.0;
    QTest::newRow("times ten") << 20.0 << 40.0;
    QTest::newRow("shifted by 100") << 102.0 << 200.0;
    QTest::newRow("negative") << -6.0 << 8.0;
    QTest::newRow("not finite") << std::nan("") << 4.0;
}

void TestProbabilities::the_logits_axis_has_room() {
    QFETCH(double, largest);
    QFETCH(double, end);
    QCOMPARE(axis_end_of({0.5, largest}), end);
}

void TestProbabilities::the_row_is_the_runs_data() {
    QTest::addColumn<int>("classes");
    QTest::addColumn<int>("label");
    QTest::addColumn<int>("iteration");
    QTest::newRow("five") << 5 << 0 << 0;
    QTest::newRow("later") << 5 << 2 << 6;
    QTest::newRow("three") << 3 << 1 << 3;
    QTest::newRow("ten") << 10 << 9 << 0;
    QTest::newRow("two") << 2 << 1 << 7;
}

void TestProbabilities::the_row_is_the_runs() {
    QFETCH(int, classes);
    QFETCH(int, label);
    QFETCH(int, iteration);
    const auto run = logits_run(classes, label);
    const ProbabilityRow row = probability_row(*run, iteration);
    QCOMPARE(row.missing, ProbabilityRow::Missing::nothing);
    QCOMPARE(row.classes(), static_cast<std::size_t>(classes));
    QCOMPARE(row.label(), label);
    const auto tensors = run->tensors_of(iteration);
    double sum = 0, all_gradients = 0;
    for (std::size_t i = 0; i < row.classes(); ++i) {
        const auto at = static_cast<Dim>(i);
        QCOMPARE(row.p[i], tensors->find("p")->tensor.at(0, at)); // the Run's very bits
        QCOMPARE(row.dz[i], tensors->find("dz")->tensor.at(0, at));
        QCOMPARE(row.dp[i], tensors->find("dp")->tensor.at(0, at));
        QCOMPARE(row.p[i], *run->value_at("p" + std::to_string(i), iteration));
        // z is the one that p was computed from, not the one the update left.
        const SoftmaxTerm term = softmax_term(row.z, i);
        QVERIFY(std::abs(term.above / term.below - row.p[i]) < 1e-12);
        QVERIFY(std::abs(row.p[i] - row.y[i] - row.dz[i]) < 1e-12);
        sum += row.p[i];
        all_gradients += row.dz[i];
    }
    QVERIFY(std::abs(sum - 1) < 1e-12 && std::abs(all_gradients) < 1e-12);
    QCOMPARE(*row.loss, *run->value_at("loss", iteration));
    QVERIFY(std::abs(arrow_length(row) - *run->value_at("arrow", iteration)) < 1e-12);
    const std::vector<double> step = logit_step(row, 1);
    const ProbabilityRow next = iteration + 1 < 8 ? probability_row(*run, iteration + 1) : ProbabilityRow();
    for (std::size_t i = 0; i < next.z.size(); ++i) QVERIFY(std::abs(row.z[i] + step[i] - next.z[i]) < 1e-12); // lr is 1
}

void TestProbabilities::items_say_the_runs_numbers() {
    for (const int classes : {2, 3, 5, 10}) {
        const auto run = logits_run(classes, 1);
        Stage stage(run, {800, 600});
        const ProbabilityRow row = probability_row(*run, 0);
        for (std::size_t i = 0; i < row.classes(); ++i) {
            const QString number = QString::number(i);
            QCOMPARE(stage.item("z/" + number)->value, three_digits(row.z[i]));
            QCOMPARE(stage.item("p/" + number)->value, three_digits(row.p[i]));
            QCOMPARE(stage.item("dz/" + number)->value, three_digits(row.dz[i]));
            QCOMPARE(stage.item("dz/" + number)->role, Role::gradient);
            QVERIFY(stage.item("dz")->rect.contains(stage.item("dz/" + number)->rect.center()));
        }
        QCOMPARE(stage.item("triangle") != nullptr, classes == 3);
        std::vector<QString> ids;
        for (const ViewItem& item : stage.view.items()) {
            QVERIFY2(std::find(ids.begin(), ids.end(), item.id) == ids.end(), qPrintable(item.id));
            ids.push_back(item.id);
            QCOMPARE(item.provenance, Provenance::computed);
            QVERIFY(QRectF(stage.view.rect()).contains(item.rect.center()));
        }
    }
    QCOMPARE(probability_words::triple({0.25, -0.5, 1}), QStringLiteral("(0.250, −0.500, 1)"));
}

void TestProbabilities::two_decimals_do_not_lose_what_is_there_data() {
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("text");
    QTest::newRow("half") << 0.5 << "0.50";
    QTest::newRow("rounded up") << 0.0051 << "0.01";
    QTest::newRow("the card's") << 0.00419 << "<0.01"; // a probability is never 0
    QTest::newRow("tiny") << 1e-40 << "<0.01";
    QTest::newRow("zero") << 0.0 << "0.00";
    QTest::newRow("below zero") << -0.793 << "−0.79";
}

void TestProbabilities::two_decimals_do_not_lose_what_is_there() {
    QFETCH(double, value);
    QFETCH(QString, text);
    QCOMPARE(probability_words::short_number(value), text);
}

/// No line through a digit: of what is chosen, or pulled to the end of its axis.
void TestProbabilities::numbers_are_clear_of_the_outline() {
    for (const QSize size : {QSize(316, 286), QSize(676, 350), QSize(1316, 506)})
        for (const StepIndex step : {0, 7}) {
            Stage stage(logits_run(5), size, step);
            ProbabilityPicture picture = stage.view.picture();
            QVERIFY(picture.geometry.number_line > 0);
            for (const Quantity quantity : {Quantity::z, Quantity::p, Quantity::dz})
                for (std::size_t i = 0; i < 5; ++i)
                    for (const double pulled : {0.0, 4.0, -4.0}) {
                        picture.marked = quantity;
                        picture.marked_class = i;
                        picture.pull.reset();
                        if (quantity == Quantity::z && pulled != 0) picture.pull = ProbabilityPicture::Pull{i, pulled};
                        const ProbabilityGeometry::Row& row = *picture.geometry.row(quantity);
                        const QRectF mark = mark_rect(picture, row).adjusted(-1, -1, 1, 1); // its pen
                        QVERIFY(mark.height() >= 10);
                        const double half = 5; // of a digit's height, at most
                        for (std::size_t k = 0; k < 5; ++k) {
                            const QRectF number = number_rect(picture, row, k);
                            const QRectF digits(number.left() + 4, number.center().y() - half, number.width() - 8, 2 * half);
                            QVERIFY2(!digits.adjusted(0, -2, 0, 2).intersects(mark) || k != i, qPrintable(QString::number(digits.bottom() - mark.top())));
                        }
                    }
        }
}

void TestProbabilities::the_arrow_goes_from_y_to_p() {
    const auto run = logits_run(3, 1);
    Stage stage(run, {800, 600}, 0);
    const ProbabilityPicture& picture = stage.view.picture();
    const ProbabilityGeometry& g = picture.geometry;
    const ProbabilityRow row = probability_row(*run, 0);
    QVERIFY(picture.arrow());
    QCOMPARE(picture.arrow()->p1(), g.corners[1]);
    QCOMPARE(picture.arrow()->p2(), g.at({row.p[0], row.p[1], row.p[2]}));
    // As a vector it is corner · ∂z.
    const QPointF gradient = g.corners[0] * row.dz[0] + g.corners[1] * row.dz[1] + g.corners[2] * row.dz[2];
    QVERIFY(distance(picture.arrow()->p2() - picture.arrow()->p1(), gradient) < 1e-6);
    QVERIFY(picture.step());
    const QPointF step = picture.step()->p2() - picture.step()->p1();
    QVERIFY(step.x() * gradient.x() + step.y() * gradient.y() < 0); // from p towards y
    const ProbabilityRow next = probability_row(*run, 1); // it ends where the next iteration begins, and is drawn to there
    QCOMPARE(picture.step()->p1(), picture.arrow()->p2());
    QVERIFY(distance(picture.step()->p2(), g.at({next.p[0], next.p[1], next.p[2]})) < 1e-6);
    const QPolygonF curve = picture.step_curve();
    QVERIFY(distance(curve.front(), picture.step()->p1()) < 1e-9 && distance(curve.back(), picture.step()->p2()) < 1e-9);
    for (const QPointF& at : curve) QVERIFY(g.triangle.contains(at));
    QVERIFY(distance(curve[curve.size() / 2], picture.step()->center()) >= 8); // beside the gradient's arrow, not on it
    QCOMPARE(stage.item("step")->value, probability_words::triple(next.p));
    QCOMPARE(stage.item("point")->value, probability_words::triple(row.p));
    QCOMPARE(stage.item("arrow")->value, probability_words::triple(row.dz));
    Stage five(logits_run(5));
    QVERIFY(!five.view.picture().arrow() && !five.view.picture().point());
}

/// Each clear of the others, of the arrows and of the corners' names.
void TestProbabilities::names_in_the_triangle_stand_apart() {
    std::size_t updates = 0;
    for (const QSizeF area : {QSizeF(250, 250), QSizeF(330, 280), QSizeF(800, 600)})
        for (const int label : {0, 1, 2})
            for (const char* scale : {"1", "3"})
                for (const StepIndex at : {0, 1, 3}) {
                    Stage stage(logits_run(3, label, scale), area.toSize(), at);
                    const ProbabilityPicture& picture = stage.view.picture();
                    if (!picture.has_triangle()) continue;
                    const ProbabilityGeometry& g = picture.geometry;
                    TriangleLabelSizes sizes{{12, 13}, {22, 13}, {56, 13}, {}};
                    sizes.corners = {QRectF(g.corners[0] + QPointF(-18, 4), QSizeF(74, 18)), QRectF(g.corners[1] + QPointF(-40, 4), QSizeF(56, 18)),
                                     QRectF(g.corners[2] - QPointF(28, 21), QSizeF(56, 18))};
                    const TriangleLabels labels = place_triangle_labels(picture, sizes);
                    QVERIFY(!labels.p.isNull());
                    const QRectF names[] = {labels.p, labels.dz, labels.update};
                    for (std::size_t i = 0; i < 3; ++i)
                        for (std::size_t k = 0; k < 3; ++k) {
                            if (k > i) QVERIFY(!names[i].intersects(names[k]));
                            if (!names[i].isNull() && i != 0) QVERIFY(!names[i].intersects(sizes.corners[k]));
                        }
                    const QPolygonF curve = picture.step_curve();
                    for (const QRectF& name : {labels.dz, labels.update}) {
                        if (name.isNull()) continue;
                        for (const QPointF& on : curve) QVERIFY(!name.contains(on)); // the green arrow keeps its head
                        for (int part = 0; part <= 50; ++part) QVERIFY(!name.contains(picture.arrow()->pointAt(part / 50.0)));
                    }
                    updates += !labels.update.isNull();
                }
    QVERIFY(updates > 4); // the update has a name of its own
}

void TestProbabilities::the_update_is_the_runs() {
    for (const char* scale : {"1", "10", "0"})
        for (const int classes : {2, 3, 5}) {
            const auto run = logits_run(classes, 1, scale);
            for (const StepIndex at : {0, 3, 6}) {
                const ProbabilityRow row = probability_row(*run, at), next = probability_row(*run, at + 1);
                QCOMPARE(row.next_z, next.z);
                const auto p = softmax_of(row.next_z);
                for (std::size_t i = 0; i < p.size(); ++i) QVERIFY(std::abs(p[i] - next.p[i]) < 1e-12);
            }
        }
    QVERIFY(softmax_of({}).empty());
}

void TestProbabilities::one_number_has_one_form_data() {
    QTest::addColumn<int>("classes");
    QTest::addColumn<QSize>("size");
    QTest::addColumn<bool>("decimals");
    QTest::newRow("three in class") << 3 << QSize(571, 320) << false;
    QTest::newRow("three, wide") << 3 << QSize(900, 600) << false;
    QTest::newRow("three, short words") << 3 << QSize(400, 700) << false;
    QTest::newRow("five") << 5 << QSize(660, 350) << false;
    QTest::newRow("ten") << 10 << QSize(480, 350) << true;
    QTest::newRow("ten, wide") << 10 << QSize(900, 350) << false;
}

void TestProbabilities::one_number_has_one_form() {
    QFETCH(int, classes);
    QFETCH(QSize, size);
    QFETCH(bool, decimals);
    Stage stage(logits_run(classes), size);
    QCOMPARE(has_short_numbers(stage.view.picture()), decimals);
    QVERIFY(words_fit(stage.view.picture(), decimals));
    QVERIFY(!stage.view.grab().isNull());
}

/// Not over the last class, whose number would seem to be a part of it.
void TestProbabilities::the_loss_stands_beside_its_title() {
    for (const QSize size : {QSize(676, 450), QSize(1316, 506)}) {
        Stage stage(logits_run(5), size);
        const ProbabilityPicture& picture = stage.view.picture();
        const QRectF loss = loss_rect(picture);
        QVERIFY(!loss.isNull());
        const ProbabilityGeometry::Row& row = *picture.geometry.row(Quantity::p);
        QVERIFY(loss.right() < picture.geometry.column(row, 4).left());
        for (std::size_t i = 0; i < 5; ++i) QVERIFY(loss.bottom() + below_title <= number_rect(picture, row, i).top() + 1e-6);
    }
}

void TestProbabilities::three_classes_have_room_for_three_digits() {
    for (const double number : {39.6, 46.8, 56.0}) {
        ProbabilityContents contents;
        contents.classes = 3;
        contents.number = number;
        const ProbabilityGeometry g = lay_out_probabilities(contents, QRectF(18, 44, 535, 258));
        QVERIFY(!g.triangle.isNull() && g.number_line > 0);
        QVERIFY(g.column(*g.row(Quantity::dz), 0).width() >= number + 4);
    }
}

void TestProbabilities::the_path_is_the_series() {
    const auto run = logits_run(3, 0);
    Stage stage(run, {800, 600}, 5);
    const auto& path = stage.view.picture().path;
    QCOMPARE(path.size(), std::size_t{6}); // so far, not beyond the cursor
    for (std::size_t t = 0; t < path.size(); ++t)
        for (std::size_t i = 0; i < 3; ++i) QCOMPARE(path[t][i], *run->value_at("p" + std::to_string(i), static_cast<StepIndex>(t)));
    const auto thin = probability_path(*run, 7, 3);
    QVERIFY(thin.size() <= 3 && thin.size() >= 2);
    QCOMPARE(thin.back()[0], *run->value_at("p0", 7));
    QVERIFY(probability_path(*logits_run(2), 5).empty());
    QVERIFY(probability_path(*run, -1).empty());
}

void TestProbabilities::every_size_is_painted() {
    for (const int classes : {2, 3, 5, 10})
        for (const QSize size : {QSize(1, 1), QSize(120, 90), QSize(290, 310), QSize(380, 290), QSize(720, 300), QSize(1600, 1000)})
            for (const char* scale : {"1", "100", "0"}) {
                Stage stage(logits_run(classes, 1, scale), size);
                for (const bool sparse : {false, true}) {
                    stage.view.setSparse(sparse);
                    QVERIFY(!stage.view.grab().isNull());
                }
            }
}
