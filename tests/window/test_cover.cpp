// Covers over what is to be predicted: nothing that is hidden can be learnt in another way.
#include "app/window/cover.hpp"
#include "app/window/presenter_stage.hpp"
#include "lessons/runtime/progress.hpp"
#include "tests/window/small_lesson.hpp"
#include "views/plots/plot_view.hpp"
#include "views/story/story_view.hpp"

#include <QDir>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>
#include <QWindow>
#include <filesystem>
#include <fstream>

using namespace gradus;
using namespace gradus::test;

namespace {

/// What is seen at these places, and nothing else.
QImage under(View& view, const std::vector<QRectF>& places) {
    QImage image = view.grab().toImage();
    QImage out(image.size(), QImage::Format_ARGB32);
    out.fill(Qt::transparent);
    QPainter painter(&out);
    for (const QRectF& rect : places) painter.drawImage(rect.toAlignedRect(), image, rect.toAlignedRect());
    return out;
}

/// Alike but for a few shades at the edges of signs, which are not drawn twice the same.
bool alike(const QImage& a, const QImage& b) {
    if (a.size() != b.size()) return false;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x) {
            const QRgb p = a.pixel(x, y), q = b.pixel(x, y);
            const int away = std::max({std::abs(qRed(p) - qRed(q)), std::abs(qGreen(p) - qGreen(q)), std::abs(qBlue(p) - qBlue(q)), std::abs(qAlpha(p) - qAlpha(q))});
            if (away > 8) return false;
        }
    return true;
}

} // namespace

class TestCover : public QObject {
    Q_OBJECT

private slots:
    void what_is_under_a_cover_does_not_depend_on_it_data();
    void what_is_under_a_cover_does_not_depend_on_it();
    void without_a_cover_it_would_be_seen();
    void the_mouse_learns_nothing();
    void a_curve_ends_before_the_prepared_step();
    void the_cover_stays_in_every_part();
    void the_cover_comes_to_a_class_as_to_a_learner();
    void a_stage_that_computes_something_else_is_not_covered();
    void the_cover_goes_with_the_answer();
    void a_learner_hides_a_tensor_until_the_key_is_pressed_again();
};

void TestCover::what_is_under_a_cover_does_not_depend_on_it_data() {
    QTest::addColumn<QString>("view");
    QTest::addColumn<QString>("veil");
    QTest::newRow("an op in a closed module") << "graph" << "graph:layer1/matmul";
    QTest::newRow("the loss in the graph") << "graph" << "series:loss";
    QTest::newRow("a curve") << "series" << "series:loss";
    QTest::newRow("a tensor") << "tensor" << "tensor:W1";
}

void TestCover::what_is_under_a_cover_does_not_depend_on_it() {
    QFETCH(QString, view);
    QFETCH(QString, veil);
    QImage images[2];
    QString values[2];
    for (int i = 0; i < 2; ++i) { // other rates: other numbers at step 5
        const auto window = open(i == 0 ? "0.05" : "0.5", veil.toStdString());
        window->presenter().select({"W1", {}});
        View& at = *::view(*window, view.toStdString());
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), !at.hidden().painted.empty()), patience_ms);
        for (int frames = 0; frames < 10; ++frames) { // a plot is laid out anew a little later
            QTest::qWait(5);
            window->frame();
        }
        QVERIFY(at.findChild<Cover*>() && at.findChild<Cover*>()->isVisible());
        images[i] = under(at, at.hidden().painted);
        for (const ViewItem& item : at.readable())
            for (const QRectF& cover : at.hidden().painted)
                if (cover.contains(item.rect.center())) values[i] += item.value;
        QVERIFY(values[i].count("?") == values[i].size()); // a reader is told no more than the eye
        at.setVeil({});
        at.findChild<Cover*>()->hide();
        window->frame(); // lays it again
        QVERIFY(at.findChild<Cover*>()->isVisible());
    }
    QVERIFY(alike(images[0], images[1]));
}

void TestCover::without_a_cover_it_would_be_seen() {
    QImage images[2];
    for (int i = 0; i < 2; ++i) {
        const auto window = open(i == 0 ? "0.05" : "0.5", "graph:layer1/matmul", nullptr, 0); // not yet asked
        View& graph = *view(*window, "graph");
        QVERIFY(graph.hidden().painted.empty());
        graph.setVeil({{"layer1/matmul"}, 0});
        const std::vector<QRectF> places = graph.hidden().painted;
        graph.setVeil({});
        images[i] = under(graph, places); // with no cover there
    }
    QVERIFY(images[0] != images[1]);
}

void TestCover::the_mouse_learns_nothing() {
    const auto window = open("0.05", "graph:layer1/matmul");
    View& graph = *view(*window, "graph");
    const QRectF rect = graph.hidden().closed.front();
    const QImage before = graph.grab().toImage();
    auto* cover = graph.findChild<Cover*>();
    QCOMPARE(graph.childAt(rect.center().toPoint()), cover);
    QTest::mouseMove(cover, rect.center().toPoint());
    QSignalSpy selected(&graph, &View::selected);
    QTest::mouseClick(cover, Qt::LeftButton, {}, rect.center().toPoint());
    QCOMPARE(selected.size(), 0);
    QCOMPARE(graph.grab().toImage(), before);
    // Beside it the view is as it always is.
    QVERIFY(graph.childAt(QPoint(4, 4)) != cover);
}

void TestCover::a_curve_ends_before_the_prepared_step() {
    const auto window = open("0.05", "series:loss");
    const auto* plot = qobject_cast<PlotView*>(view(*window, "series"));
    window->presenter().goTo(20); // going on does not show what comes
    window->frame();
    QVERIFY(!plot->curves().curves.empty());
    for (const Curve& curve : plot->curves().curves)
        for (const SeriesPoint& point : curve.points) QVERIFY(point.iteration < 5);
    QVERIFY(!plot->curves().cursor.value);
    QCOMPARE(window->lesson().look().numbers.value("loss").text, QString("?")); // nor does the text
}

// Whoever has been asked reads every part again, but not the answer; who has not come to the question yet tries what he likes.
void TestCover::the_cover_stays_in_every_part() {
    const auto window = open("0.05", "series:loss", nullptr, 0);
    QVERIFY(window->lesson().veil().empty());
    QVERIFY(window->lesson().look().numbers.isEmpty() || window->lesson().look().numbers.value("loss").text != QString("?"));
    window->presenter().setCardStep(1);
    window->frame();
    window->presenter().setCardStep(0);
    window->frame();
    QVERIFY(!window->lesson().veil().empty());
    QVERIFY(!window->lesson().look().check);
    QVERIFY(window->lesson().look().text.endsWith("What question 1 asks for is covered until you answer it, on the last page."));
    QVERIFY(!qobject_cast<PlotView*>(view(*window, "series"))->curves().cursor.value);
    window->presenter().setCardStep(1);
    window->frame();
    window->lesson().answer("start", "high");
    QTRY_VERIFY_WITH_TIMEOUT((window->frame(), window->lesson().veil().empty()), patience_ms);
    window->presenter().setCardStep(0);
    window->frame();
    QVERIFY(window->lesson().veil().empty());
}

void TestCover::the_cover_comes_to_a_class_as_to_a_learner() {
    const auto window = open("0.05", "series:loss"); // the learner stands at the question,
    window->presenter().setCardStep(0);
    window->enterClass(); // a class begins before it
    PresenterStage& stage = *window->classStage();
    const auto covered = [&](std::size_t page) {
        stage.goToPage(page);
        window->frame();
        return !window->lesson().veil().empty();
    };
    QVERIFY(!covered(0));
    QVERIFY(covered(1)); // the part that leads to the questions
    QVERIFY(covered(2));
    QVERIFY(covered(0)); // and then it stays
    window->leaveClass();
    QVERIFY(!window->lesson().veil().empty());
}

// A question about another net than the one on stage: nothing there can tell the answer, and what is there is to be seen.
void TestCover::a_stage_that_computes_something_else_is_not_covered() {
    for (const auto& [layers, hides] : {std::pair("2,4,2", false), std::pair("2,8,2", true)}) {
        Library library = small_library("0.05", "series:loss");
        library.cards[0].checks[0].arguments = {{"layers", layers}, {"lr", "0.050"}, {"first", "3"}}; // the last is no parameter
        const auto window = opened_at_once(library);
        window->presenter().setCardStep(1);
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), !window->presenter().runs().empty()), patience_ms);
        window->frame();
        QCOMPARE(!window->lesson().veil().empty(), hides);
        if (hides) continue;
        window->lesson().commitParameter("layers", layers); // now it computes what is asked for
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), !window->lesson().veil().empty()), patience_ms);
    }
}

void TestCover::the_cover_goes_with_the_answer() {
    const auto window = open("0.05", "series:loss");
    View& series = *view(*window, "series");
    const QSize size = series.size();
    window->lesson().answer("start", "high");
    QTRY_VERIFY_WITH_TIMEOUT((window->frame(), window->lesson().veil().empty()), patience_ms);
    window->frame();
    QVERIFY(series.findChild<Cover*>()->isHidden());
    QVERIFY(series.hidden().painted.empty());
    QCOMPARE(series.size(), size); // nothing jumps
    QVERIFY(qobject_cast<PlotView*>(&series)->curves().cursor.value.has_value());
}

void TestCover::a_learner_hides_a_tensor_until_the_key_is_pressed_again() {
    const auto window = open("0.05", "series:loss", nullptr, 0); // not yet asked
    View &graph = *view(*window, "graph"), &tensor = *view(*window, "tensor");
    const auto covered = [&] { return !graph.hidden().painted.empty() && !tensor.hidden().painted.empty(); };
    window->presenter().select({"W1", {}});
    window->frame();
    QVERIFY(!covered());
    QTest::keyClick(window.get(), Qt::Key_H);
    QTRY_VERIFY_WITH_TIMEOUT((window->frame(), covered()), patience_ms);
    QVERIFY(graph.findChild<Cover*>()->isVisible());
    for (const ViewItem& item : graph.readable())
        if (item.id == "W1" || item.parts.contains("W1")) QVERIFY2(item.value.isEmpty() || item.value == "?", qPrintable(item.id));
    // What is hidden stays so while others are read, over the parts of the lesson, and in front of a class.
    window->presenter().select({"W2", {}});
    window->presenter().setCardStep(1);
    window->frame();
    QCOMPARE(window->state().hidden, std::string("W1"));
    QVERIFY(!graph.hidden().painted.empty());
    QVERIFY(window->lesson().veil().empty() == false); // the question's cover lies beside it
    window->lesson().answer("start", "high");
    QTRY_VERIFY_WITH_TIMEOUT((window->frame(), window->lesson().veil().empty()), patience_ms);
    QVERIFY(!graph.hidden().painted.empty());
    window->presenter().select({"", {}});
    QTest::keyClick(window.get(), Qt::Key_H);
    window->frame();
    QVERIFY(graph.hidden().painted.empty() && window->state().hidden.empty());
    // Nothing is chosen, so there is nothing to hide.
    QTest::keyClick(window.get(), Qt::Key_H);
    window->frame();
    QVERIFY(window->state().hidden.empty());
}

QTEST_MAIN(TestCover)
#include "test_cover.moc"
