// A lesson as a learner goes through it: chosen, played, changed, and what is said where it cannot be computed.
#include "app/window/presenter_stage.hpp"
#include "lessons/runtime/progress.hpp"
#include "tests/window/small_lesson.hpp"
#include "views/story/story_view.hpp"

#include <QLineEdit>
#include <QTemporaryDir>
#include <set>

using namespace gradus;
using namespace gradus::test;

namespace {

/// Two small lessons on one track: the first stands at no step, the second at step 5.
Library two_lessons() {
    Library library = small_library("0.1", "series:loss");
    library.cards[0].controls = {{"layers"}};
    Card second = library.cards[0];
    second.id = "second";
    second.steps = 2000;
    second.lesson[0].iteration = 5;
    second.lesson[0].cursor = "forward/layer1/matmul";
    library.cards.push_back(second);
    return library;
}

QString refused(MainWindow& window) { return window.stage().said(); }

} // namespace

class TestLessons : public QObject {
    Q_OBJECT

private slots:
    // It stands where its first part says; the rest is computed meanwhile. The same one again goes back there.
    void a_chosen_lesson_stands_where_its_part_says() {
        const auto window = opened_at(30, two_lessons());
        Presenter& p = window->presenter();
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), !p.runs().empty() && p.run()->head() > 5), patience_ms); // a start plays
        window->chooseCard("second");
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), !p.runs().empty() && p.state().cursor.level == Level::op), patience_ms);
        QCOMPARE(p.state().cursor.iteration, StepIndex{5});
        QVERIFY(!p.playing());
        QTRY_COMPARE_WITH_TIMEOUT((window->frame(), p.run()->head()), StepIndex{2000}, patience_ms);
        QCOMPARE(p.state().cursor.iteration, StepIndex{5});
        const auto run = p.run();
        p.goTo(700);
        window->chooseCard("second");
        window->frame();
        QCOMPARE(p.state().cursor.iteration, StepIndex{5});
        QCOMPARE(p.run(), run); // nothing is lost
    }

    // What a lesson needs of one that nobody has written ends the part that it names.
    void an_introduction_ends_its_part() {
        Library library = small_library("0.1", "series:loss");
        library.cards[0].introductions = {{"earlier", {{"A spiral winds.", "나선은 감깁니다."}, "second"}}};
        const auto window = opened_at_once(library);
        const auto text = [](MainWindow& lab) { // a session that has yet to begin tells nothing
            lab.frame();
            return lab.presenter().runs().empty() ? QString() : lab.lesson().look().text;
        };
        QTRY_VERIFY_WITH_TIMEOUT(!text(*window).isEmpty(), patience_ms);
        QVERIFY(!window->lesson().look().text.contains("winds"));
        window->presenter().setCardStep(1);
        QTRY_VERIFY_WITH_TIMEOUT(text(*window).endsWith("\n\nA spiral winds."), patience_ms);
        library.cards[0].introductions.at("earlier").step.clear();
        const auto other = opened_at_once(library);
        QTRY_VERIFY_WITH_TIMEOUT(text(*other).endsWith("\n\nA spiral winds."), patience_ms);
    }

    // What there is to read is there while the run is being made, with no number yet.
    void a_lesson_is_read_before_its_run_is_there() {
        Library library = small_library("0.1", "series:loss");
        Card& card = library.cards[0];
        card.parameters["layers"] = "2,4000,4000,2"; // so many parameters take their time
        card.text.en.replace(card.text.en.find("Another."), 8, "Its loss is {loss}.");
        const auto window = opened_at_once(library);
        window->show();
        window->frame();
        QVERIFY(window->presenter().runs().empty());
        QVERIFY(window->story().isPresented());
        const StoryModel& story = window->lesson().look();
        QVERIFY(story.text.endsWith("{loss}."));
        QCOMPARE(story.numbers.value("loss").text, QString("…"));
        QVERIFY(!story.check);
    }

    // What a part measures by ends with it, and with the lesson; what somebody has chosen stays in a lesson that says nothing.
    void a_ruler_goes_with_its_part() {
        Library library = two_lessons();
        library.cards[0].lesson[0].ruler = "none";
        library.cards[0].lesson[1].ruler = "flops";
        const auto window = opened_at_once(library);
        Presenter& p = window->presenter();
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), !p.runs().empty() && p.run()->head() > 5), patience_ms);
        QVERIFY(p.state().ruler == Ruler::none);
        p.setCardStep(1);
        QVERIFY(p.state().ruler == Ruler::flops);
        p.change("ruler", [](AppState& state) { state.ruler = Ruler::time; });
        p.goPrepared();
        QVERIFY(p.state().ruler == Ruler::flops);
        p.setCardStep(0);
        QVERIFY(p.state().ruler == Ruler::none);
        p.setCardStep(1);
        window->chooseCard("second");
        QVERIFY(p.state().ruler == Ruler::none);
        p.change("ruler", [](AppState& state) { state.ruler = Ruler::bytes; });
        p.setCardStep(1);
        QVERIFY(p.state().ruler == Ruler::bytes);
    }

    // From where one stands, step by step, and no further than there are steps.
    void what_was_computed_is_played_again() {
        const auto window = open("0.1", "series:loss", nullptr, 0);
        Presenter& p = window->presenter();
        QCOMPARE(p.state().cursor.iteration, StepIndex{5});
        p.setSpeed(25); // slow enough for a look at many of them
        QTest::keyClick(window.get(), Qt::Key_Space);
        window->frame();
        QVERIFY(p.playing());
        std::vector<StepIndex> stood;
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), stood.push_back(p.state().cursor.iteration), !p.playing()), patience_ms);
        QCOMPARE(stood.back(), StepIndex{29});
        QVERIFY(std::is_sorted(stood.begin(), stood.end()));
        QVERIFY(std::set<StepIndex>(stood.begin(), stood.end()).size() > 5);
        QCOMPARE(p.run()->head(), StepIndex{30});
        p.goTo(3);
        p.setSpeed(1);
        QTest::keyClick(window.get(), Qt::Key_Space);
        window->frame();
        QTest::keyClick(window.get(), Qt::Key_Space); // and stands still
        window->frame();
        QVERIFY(!p.playing());
        QCOMPARE(p.state().cursor.iteration, StepIndex{3});
    }

    // While the rest is computed, one can play what is there, and a change is seen at its first step.
    void what_is_computed_ahead_is_no_playing() {
        Library library = two_lessons();
        library.cards[1].steps = 1'000'000;
        const auto window = opened_at_once(library);
        Presenter& p = window->presenter();
        window->chooseCard("second");
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), !p.runs().empty() && p.run()->head() > 200 && p.state().cursor.level == Level::op), patience_ms);
        QVERIFY(p.session().status().playing && !p.playing());
        p.goTo(20);
        window->frame();
        QCOMPARE(p.state().cursor.iteration, StepIndex{20});
        QVERIFY(!p.state().cursor.at_head);
        const StepIndex head = p.run()->head();
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), p.run()->head() > head), patience_ms);
        p.submit(Edit::parse("b1[0] = 2"));
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), p.state().run == 1 && !p.status().busy && !p.status().playing && p.run()->head() == 220), patience_ms);
        QCOMPARE(p.run()->first_iteration(), StepIndex{20});
        QCOMPARE(p.run()->head(), StepIndex{220}); // as far as one that is dragged is looked at
    }

    // A card may offer values of its own choosing, in its own words; a parameter that is typed elsewhere is pressed there.
    void a_card_words_what_it_offers() {
        Library library = two_lessons();
        library.cards[0].text.en.replace(library.cards[0].text.en.find("One idea"), 8, "Net: {parameter:layers}. One idea");
        library.cards[0].text.ko.replace(library.cards[0].text.ko.find("생각"), 6, "{parameter:layers}");
        library.cards[0].controls = {{"layers", 10, {"Net", "신경망"}, {{"2,8,2", {"small", "작게"}}, {"2,16,2", {"large", "크게"}}}}};
        const auto window = opened_at_once(library);
        Presenter& p = window->presenter();
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), !p.runs().empty() && window->story().findChild<StoryButton*>("choice:2,16,2")), patience_ms);
        const auto button = [&](const char* name) { return window->story().findChild<StoryButton*>(name); };
        QCOMPARE(button("choice:2,16,2")->words(), QString("large"));
        QCOMPARE(button("choice:2,8,2")->state(), StoryButton::Look::chosen);
        QVERIFY(!window->story().findChild<QLineEdit*>()); // nothing is to be typed
        const auto said = [&] {
            for (const StoryParameter& parameter : window->lesson().look().parameters)
                if (parameter.name == "layers") return parameter.label + ' ' + parameter.shown();
            return QString();
        };
        QCOMPARE(said(), QString("Net small"));
        button("choice:2,16,2")->click();
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), p.session().setup().parameters.at("layers") == "2,16,2" && !p.runs().empty()), patience_ms);
        QCOMPARE(said(), QString("Net large"));
        p.change("language", [](AppState& s) { s.language = Language::ko; });
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), button("choice:2,8,2") && button("choice:2,8,2")->words() == QString::fromUtf8("작게")), patience_ms);
    }

    // Who answered wrongly is told what is open, and asked again.
    void a_wrong_answer_can_be_given_again() {
        const QTemporaryDir folder;
        Progress progress((folder.path() + "/progress.sqlite").toStdString());
        const auto window = open("0.1", "series:loss", &progress);
        LessonDriver& lesson = window->lesson();
        const auto answered = [&](const char* check, const char* answer) {
            lesson.answer(check, answer);
            QTRY_VERIFY_WITH_TIMEOUT((window->frame(), lesson.look().check->state == StoryCheck::State::committed), patience_ms);
        };
        answered("start", "low");
        QVERIFY(!lesson.look().check->is_right);
        QVERIFY(lesson.look().check->unpassed.empty()); // said at the end
        lesson.nextCheck();
        answered("number", "1000");
        QCOMPARE(lesson.look().check->unpassed, (std::vector<int>{1, 2}));
        lesson.previousCheck();
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), lesson.look().check->state == StoryCheck::State::committed), patience_ms);
        lesson.answerAgain();
        QCOMPARE(lesson.look().check->state, StoryCheck::State::asking);
        answered("start", "high");
        lesson.nextCheck();
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), lesson.look().check->state == StoryCheck::State::committed), patience_ms);
        QCOMPARE(lesson.look().check->unpassed, std::vector<int>{2});
        lesson.answerAgain();
        QCOMPARE(lesson.look().check->state, StoryCheck::State::asking);
    }

    // An answer to the question about one net is no verdict on another.
    void a_verdict_goes_with_what_it_was_about() {
        const auto window = open("0.05", "series:loss");
        LessonDriver& lesson = window->lesson();
        const auto check = [&] {
            window->frame();
            return lesson.look().check;
        };
        lesson.answer("start", "high");
        QTRY_VERIFY_WITH_TIMEOUT(check()->state == StoryCheck::State::committed, patience_ms);
        lesson.commitParameter("layers", "2,4,2");
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), !window->presenter().runs().empty() && window->presenter().runs()[0]->manifest().parameters.at("layers") == "2,4,2"), patience_ms);
        QCOMPARE(check()->state, StoryCheck::State::asking);
        lesson.commitParameter("layers", "2,8,2"); // back at the first, its answer is there again
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), !window->presenter().runs().empty() && window->presenter().runs()[0]->manifest().parameters.at("layers") == "2,8,2" &&
                                  check()->state == StoryCheck::State::committed), patience_ms);
        QVERIFY(check()->recalled && check()->answer == "high");
    }

    // Its step is computed as fast as it goes, and then one stands there; Home does the same.
    void a_part_whose_step_is_to_come_is_stood_on_when_it_is_there() {
        Library library = small_library("0.1", "series:loss");
        library.cards[0].steps = 3000;
        library.cards[0].lesson[1].iteration = 200;
        const auto window = opened_at(20, library);
        Presenter& p = window->presenter();
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), !p.runs().empty() && p.run()->head() > 1 && p.playing()), patience_ms);
        p.playOrPause();
        window->frame();
        QVERIFY(p.run()->head() < 150);
        p.setCardStep(1);
        QTRY_COMPARE_WITH_TIMEOUT((window->frame(), p.state().cursor.iteration), StepIndex{200}, patience_ms);
        QVERIFY(!p.state().cursor.at_head && !p.playing());
        const auto other = opened_at(20, library);
        Presenter& q = other->presenter();
        QTRY_VERIFY_WITH_TIMEOUT((other->frame(), !q.runs().empty() && q.run()->head() > 1 && q.playing()), patience_ms);
        q.change("part", [](AppState& state) { state.card_step = 1; }); // turned to with nothing said yet
        q.goPrepared();
        QTRY_COMPARE_WITH_TIMEOUT((other->frame(), q.state().cursor.iteration), StepIndex{200}, patience_ms);
        QVERIFY(!q.playing());
    }

    void a_part_that_is_turned_to_leaves_the_run_to_its_end() {
        Library library = small_library("0.1", "series:loss");
        library.cards[0].steps = 3000;
        const auto window = opened_at(30, library);
        Presenter& p = window->presenter();
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), !p.runs().empty() && p.run()->head() > 6 && p.playing()), patience_ms);
        p.setCardStep(1);
        window->frame();
        QCOMPARE(p.state().cursor.iteration, StepIndex{5});
        QTRY_COMPARE_WITH_TIMEOUT((window->frame(), p.run()->head()), StepIndex{3000}, patience_ms); // at thirty a second it would take 100 s
        QCOMPARE(p.state().cursor.iteration, StepIndex{5});
        QVERIFY(!p.playing());
    }

    // What cannot be computed is said in the stage's place; the rest of the window is where it was.
    void a_failure_leaves_the_window_whole() {
        const QTemporaryDir empty;
        qputenv("GRADUS_FASHION_MNIST", empty.path().toUtf8());
        Library library = two_lessons();
        library.cards[1].parameters = {{"data", "fashion-mnist"}, {"layers", "784,8,10"}};
        library.cards[1].controls = {{"batch"}};
        library.cards[1].text.en.replace(library.cards[1].text.en.find("One idea"), 8, "{parameter:batch}. One idea");
        const auto window = opened_at_once(library);
        Presenter& p = window->presenter();
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), !p.runs().empty()), patience_ms);
        const QRect stage = window->stage().geometry(), story = window->story().geometry();
        window->chooseCard("second");
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), refused(*window).contains("Fashion-MNIST")), patience_ms);
        QVERIFY(refused(*window).contains("Ctrl+Z"));
        QCOMPARE(window->stage().geometry(), stage);
        QCOMPARE(window->story().geometry(), story);
        QVERIFY(window->story().findChild<QLineEdit*>()); // with what one may change
        for (View* view : window->stage().views()) QVERIFY(!view->isVisible());
        QTest::keyClick(window.get(), Qt::Key_L, Qt::ControlModifier);
        window->frame();
        QVERIFY(refused(*window).contains(QString::fromUtf8("설치하세요")));
        QTest::keyClick(window.get(), Qt::Key_L, Qt::ControlModifier);
        window->enterClass(); // before a class too
        window->frame();
        QCOMPARE(window->classStage()->stage().said(), refused(*window));
        window->leaveClass();
        window->chooseCard("small");
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), !p.runs().empty() && refused(*window).isEmpty()), patience_ms);
        window->chooseCard("second");
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), !refused(*window).isEmpty()), patience_ms);
        p.undo(); // what the sentence promises
        QTRY_VERIFY_WITH_TIMEOUT((window->frame(), !p.runs().empty() && refused(*window).isEmpty()), patience_ms);
        QCOMPARE(p.state().card, std::string("small"));
        QVERIFY(window->stage().views().front()->isVisible());
        QCOMPARE(window->stage().geometry(), stage);
        qunsetenv("GRADUS_FASHION_MNIST");
    }
};

QTEST_MAIN(TestLessons)
#include "test_lessons.moc"
