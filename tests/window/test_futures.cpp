// What nobody has decided on: previews while something is dragged, the fan of futures; and the walk back from a number.
#include "app/window/main_window.hpp"
#include "app/window/setting_popup.hpp"
#include "app/window/stage.hpp"
#include "app/window/why_driver.hpp"
#include "tests/support/show_active.hpp"
#include "views/derive/settings.hpp"
#include "views/graph/graph_widget.hpp"
#include "views/plots/plot_view.hpp"
#include "views/story/parameter_control.hpp"
#include "views/tensor/tensor_view.hpp"
#include "views/theme/numbers.hpp"
#include "views/why/why_panel.hpp"

#include <QLineEdit>
#include <QMenu>
#include <QTest>
#include <cmath>

using namespace gradus;
using gradus::test::show_active;

namespace {

constexpr int patience_ms = 30'000;

RunRequest request(StepIndex steps) {
    RunRequest r;
    r.parameters = {{"data", "spirals"}, {"layers", "2,16,8,2"}, {"batch", "32"}, {"lr", "0.1"}};
    r.steps = steps;
    r.device.threads = 1;
    return r;
}

std::vector<double> losses(const Run& run) {
    std::vector<double> out;
    for (StepIndex i = 0; i < run.head(); ++i) out.push_back(run.value_at("loss", i).value_or(-1));
    return out;
}

} // namespace

class TestFutures : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<MainWindow> finished(StepIndex steps) {
        auto window = std::make_unique<MainWindow>(request(steps));
        show_active(*window);
        window->presenter().setSpeed(0);
        const auto done = [&] {
            const auto run = window->session().run(0);
            return run && run->state() == RunState::finished && !window->session().status().playing;
        };
        [&] {
            QTRY_VERIFY_WITH_TIMEOUT(done(), patience_ms);
        }();
        window->frame();
        return window;
    }

private slots:
    void a_dragged_rate_is_followed_and_letting_go_forks() {
        const auto window = finished(100);
        Presenter& p = window->presenter();
        const std::vector<double> before = losses(*p.run());
        p.goTo(20);
        window->frame();
        const AppState stood = p.state();
        for (const char* edit : {"lr = 0.2", "lr = 0.3", "lr = 0.5"}) p.preview(Edit::parse(edit));
        QTRY_VERIFY_WITH_TIMEOUT(p.frame().scratch == 1, patience_ms);
        const auto shown = p.frame().run();
        QCOMPARE(QString::fromStdString(shown->edits()[0].edit.text()), QString("lr = 0.5")); // the newest
        QCOMPARE(shown->parent(), p.run());
        QCOMPARE(shown->first_iteration(), StepIndex{20});
        QCOMPARE(shown->head(), StepIndex{30});
        QCOMPARE(p.frame().state.cursor.iteration, StepIndex{29}); // a rate is seen where updates have added up
        QVERIFY(p.frame().full == shown);
        QVERIFY(p.state() == stood);
        QCOMPARE(window->session().runs().size(), std::size_t{1});
        QTRY_COMPARE(window->findChild<GraphWidget*>()->values()->iteration, StepIndex{29}); // views follow
        p.submit(Edit::parse("lr = 0.5"));
        QVERIFY(p.frame().scratch == 1); // until the fork itself is there
        QTRY_VERIFY_WITH_TIMEOUT(p.state().run == 1 && !p.undecided(), patience_ms);
        QCOMPARE(p.frame().scratch, std::size_t{0});
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), p.run()->head() == 30 && !p.status().playing), patience_ms); // as far as was seen
        QCOMPARE(losses(*p.run()), losses(*shown)); // what was shown is what came
        QVERIFY(p.state().cursor.iteration == 20 && !p.state().cursor.at_head); // one stands in its first step
        QVERIFY(!p.playing());
        p.stepForward();
        window->frame();
        QVERIFY(p.state().cursor.iteration == 21 && p.run()->head() == 30);
        p.goLast();
        p.playOrPause(); // and on from there
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), p.run()->head() > 30), patience_ms);
        p.playOrPause();
        p.undo(); // of going there
        p.undo(); // of the step
        p.undo();
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), p.state().run == 0 && !p.status().busy), patience_ms);
        QCOMPARE(p.state().cursor.iteration, StepIndex{20}); // where the edit was made, whatever was still to come on the branch
        QCOMPARE(losses(*window->session().run(0)), before);
    }

    void giving_up_a_drag_changes_nothing() {
        const auto window = finished(60);
        Presenter& p = window->presenter();
        p.goTo(20);
        window->frame();
        const AppState stood = p.state();
        const bool undoable = p.history().can_undo();
        p.preview(Edit::parse("b3[0] = 2"));
        QTRY_VERIFY_WITH_TIMEOUT(p.frame().scratch == 1, patience_ms);
        QCOMPARE(p.frame().state.cursor.iteration, StepIndex{20}); // a weight acts at once
        QVERIFY(*p.frame().run()->value_at("loss", 20) != *p.run()->value_at("loss", 20));
        const auto* graph = window->findChild<GraphWidget*>();
        const auto item = [graph](std::string_view id) { return *graph->geometryOfItems().find(id); };
        QTRY_VERIFY_WITH_TIMEOUT(graph->geometryOfItems().compares(), patience_ms); // what it reaches is said
        QVERIFY(item("b3").touched() && item("W1").kept_its_bits() && item("W3").kept_its_bits());
        QTest::keyClick(window.get(), Qt::Key_Escape);
        QVERIFY(!p.undecided());
        QCOMPARE(p.frame().scratch, std::size_t{0});
        QVERIFY(p.state() == stood);
        QCOMPARE(p.history().can_undo(), undoable);
        QCOMPARE(window->session().runs().size(), std::size_t{1});
        QTRY_VERIFY_WITH_TIMEOUT(!graph->geometryOfItems().compares(), patience_ms);
    }

    void a_weight_is_typed() {
        const auto window = finished(60);
        Presenter& p = window->presenter();
        window->chooseViews({"tensor", "graph"});
        p.goTo(20);
        p.select({"W3", {0, 1}});
        auto* tensor = window->findChild<TensorView*>();
        const auto laid_out = [&] { return tensor->shown() && tensor->shown()->model.recorded.name == "W3" && !tensor->layoutOfItems().cell(0, 1).isEmpty(); };
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), laid_out()), patience_ms);
        const auto double_click = [&] {
            const QPoint at = tensor->layoutOfItems().cell(0, 1).center().toPoint();
            QTest::mouseClick(tensor, Qt::LeftButton, {}, at);
            QTest::mouseDClick(tensor, Qt::LeftButton, {}, at);
            return window->findChild<SettingPopup*>();
        };
        SettingPopup* popup = double_click();
        QVERIFY(popup && popup->isVisible());
        auto* field = popup->findChild<QLineEdit*>();
        QVERIFY(field->hasFocus() || field->hasSelectedText()); // what is typed takes its place
        QCOMPARE(field->text(), three_digits(tensor->shown()->model.value(std::vector<Dim>{0, 1})));
        QTest::keyClicks(field, "much");
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(popup->isVisible()); // and it says why
        QCOMPARE(popup->findChild<ParameterControl*>()->parameter().refusal, QString("A number is wanted, such as 0.25."));
        field->selectAll();
        QTest::keyClicks(field, "-2.5");
        QTest::keyClick(field, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(p.state().run == 1 && !p.undecided(), patience_ms);
        QCOMPARE(QString::fromStdString(p.run()->edits()[0].edit.text()), QString("W3[0, 1] = -2.5"));
        QCOMPARE(p.run()->first_iteration(), StepIndex{20});
        QTRY_VERIFY_WITH_TIMEOUT(!window->findChild<SettingPopup*>(), patience_ms);
        // Closed without an answer, nothing is changed; nor where the number is the same.
        popup = double_click();
        QVERIFY(popup);
        QTest::keyClick(popup->findChild<QLineEdit*>(), Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(!window->findChild<SettingPopup*>(), patience_ms);
        popup = double_click();
        QVERIFY(popup);
        popup->close();
        QTRY_VERIFY_WITH_TIMEOUT(!window->findChild<SettingPopup*>() && !p.undecided(), patience_ms);
        QCOMPARE(window->session().runs().size(), std::size_t{2});
        p.select({"x", {}}); // what is not a parameter cannot be changed
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), tensor->shown() && tensor->shown()->model.recorded.name == "x"), patience_ms);
        QVERIFY(!double_click());
    }

    // With what left from it; nothing is lost, and what is left is what the views show.
    void a_dropped_branch_is_out_of_sight_until_undo() {
        const auto window = finished(60);
        Presenter& p = window->presenter();
        const auto branch = [&](std::size_t run, StepIndex step, const char* edit) {
            const std::size_t before = window->session().runs().size();
            p.selectRun(run);
            QTRY_VERIFY_WITH_TIMEOUT((window->frame(), p.state().run == run), patience_ms);
            p.goTo(step);
            p.submit(Edit::parse(edit));
            // as far as it is looked at: before, it has no step to go to
            QTRY_VERIFY_WITH_TIMEOUT((window->frame(), p.state().run == before && !p.undecided() && !p.status().busy && !p.status().playing), patience_ms);
        };
        branch(0, 20, "b3[0] = 2");
        branch(1, 20, "b3[1] = 2"); // leaves from the first branch
        branch(0, 30, "lr = 0.2");
        const auto runs = window->session().runs();
        QCOMPARE(runs.size(), std::size_t{4});
        p.selectRun(1);
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), p.state().run == 1 && !p.status().busy), patience_ms);
        const AppState stood = p.state();
        QTest::keyClick(window.get(), Qt::Key_Delete);
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), p.state().run == 0 && !p.status().busy), patience_ms);
        QCOMPARE(p.state().dropped, (std::vector<std::size_t>{1, 2}));
        using Runs = std::vector<std::shared_ptr<const Run>>;
        QVERIFY(p.frame().runs == (Runs{runs[0], runs[3]}) && p.frame().run() == runs[0]);
        QVERIFY(window->session().runs() == runs);
        p.nextRun(1); // those between are passed over
        QTRY_COMPARE_WITH_TIMEOUT((window->frame(), p.state().run), std::size_t{3}, patience_ms);
        QVERIFY(p.frame().run() == runs[3] && p.frame().state.run == 1);
        p.preview(Edit::parse("b3[0] = 1")); // what is dragged joins what is in sight
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), p.frame().scratch == 1), patience_ms);
        QCOMPARE(p.frame().runs.size(), std::size_t{3});
        QCOMPARE(p.frame().run()->parent(), runs[3]);
        p.endPreview();
        p.undo(); // the change of branch
        p.undo();
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), p.state().run == 1 && !p.status().busy), patience_ms);
        QVERIFY(p.state() == stood && p.frame().runs == runs);
        p.redo();
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), p.state().run == 0 && p.frame().runs.size() == 2), patience_ms);
        p.selectRun(2); // as a state that was saved may: it comes back, and what it left with it
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), p.state().run == 2), patience_ms);
        QVERIFY(p.state().dropped.empty());
        p.selectRun(0);
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), p.state().run == 0 && !p.status().busy), patience_ms);
        QTest::keyClick(window.get(), Qt::Key_Delete); // not the first one
        window->frame();
        QVERIFY(p.frame().runs == runs && !p.said().isEmpty());
    }

    void a_run_stops_where_it_is_told_to_and_says_why() {
        MainWindow window(request(400));
        show_active(window);
        Presenter& p = window.presenter();
        QTRY_VERIFY_WITH_TIMEOUT(window.session().run(0), patience_ms);
        window.session().pause();
        QTRY_VERIFY_WITH_TIMEOUT((window.frame(), !p.runs().empty() && !p.status().playing && !p.status().busy), patience_ms);
        const StepIndex wanted = p.run()->head() + 40;
        p.setBreakpoint(Edit::parse("break iteration " + std::to_string(wanted)));
        QTRY_COMPARE_WITH_TIMEOUT((window.frame(), p.status().breakpoints.size()), std::size_t{1}, patience_ms);
        p.playOrPause();
        QTRY_COMPARE_WITH_TIMEOUT((window.frame(), p.run()->head()), wanted, patience_ms);
        QTRY_COMPARE_WITH_TIMEOUT((window.frame(), p.said()), QString("Stopped before step %1, as you asked.").arg(wanted), patience_ms);
        // From the menu it is taken away again.
        QTest::keyClick(&window, Qt::Key_B, Qt::ShiftModifier);
        auto* menu = window.findChild<QMenu*>();
        QVERIFY(menu);
        QAction* set = nullptr;
        for (QAction* action : menu->actions())
            if (action->isChecked()) set = action;
        QVERIFY(set);
        QCOMPARE(set->text(), QString("before step %1").arg(wanted));
        set->trigger();
        menu->close();
        QTRY_VERIFY_WITH_TIMEOUT((window.frame(), p.status().breakpoints.empty()), patience_ms);
        p.playOrPause();
        QTRY_VERIFY_WITH_TIMEOUT((window.frame(), p.run()->head() > wanted + 5), patience_ms);
        QVERIFY(p.said().isEmpty());
    }

    // The step that the branch begins with is one that its parent did not keep: it is computed again to be compared.
    void a_branch_is_compared_with_the_run_it_left() {
        const auto window = finished(60);
        Presenter& p = window->presenter();
        p.goTo(23);
        window->frame();
        p.submit(Edit::parse("b3[0] = 2"));
        QTRY_VERIFY_WITH_TIMEOUT(p.state().run == 1 && !p.undecided(), patience_ms);
        QTRY_COMPARE_WITH_TIMEOUT(p.state().cursor.iteration, StepIndex{23}, patience_ms);
        QTRY_VERIFY_WITH_TIMEOUT(p.isComplete() && p.frame().left, patience_ms);
        QVERIFY(p.frame().left->tensors_of(23) && p.frame().left->value_at("loss", 23) == window->session().run(0)->value_at("loss", 23));
        const auto* graph = window->findChild<GraphWidget*>();
        QTRY_VERIFY_WITH_TIMEOUT(graph->geometryOfItems().compares(), patience_ms);
        for (const GraphItem& item : graph->geometryOfItems().items) {
            if (item.id == "b3" || item.loss) QVERIFY2(item.touched(), item.id.c_str());
            if (item.id == "b3") QCOMPARE(item.compared->differing, Dim{1});
            if (item.id == "W3" || item.id == "x") QVERIFY2(item.kept_its_bits(), item.id.c_str());
        }
        p.goTo(22); // before they parted
        window->frame();
        QVERIFY(!p.frame().left);
    }

    void a_run_that_plays_stands_still_while_something_is_held() {
        MainWindow window(request(1'000'000));
        show_active(window);
        Presenter& p = window.presenter();
        QTRY_VERIFY_WITH_TIMEOUT(window.session().run(0) && window.session().run(0)->head() > 5, patience_ms);
        window.frame();
        p.preview(Edit::parse("lr = 0.01"));
        QTRY_VERIFY_WITH_TIMEOUT(p.frame().scratch == 1, patience_ms);
        QVERIFY(!window.session().status().playing);
        p.endPreview();
        QTRY_VERIFY_WITH_TIMEOUT(window.session().status().playing, patience_ms);
        p.preview(Edit::parse("lr = 0.01"));
        QTRY_VERIFY_WITH_TIMEOUT(p.frame().scratch == 1, patience_ms);
        p.submit(Edit::parse("lr = 0.01"));
        QTRY_VERIFY_WITH_TIMEOUT(p.state().run == 1 && window.session().status().playing, patience_ms);
        const StepIndex head = p.run()->head();
        QTRY_VERIFY_WITH_TIMEOUT(p.run()->head() > head + 5, patience_ms); // the branch plays on
    }

    void a_refused_edit_ends_its_preview() {
        const auto window = finished(60);
        Presenter& p = window->presenter();
        p.goTo(20);
        window->frame();
        p.preview(Edit::parse("lr = -1"));
        for (int i = 0; i < 20; ++i) window->frame();
        QCOMPARE(p.frame().scratch, std::size_t{0});
        p.submit(Edit::parse("lr = -1"));
        QTRY_VERIFY_WITH_TIMEOUT(p.said().contains("lr must be a number"), patience_ms);
        QVERIFY(!p.undecided());
    }

    void rates_of_a_fan_data() {
        QTest::addColumn<double>("rate");
        for (const double rate : {0.1, 0.003, 7.0}) QTest::addRow("%g", rate) << rate;
    }
    void rates_of_a_fan() {
        QFETCH(double, rate);
        const auto rates = fan_rates(rate, 17, 4);
        QCOMPARE(rates.size(), std::size_t{17});
        QCOMPARE(rates[8], rate); // what is so now, to compare the sixteen with
        QVERIFY(std::abs(rates.front() / rate - 0.25) < 2e-3 && std::abs(rates.back() / rate - 4) < 2e-2);
        for (std::size_t i = 1; i < rates.size(); ++i) // evenly spaced on a log scale, as far as three digits go
            QVERIFY(std::abs(rates[i] / rates[i - 1] / std::pow(16.0, 1.0 / 16) - 1) < 0.01);
    }

    void the_fan_opens_while_its_key_is_held() {
        const auto window = finished(200);
        Presenter& p = window->presenter();
        const std::vector<double> before = losses(*p.run());
        p.goTo(50);
        window->frame();
        const AppState stood = p.state();
        QTest::keyPress(window.get(), Qt::Key_F);
        QVERIFY(p.fan() != nullptr);
        QCOMPARE(p.fan()->futures.size(), std::size_t{17});
        const auto all_done = [&] {
            return std::all_of(p.fan()->futures.begin(), p.fan()->futures.end(), [](const Future& f) { return f.done; });
        };
        QTRY_VERIFY_WITH_TIMEOUT(all_done(), patience_ms);
        auto* plot = window->findChild<PlotView*>("loss");
        QTRY_COMPARE(plot->fan().lines.size(), std::size_t{17});
        QCOMPARE(p.frame().scratch, std::size_t{0}); // none is chosen
        QTest::keyClick(window.get(), Qt::Key_Left); // not a step back
        QCOMPARE(p.state().cursor.iteration, StepIndex{50});
        QVERIFY(p.fan()->chosen >= 0);
        QTest::keyClick(window.get(), Qt::Key_Right);
        QVERIFY(p.fan()->is_now(static_cast<std::size_t>(p.fan()->chosen)));
        QTest::keyClick(window.get(), Qt::Key_Right);
        const int chosen = p.fan()->chosen;
        const double rate = p.fan()->futures[static_cast<std::size_t>(chosen)].value;
        const auto future = p.fan()->futures[static_cast<std::size_t>(chosen)].run;
        window->frame();
        QVERIFY(p.frame().scratch == 1 && p.frame().run() == future); // every view shows it
        QVERIFY(p.state() == stood);
        QTest::keyRelease(window.get(), Qt::Key_F); // as a busy display tells of a key that repeats
        QTest::keyPress(window.get(), Qt::Key_F);
        QTest::qWait(150);
        QVERIFY(p.fan() && p.fan()->chosen == chosen);
        QTest::keyRelease(window.get(), Qt::Key_F);
        QTRY_VERIFY(!p.fan());
        QTRY_VERIFY_WITH_TIMEOUT(p.state().run == 1, patience_ms);
        QCOMPARE(p.run()->first_iteration(), StepIndex{50});
        QCOMPARE(p.run()->edits()[0].edit.values.at(0), rate);
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), p.run()->head() == 75), patience_ms);
        QCOMPARE(losses(*p.run()), losses(*future));
        QCOMPARE(losses(*window->session().run(0)), before);
        p.undo();
        QTRY_COMPARE_WITH_TIMEOUT(p.state().run, std::size_t{0}, patience_ms);
    }

    void letting_go_of_none_or_escape_changes_nothing() {
        const auto window = finished(60);
        Presenter& p = window->presenter();
        p.goTo(20);
        window->frame();
        const AppState stood = p.state();
        QTest::keyClick(window.get(), Qt::Key_F);
        QTRY_VERIFY(!p.fan());
        QTest::keyPress(window.get(), Qt::Key_F);
        QTest::keyClick(window.get(), Qt::Key_Right);
        QTest::keyClick(window.get(), Qt::Key_Escape);
        QVERIFY(!p.fan() && !p.undecided());
        QTest::keyRelease(window.get(), Qt::Key_F);
        for (int i = 0; i < 5; ++i) window->frame();
        QVERIFY(p.state() == stood);
        QTest::keyPress(window.get(), Qt::Key_F);
        p.chooseFuture(8); // the rate there is: nothing to branch for
        QTest::keyClick(window.get(), Qt::Key_Return);
        QVERIFY(!p.fan() && !p.undecided());
        for (int i = 0; i < 5; ++i) window->frame();
        QCOMPARE(window->session().runs().size(), std::size_t{1});
    }

    void a_window_may_close_while_the_fan_is_open() {
        const auto window = finished(60);
        window->presenter().goTo(20);
        window->frame();
        QTest::keyPress(window.get(), Qt::Key_F);
        QVERIFY(window->presenter().fan());
    }

    void the_ruler_goes_round() {
        const auto window = finished(20);
        auto* graph = window->findChild<GraphWidget*>();
        QTRY_VERIFY(graph->values() != nullptr);
        const QRectF box = graph->geometryOfItems().items.front().rect;
        for (const Ruler wanted : {Ruler::flops, Ruler::bytes, Ruler::time, Ruler::none}) {
            QTest::keyClick(window.get(), Qt::Key_U);
            window->frame();
            QCOMPARE(window->state().ruler, wanted);
            const GraphGeometry& geometry = graph->geometryOfItems();
            QCOMPARE(geometry.ruler, wanted);
            QCOMPARE(geometry.items.front().rect, box); // nothing jumps
            double longest = -1;
            for (const GraphItem& item : geometry.items) longest = std::max(longest, item.bar);
            QCOMPARE(longest, wanted == Ruler::none ? -1.0 : 1.0);
        }
    }

    void why_walks_back_and_its_lines_lead_there() {
        const auto window = finished(60);
        Presenter& p = window->presenter();
        p.goTo(33); // not kept: it is computed again
        window->frame();
        QTest::keyClick(window.get(), Qt::Key_W);
        QVERIFY(window->why().open());
        const auto& story = window->why().story();
        QTRY_VERIFY_WITH_TIMEOUT(story.chain.size() > 3, patience_ms);
        QCOMPARE(story.chain[0].tensor, std::string("loss"));
        QCOMPARE(story.chain[0].value, *p.run()->value_at("loss", 33));
        QTRY_VERIFY(window->findChild<WhyPanel*>()->isVisible());
        auto* panel = window->findChild<WhyPanel*>();
        QTest::mouseClick(panel, Qt::LeftButton, {}, panel->lineRect(2).center().toPoint());
        QCOMPARE(p.state().selection.tensor, story.chain[2].tensor);
        QCOMPARE(p.state().selection.element, story.chain[2].element);
        QCOMPARE(p.state().cursor.ordinal, story.chain[2].ordinal);
        QTest::keyClick(panel, Qt::Key_Escape);
        QVERIFY(!window->why().open() && !panel->isVisible());
    }

    void who_goes_elsewhere_while_a_branch_is_computed_stays_there() {
        const auto window = finished(60);
        Presenter& p = window->presenter();
        p.goTo(20);
        window->frame();
        p.submit(Edit::parse("lr = 0.5"));
        QTRY_VERIFY_WITH_TIMEOUT(p.session().status().runs == 2, patience_ms);
        window->frame(); // it is seen, and more of it is wanted
        p.goTo(7);
        QTRY_VERIFY_WITH_TIMEOUT(p.run()->head() > 21 && !window->session().status().playing, patience_ms);
        for (int i = 0; i < 3; ++i) window->frame();
        QCOMPARE(p.state().cursor.iteration, StepIndex{7});
    }

    void why_finds_the_step_in_which_it_broke() {
        const auto window = finished(60);
        Presenter& p = window->presenter();
        p.goTo(20);
        window->frame();
        p.submit(Edit::parse("lr = 1e30"));
        QTRY_VERIFY_WITH_TIMEOUT(p.state().run == 1, patience_ms);
        p.session().run_to(40);
        QTRY_VERIFY_WITH_TIMEOUT(p.run()->head() == 40 && !window->session().status().playing, patience_ms);
        p.goTo(39);
        window->frame();
        QVERIFY(!std::isfinite(*p.run()->value_at("loss", 39)));
        p.select({"loss", {}});
        window->why().ask();
        const auto& story = window->why().story();
        QTRY_VERIFY_WITH_TIMEOUT(story.origin.has_value(), patience_ms);
        const WhyLink& origin = story.chain[*story.origin];
        QVERIFY(!std::isfinite(origin.value) && origin.iteration < 39 && origin.iteration >= 20);
        QVERIFY(story.chain.size() > *story.origin + 1 && std::isfinite(story.chain[*story.origin + 1].value));
    }
};

QTEST_MAIN(TestFutures)
#include "test_futures.moc"
