#include "tests/window/test_lesson_keys.hpp"

#include "app/window/lesson_driver.hpp"
#include "app/window/paths_panel.hpp"
#include "tests/window/lab.hpp"
#include "views/access/item_focus.hpp"
#include "views/story/slider.hpp"
#include "views/story/story_button.hpp"
#include "views/story/story_field.hpp"
#include "views/story/story_view.hpp"

#include <QProcess>
#include <QTest>
#include <algorithm>
#include <map>
#include <set>

using namespace gradus;

namespace {

/// Keys come from outside, through the X server.
bool real_keys() { return qEnvironmentVariableIsSet("GRADUS_REAL_KEYS"); }

void from_outside(LabInUse& lab, const QStringList& words) {
    if (!lab.window().isActiveWindow()) { // no window manager gives it the focus
        QProcess::execute("xdotool", {"windowfocus", "--sync", QString::number(lab.window().winId())});
        for (int i = 0; i < 200 && !lab.window().isActiveWindow(); ++i) QTest::qWait(10);
    }
    QProcess::execute("xdotool", words);
    QTest::qWait(60);
}

/// A key where the keyboard's focus is, as the window system would send it.
void press(LabInUse& lab, Qt::Key key, Qt::KeyboardModifiers held = Qt::NoModifier) {
    if (real_keys()) {
        static const std::map<Qt::Key, const char*> names{
            {Qt::Key_Space, "space"}, {Qt::Key_Tab, "Tab"}, {Qt::Key_Return, "Return"}, {Qt::Key_Escape, "Escape"},
            {Qt::Key_Home, "Home"}, {Qt::Key_PageDown, "Next"}, {Qt::Key_PageUp, "Prior"}, {Qt::Key_Right, "Right"},
            {Qt::Key_Down, "Down"}, {Qt::Key_1, "1"}, {Qt::Key_A, "a"}, {Qt::Key_Z, "z"}};
        from_outside(lab, {"key", (held & Qt::ControlModifier ? "ctrl+" : "") + QString(names.at(key))});
        return lab.window().frame();
    }
    QWidget* at = lab.window().focusWidget();
    QTest::keyClick(at ? at : &lab.window(), key, held);
    lab.window().frame();
}

void type(LabInUse& lab, const QString& text) {
    if (real_keys()) from_outside(lab, {"type", text});
    else QTest::keyClicks(lab.window().focusWidget(), text);
    lab.window().frame();
}

/// Tab until the focus is on what is wanted; false after a round through the window.
template <class Wanted> bool tab_to(LabInUse& lab, Wanted wanted) {
    for (int i = 0; i < 120; ++i) {
        press(lab, Qt::Key_Tab);
        if (QWidget* at = lab.window().focusWidget(); at && at->isVisible() && wanted(at)) return true;
    }
    return false;
}

bool tab_to(LabInUse& lab, const QString& name) {
    return tab_to(lab, [&](QWidget* at) { return at->objectName() == name; });
}

bool tab_to(LabInUse& lab, const char* name) { return tab_to(lab, QString(name)); }

bool shows_verdict(LabInUse& lab) {
    const auto& check = lab.window().lesson().look().check;
    return check && check->state == StoryCheck::State::committed;
}

} // namespace

void TestLessonKeys::the_first_lesson_by_keyboard_alone() {
    LabInUse lab;
    Presenter& presenter = lab.presenter();
    const Card& card = *lab.library().find(first_card());
    QVERIFY(lab.settle([&] { return !presenter.runs().empty() && presenter.run()->head() > 5; }));
    QVERIFY2(presenter.playing(), "the first start moves");
    press(lab, Qt::Key_Space);
    QTRY_VERIFY(!presenter.session().status().playing);

    // Reading: every part, each with a text of its own and at its step.
    std::set<QString> texts;
    press(lab, Qt::Key_Home);
    for (std::size_t part = 0; part < card.lesson.size(); ++part) {
        QVERIFY(lab.settle());
        QCOMPARE(presenter.state().card_step, part);
        QVERIFY(!lab.window().lesson().look().text.isEmpty());
        texts.insert(lab.window().lesson().look().text);
        if (part > 0) QCOMPARE(presenter.state().cursor.iteration, *card.lesson[part].iteration);
        if (part + 1 < card.lesson.size()) press(lab, Qt::Key_PageDown);
    }
    QCOMPARE(texts.size(), card.lesson.size());

    // Trying: the batch, where the text speaks of it.
    while (!lab.window().lesson().look().text.contains("{parameter:batch}")) press(lab, Qt::Key_PageUp);
    QVERIFY(lab.settle());
    const std::string before = presenter.session().setup().parameters.at("batch");
    QVERIFY(tab_to(lab, [](QWidget* at) { return qobject_cast<Slider*>(at) != nullptr; }));
    QCOMPARE(lab.window().focusWidget()->accessibleName(), QString("Batch"));
    press(lab, Qt::Key_Right);
    QVERIFY(lab.settle([&] { return !presenter.runs().empty() && presenter.run()->head() > 2; }));
    QVERIFY(std::stoi(presenter.session().setup().parameters.at("batch")) > std::stoi(before));
    press(lab, Qt::Key_Escape);

    // Predicting: every check, each answered by keys, each verdict seen and kept.
    while (presenter.state().card_step + 1 < card.lesson.size()) press(lab, Qt::Key_PageDown);
    for (std::size_t i = 0; i < card.checks.size(); ++i) {
        const Check& check = card.checks[i];
        QVERIFY(lab.settle([&] { return lab.window().lesson().look().check.has_value(); }));
        QCOMPARE(lab.window().lesson().look().check->id, QString::fromStdString(check.id));
        QString typed;
        if (check.kind == Check::Kind::number) {
            QVERIFY(tab_to(lab, "number"));
            typed = "91";
            type(lab, typed);
            press(lab, Qt::Key_Return);
        } else {
            typed = QString::fromStdString(check.options.back().id);
            QVERIFY(tab_to(lab, "option:" + typed));
            press(lab, i % 2 ? Qt::Key_Return : Qt::Key_Space);
        }
        QVERIFY2(lab.settle([&] { return shows_verdict(lab); }), check.id.c_str());
        QCOMPARE(lab.window().lesson().look().check->answer, typed);
        QVERIFY(!lab.window().lesson().look().check->why.isEmpty());
        const auto kept = lab.progress().answers(card.id);
        QCOMPARE(kept.size(), i + 1);
        QCOMPARE(kept.back().check, check.id);
        QCOMPARE(kept.back().typed, typed.toStdString());
        QCOMPARE(kept.back().right, lab.window().lesson().look().check->is_right);
        if (i + 1 < card.checks.size()) {
            QCOMPARE(lab.window().focusWidget()->objectName(), QString("next")); // the way on has the keyboard, and its one ring
            QVERIFY(lab.window().items().ring().isEmpty());
            press(lab, Qt::Key_Tab);
            QVERIFY(lab.window().story().isAncestorOf(lab.window().focusWidget())); // as one reads, not the window's first
            QVERIFY(tab_to(lab, "next"));
            press(lab, Qt::Key_Return);
            QTRY_VERIFY((lab.window().frame(), lab.window().focusWidget()->objectName().startsWith("option:") || lab.window().focusWidget()->objectName() == "number" || lab.window().focusWidget()->objectName() == "order"));
        }
    }
    // Another start finds the answers and goes on at the end.
    AppState state = presenter.state();
    lab.reopen(state);
    QVERIFY(lab.settle([&] { return lab.window().lesson().look().check.has_value(); }));
    QCOMPARE(lab.window().lesson().look().check->id, QString::fromStdString(card.checks.back().id));
}

void TestLessonKeys::the_learning_rate_by_keys_makes_a_branch() {
    AppState state;
    state.card = "gradient-descent-step";
    LabInUse lab(state);
    Presenter& presenter = lab.presenter();
    QVERIFY(lab.settle([&] { return !presenter.runs().empty() && presenter.run()->head() > 4; }));
    press(lab, Qt::Key_Space);
    QTRY_VERIFY(!presenter.session().status().playing);
    while (!lab.window().lesson().look().text.contains("{parameter:lr}")) press(lab, Qt::Key_PageDown);
    QVERIFY(lab.settle());
    QVERIFY(tab_to(lab, [](QWidget* at) { return qobject_cast<Slider*>(at) && at->accessibleName().contains("rate"); }));
    const double before = qobject_cast<Slider*>(lab.window().focusWidget())->value();
    press(lab, Qt::Key_Right);
    QVERIFY(lab.settle([&] { return presenter.state().run == 1; }));
    QVERIFY(qobject_cast<Slider*>(lab.window().focusWidget())->value() > before);
    QVERIFY(presenter.run()->edits().size() == 1 && presenter.run()->edits()[0].edit.target == "lr");
    // The number beside it, typed.
    QVERIFY(tab_to(lab, [](QWidget* at) { return qobject_cast<StoryField*>(at) && at->accessibleName().contains("rate"); }));
    press(lab, Qt::Key_A, Qt::ControlModifier);
    type(lab, "0.05");
    press(lab, Qt::Key_Return);
    QVERIFY(lab.settle([&] { return presenter.state().run == 2; }));
    QCOMPARE(presenter.run()->edits()[0].edit.values.front(), 0.05);
    press(lab, Qt::Key_Escape);
    press(lab, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(lab.settle([&] { return presenter.state().run == 1; }));
}

void TestLessonKeys::another_lesson_by_keyboard() {
    LabInUse lab;
    QVERIFY(lab.openAt(first_card(), 3));
    const auto* track = lab.window().findChild<PathsPanel*>();
    const auto at = [&] {
        const auto& all = track->stations();
        return std::find_if(all.begin(), all.end(), [](const Station& s) { return s.mark == Station::Mark::here; }) - all.begin();
    };
    const auto here = at();
    press(lab, Qt::Key_PageDown, Qt::ControlModifier);
    QVERIFY(lab.settle([&] { return at() == here + 1 && !lab.presenter().runs().empty(); }));
    press(lab, Qt::Key_PageUp, Qt::ControlModifier);
    QVERIFY(lab.settle([&] { return at() == here && !lab.presenter().runs().empty(); }));
    press(lab, Qt::Key_1, Qt::ControlModifier);
    QVERIFY(lab.window().focusWidget() == track);
    QVERIFY(lab.presenter().state().paths_open);
    press(lab, Qt::Key_Down);
    press(lab, Qt::Key_Return);
    QVERIFY(lab.settle([&] { return at() == here + 1 && !lab.presenter().runs().empty(); }));
    QVERIFY(lab.window().focusWidget() != track); // the lesson has the keys of which it speaks
    press(lab, Qt::Key_1, Qt::ControlModifier);
    press(lab, Qt::Key_1, Qt::ControlModifier); // from inside it folds
    QVERIFY(!lab.presenter().state().paths_open && lab.window().focusWidget() != track);
    press(lab, Qt::Key_1, Qt::ControlModifier);
    QVERIFY(lab.presenter().state().paths_open && lab.window().focusWidget() == track);
}

/// A question about another setting than the lab has: once it is answered the stage computes that one, and then whatever is chosen.
void TestLessonKeys::an_answer_is_seen_on_stage_and_stays() {
    AppState state;
    state.card = "transpose-and-bank-conflicts";
    LabInUse lab(state);
    Presenter& presenter = lab.presenter();
    QVERIFY(lab.settle([&] { return !presenter.runs().empty() && presenter.run()->head() > 0; }));
    const Card& card = *lab.library().find(state.card);
    presenter.setCardStep(card.lesson.size() - 1);
    const auto check = std::ranges::find(card.checks, "number-two", &Check::id);
    QVERIFY(check != card.checks.end());
    LessonDriver& lesson = lab.window().lesson();
    lesson.goToCheck(static_cast<std::size_t>(check - card.checks.begin()));
    QVERIFY(lab.settle([&] { return lesson.look().check && lesson.look().check->id == "number-two"; }));
    press(lab, Qt::Key_1);
    press(lab, Qt::Key_Return);
    QVERIFY(lab.settle([&] { return shows_verdict(lab); }));
    QVERIFY(lesson.look().check->elsewhere);
    QVERIFY(tab_to(lab, "stage"));
    press(lab, Qt::Key_Return);
    const auto computes = [&](const char* rung, const char* sizes) {
        if (presenter.runs().empty()) return false; // the new one has not begun
        const auto& parameters = presenter.run()->manifest().parameters;
        return presenter.run()->head() > 0 && parameters.at("rung") == rung && parameters.at("sizes") == sizes;
    };
    QVERIFY(lab.settle([&] { return computes("transpose_padding/1_tile", "padding=2") && shows_verdict(lab); }));
    const EventSite* wanted = presenter.tree().find(check->scene.cursor); // where the tile is read by columns
    QVERIFY(wanted);
    QVERIFY(lab.settle([&] { return presenter.state().cursor.ordinal == wanted->ordinal; }, 20'000));
    QVERIFY(!lesson.look().check->elsewhere && !lab.window().findChild<StoryButton*>("stage")->isVisible());
    lesson.commitParameter("sizes", "padding=4"); // the question has named its own
    QVERIFY(lab.settle([&] { return computes("transpose_padding/1_tile", "padding=4") && shows_verdict(lab); }));
    QVERIFY(lesson.look().check->elsewhere);
    presenter.undo();
    QVERIFY(lab.settle([&] { return computes("transpose_padding/1_tile", "padding=2") && shows_verdict(lab); }));
}

void TestLessonKeys::space_presses_the_button_one_came_to_with_tab_and_plays_elsewhere() {
    LabInUse lab;
    Presenter& presenter = lab.presenter();
    QVERIFY(lab.openAt(first_card(), 6));
    QVERIFY(!presenter.session().status().playing);
    QVERIFY(tab_to(lab, "forward"));
    const std::size_t part = presenter.state().card_step;
    press(lab, Qt::Key_Space);
    QCOMPARE(presenter.state().card_step, part + 1);
    press(lab, Qt::Key_Return);
    QCOMPARE(presenter.state().card_step, part + 2);
    QVERIFY(!presenter.session().status().playing);
    auto* back = lab.window().findChild<StoryButton*>("back");
    QTest::mouseClick(back, Qt::LeftButton);
    QCOMPARE(presenter.state().card_step, part + 1);
    press(lab, Qt::Key_Space); // after a click it is the lab's
    QTRY_VERIFY(presenter.playing());
    QCOMPARE(presenter.state().card_step, part + 1);
    press(lab, Qt::Key_Space);
    QTRY_VERIFY(!presenter.playing());
    QVERIFY(tab_to(lab, [](QWidget* at) { return at->accessibleName() == "Step"; }));
    const StepIndex step = presenter.state().cursor.iteration;
    const std::int32_t ordinal = presenter.state().cursor.ordinal;
    press(lab, Qt::Key_Space);
    QVERIFY(lab.settle([&] { return presenter.state().cursor.iteration != step || presenter.state().cursor.ordinal != ordinal; }));
}
