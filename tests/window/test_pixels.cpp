#include "tests/window/test_pixels.hpp"

#include "app/window/lesson_driver.hpp"
#include "app/window/state_file.hpp"
#include "tests/window/lab.hpp"
#include "views/graph/graph_widget.hpp"

#include <QApplication>
#include <QDir>
#include <QTest>

using namespace gradus;

namespace {

/// The window once nothing moves any more: what was asked is computed and two pictures in a row are the same.
QImage picture_of(LabInUse& lab) {
    Presenter& presenter = lab.presenter();
    emit presenter.told({}); // that something was undone or redone is said for some seconds, and is no part of a state
    lab.settle([&] {
        if (presenter.runs().empty() || presenter.session().status().busy || presenter.session().status().playing) return false;
        if (!presenter.isComplete()) return false;
        for (auto* graph : lab.window().findChildren<GraphWidget*>())
            if (graph->isVisible() && (!graph->values() || graph->values()->iteration != presenter.state().cursor.iteration || graph->values()->left != presenter.frame().left)) return false;
        return true;
    });
    QImage last, now = lab.window().grab().toImage();
    for (int i = 0; i < 50 && now != last; ++i) {
        last = now;
        lab.settle();
        now = lab.window().grab().toImage();
    }
    return now;
}

/// Where two pictures part, and both of them in a folder to be looked at.
QString difference(const QImage& a, const QImage& b, const QString& name) {
    if (a == b) return {};
    if (a.size() != b.size()) return name + ": other sizes";
    QRect box;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x)
            if (a.pixel(x, y) != b.pixel(x, y)) box |= QRect(x, y, 1, 1);
    const QString folder = QDir::temp().filePath("gradus-pixels");
    QDir().mkpath(folder);
    a.save(folder + "/" + name + "-a.png");
    b.save(folder + "/" + name + "-b.png");
    return QStringLiteral("%1: they part in %2,%3 %4x%5; see %6").arg(name).arg(box.x()).arg(box.y()).arg(box.width()).arg(box.height()).arg(folder);
}

AppState counted(const char* card) {
    AppState state;
    state.card = card;
    state.ruler = Ruler::flops; // times differ from one computation to the next; counts do not
    return state;
}

} // namespace

void TestPixels::undo_everything_and_redo_everything_gives_the_same_pictures() {
    LabInUse lab(counted(first_card()));
    Presenter& p = lab.presenter();
    QVERIFY(lab.goTo(9));
    const std::vector<std::function<void()>> intents{
        [&] { p.goTo(4); },
        [&] { p.select({"W1", {}}); },
        [&] { p.change("theme", [](AppState& s) { s.theme = ThemeMode::dark; }); },
        [&] { p.levelIn(); },
        [&] { p.stepForward(); },
        [&] { p.setCardStep(3); },
        [&] { p.change("language", [](AppState& s) { s.language = Language::ko; }); },
        [&] { p.toggleBookmark(); },
        [&] { p.goTo(7); },
        [&] { p.change("story", [](AppState& s) { s.story_open = false; }); },
        [&] { lab.window().chooseViews({"graph", "tensor", "gradient-flow"}); },
        [&] { p.change("stage", [](AppState& s) { s.front = "tensor", s.alone = true; }); },
        [&] { p.select({"dW2", {3, 5}}); },
        [&] { p.submit(Edit::parse("W2[3, 5] = 1")); },
        [&] { p.stepForward(); },
        [&] { p.change("paths", [](AppState& s) { s.paths_open = false; }); },
        [&] { p.selectRun(0); },
        [&] { p.change("module", [](AppState& s) { s.open_modules = {"layer1"}; }); },
        [&] { p.goPrepared(); },
        [&] { p.change("contrast", [](AppState& s) { s.high_contrast = true; }); }};
    std::vector<QImage> first;
    std::vector<AppState> states;
    std::size_t before_fork = 0;
    for (const auto& intent : intents) {
        first.push_back(picture_of(lab));
        states.push_back(p.state());
        if (p.runs().size() == 1) before_fork = first.size();
        intent();
        lab.settle();
    }
    const QImage end = picture_of(lab);
    QStringList wrong;
    std::vector<QImage> undone;
    while (p.history().can_undo() && undone.size() < 100) {
        p.undo();
        undone.push_back(picture_of(lab));
    }
    QVERIFY(undone.size() >= intents.size());
    QCOMPARE(p.runs().size(), std::size_t{2});
    QCOMPARE(p.frame().runs.size(), std::size_t{1}); // the branch is out of sight, as it was
    const QImage start = undone.back();
    std::vector<QImage> redone{start};
    while (p.history().can_redo() && redone.size() < 100) {
        p.redo();
        redone.push_back(picture_of(lab));
    }
    QCOMPARE(redone.size(), undone.size() + 1);
    QCOMPARE(p.frame().runs.size(), std::size_t{2});
    wrong << difference(end, redone.back(), "end");
    for (std::size_t i = 0; i < undone.size(); ++i) // going back and going forward meet the same pictures
        wrong << difference(undone[undone.size() - 1 - i], redone[i], QString("step-%1").arg(i));
    // The state one began with looks the same again, but for the steps computed since.
    QVERIFY(before_fork > 5);
    wrong.removeAll(QString());
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join("\n")));
    // What nothing has grown in looks as it did at first, too.
    LabInUse fresh(counted(first_card()));
    QVERIFY(fresh.goTo(9));
    const QImage untouched = picture_of(fresh);
    fresh.presenter().change("theme", [](AppState& s) { s.theme = ThemeMode::dark; });
    picture_of(fresh);
    fresh.presenter().change("language", [](AppState& s) { s.language = Language::ko; });
    picture_of(fresh);
    fresh.presenter().undo();
    fresh.presenter().undo();
    const QString part = difference(untouched, picture_of(fresh), "untouched");
    QVERIFY2(part.isEmpty(), qPrintable(part));
}

void TestPixels::undoing_a_step_goes_back_although_the_run_has_grown() {
    LabInUse lab;
    QVERIFY(lab.goTo(6));
    Presenter& p = lab.presenter();
    p.goLast();
    QVERIFY(lab.settle());
    p.stepForward();
    QVERIFY(lab.settle([&] { return p.state().cursor.iteration == 7; }));
    p.undo();
    QVERIFY(lab.settle());
    QCOMPARE(p.state().cursor.iteration, StepIndex{6});
    p.redo();
    QVERIFY(lab.settle());
    QCOMPARE(p.state().cursor.iteration, StepIndex{7});
    // Another value of a parameter, another lesson: undone, one stands where one stood.
    lab.window().lesson().commitParameter("batch", "16");
    const auto stands_with = [&](const char* batch) {
        return lab.settle([&] {
            return !p.runs().empty() && p.session().setup().parameters.at("batch") == batch && p.run()->head() == 8 && p.state().cursor.iteration == 7 &&
                   !p.session().status().playing;
        });
    };
    QVERIFY(stands_with("16"));
    p.undo();
    QVERIFY(stands_with("32"));
    lab.window().openCard("xor-network");
    QVERIFY(lab.settle([&] { return !p.runs().empty() && p.run()->head() > 5; }));
    p.undo();
    QVERIFY(lab.settle([&] { return !p.runs().empty() && p.state().cursor.iteration == 7 && !p.session().status().playing; }));
    QCOMPARE(p.state().card, std::string(first_card()));
    QCOMPARE(lab.window().lesson().card()->id, std::string(first_card()));
    QCOMPARE(p.run()->head(), StepIndex{8});
}

void TestPixels::a_saved_state_opened_anew_gives_the_same_pixels_data() {
    QTest::addColumn<QString>("card");
    QTest::addColumn<int>("step");
    QTest::addColumn<bool>("dark");
    QTest::addColumn<bool>("korean");
    QTest::newRow("first") << QString(first_card()) << 12 << false << false;
    QTest::newRow("xor, dark") << QString("xor-network") << 30 << true << false;
    QTest::newRow("backprop, korean") << QString("chain-rule-backprop") << 3 << false << true;
    QTest::newRow("descent") << QString("gradient-descent-step") << 5 << true << true;
}

void TestPixels::a_saved_state_opened_anew_gives_the_same_pixels() {
    QFETCH(QString, card);
    QFETCH(int, step);
    QFETCH(bool, dark);
    QFETCH(bool, korean);
    AppState state = counted(qPrintable(card));
    state.theme = dark ? ThemeMode::dark : ThemeMode::light;
    state.language = korean ? Language::ko : Language::en;
    QImage before;
    QByteArray saved;
    {
        LabInUse lab(state);
        QVERIFY(lab.openAt(card.toStdString(), 0));
        lab.window().openCard(card);
        state = lab.window().state();
        // Computed as far as the cursor stands: a state says where one is, not what lies beyond.
        state.cursor = {static_cast<StepIndex>(step), false, Level::iteration, -1};
        lab.reopen(state);
        QVERIFY(lab.settle([&] { return !lab.presenter().runs().empty() && lab.presenter().state().cursor.iteration == step; }));
        lab.presenter().setCardStep(1);
        lab.presenter().change("ruler", [](AppState& s) { s.ruler = Ruler::flops; }); // the part may have brought another
        lab.presenter().goTo(step);
        lab.presenter().levelIn();
        lab.presenter().levelIn();
        lab.presenter().levelIn();
        lab.presenter().stepForward();
        lab.presenter().toggleBookmark();
        if (korean) lab.window().chooseViews({"graph", "gradient-flow"}); // no times: they are measured anew
        before = picture_of(lab);
        saved = state_to_json(lab.window().state());
    }
    LabInUse fresh(state_from_json(saved, "saved"));
    const QString part = difference(before, picture_of(fresh), card);
    QVERIFY2(part.isEmpty(), qPrintable(part));
    QCOMPARE(state_to_json(fresh.window().state()), saved);
}
