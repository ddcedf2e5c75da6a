#include "tests/views/test_valley.hpp"

#include "lessons/runtime/session.hpp"
#include "tests/views/valley_stage.hpp"

#include <QApplication>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTest>
#include <cmath>

using namespace gradus;
using Kind = ObjectiveConstants::Kind;
using Stage = testing::ValleyStage;

namespace {

void move(QWidget& widget, QPoint to) {
    QMouseEvent event(QEvent::MouseMove, to, widget.mapToGlobal(to), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&widget, &event);
}

} // namespace

void TestValley::parts_of_the_step_come_one_by_one() {
    Stage stage(Parameters{}, 4);
    const auto tensors = stage.runs[0]->tensors_of(0);
    const auto stand_on = [&](const char* tensor) {
        stage.state.cursor.level = Level::op;
        stage.state.cursor.at_head = false;
        stage.state.cursor.ordinal = tensors->find(tensor)->id.event.ordinal;
        stage.frame();
        const ValleyWalk& walk = stage.view.scene().walk;
        return std::array{walk.here.has_value(), walk.slope.has_value(), walk.next.has_value()};
    };
    QCOMPARE(stand_on("loss"), (std::array{true, false, false}));
    QCOMPARE(stand_on("dw"), (std::array{true, true, false}));
    QCOMPARE(stand_on("w"), (std::array{true, true, true}));
}

void TestValley::the_picture_holds_still_while_it_plays() {
    Stage stage({{"lr", "0.6"}}, 30); // each step is longer than the last
    QVERIFY(stage.settled());
    const ValleyRange first = stage.view.layout().range;
    QVERIFY(stage.view.layout().holds(stage.point()));
    for (StepIndex at = 0; at < 30; ++at) {
        stage.state.cursor.iteration = at;
        stage.frame();
        QVERIFY(stage.view.layout().range == first);
        if (at == 29) QVERIFY(stage.view.layout().plot.contains(stage.item("point").rect.center())); // an arrow at the edge
    }
    QVERIFY(stage.item("point").value.contains(QStringLiteral("w = ")));
    stage.view.grab();
}

void TestValley::a_drag_edits_the_parameters() {
    qRegisterMetaType<Edit>();
    qRegisterMetaType<Selection>();
    for (const bool bowl : {false, true}) {
        Stage stage({{"objective", bowl ? "bowl" : "parabola"}}, 6);
        QVERIFY(stage.settled());
        QSignalSpy edited(&stage.view, &View::edited), dragged(&stage.view, &View::dragged), chosen(&stage.view, &View::selected);
        const QPoint from = stage.point(), by(-80, 30);
        QTest::mousePress(&stage.view, Qt::LeftButton, {}, from);
        move(stage.view, from + by / 2);
        move(stage.view, from + by);
        QCOMPARE(edited.size(), 0);
        QCOMPARE(dragged.size(), 2);
        QTest::mouseRelease(&stage.view, Qt::LeftButton, {}, from + by);
        QCOMPARE(edited.size(), 1);
        const Edit edit = edited[0][0].value<Edit>();
        QCOMPARE(Edit::parse(edit.text()), edit);
        QVERIFY(edit == dragged.last()[0].value<Edit>());
        const ValleyGeometry& g = stage.view.layout();
        const double unit = g.plot.width() / (g.range.right - g.range.left);
        QVERIFY(std::abs(edit.values[0] - (1 - 80 / unit)) < 1.5 / unit);
        QCOMPARE(edit.values.size(), bowl ? std::size_t{2} : std::size_t{1});
        if (bowl) QVERIFY(std::abs(edit.values[1] - (1 - 30 / unit)) < 1.5 / unit);
        else QCOMPARE(QString::fromStdString(edit.text()).section('=', 0, 0), QString("w[0] "));
        QVERIFY(stage.view.scene().held && stage.view.scene().held->w[0] == edit.values[0]); // until the branch is there
        QCOMPARE(stage.view.scene().held->f, bowl ? 0.5 * (4 * std::pow(edit.values[0], 2) + std::pow(edit.values[1], 2)) : 2 * std::pow(edit.values[0], 2));
        QCOMPARE(chosen.size(), 0);
    }
    Stage stage(Parameters{}, 6); // a click chooses it, a double click asks for a number
    QVERIFY(stage.settled());
    QSignalSpy chosen(&stage.view, &View::selected), wanted(&stage.view, &View::numberWanted);
    QTest::mouseClick(&stage.view, Qt::LeftButton, {}, stage.point());
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(chosen[0][0].value<Selection>().tensor, std::string("w"));
    QTest::mouseDClick(&stage.view, Qt::LeftButton, {}, stage.point());
    QCOMPARE(wanted.size(), 1);
    QCOMPARE(wanted[0][0].value<Edit>().values.at(0), 1.0);
    Stage line({{"objective", "line"}}, 6); // nothing there is dragged
    QVERIFY(line.settled());
    QSignalSpy none(&line.view, &View::dragged);
    const QPoint middle = line.view.layout().plot.center().toPoint();
    QTest::mousePress(&line.view, Qt::LeftButton, {}, middle);
    move(line.view, middle + QPoint(50, 0));
    QTest::mouseRelease(&line.view, Qt::LeftButton, {}, middle + QPoint(50, 0));
    QCOMPARE(none.size(), 0);
}

void TestValley::escape_puts_it_back() {
    Stage stage(Parameters{}, 6);
    QVERIFY(stage.settled());
    QSignalSpy edited(&stage.view, &View::edited), cancelled(&stage.view, &View::dragCancelled);
    const QPoint from = stage.point();
    QTest::mousePress(&stage.view, Qt::LeftButton, {}, from);
    move(stage.view, from - QPoint(60, 0));
    stage.view.grab();
    QTest::keyClick(&stage.view, Qt::Key_Escape);
    QTest::mouseRelease(&stage.view, Qt::LeftButton, {}, from - QPoint(60, 0));
    QCOMPARE(edited.size(), 0);
    QCOMPARE(cancelled.size(), 1);
    stage.frame();
    QCOMPARE(stage.point(), from);
}

void TestValley::a_branch_keeps_the_parents_trail() {
    RunRequest request;
    request.experiment = "descend";
    request.steps = 12;
    request.observe_every = 1;
    Session session(request);
    session.play();
    session.wait();
    session.submit_fork(Edit::parse("w[0] = -1.4"), 0, 4);
    session.wait();
    session.play();
    session.wait();
    Stage stage(session.run(0));
    stage.runs.push_back(session.run(1));
    QVERIFY(stage.settled());
    QCOMPARE(stage.view.layout().range.right, 1.25);
    stage.state.run = 1;
    stage.state.cursor.iteration = 7;
    QVERIFY(stage.settled());
    QCOMPARE(stage.view.layout().range.right, 2.0); // it holds where the branch begins
    const ValleyWalk& walk = stage.view.scene().walk;
    QCOMPARE(walk.trail.size(), std::size_t{8});
    QCOMPARE(walk.trail[4].w[0], -1.4);
    QCOMPARE(walk.left.size(), std::size_t{4}); // steps 4 to 7
    for (const ValleyPlace& place : walk.left) QCOMPARE(place.w[0], *session.run(0)->value_at("w", place.iteration));
    // Before the fork the update led elsewhere than where the hand put the point.
    stage.state.cursor.iteration = 3;
    stage.frame();
    QVERIFY(stage.view.scene().walk.next);
    QCOMPARE((*stage.view.scene().walk.next)[0], *session.run(0)->value_at("w", 4));
}

void TestValley::a_prediction_hides_the_walk() {
    Stage stage(Parameters{}, 10);
    QVERIFY(stage.settled());
    for (const char* hidden : {"w", "loss"}) {
        stage.view.setVeil({{hidden}, 3});
        stage.state.cursor.iteration = 2;
        stage.frame();
        QVERIFY(stage.view.hidden().painted.empty());
        QCOMPARE(stage.view.scene().walk.trail.size(), std::size_t{3});
        QVERIFY(!stage.view.scene().walk.next); // it leads to step 3
        stage.state.cursor.iteration = 6;
        stage.frame();
        QVERIFY(!stage.view.scene().walk.here);
        QCOMPARE(stage.view.scene().walk.trail.size(), std::size_t{3});
        QCOMPARE(stage.view.hidden().painted.size(), std::size_t{1});
        for (const ViewItem& item : stage.view.readable()) QCOMPARE(item.value, QString("?"));
    }
    stage.view.setVeil({{"dw"}, 0}); // its direction would be told by any part of it
    stage.frame();
    QCOMPARE(stage.view.hidden().painted.front(), stage.view.contents());
    stage.view.setVeil({});
    stage.frame();
    QVERIFY(stage.view.hidden().painted.empty() && stage.view.scene().walk.here);
}

void TestValley::futures_stand_where_they_end() {
    for (const char* objective : {"parabola", "bowl", "line"}) {
        Stage stage({{"objective", objective}}, 10);
        QVERIFY(stage.settled());
        Fan fan;
        fan.horizon = 10;
        for (int i = 0; i < 16; ++i) // the last is not done yet
            fan.futures.push_back({0.01 * (i + 1), testing::run_of_experiment("descend", {{"objective", objective}, {"lr", QString::number(0.01 * (i + 1)).toStdString()}}, 10), i < 15, false});
        Look look{stage.runs, stage.state, stage.runs[0], 1, 100, false};
        look.fan = &fan;
        stage.view.present(look);
        const auto items = stage.view.items();
        const bool ring = stage.view.scene().kind != Kind::line; // where one stands is seen, too
        QCOMPARE(items.size(), ring ? std::size_t{16} : std::size_t{15});
        if (ring) QCOMPARE(stage.item("point").value, valley_words::place(stage.view.scene().kind, *stage.view.scene().walk.here));
        const auto named = future_names(stage.view.scene(), stage.view.layout());
        for (const std::size_t outermost : {std::size_t{0}, std::size_t{14}})
            QVERIFY(std::any_of(named.begin(), named.end(), [&](const FutureName& name) { return name.future == outermost; }));
        QCOMPARE(stage.view.scene().future_names[14], QStringLiteral("η 0.150"));
        QSignalSpy chosen(&stage.view, &View::futureChosen), taken(&stage.view, &View::futureTaken);
        const auto& places = stage.view.scene().futures[2];
        if (places.size() == 1 && stage.view.scene().kind == Kind::parabola) {
            const Run& run = *fan.futures[2].run;
            QVERIFY(QLineF(places[0], stage.view.layout().at(*run.value_at("w", 9), *run.value_at("loss", 9))).length() < 1e-9);
        }
        const QPoint at = places.front().toPoint();
        move(stage.view, at);
        QVERIFY(chosen.last()[0].toInt() >= 0);
        QTest::mouseClick(&stage.view, Qt::LeftButton, {}, at);
        QCOMPARE(taken.size(), 1);
        fan.chosen = 2;
        stage.view.present(look);
        stage.view.grab();
        stage.frame(); // the fan is closed
        QVERIFY(!stage.item(stage.view.scene().kind == Kind::line ? "line" : "point").id.isEmpty());
    }
}

void TestValley::other_runs_say_so() {
    Stage stage(testing::sample_run("xor", "2,4,1", 3));
    stage.frame();
    QVERIFY(!stage.view.shows());
    QVERIFY(stage.view.items().empty());
    stage.view.grab();
}
