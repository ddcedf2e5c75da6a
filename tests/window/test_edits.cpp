// Kernels that a lesson asks for: written in the theatre, graded beside the text.
#include "app/window/lesson_driver.hpp"
#include "app/window/presenter_stage.hpp"
#include "app/window/stage.hpp"
#include "app/window/window_files.hpp"
#include "lessons/runtime/edit.hpp"
#include "tests/window/lab.hpp"
#include "views/runs/run_list.hpp"
#include "views/story/story_view.hpp"
#include "views/theatre/kernel_editor.hpp"
#include "views/theatre/theatre_view.hpp"

#include <QApplication>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <algorithm>

using namespace gradus;

class TestEdits : public QObject {
    Q_OBJECT

private slots:
    void by_keyboard_alone();
    void a_key_opens_it();
    void what_is_typed_before_the_editor_is_there_is_written_in_it();
    void a_slip_is_told_and_nothing_is_lost();
    void what_one_begins_with_is_never_the_solution();
    void what_is_newer_is_graded();
    void a_card_that_climbs_has_its_editor_too();
    void a_part_without_a_theatre_gets_one();
    void a_class_is_asked_for_no_kernel();
    void what_was_written_and_did_not_run_comes_back();
    void a_text_that_fails_in_training_stays_and_is_mended();
    void what_was_found_in_a_block_that_is_not_recorded_opens();
    void each_finding_is_gone_to_by_itself();
    void what_was_found_is_reached_without_the_editor();
    void a_prediction_covers_what_the_editor_finds();
    void a_run_asked_for_without_a_record_keeps_none();

private:
    /// The lab at a part of a card, with its theatre open for writing.
    std::unique_ptr<LabInUse> writing(const char* card, std::size_t part);
    /// The lab at the question of that card that asks for a kernel.
    std::unique_ptr<LabInUse> opened(const char* card, Language language = Language::en);
    void press(LabInUse& lab, Qt::Key key, Qt::KeyboardModifiers held = Qt::NoModifier) {
        QWidget* at = lab.window().focusWidget();
        QTest::keyClick(at ? at : &lab.window(), key, held);
        lab.window().frame();
    }
    static TheatreView* theatre(LabInUse& lab) { return lab.window().stage().findChild<TheatreView*>(); }
    static const TheatreModel* shownModel(LabInUse& lab) { return theatre(lab) && theatre(lab)->picture().model.there() ? &theatre(lab)->picture().model : nullptr; }
    static AppState runningFaulty(const char* card, const char* rung) {
        AppState state;
        state.card = card;
        state.parameters = {{"rung", rung}};
        state.reduce_motion = true;
        return state;
    }
    static KernelEditor& editor(LabInUse& lab) { return theatre(lab)->editPanel().editor(); }
    static const StoryCheck* check(LabInUse& lab) {
        const auto& shown = lab.window().lesson().look().check;
        return shown ? &*shown : nullptr;
    }
    static const Check& asked(LabInUse& lab, const char* card) {
        const auto& checks = lab.library().find(card)->checks;
        return *std::find_if(checks.begin(), checks.end(), [](const Check& one) { return one.edit != nullptr; });
    }
    static bool settleGraded(LabInUse& lab) {
        return lab.settle([&] { return check(lab) && check(lab)->state == StoryCheck::State::committed && !lab.window().lesson().computing(); });
    }
};

std::unique_ptr<LabInUse> TestEdits::opened(const char* card, Language language) {
    AppState state;
    state.card = card;
    state.language = language;
    state.reduce_motion = true;
    auto lab = std::make_unique<LabInUse>(state);
    [&] {
        QVERIFY(lab->settle([&] { return !lab->presenter().runs().empty() && lab->presenter().run()->head() > 0; }));
        const Card& read = *lab->library().find(card);
        lab->presenter().setCardStep(read.lesson.size() - 1);
        const auto at = std::find_if(read.checks.begin(), read.checks.end(), [](const Check& one) { return one.edit != nullptr; });
        QVERIFY(at != read.checks.end());
        lab->window().lesson().goToCheck(static_cast<std::size_t>(at - read.checks.begin()));
        QVERIFY(lab->settle([&] { return check(*lab) && check(*lab)->kind == StoryCheck::Kind::edit; }));
    }();
    return lab;
}

std::unique_ptr<LabInUse> TestEdits::writing(const char* card, std::size_t part) {
    AppState state;
    state.card = card;
    state.reduce_motion = true;
    auto lab = std::make_unique<LabInUse>(state);
    [&] {
        QVERIFY(lab->settle([&] { return !lab->presenter().runs().empty() && lab->presenter().run()->head() > 0; }));
        lab->presenter().setCardStep(part);
        QVERIFY(lab->settle([&] { return theatre(*lab) && theatre(*lab)->picture().model.there(); }));
        theatre(*lab)->setEditing(true);
        QVERIFY(theatre(*lab)->editing());
    }();
    return lab;
}

void TestEdits::a_key_opens_it() {
    AppState state;
    state.card = "memory-coalescing";
    LabInUse lab(state);
    QVERIFY(lab.settle([&] { return theatre(lab) && theatre(lab)->picture().model.there(); }));
    press(lab, Qt::Key_K);
    QVERIFY(theatre(lab)->editing());
    const QString before = editor(lab).toPlainText();
    press(lab, Qt::Key_K); // is a letter there
    QCOMPARE(editor(lab).toPlainText().size(), before.size() + 1);
    press(lab, Qt::Key_Escape);
    QVERIFY(!theatre(lab)->editing());
    // Shown larger it has the keys, too.
    lab.presenter().change("text size", [](AppState& now) { now.text_scale = 1.4; });
    for (int i = 0; i < 3; ++i) lab.window().frame();
    press(lab, Qt::Key_K);
    QVERIFY(theatre(lab)->editing());
    const Ruler ruler = lab.presenter().state().ruler;
    const qsizetype length = editor(lab).toPlainText().size();
    QVERIFY(QApplication::focusWidget());
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_U);
    QCOMPARE(editor(lab).toPlainText().size(), length + 1);
    QCOMPARE(lab.presenter().state().ruler, ruler);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    QVERIFY(!theatre(lab)->editing());
    AppState none;
    none.card = "xor-network";
    LabInUse without(none);
    QVERIFY(without.settle([&] { return !without.presenter().runs().empty(); }));
    press(without, Qt::Key_K);
    QVERIFY(!without.window().files().said().isEmpty());
}

void TestEdits::what_is_typed_before_the_editor_is_there_is_written_in_it() {
    constexpr const char* card = "transpose-and-bank-conflicts";
    const auto lab = opened(card);
    const std::size_t runs = lab->presenter().runs().size();
    press(*lab, Qt::Key_1);
    QVERIFY(!theatre(*lab) || !theatre(*lab)->editing());
    for (const auto& [key, text] : {std::pair(Qt::Key_F, QStringLiteral("f")), std::pair(Qt::Key_4, QStringLiteral("4")), std::pair(Qt::Key_Space, QStringLiteral(" "))}) {
        QWidget* focus = lab->window().focusWidget() ? lab->window().focusWidget() : &lab->window();
        QKeyEvent asked(QEvent::ShortcutOverride, key, Qt::NoModifier, text);
        asked.ignore();
        QCoreApplication::sendEvent(focus, &asked);
        QVERIFY2(asked.isAccepted(), qPrintable(text)); // no key of the window
        QKeyEvent pressed(QEvent::KeyPress, key, Qt::NoModifier, text);
        QCoreApplication::sendEvent(focus, &pressed);
    }
    QVERIFY(lab->settle([&] { return theatre(*lab) && theatre(*lab)->editing() && editor(*lab).toPlainText().contains(QLatin1String("f4 ")); }));
    QVERIFY(!lab->presenter().fan());
    QCOMPARE(lab->presenter().runs().size(), runs);
    QCOMPARE(lab->window().focusWidget(), static_cast<QWidget*>(&editor(*lab)));
    press(*lab, Qt::Key_Escape);
    QVERIFY(lab->settle([&] { return !theatre(*lab)->editing(); }));
    QKeyEvent after(QEvent::ShortcutOverride, Qt::Key_4, Qt::NoModifier, QStringLiteral("4"));
    after.ignore();
    QCoreApplication::sendEvent(&lab->window(), &after);
    QVERIFY(!after.isAccepted()); // nobody waits any more
}

void TestEdits::by_keyboard_alone() {
    constexpr const char* card = "transpose-and-bank-conflicts";
    const auto lab = opened(card);
    const CheckEdit& wanted = *asked(*lab, card).edit;
    QVERIFY(check(*lab)->ask.contains(QLatin1String("every read of shared memory takes 1 turn")));
    press(*lab, Qt::Key_1);
    QVERIFY(lab->settle([&] { return theatre(*lab) && theatre(*lab)->editing(); }));
    QVERIFY(lab->settle([&] { return lab->presenter().session().setup().parameters.at("rung") == wanted.kernel && theatre(*lab)->picture().model.edited; }));
    QCOMPARE(editor(*lab).toPlainText().toStdString(), wanted.text);
    QCOMPARE(lab->window().focusWidget(), static_cast<QWidget*>(&editor(*lab)));
    QVERIFY(check(*lab)->editing);
    const int line = editor(*lab).textCursor().blockNumber();
    QVERIFY2(wanted.text.find("// Yours") != std::string::npos && line > 0, qPrintable(QString::number(line))); // where lines are missing

    QElapsedTimer frame;
    qint64 longest = 0;
    press(*lab, Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(check(*lab)->state, StoryCheck::State::computing);
    QVERIFY(lab->settle([&] {
        frame.start();
        lab->window().frame();
        longest = std::max(longest, frame.elapsed());
        return check(*lab) && check(*lab)->state == StoryCheck::State::committed;
    }));
    QVERIFY2(longest < 500, qPrintable(QString::number(longest))); // the window goes on
    QVERIFY(!check(*lab)->is_right);
    QVERIFY2(check(*lab)->why.contains(QLatin1String("takes 1 turn: here 32 (rows = 64, columns = 64")), qPrintable(check(*lab)->why));
    QVERIFY(!lab->progress().answers(card).back().right);
    QVERIFY(theatre(*lab)->editing());
    QCOMPARE(editor(*lab).toPlainText().toStdString(), wanted.text);

    const QString solution = QString::fromStdString(solution_of(wanted));
    editor(*lab).setPlainText(solution);
    press(*lab, Qt::Key_Return, Qt::ControlModifier);
    QVERIFY(settleGraded(*lab));
    QVERIFY2(check(*lab)->is_right, qPrintable(check(*lab)->why));
    QVERIFY(check(*lab)->why.contains(QLatin1String("32 banks")));
    QCOMPARE(lab->progress().answers(card).back().typed, solution.toStdString());
    QVERIFY(lab->progress().answers(card).back().right);
    QVERIFY(theatre(*lab)->editing());
    QCOMPARE(editor(*lab).toPlainText(), solution);
    bool kept = true;
    QVERIFY(lab->settle([&] { // stepped like any other
        kept = kept && lab->window().focusWidget() == static_cast<QWidget*>(&editor(*lab));
        const auto& events = theatre(*lab)->picture().model.events;
        return lab->presenter().session().setup().parameters.at("source") == solution.toStdString() && events &&
               std::ranges::count(events->trace().sources, solution.toStdString()) > 0;
    }));
    QVERIFY(kept); // whoever goes on typing while another run comes types in the text

    press(*lab, Qt::Key_Escape);
    QVERIFY(lab->settle([&] { return !theatre(*lab)->editing() && check(*lab) && !check(*lab)->editing; }));
    QCOMPARE(lab->window().focusWidget()->objectName(), QString("answer"));

    // Another start finds it accepted, runs nothing for it, and has the text.
    const std::size_t at = lab->window().lesson().check();
    lab->reopen(lab->presenter().state());
    QVERIFY(lab->settle([&] { return check(*lab) != nullptr; }));
    lab->window().lesson().goToCheck(at);
    QVERIFY(lab->settle([&] { return check(*lab) && check(*lab)->kind == StoryCheck::Kind::edit; }));
    QVERIFY(check(*lab)->state == StoryCheck::State::committed && check(*lab)->is_right);
    QCOMPARE(lab->window().lesson().editText(), solution);
    QCOMPARE(lab->progress().answers(card).size(), std::size_t{2});
}

void TestEdits::a_slip_is_told_and_nothing_is_lost() {
    constexpr const char* card = "cpu-loop-to-kernel";
    const auto lab = opened(card, Language::ko);
    lab->window().story().pressDigit(1);
    QVERIFY(lab->settle([&] { return theatre(*lab) && theatre(*lab)->editing() && check(*lab) && check(*lab)->editing; }));
    const QString slip = editor(*lab).toPlainText().replace(QLatin1String("const int i = 0;"), QLatin1String("const int i = ;"));
    editor(*lab).setPlainText(slip);
    lab->window().story().pressDigit(1); // the panel's button tries what stands there
    QVERIFY(settleGraded(*lab));
    QVERIFY(!check(*lab)->is_right);
    QVERIFY2(check(*lab)->why.contains(QString::fromUtf8("컴파일되지 않습니다. 5번째 줄: ")), qPrintable(check(*lab)->why));
    QCOMPARE(editor(*lab).toPlainText(), slip);
    // To another question and back: the editor closes, the text is kept.
    editor(*lab).appendPlainText(QStringLiteral("// half a word"));
    lab->window().lesson().goToCheck(0);
    QVERIFY(lab->settle([&] { return !theatre(*lab)->editing(); }));
    QVERIFY(lab->settle([&] { return lab->presenter().session().setup().parameters.at("source") == "own"; })); // the lesson's own run is back
    lab->window().lesson().goToCheck(2);
    QVERIFY(lab->settle([&] { return check(*lab) && check(*lab)->kind == StoryCheck::Kind::edit; }));
    QVERIFY(!check(*lab)->editing && check(*lab)->state == StoryCheck::State::asking);
    lab->window().story().pressDigit(1);
    QVERIFY(lab->settle([&] { return theatre(*lab)->editing(); }));
    QCOMPARE(editor(*lab).toPlainText(), slip + "\n// half a word");
}

void TestEdits::what_one_begins_with_is_never_the_solution() {
    constexpr const char* card = "shared-memory-basics";
    const auto lab = opened(card);
    const CheckEdit& wanted = *asked(*lab, card).edit;
    lab->window().story().pressDigit(1);
    QVERIFY(lab->settle([&] { return theatre(*lab) && theatre(*lab)->editing() && theatre(*lab)->picture().model.edited; }));
    editor(*lab).setPlainText(QStringLiteral("// nothing of it is left"));
    press(*lab, Qt::Key_F4); // the original
    QVERIFY(lab->settle([&] { return editor(*lab).toPlainText().toStdString() == wanted.text; }));
    QVERIFY(lab->settle([&] { return lab->presenter().session().setup().parameters.at("source") == wanted.text; }));
    QVERIFY(lab->window().lesson().editText().contains(QLatin1String("// Yours")));
    editor(*lab).undo(); // a slip of the finger costs nothing
    QCOMPARE(editor(*lab).toPlainText(), QStringLiteral("// nothing of it is left"));
    editor(*lab).redo();
    // Another kernel in the controls is none that anybody asked for: the editor closes, and what is written there is not graded.
    lab->window().lesson().commitParameter("rung", "stencil/1_global");
    QVERIFY(lab->settle([&] { return check(*lab) && !theatre(*lab)->editing() && !check(*lab)->editing && theatre(*lab)->picture().model.title == "stencil/1_global"; }));
    theatre(*lab)->setEditing(true);
    QVERIFY(theatre(*lab)->editing());
    press(*lab, Qt::Key_Return, Qt::ControlModifier);
    QVERIFY(lab->settle([&] { return check(*lab) && lab->presenter().session().setup().parameters.at("source") != "own"; }));
    QVERIFY(check(*lab)->state == StoryCheck::State::asking);
    QVERIFY(lab->progress().answers(card).empty());
}

void TestEdits::what_is_newer_is_graded() {
    constexpr const char* card = "grid-block-thread-index";
    const auto lab = opened(card);
    const CheckEdit& wanted = *asked(*lab, card).edit;
    lab->window().story().pressDigit(1);
    QVERIFY(lab->settle([&] { return theatre(*lab) && theatre(*lab)->editing(); }));
    QString endless = QString::fromStdString(wanted.text);
    endless.replace(QLatin1String("const int stride = n;"), QLatin1String("const int stride = 0;"));
    QVERIFY(endless.toStdString() != wanted.text);
    editor(*lab).setPlainText(endless);
    press(*lab, Qt::Key_Return, Qt::ControlModifier);
    QTest::qWait(1500);
    lab->window().frame();
    QCOMPARE(check(*lab)->state, StoryCheck::State::computing);
    editor(*lab).setPlainText(QString::fromStdString(solution_of(wanted)));
    QElapsedTimer timer;
    timer.start();
    press(*lab, Qt::Key_Return, Qt::ControlModifier);
    QVERIFY(settleGraded(*lab));
    QVERIFY2(check(*lab)->is_right, qPrintable(check(*lab)->why));
    QCOMPARE(lab->progress().answers(card).size(), std::size_t{1}); // the other was given up
    // And one without an end gets its sentence.
    editor(*lab).setPlainText(endless);
    press(*lab, Qt::Key_Return, Qt::ControlModifier);
    QVERIFY(settleGraded(*lab));
    QVERIFY2(!check(*lab)->is_right && check(*lab)->why.contains(QLatin1String("still at work after")), qPrintable(check(*lab)->why));
    const auto& passed = lab->progress().passed(card);
    QVERIFY(std::find(passed.begin(), passed.end(), asked(*lab, card).id) != passed.end()); // what was accepted once stays so
}

void TestEdits::a_card_that_climbs_has_its_editor_too() {
    constexpr const char* card = "tiled-matmul-kernel";
    const auto lab = opened(card);
    const CheckEdit& wanted = *asked(*lab, card).edit;
    const Parameters before = lab->presenter().session().setup().parameters;
    lab->window().story().pressDigit(1);
    QVERIFY(lab->settle([&] { return theatre(*lab) && theatre(*lab)->editing(); }));
    QCOMPARE(editor(*lab).toPlainText().toStdString(), wanted.text);
    // A race is marked, though the stage keeps the card's own run.
    QString racy = QString::fromStdString(solution_of(wanted));
    QCOMPARE(racy.count(QLatin1String("__syncthreads();")), 2);
    racy.remove(racy.lastIndexOf(QLatin1String("__syncthreads();")), 16);
    editor(*lab).setPlainText(racy);
    press(*lab, Qt::Key_Return, Qt::ControlModifier);
    QVERIFY(settleGraded(*lab));
    QVERIFY(!check(*lab)->is_right);
    QVERIFY(lab->settle([&] { return theatre(*lab)->editPanel().said().startsWith(QStringLiteral("✕")); }));
    const QString said = theatre(*lab)->editPanel().said();
    QVERIFY2(said.contains(QLatin1String("nothing orders the two")), qPrintable(said));
    press(*lab, Qt::Key_F8);
    const int line = editor(*lab).textCursor().blockNumber() + 1;
    QVERIFY2(said.contains(QStringLiteral("line %1:").arg(line)), qPrintable(said + QString::number(line)));
    editor(*lab).setPlainText(QString::fromStdString(solution_of(wanted)));
    press(*lab, Qt::Key_Return, Qt::ControlModifier);
    QVERIFY(settleGraded(*lab));
    QVERIFY2(check(*lab)->is_right, qPrintable(check(*lab)->why));
    QVERIFY(theatre(*lab)->editing());
    QVERIFY(lab->settle([&] { return theatre(*lab)->editPanel().said().contains(QLatin1String("beside the question")); }));
    QCOMPARE(lab->presenter().session().setup().parameters, before); // its own run is what it was
}

void TestEdits::a_part_without_a_theatre_gets_one() {
    const auto lab = opened("flash-forward-tiles");
    lab->window().story().pressDigit(1);
    QVERIFY(lab->settle([&] { return theatre(*lab) && theatre(*lab)->editing() && theatre(*lab)->isVisible(); }));
    QCOMPARE(lab->window().stage().ids().front(), std::string("kernel-theatre"));
}

void TestEdits::a_class_is_asked_for_no_kernel() {
    const auto lab = opened("memory-coalescing");
    const Card& card = *lab->library().find("memory-coalescing");
    QCOMPARE(class_checks(card) + 1, card.checks.size());
    lab->window().story().pressDigit(1);
    QVERIFY(lab->settle([&] { return theatre(*lab) && theatre(*lab)->editing(); }));
    editor(*lab).setPlainText(QStringLiteral("// mine"));
    lab->window().enterClass();
    QVERIFY(lab->settle());
    QVERIFY(!lab->window().lesson().edit());
    PresenterStage* stage = lab->window().classStage();
    QVERIFY(stage);
    QCOMPARE(stage->pages(), card.lesson.size() + class_checks(card));
    stage->goToPage(stage->pages() - 1);
    QVERIFY(lab->settle([&] { return check(*lab) && check(*lab)->kind != StoryCheck::Kind::edit; }));
    lab->window().leaveClass();
    QVERIFY(lab->settle([&] { return check(*lab) && check(*lab)->kind == StoryCheck::Kind::edit; }));
    QCOMPARE(lab->window().lesson().editText(), QString("// mine"));
}

void TestEdits::what_was_written_and_did_not_run_comes_back() {
    const auto lab = writing("transpose-and-bank-conflicts", 0);
    const QString own = editor(*lab).toPlainText();
    press(*lab, Qt::Key_Escape);
    QVERIFY(!theatre(*lab)->editing());
    QVERIFY(!qobject_cast<QLineEdit*>(lab->window().focusWidget())); // a letter typed now is a key of the lab
    theatre(*lab)->setEditing(true);
    QCOMPARE(editor(*lab).toPlainText(), own); // nobody had written anything
    editor(*lab).setPlainText(own + QStringLiteral("// mine"));
    press(*lab, Qt::Key_Escape);
    theatre(*lab)->setEditing(true);
    QCOMPARE(editor(*lab).toPlainText(), own + QStringLiteral("// mine"));
    QVERIFY2(theatre(*lab)->editPanel().said().contains(QLatin1String("here again")), qPrintable(theatre(*lab)->editPanel().said()));
    press(*lab, Qt::Key_Escape); // kept as often as one comes and goes
    theatre(*lab)->setEditing(true);
    QCOMPARE(editor(*lab).toPlainText(), own + QStringLiteral("// mine"));
    press(*lab, Qt::Key_F4);
    QVERIFY(lab->settle([&] { return editor(*lab).toPlainText() == own; }));
    const auto original_is_offered = [&] {
        const auto buttons = theatre(*lab)->editPanel().findChildren<QPushButton*>();
        return std::any_of(buttons.begin(), buttons.end(), [](const QPushButton* button) { return button->toolTip().contains(QLatin1String("F4")) && button->isEnabled(); });
    };
    QVERIFY(lab->settle());
    QVERIFY(!original_is_offered()); // it stands there
    press(*lab, Qt::Key_Escape);
    theatre(*lab)->setEditing(true);
    QCOMPARE(editor(*lab).toPlainText(), own);
    const QString hint = theatre(*lab)->editPanel().said();
    QVERIFY2(hint.startsWith(QLatin1String("Write in it")), qPrintable(hint));
    lab->presenter().change("language", [](AppState& state) { state.language = Language::ko; });
    QVERIFY(lab->settle([&] { return theatre(*lab)->editPanel().said() != hint; }));
    lab->presenter().change("language", [](AppState& state) { state.language = Language::en; });
    QVERIFY(lab->settle([&] { return theatre(*lab)->editPanel().said() == hint; }));
    editor(*lab).setPlainText(own + QStringLiteral("// mine"));
    QVERIFY(lab->settle([&] { return original_is_offered(); }));
}

void TestEdits::what_was_found_in_a_block_that_is_not_recorded_opens() {
    LabInUse lab(runningFaulty("cpu-loop-to-kernel", "faulty/reverse_in_place/1_thread_each"));
    const auto model = [&] { return shownModel(lab); };
    QVERIFY(lab.settle([&] { return model() && !model()->findings.empty(); }));
    QCOMPARE(model()->findings.front().ordinal, -1);
    const std::int64_t block = model()->findings.front().block;
    QVERIFY(block > 0);
    const std::vector<ViewItem> items = theatre(lab)->items();
    const auto row = std::find_if(items.begin(), items.end(), [](const ViewItem& item) { return item.id == QLatin1String("finding0"); });
    QVERIFY(row != items.end());
    QTest::mouseClick(theatre(lab), Qt::LeftButton, {}, row->rect.center().toPoint());
    QVERIFY(lab.settle([&] { return model() && model()->at_step && !model()->findings.empty() && model()->findings.front().here; }));
    QCOMPARE(model()->events->trace().log.blocks[model()->block->number()].number, static_cast<std::uint64_t>(block));
    QVERIFY(model()->findings.front().lanes != 0);
    // Another kernel has other blocks, and is stepped through as this one was.
    const Level level = lab.presenter().state().cursor.level;
    QVERIFY(level > Level::iteration);
    lab.window().lesson().commitParameter("rung", "vector_add/1_naive");
    QVERIFY(lab.settle([&] { return model() && model()->title == "vector_add/1_naive" && model()->block; }));
    QCOMPARE(lab.presenter().session().setup().parameters.at("record_block"), std::string("0"));
    QVERIFY(lab.settle([&] { return model() && model()->at_step; }));
    QCOMPARE(lab.presenter().state().cursor.level, level);
    const std::int32_t first = lab.presenter().state().cursor.ordinal;
    press(lab, Qt::Key_Right);
    QVERIFY(lab.settle([&] { return lab.presenter().state().cursor.ordinal > first; }));
    QCOMPARE(lab.presenter().state().cursor.level, level);
}

void TestEdits::each_finding_is_gone_to_by_itself() {
    const auto lab = writing("transpose-and-bank-conflicts", 0);
    const auto model = [&] { return shownModel(*lab); };
    QString far = editor(*lab).toPlainText();
    far.replace(QLatin1String("x[row * columns + column]"), QLatin1String("x[row * columns + column + 70000]"));
    editor(*lab).setPlainText(far);
    press(*lab, Qt::Key_Return, Qt::ControlModifier);
    QVERIFY(lab->settle([&] { return model() && model()->edited && model()->findings.size() > 1 && theatre(*lab)->editPanel().said().startsWith(QStringLiteral("✕")); }));
    QSet<QString> told;
    for (std::size_t i = 0, all = model()->findings.size(); i < all; ++i) {
        press(*lab, Qt::Key_F8);
        const auto is_here = [&](const TheatreFinding& finding) { return finding.here && finding.lanes && theatre(*lab)->editPanel().said().contains(finding.sentence); };
        QVERIFY2(lab->settle([&] { return model() && std::ranges::any_of(model()->findings, is_here); }), qPrintable(theatre(*lab)->editPanel().said()));
        told.insert(theatre(*lab)->editPanel().said());
        QCOMPARE(told.size(), static_cast<qsizetype>(i + 1));
    }
    // Whoever reads on with the original stands where the next part wants it, whichever block was looked at.
    const auto recorded = [&] { return lab->presenter().session().setup().parameters.at("record_block"); };
    QVERIFY(recorded() != "0");
    press(*lab, Qt::Key_F4);
    QVERIFY(lab->settle([&] { return model() && !model()->edited; }));
    press(*lab, Qt::Key_Escape);
    lab->presenter().setCardStep(1);
    QVERIFY(lab->settle([&] { return model() && model()->at_step && recorded() == "0"; }));
}

void TestEdits::what_was_found_is_reached_without_the_editor() {
    LabInUse lab(runningFaulty("cpu-loop-to-kernel", "faulty/reverse_in_place/1_thread_each"));
    const auto model = [&] { return shownModel(lab); };
    QVERIFY(lab.settle([&] { return model() && !model()->findings.empty(); }));
    const std::size_t all = model()->findings.size();
    for (std::size_t i = 0; i <= all; ++i) { // and round again
        press(lab, Qt::Key_F8);
        const auto is_in_sight = [&] {
            const TheatreGeometry& g = theatre(lab)->picture().geometry;
            return theatre(lab)->picture().stands_at(i % all) && i % all >= g.first_finding && i % all < g.first_finding + g.finding_rows.size();
        };
        QVERIFY(lab.settle([&] { return model() && model()->findings.size() == all && model()->findings[i % all].here && is_in_sight(); }));
    }
    AppState right;
    right.card = "cpu-loop-to-kernel";
    LabInUse none(right);
    QVERIFY(none.settle([&] { return theatre(none) && theatre(none)->picture().model.there(); }));
    press(none, Qt::Key_F8);
    QVERIFY(none.window().files().said().contains(QLatin1String("Nothing was found")));
}

void TestEdits::a_prediction_covers_what_the_editor_finds() {
    LabInUse lab(runningFaulty("shared-memory-basics", "faulty/stencil_barrier/1_no_barrier"));
    const auto model = [&] { return shownModel(lab); };
    QVERIFY(lab.settle([&] { return model() && !model()->findings.empty(); }));
    lab.presenter().setCardStep(lab.library().find("shared-memory-basics")->lesson.size() - 1);
    QVERIFY(lab.settle([&] { return check(lab) && theatre(lab)->picture().secret; }));
    press(lab, Qt::Key_F8);
    QVERIFY(lab.window().files().said().contains(QLatin1String("covered")));
    const auto run = [&] {
        press(lab, Qt::Key_K);
        QVERIFY(theatre(lab)->editing());
        editor(lab).appendPlainText(QStringLiteral("// run by hand"));
        press(lab, Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(lab.settle([&] { return model() && model()->edited && theatre(lab)->editPanel().said().startsWith(theatre(lab)->picture().secret ? QStringLiteral("It has run") : QStringLiteral("✕")); }));
    };
    run();
    QVERIFY2(!theatre(lab)->editPanel().said().contains(QLatin1String("line")), qPrintable(theatre(lab)->editPanel().said()));
    press(lab, Qt::Key_Escape);
    lab.window().story().pressDigit(3);
    QVERIFY(lab.settle([&] { return check(lab) && check(lab)->state == StoryCheck::State::committed; }));
    // It is about the kernel as its file has it: what is written in its place asks nothing anew.
    run();
    QVERIFY(lab.settle([&] { return check(lab)->state == StoryCheck::State::committed && !theatre(lab)->picture().secret; }));
    QVERIFY(theatre(lab)->editPanel().said().contains(QLatin1String("race")));
    press(lab, Qt::Key_Escape);
    // At this size not all have a row: a click brings the next.
    QVERIFY(lab.settle([&] { return !theatre(lab)->editing() && !theatre(lab)->picture().geometry.more_findings.isNull(); }));
    const std::size_t rows = theatre(lab)->picture().geometry.finding_rows.size();
    QVERIFY(rows > 0 && rows < model()->findings.size());
    const std::vector<ViewItem> items = theatre(lab)->items();
    const auto more = std::ranges::find(items, QStringLiteral("more-findings"), &ViewItem::id);
    QVERIFY(more != items.end());
    QCOMPARE(theatre(lab)->picture().geometry.first_finding, std::size_t{0});
    QTest::mouseClick(theatre(lab), Qt::LeftButton, {}, more->rect.center().toPoint());
    QCOMPARE(theatre(lab)->picture().geometry.first_finding, std::min(rows, model()->findings.size() - rows));
}

void TestEdits::a_run_asked_for_without_a_record_keeps_none() {
    AppState state;
    state.card = "naive-attention-io";
    state.parameters = {{"record", "none"}};
    state.reduce_motion = true;
    LabInUse lab(state);
    const auto finished = [&] { return !lab.presenter().runs().empty() && lab.presenter().run()->state() == RunState::finished; };
    QVERIFY(lab.settle(finished));
    const std::shared_ptr<const Run> first = lab.presenter().runs()[0];
    lab.presenter().setCardStep(lab.library().find(state.card)->lesson.size() - 1);
    QVERIFY(lab.settle(finished));
    QCOMPARE(lab.presenter().session().setup().parameters.at("record"), std::string("none"));
    QVERIFY(lab.presenter().runs()[0] == first);
}

void TestEdits::a_text_that_fails_in_training_stays_and_is_mended() {
    const auto lab = writing("kernel-in-training", 1);
    const QString own = editor(*lab).toPlainText();
    QString far = own;
    far.replace(QLatin1String("C[row * N + column] = sum;"), QLatin1String("C[(row * N + column) * 100000000LL] = sum;"));
    QVERIFY(far != own);
    editor(*lab).setPlainText(far);
    press(*lab, Qt::Key_Return, Qt::ControlModifier);
    QVERIFY(lab->settle([&] { return lab->presenter().runs().size() == 2 && lab->presenter().run()->state() == RunState::failed; }));
    QVERIFY(lab->settle([&] { return theatre(*lab)->editPanel().said().contains(QLatin1String("touched memory that is not its own")); }));
    QVERIFY2(theatre(*lab)->editPanel().said().contains(QLatin1String("line 35")), qPrintable(theatre(*lab)->editPanel().said()));
    QVERIFY(theatre(*lab)->editing() && editor(*lab).isVisible() && editor(*lab).height() > 100);
    QCOMPARE(editor(*lab).toPlainText(), far);
    const auto* list = lab->window().findChild<RunList*>();
    QVERIFY(list && lab->settle([&] {
        const std::vector<ViewItem> rows = list->items();
        return rows.size() == 2 && rows[1].name.contains(QLatin1String("line 35"));
    }));
    editor(*lab).setPlainText(own + QStringLiteral("// mended"));
    press(*lab, Qt::Key_Return, Qt::ControlModifier);
    QVERIFY(lab->settle([&] {
        const auto run = lab->presenter().run();
        return lab->presenter().runs().size() == 3 && run->head() > run->first_iteration();
    }));
    QCOMPARE(lab->presenter().run()->state(), RunState::growing);
}

QTEST_MAIN(TestEdits)
#include "test_edits.moc"
