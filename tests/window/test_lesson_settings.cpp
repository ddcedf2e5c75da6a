// What a learner changes in a lesson: parameters, taken back and refused, and the branches that come of them.
#include "app/window/quiet_line.hpp"
#include "tests/window/small_lesson.hpp"
#include "views/runs/run_list.hpp"

#include <QSignalSpy>
#include <QWheelEvent>

using namespace gradus;
using namespace gradus::test;

class TestLessonSettings : public QObject {
    Q_OBJECT

private slots:
    // Undo says what it took back, a page or a change; a Run that begins anew says what is out of sight, and undo brings that back.
    void undo_says_what_it_undid() {
        const auto window = open("0.1", "series:loss", nullptr, 0);
        Presenter& p = window->presenter();
        QSignalSpy told(&p, &Presenter::told);
        p.setCardStep(1);
        p.undo();
        QCOMPARE(told.takeFirst().at(0).toString(), QString("Undone: next page"));
        p.redo();
        QCOMPARE(told.takeFirst().at(0).toString(), QString("Redone: next page"));
        p.submit(Edit::parse("lr = 5"));
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), p.runs().size() == 2 && p.state().run == 1), patience_ms);
        QTRY_COMPARE_WITH_TIMEOUT((window->frame(), p.run()->head()), StepIndex{15}, patience_ms); // ten steps of what it does
        QCOMPARE(p.state().cursor.iteration, StepIndex{5});
        p.undo();
        QCOMPARE(told.takeFirst().at(0).toString(), QString("Undone: η = 5"));
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), p.state().run == 0), patience_ms);
        p.redo();
        QCOMPARE(told.takeFirst().at(0).toString(), QString("Redone: η = 5"));
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), p.state().run == 1), patience_ms);

        const auto* line = window->findChild<QuietLine*>("offer");
        window->lesson().commitParameter("batch", "16");
        window->frame();
        QCOMPARE(line->accessibleName(), QString("A new run: Ctrl+Z brings the old curve and its fork back."));
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), p.runs().size() == 1 && p.session().setup().parameters.at("batch") == "16"), patience_ms);
        told.clear();
        p.undo();
        window->frame();
        QCOMPARE(told.takeFirst().at(0).toString(), QString("Undone: Batch = 16"));
        QCOMPARE(line->accessibleName(), QString("Undone: Batch = 16"));
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), p.runs().size() == 2 && !p.resuming()), patience_ms); // its fork, too
        QCOMPARE(p.run()->edits().size(), std::size_t{1});
    }

    // Each is a step of its own, also in a row.
    void undo_takes_back_one_parameter_at_a_time() {
        const auto window = open("0.1", "series:loss", nullptr, 0);
        Presenter& p = window->presenter();
        const auto batch = [&] { return p.runs().empty() ? std::string() : p.session().setup().parameters.at("batch"); };
        const std::string first = batch();
        for (const char* value : {"16", "8"}) {
            window->lesson().commitParameter("batch", value);
            QTRY_VERIFY_WITH_TIMEOUT((window->frame(), batch() == value), patience_ms);
        }
        for (const std::string& wanted : {std::string("16"), first}) {
            p.undo();
            QTRY_VERIFY_WITH_TIMEOUT((window->frame(), batch() == wanted), patience_ms);
        }
    }

    // At the level of an op as at any other: what the rate does to the loss is computed ahead.
    void a_typed_rate_is_computed_ahead_at_every_level_data() {
        QTest::addColumn<int>("deeper");
        for (const int deeper : {0, 1, 2, 3}) QTest::addRow("%d levels below the step", deeper) << deeper;
    }

    void a_typed_rate_is_computed_ahead_at_every_level() {
        QFETCH(int, deeper);
        const auto window = open("0.1", "series:loss");
        Presenter& p = window->presenter();
        p.goTo(0);
        window->frame();
        for (int i = 0; i < deeper; ++i) p.levelIn();
        const Cursor stood = p.state().cursor;
        window->lesson().commitParameter("lr", "5");
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), p.state().run == 1 && p.run()->head() == 10 && !p.status().playing), patience_ms);
        QTRY_COMPARE_WITH_TIMEOUT((window->frame(), p.state().cursor), stood, patience_ms); // one stands where one stood
        QCOMPARE(*p.run()->value_at("loss", 0), *p.runs()[0]->value_at("loss", 0)); // it acts on the update
        QVERIFY(*p.run()->value_at("loss", 9) != *p.runs()[0]->value_at("loss", 9));
    }

    // Where no view has curves F says so, in one sentence, as often as it is pressed.
    void a_fan_that_nobody_would_see_is_not_opened() {
        const auto window = open("0.1", "series:loss");
        window->chooseViews({"graph", "tensor"});
        window->frame();
        QTest::keyPress(window.get(), Qt::Key_F);
        window->frame();
        QVERIFY(!window->presenter().fan());
        QVERIFY(window->findChild<QuietLine*>("offer")->accessibleName().startsWith("The fan of futures is drawn among curves"));
        QTest::keyRelease(window.get(), Qt::Key_F);
        window->chooseViews({"graph", "series"});
        window->frame();
        QTest::keyPress(window.get(), Qt::Key_F);
        QVERIFY(window->presenter().fan());
        QTest::keyRelease(window.get(), Qt::Key_F);
    }

    // Whatever was changed meanwhile, and undo brings it back.
    void home_has_the_cards_own_parameters() {
        const auto window = open("0.1", "series:loss");
        Presenter& p = window->presenter();
        const auto layers = [&] { return p.runs().empty() ? std::string() : p.run()->manifest().parameters.at("layers"); };
        window->lesson().commitParameter("layers", "2,4,2");
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), layers() == "2,4,2"), patience_ms);
        p.goTo(2);
        QTest::keyClick(window.get(), Qt::Key_Home);
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), layers() == "2,8,2" && p.state().cursor.iteration == 5), patience_ms);
        QTRY_COMPARE_WITH_TIMEOUT((window->frame(), p.run()->head()), StepIndex{30}, patience_ms);
        p.undo();
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), layers() == "2,4,2"), patience_ms);
    }

    // Forks go with the Run they left, and come back with it.
    void undoing_a_parameter_brings_the_branches_back() {
        const auto window = open("0.1", "series:loss");
        Presenter& p = window->presenter();
        p.submit(Edit::parse("b1[0] = 2"));
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), p.state().run == 1 && !p.status().busy && p.run()->head() == 15), patience_ms);
        const double loss = *p.run()->value_at("loss", 5);
        window->lesson().commitParameter("layers", "2,4,2");
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), p.runs().size() == 1 && p.run()->manifest().parameters.at("layers") == "2,4,2"), patience_ms);
        p.undo();
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), p.runs().size() == 2 && p.state().run == 1 && !p.resuming()), patience_ms);
        QCOMPARE(p.run()->manifest().parameters.at("layers"), std::string("2,8,2"));
        QCOMPARE(*p.run()->value_at("loss", 5), loss);
        QCOMPARE(p.runs()[0]->head(), StepIndex{30});
        QCOMPARE(p.state().cursor.iteration, StepIndex{5});
        p.redo();
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), p.runs().size() == 1 && p.run()->manifest().parameters.at("layers") == "2,4,2"), patience_ms);
    }

    // A refusal is in the language of now, and what was typed gives way when it is taken back.
    void a_refused_value_is_said_in_both_languages() {
        const auto window = open("0.1", "series:loss", nullptr, 0);
        LessonDriver& lesson = window->lesson();
        lesson.commitParameter("layers", QString(3000, 'x'));
        QVERIFY(lesson.parameter("layers")->refusal.contains("must be 2 to 64 widths"));
        QVERIFY(lesson.parameter("layers")->refusal.size() < 300); // of what was typed, the beginning
        const QString english = lesson.parameter("layers")->refusal;
        QTest::keyClick(window.get(), Qt::Key_L, Qt::ControlModifier);
        QVERIFY(lesson.parameter("layers")->refusal != english);
        QVERIFY(!lesson.parameter("layers")->refusal.contains("must be"));
        lesson.answer("start", "neither");
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), !lesson.look().check || lesson.look().check->state == StoryCheck::State::asking), patience_ms);
    }

    // More branches than there is room for are counted, and the wheel brings the others.
    void branches_out_of_sight_are_counted() {
        const auto window = open("0.1", "series:loss", nullptr, 0);
        Presenter& p = window->presenter();
        for (int branch = 1; branch <= 9; ++branch) {
            p.selectRun(0);
            QTRY_VERIFY_WITH_TIMEOUT((window->frame(), p.state().run == 0), patience_ms);
            p.goTo(5);
            p.submit(Edit::parse("b1[0] = " + std::to_string(branch)));
            QTRY_VERIFY_WITH_TIMEOUT((window->frame(), p.state().run == static_cast<std::size_t>(branch) && !p.status().busy && p.run()->head() == 15), patience_ms);
        }
        auto* list = window->findChild<RunList*>();
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), list->rows().size() > 1 && list->rows().back().id == "fork 9"), patience_ms);
        QVERIFY(list->rows().size() < 10);
        QCOMPARE(list->title(), QString("Runs, %1 of 10").arg(list->rows().size()));
        const auto wheel = [&](int by) {
            QWheelEvent event(QPointF(40, 60), list->mapToGlobal(QPointF(40, 60)), {}, QPoint(0, by), Qt::NoButton, {}, Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(list, &event);
            window->frame();
        };
        for (int i = 0; i < 20; ++i) wheel(120);
        QCOMPARE(QString::fromStdString(list->rows().front().id), QString("run"));
        for (int i = 0; i < 20; ++i) wheel(-120);
        QCOMPARE(QString::fromStdString(list->rows().back().id), QString("fork 9"));
    }

    // While it is dragged every view shows the same step of a Run that begins so; let go, one stands there still.
    void another_parameter_is_seen_where_one_stands() {
        const auto window = open("0.05", "series:loss");
        Presenter& p = window->presenter();
        LessonDriver& lesson = window->lesson();
        p.levelIn();
        window->frame();
        const AppState stood = p.state();
        QCOMPARE(stood.cursor.iteration, StepIndex{5});
        const auto before = p.run();
        lesson.dragParameter("batch", "16");
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), p.frame().scratch == 1), patience_ms);
        const auto shown = p.frame().run();
        QVERIFY(!shown->parent() && shown->manifest().parameters.at("batch") == "16");
        QCOMPARE(p.frame().state.cursor.iteration, StepIndex{5});
        QVERIFY(p.frame().full && p.frame().full->tensors_of(5)->find("x")->tensor.shape()[0] == 16);
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), window->findChild<GraphWidget*>()->geometryOfItems().find("x")->shape.startsWith("16")), patience_ms);
        const auto batch = *lesson.parameter("batch");
        QVERIFY(batch.most <= 1024);
        lesson.commitParameter("batch", "1000000"); // more than there are: not made fewer in silence
        QVERIFY(lesson.parameter("batch")->refusal.startsWith(batch.label + " must be at most"));
        lesson.dragParameter("batch", "0.5"); // what cannot be changes nothing
        lesson.dragParameter("batch", "8");
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), p.frame().run()->manifest().parameters.at("batch") == "8"), patience_ms);
        const double loss = *p.frame().run()->value_at("loss", 5);
        p.endPreview();
        window->frame();
        QVERIFY(p.frame().run() == before && p.state() == stood);
        lesson.dragParameter("batch", "8");
        lesson.commitParameter("batch", "8");
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), !p.runs().empty() && p.run() != before && p.run()->head() == before->head() && p.state().cursor.level == stood.cursor.level), patience_ms);
        QCOMPARE(p.state().cursor.iteration, StepIndex{5});
        QCOMPARE(p.state().selection.tensor, stood.selection.tensor);
        QCOMPARE(*p.run()->value_at("loss", 5), loss); // what was shown is what came
        QVERIFY(!p.playing());
    }
};

QTEST_MAIN(TestLessonSettings)
#include "test_lesson_settings.moc"
