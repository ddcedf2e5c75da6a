// What a class sees: the lab shown larger, and the lesson on the whole screen.
#include "app/window/presenter_page.hpp"
#include "app/window/presenter_stage.hpp"
#include "app/window/vote_panel.hpp"
#include "app/window/window_main.hpp"
#include "app/window/zoom_host.hpp"
#include "lessons/runtime/progress.hpp"
#include "tests/support/slowed.hpp"
#include "tests/window/small_lesson.hpp"
#include "views/plots/plot_view.hpp"
#include "views/story/story_view.hpp"
#include "views/text/rich_label.hpp"
#include "views/theme/words.hpp"

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

std::shared_ptr<const Library> cards() {
    static const auto library = std::make_shared<const Library>(load_library(GRADUS_SOURCE_FOLDER "/lessons"));
    return library;
}

void press(MainWindow& window, Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(window.windowHandle(), key, modifiers); // as the display sends it: shortcuts first, then the focus
    window.frame();
}

} // namespace

class TestClass : public QObject {
    Q_OBJECT

private slots:
    void the_lab_is_shown_larger();
    void the_lab_starts_larger();
    void f5_and_esc();
    void a_clicker_goes_through_parts_and_questions();
    void home_and_blank();
    void a_vote_is_counted_closed_and_kept_out_of_everything();
    void the_back_row_can_read_it_data();
    void the_back_row_can_read_it();
    void a_part_shows_a_class_what_its_text_speaks_of();
    void a_class_stays_where_the_part_puts_it();
    void a_question_stands_at_its_prepared_step();
    void forks_are_there_after_class();
    void an_answer_is_there_again();
    void questions_of_cards_keep_their_size();
    void choices_of_two_lines_stand_in_the_middle_of_their_keys();
    void choices_stand_on_the_line_of_their_keys();
    void choices_show_their_pictures_data();
    void choices_show_their_pictures();
    void a_picture_that_is_not_there_is_said();
    void captions_are_short();
    void captions_of_cards_are_read_whole();
};

void TestClass::the_lab_is_shown_larger() {
    const auto window = open("0.05", "series:loss", nullptr, 0);
    auto* host = window->findChild<ZoomHost*>();
    QCOMPARE(host->zoom(), 1.0);
    QTest::keyClick(window.get(), Qt::Key_Equal, Qt::ControlModifier);
    QTest::keyClick(window.get(), Qt::Key_Plus, Qt::ControlModifier);
    QCOMPARE(window->state().text_scale, 1.2);
    QCOMPARE(host->zoom(), 1.2);
    window->presenter().change("text size", [](AppState& state) { state.text_scale = 1.6; });
    window->frame();
    QCOMPARE(host->content()->size(), QSize(800, 500)); // in its own pixels
    // A view is as large on screen as it says, and nothing of the content hangs out of the window.
    for (const QWidget* child : host->content()->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
        if (child->isVisible()) QVERIFY2(host->content()->rect().contains(child->geometry()), child->metaObject()->className());
    QVERIFY(!window->grab().isNull());
    QTest::keyClick(window.get(), Qt::Key_Minus, Qt::ControlModifier);
    QCOMPARE(window->state().text_scale, 1.5);
    QTest::keyClick(window.get(), Qt::Key_0, Qt::ControlModifier);
    QCOMPARE(host->zoom(), 1.0);
    QCOMPARE(host->content()->parentWidget(), host);
    QCOMPARE(host->content()->size(), window->size());
    QTest::keyClick(window.get(), Qt::Key_Minus, Qt::ControlModifier);
    QCOMPARE(window->state().text_scale, 1.0); // not smaller than it is made
}

/// As it is when the lab was left like that: the first layout comes while the views are being placed.
void TestClass::the_lab_starts_larger() {
    for (const double scale : {1.1, 1.3, 1.6, 2.0}) {
        AppState state;
        state.text_scale = scale;
        state.card = "forward-pass-as-matmuls";
        MainWindow window(cards(), state);
        window.resize(1280, 800);
        show_active(window);
        QTRY_VERIFY_WITH_TIMEOUT(!window.presenter().runs().empty(), patience_ms);
        window.frame();
        QCOMPARE(window.findChild<ZoomHost*>()->zoom(), scale);
        QVERIFY(!window.stage().views().empty());
        QVERIFY(!window.grab().isNull());
    }
}

void TestClass::f5_and_esc() {
    const auto window = open("0.05", "series:loss", nullptr, 0);
    press(*window, Qt::Key_F5);
    QVERIFY(window->classStage());
    QCOMPARE(window->classStage()->geometry(), window->rect());
    QVERIFY(window->classStage()->stage().views().size() <= 2);
    press(*window, Qt::Key_Escape);
    QVERIFY(!window->classStage());
    QVERIFY(window->stage().isVisible());
    press(*window, Qt::Key_F5);
    press(*window, Qt::Key_F5);
    QVERIFY(!window->classStage());
}

void TestClass::a_clicker_goes_through_parts_and_questions() {
    const auto window = open("0.05", "series:loss", nullptr, 0);
    press(*window, Qt::Key_F5);
    PresenterStage& stage = *window->classStage();
    QCOMPARE(stage.pages(), std::size_t{4});
    QCOMPARE(stage.page(), std::size_t{0});
    QCOMPARE(stage.caption().text(), QString("One idea, here."));
    press(*window, Qt::Key_Space);
    QCOMPARE(stage.page(), std::size_t{1});
    QVERIFY(!window->presenter().playing()); // Space is not the window's here
    QCOMPARE(window->state().cursor.iteration, StepIndex{5});
    press(*window, Qt::Key_PageUp);
    QCOMPARE(stage.page(), std::size_t{0});
    press(*window, Qt::Key_2); // digits jump
    QCOMPARE(stage.page(), std::size_t{1});
    press(*window, Qt::Key_PageDown);
    QVERIFY(stage.asking());
    QCOMPARE(stage.caption().text(), QString("From which loss does it start?"));
    QVERIFY(stage.choices().isVisible());
    press(*window, Qt::Key_Right); // the one key that moves on reveals first
    QTRY_VERIFY_WITH_TIMEOUT((window->frame(), stage.choices().rows()[1].right), patience_ms);
    press(*window, Qt::Key_Right);
    QCOMPARE(stage.page(), std::size_t{3});
    press(*window, Qt::Key_Left);
    QCOMPARE(stage.page(), std::size_t{2});
    QVERIFY(!stage.choices().rows()[1].right); // asked anew
}

void TestClass::home_and_blank() {
    const auto window = open("0.05", "series:loss", nullptr, 0);
    press(*window, Qt::Key_F5);
    PresenterStage& stage = *window->classStage();
    press(*window, Qt::Key_2);
    window->presenter().goTo(20);
    press(*window, Qt::Key_Home);
    QCOMPARE(window->state().cursor.iteration, StepIndex{5});
    QVERIFY(window->state().bookmarks.empty());
    press(*window, Qt::Key_B);
    QVERIFY(stage.blank());
    QVERIFY(window->state().bookmarks.empty()); // B is not the window's here
    const QImage image = stage.grab().toImage();
    for (const QPoint at : {QPoint(10, 10), QPoint(640, 400), QPoint(1200, 780)})
        QCOMPARE(image.pixelColor(at), load_theme(ThemeMode::dark).window);
    press(*window, Qt::Key_B);
    QVERIFY(!stage.blank());
}

void TestClass::a_vote_is_counted_closed_and_kept_out_of_everything() {
    const std::string file = QDir::temp().filePath("gradus-class-progress.sqlite").toStdString();
    std::filesystem::remove(file);
    Progress progress(file);
    const auto window = open("0.05", "series:loss", &progress);
    const std::size_t edits = window->session().run(0)->edits().size();
    press(*window, Qt::Key_F5);
    PresenterStage& stage = *window->classStage();
    press(*window, Qt::Key_PageDown);
    for (int i = 0; i < 3; ++i) press(*window, Qt::Key_1);
    for (int i = 0; i < 5; ++i) press(*window, Qt::Key_2);
    press(*window, Qt::Key_At, Qt::ShiftModifier); // Shift and 2, as most keyboards say it
    press(*window, Qt::Key_7);                     // no such choice
    QCOMPARE(stage.choices().rows()[0].hands, 3);
    QCOMPARE(stage.choices().rows()[1].hands, 4);
    QVERIFY(std::abs(stage.choices().rows()[0].bar.width() / stage.choices().rows()[1].bar.width() - 0.75) < 0.01);
    press(*window, Qt::Key_V);
    press(*window, Qt::Key_1);
    QCOMPARE(stage.choices().rows()[0].hands, 3);
    QVERIFY(!stage.choices().rows()[0].right && !stage.choices().rows()[1].right);
    QVERIFY(!window->lesson().veil().empty());
    press(*window, Qt::Key_R);
    QTRY_VERIFY_WITH_TIMEOUT((window->frame(), stage.choices().rows()[1].right), patience_ms);
    QVERIFY(!stage.choices().rows()[0].right);
    QCOMPARE(stage.choices().rows()[1].hands, 4); // bars stay
    QVERIFY(window->lesson().veil().empty());
    QVERIFY(progress.answers("small").empty());
    QCOMPARE(window->session().run(0)->edits().size(), edits);
    QCOMPARE(window->session().status().runs, std::size_t{1});
    press(*window, Qt::Key_Escape);
    QVERIFY(!window->lesson().veil().empty()); // the learner's own question is still open
    press(*window, Qt::Key_F5);
    press(*window, Qt::Key_PageDown);
    QCOMPARE(window->classStage()->choices().rows()[0].hands, 3); // of the sitting
}

void TestClass::the_back_row_can_read_it_data() {
    QTest::addColumn<QSize>("size");
    for (const QSize size : {QSize(1280, 800), QSize(1920, 1080), QSize(1024, 768), QSize(3840, 2160)})
        QTest::addRow("%dx%d", size.width(), size.height()) << size;
}

void TestClass::the_back_row_can_read_it() {
    QFETCH(QSize, size);
    const auto window = open("0.05", "series:loss", nullptr, 0);
    window->resize(size);
    window->enterClass();
    PresenterStage& stage = *window->classStage();
    const double unit = size.height() / 800.0;
    auto* host = stage.findChild<ZoomHost*>();
    QVERIFY(text_font(metrics::small_text).pixelSize() * host->zoom() >= 28 * unit - 0.5);
    for (std::size_t page = 0; page < stage.pages(); ++page) {
        stage.goToPage(page);
        window->frame();
        for (const RichRun& run : stage.caption().geometryFor(stage.caption().width()).runs)
            QVERIFY(run.font.pixelSize() >= 28 * unit - 1);
        QVERIFY(stage.rect().contains(stage.caption().geometry()));
        QVERIFY(stage.rect().contains(host->geometry()));
        QVERIFY(!host->geometry().intersects(stage.caption().geometry()));
        for (const VotePanel::Row& row : stage.choices().rows())
            QVERIFY(QRectF(stage.choices().rect()).contains(row.key));
    }
    window->leaveClass();
    QCOMPARE(text_font(metrics::small_text).pixelSize(), metrics::small_text);
}

void TestClass::a_part_shows_a_class_what_its_text_speaks_of() {
    Library library = small_library("0.1", "series:loss");
    library.cards[0].lesson[1].in_class = {{"layers", "2,4,2"}, {"activation", "tanh"}};
    library.cards[0].checks[0].scene = {"", StepIndex{7}, {"tensor"}, "W1[0,3]", {}, {}, {{"layers", "2,6,2"}}};
    const auto opened = opened_at_once(library, {{"batch", "16"}}); // the learner's own
    MainWindow& window = *opened;
    Presenter& p = window.presenter();
    const auto layers = [&] { return p.runs().empty() ? std::string() : p.runs()[0]->manifest().parameters.at("layers"); };
    const auto shows = [&](const std::string& wanted, StepIndex head) {
        window.frame();
        return layers() == wanted && p.runs()[0]->head() == head && p.runs()[0]->manifest().parameters.at("batch") == "16";
    };
    QTRY_VERIFY_WITH_TIMEOUT(shows("2,8,2", 30), patience_ms);
    p.setCardStep(1); // nobody is taught: nothing changes
    QVERIFY(shows("2,8,2", 30));
    p.setCardStep(0);
    window.enterClass();
    QVERIFY(window.classStage());
    QVERIFY(shows("2,8,2", 30)); // this part brings nothing
    press(window, Qt::Key_PageDown);
    QTRY_VERIFY_WITH_TIMEOUT(shows("2,4,2", 30), patience_ms); // as far as the one before
    QCOMPARE(p.runs()[0]->manifest().parameters.at("activation"), std::string("tanh"));
    QTRY_VERIFY_WITH_TIMEOUT((window.frame(), p.state().cursor.iteration == 5), patience_ms);
    press(window, Qt::Key_PageUp);
    QTRY_VERIFY_WITH_TIMEOUT(shows("2,8,2", 30), patience_ms);
    press(window, Qt::Key_PageDown);
    QTRY_VERIFY_WITH_TIMEOUT(shows("2,4,2", 30), patience_ms);
    // A question has a scene of its own, or the learner's; what the last part had set is gone.
    press(window, Qt::Key_PageDown);
    QTRY_VERIFY_WITH_TIMEOUT(shows("2,6,2", 30), patience_ms);
    QTRY_VERIFY_WITH_TIMEOUT((window.frame(), p.state().cursor.iteration == 7), patience_ms);
    QVERIFY((p.state().selection == Selection{"W1", {0, 3}}));
    QCOMPARE(window.classStage()->stage().ids(), std::vector<std::string>{"tensor"});
    window.classStage()->goToPage(3);
    QTRY_VERIFY_WITH_TIMEOUT(shows("2,8,2", 30), patience_ms);
    press(window, Qt::Key_PageUp);
    press(window, Qt::Key_PageUp);
    QTRY_VERIFY_WITH_TIMEOUT(shows("2,4,2", 30), patience_ms);
    window.leaveClass();
    QTRY_VERIFY_WITH_TIMEOUT(shows("2,8,2", 30), patience_ms);
    QCOMPARE(p.state().parameters.size(), std::size_t{1});
    // What the learner chose may not go with what the part brings: then that goes with the card's.
    p.change("test", [](AppState& s) { s.parameters = {{"data", "xor"}, {"batch", "4"}, {"layers", "2,3,1"}, {"loss", "mse"}}; });
    window.restart();
    QTRY_VERIFY_WITH_TIMEOUT((window.frame(), layers() == "2,3,1"), patience_ms);
    p.setCardStep(0);
    window.enterClass();
    p.setCardStep(1);
    QTRY_VERIFY_WITH_TIMEOUT((window.frame(), layers() == "2,4,2"), patience_ms);
    QCOMPARE(p.ownParameters().at("layers"), std::string("2,3,1")); // what is kept for the next start
    window.leaveClass();
    QTRY_VERIFY_WITH_TIMEOUT((window.frame(), layers() == "2,3,1"), patience_ms);
}

// The step that a part prepares is the last one of a Run that has just begun; the cursor must not go along with it.
void TestClass::a_class_stays_where_the_part_puts_it() {
    Library library = small_library("0.1", "series:loss");
    library.cards[0].lesson[1].iteration = StepIndex{0};
    library.cards[0].lesson[1].cursor = "forward/layer1";
    const std::string layers = slowed > 1 ? "2,256,256,2" : "2,2048,2048,2"; // a step takes longer than a frame
    library.cards[0].lesson[1].in_class = {{"layers", layers}};
    const auto opened = opened_at_once(library);
    MainWindow& window = *opened;
    Presenter& p = window.presenter();
    QTRY_VERIFY_WITH_TIMEOUT((window.frame(), !p.runs().empty()), patience_ms);
    window.enterClass();
    window.classStage()->goToPage(1);
    QTRY_VERIFY_WITH_TIMEOUT((window.frame(), !p.runs().empty() && p.runs()[0]->manifest().parameters.at("layers") == layers && p.runs()[0]->head() == 30),
                             patience_ms);
    window.frame();
    QCOMPARE(p.state().cursor.iteration, StepIndex{0});
    QCOMPARE(p.state().cursor.level, Level::module);
}

/// From wherever one comes: the last part has parameters of its own, the question has not, and neither Run was there yet.
void TestClass::a_question_stands_at_its_prepared_step() {
    Library library = small_library("0.05", "series:loss");
    library.cards[0].lesson[1].in_class = {{"layers", "2,4,2"}};
    library.cards[0].checks[1].scene.iteration = 7;
    const auto window = opened_at_once(library);
    Presenter& p = window->presenter();
    const auto stands_at = [&](StepIndex iteration) {
        window->frame();
        return !p.runs().empty() && p.runs()[0]->head() == 30 && p.runs()[0]->manifest().parameters.at("layers") == "2,8,2" &&
               p.state().cursor.iteration == iteration && !p.state().cursor.at_head;
    };
    QTRY_VERIFY_WITH_TIMEOUT((window->frame(), !p.runs().empty() && p.runs()[0]->head() == 30), patience_ms);
    for (const std::size_t part : {std::size_t{1}, std::size_t{0}}) // of the learner, who stands at the end
        for (const auto& [page, iteration] : {std::pair(2, 5), std::pair(3, 7)}) {
            p.setCardStep(part);
            p.goTo(29);
            window->frame();
            window->enterClass();
            window->classStage()->goToPage(static_cast<std::size_t>(page));
            QTRY_VERIFY2_WITH_TIMEOUT(stands_at(iteration), qPrintable(QString::number(p.state().cursor.iteration)), patience_ms);
            p.goTo(20);
            press(*window, Qt::Key_Home);
            QTRY_VERIFY_WITH_TIMEOUT(stands_at(iteration), patience_ms);
            window->leaveClass();
        }
}

void TestClass::forks_are_there_after_class() {
    Library library = small_library("0.1", "series:loss");
    library.cards[0].lesson[1].in_class = {{"layers", "2,4,2"}};
    const auto opened = opened_at_once(library);
    MainWindow& window = *opened;
    Presenter& p = window.presenter();
    QTRY_VERIFY_WITH_TIMEOUT((window.frame(), !p.runs().empty() && p.runs()[0]->state() == RunState::finished), patience_ms);
    p.goTo(10);
    p.submit(Edit::parse("lr = 0.3"));
    QTRY_VERIFY_WITH_TIMEOUT((window.frame(), p.runs().size() == 2 && p.state().run == 1 && p.runs()[1]->head() > 10), patience_ms);
    const StepIndex head = p.runs()[1]->head();
    const double loss = *p.runs()[1]->value_at("loss", 10);
    window.enterClass();
    window.classStage()->goToPage(1);
    QTRY_VERIFY_WITH_TIMEOUT((window.frame(), p.runs().size() == 1 && p.runs()[0]->manifest().parameters.at("layers") == "2,4,2"), patience_ms);
    window.leaveClass();
    QTRY_VERIFY_WITH_TIMEOUT((window.frame(), !p.resuming() && p.runs().size() == 2 && p.state().run == 1), patience_ms);
    QCOMPARE(p.runs()[0]->manifest().parameters.at("layers"), std::string("2,8,2"));
    QCOMPARE(p.runs()[1]->first_iteration(), StepIndex{10});
    QCOMPARE(p.runs()[1]->head(), head);
    QCOMPARE(*p.runs()[1]->value_at("loss", 10), loss);
}

void TestClass::an_answer_is_there_again() {
    const std::filesystem::path file = std::filesystem::path(QDir::tempPath().toStdString()) / "gradus-test-again.sqlite";
    std::filesystem::remove(file);
    Progress progress(file);
    const auto check = [](MainWindow& window) {
        window.frame();
        return window.lesson().look().check;
    };
    {
        const auto window = open("0.05", "series:loss", &progress);
        window->lesson().answer("start", "low");
        QTRY_VERIFY_WITH_TIMEOUT(check(*window)->state == StoryCheck::State::committed, patience_ms);
        QVERIFY(!check(*window)->recalled);
    }
    const auto window = open("0.05", "series:loss", &progress);
    QCOMPARE(check(*window)->id, QString("number")); // the first one that is open
    QCOMPARE(check(*window)->state, StoryCheck::State::asking);
    window->lesson().previousCheck();
    QTRY_VERIFY_WITH_TIMEOUT(check(*window)->state == StoryCheck::State::committed, patience_ms);
    QVERIFY(check(*window)->recalled && !check(*window)->is_right);
    QCOMPARE(check(*window)->answer, QString("low"));
    QVERIFY(!check(*window)->why.isEmpty());
    QCOMPARE(progress.answers("small").size(), std::size_t{1}); // shown again is not answered again
    window->lesson().answerAgain();
    QCOMPARE(check(*window)->state, StoryCheck::State::asking);
    window->lesson().answer("start", "high");
    QTRY_VERIFY_WITH_TIMEOUT(check(*window)->state == StoryCheck::State::committed, patience_ms);
    QVERIFY(check(*window)->is_right);
    QCOMPARE(progress.answers("small").size(), std::size_t{2});
    // With another seed it is another question.
    window->lesson().commitParameter("seed", "2");
    QTRY_VERIFY_WITH_TIMEOUT(check(*window) && window->session().run(0)->state() == RunState::finished, patience_ms);
    window->lesson().nextCheck();
    window->lesson().previousCheck();
    for (int i = 0; i < 20; ++i) {
        QCOMPARE(check(*window)->state, StoryCheck::State::asking);
        QTest::qWait(5);
    }
}

void TestClass::captions_of_cards_are_read_whole() {
    Library library = small_library("0.05", "series:loss");
    Card& small = library.cards[0];
    std::vector<Words> captions;
    for (const Card& card : cards()->cards)
        for (const CardStep& step : card.lesson) {
            QCOMPARE(step.caption.en.empty(), step.caption.ko.empty());
            if (!step.caption.en.empty()) captions.push_back(step.caption);
        }
    QVERIFY(captions.size() > 20);
    small.lesson.clear();
    for (const Words& caption : captions) {
        const std::string name = "part" + std::to_string(small.lesson.size());
        small.lesson.push_back({{}, name, caption});
        for (std::string* text : {&small.text.en, &small.text.ko}) *text += "\n## " + name + "\n\nAnother text.\n";
    }
    for (const Language language : {Language::en, Language::ko}) {
        AppState state;
        state.card = "small";
        state.language = language;
        MainWindow window(std::make_shared<const Library>(library), state);
        window.resize(1280, 800);
        show_active(window);
        QTRY_VERIFY_WITH_TIMEOUT(!window.presenter().runs().empty(), patience_ms);
        window.enterClass();
        for (std::size_t part = 0; part < captions.size(); ++part) {
            window.classStage()->goToPage(part);
            window.frame();
            QCOMPARE(window.classStage()->caption().text(), QString::fromStdString(captions[part].in(language == Language::ko ? "ko" : "en")));
        }
        window.leaveClass();
    }
}

/// In full size, in two lines, in every language: a question that is longer says too much at once.
void TestClass::questions_of_cards_keep_their_size() {
    for (const Card& card : cards()->cards)
        for (const Language language : {Language::en, Language::ko}) {
            AppState state;
            state.card = card.id;
            state.language = language;
            MainWindow window(cards(), state);
            window.resize(1280, 800);
            show_active(window);
            QTRY_VERIFY_WITH_TIMEOUT((window.frame(), !window.presenter().runs().empty()), patience_ms);
            window.enterClass();
            PresenterStage& stage = *window.classStage();
            for (std::size_t i = 0; i < card.checks.size(); ++i) {
                stage.goToPage(card.lesson.size() + i);
                QTRY_VERIFY_WITH_TIMEOUT((window.frame(), stage.choices().isVisible()), patience_ms);
                for (const RichRun& run : stage.caption().geometryFor(stage.caption().width()).runs)
                    QVERIFY2(run.font.pixelSize() >= 34, qPrintable(QString::fromStdString(card.id + " " + card.checks[i].id) + ": " + stage.caption().text()));
            }
            window.leaveClass();
        }
}

void TestClass::choices_of_two_lines_stand_in_the_middle_of_their_keys() {
    for (const double unit : {1.0, 1.35}) {
        StoryCheck check;
        check.id = "a";
        check.kind = StoryCheck::Kind::choice;
        for (const char* words : {"more weakly, but to every image it answered before", "stays", "the negative logarithm of the right answer's probability"})
            check.options.push_back({words, words, {}});
        VotePanel panel(load_theme(ThemeMode::light), nullptr);
        panel.resize(QSize(690, 560) * unit);
        panel.show();
        panel.present(check, {}, unit);
        for (const std::size_t i : {0U, 2U}) {
            const VotePanel::Row& row = panel.rows()[i];
            QVERIFY(row.words.height() > 60 * unit); // two lines
            QVERIFY(std::abs(row.words.center().y() - row.key.center().y()) < 0.6);
            QVERIFY(std::abs(row.tick.center().y() - row.key.center().y()) < 0.6);
        }
    }
}

/// In any script, in a choice of one line.
void TestClass::choices_stand_on_the_line_of_their_keys() {
    for (const StoryCheck::Kind kind : {StoryCheck::Kind::choice, StoryCheck::Kind::order})
        for (const double unit : {1.0, 1.35}) {
            StoryCheck check;
            check.id = "a";
            check.kind = kind;
            for (const char* words : {"stays", "그대로다", "relu를 쓴다"}) check.options.push_back({words, words, {}});
            VotePanel panel(load_theme(ThemeMode::light), nullptr);
            panel.resize(QSize(645, 560) * unit);
            panel.show();
            panel.present(check, {}, unit);
            const TextMetrics words(text_font(qRound(30 * unit), QFont::DemiBold)), key(mono_font(qRound(34 * unit), QFont::Medium));
            for (std::size_t i = 0; i < 3; ++i) {
                const VotePanel::Row& row = panel.rows()[i];
                const double base = row.words.top() + words.lineAscent(row.text);
                QVERIFY(std::abs(base - (row.key.center().y() + key.capHeight() / 2)) < 0.6);
            }
            QCOMPARE(VotePanel::wantedWidth(check, unit) > 0, kind == StoryCheck::Kind::choice);
        }
}

void TestClass::choices_show_their_pictures_data() {


    QTest::addColumn<QSize>("size");
    QTest::addColumn<double>("unit");
    QTest::newRow("1280×800") << QSize(645, 560) << 1.0;
    QTest::newRow("1920×1080") << QSize(970, 760) << 1.35;
    QTest::newRow("3840×2160") << QSize(1940, 1520) << 2.7;
}

void TestClass::choices_show_their_pictures() {
    QFETCH(QSize, size);
    QFETCH(double, unit);
    StoryCheck check;
    check.id = "a";
    check.kind = StoryCheck::Kind::point;
    for (int i = 0; i < 6; ++i) {
        QImage picture(28, 28, QImage::Format_Grayscale8);
        picture.fill(40 * i);
        check.options.push_back({QString::number(i), QString("the ankle boot (image %1)").arg(i), picture});
    }
    VotePanel panel(load_theme(ThemeMode::dark), nullptr);
    panel.resize(size);
    panel.show();
    for (const bool committed : {false, true}) {
        if (committed) {
            check.state = StoryCheck::State::committed;
            check.right = {"3"};
            for (const StoryOption& option : check.options) check.found[option.id] = "12.3";
            check.found_words = "what the neuron answers";
        }
        panel.present(check, {{3, 1, 4, 1, 5, 9}, committed}, unit);
        const QImage shown = panel.grab().toImage();
        for (std::size_t i = 0; i < 6; ++i) {
            const VotePanel::Row& row = panel.rows()[i];
            QVERIFY(row.picture.width() >= 56 && row.picture.height() == row.picture.width());
            QCOMPARE(std::fmod(row.picture.width(), 28), 0.0); // crisp
            QVERIFY(QRectF(panel.rect()).contains(row.picture));
            for (const QRectF& other : {row.key, row.words, row.bar, row.count, row.number}) QVERIFY(!row.picture.intersects(other));
            if (i > 0) QVERIFY(!row.picture.intersects(panel.rows()[i - 1].picture));
            const QPoint centre = row.picture.center().toPoint() * shown.devicePixelRatio();
            QCOMPARE(qGray(shown.pixel(centre)), static_cast<int>(40 * i));
        }
    }
}

/// A card may be opened on other data than it was written for.
void TestClass::a_picture_that_is_not_there_is_said() {
    Library library = small_library("0.1", "series:loss");
    library.cards[0].checks[0].options[0].image = 3;
    const auto opened = opened_at_once(library);
    MainWindow& window = *opened;
    QTRY_VERIFY_WITH_TIMEOUT(window.session().run(0) && window.session().run(0)->state() == RunState::finished, patience_ms);
    window.frame();
    window.presenter().setCardStep(1);
    const auto check = [&] {
        window.frame();
        return window.lesson().look().check;
    };
    QTRY_VERIFY_WITH_TIMEOUT(check() && !check()->refusal.isEmpty(), patience_ms);
    QCOMPARE(check()->refusal, QString("The choices are pictures, but the examples of this data set are none."));
    QVERIFY(check()->options[0].picture.isNull());
    QCOMPARE(check()->options[0].words, QString("below 0.1"));
}

void TestClass::captions_are_short() {
    QCOMPARE(caption_of("A line is **made** of two numbers: $f(x) = a \\cdot x + b$. The slope says."),
             QString("A line is made of two numbers: $f(x) = a \\cdot x + b$."));
    QCOMPARE(caption_of("$x = 1.5$\n\nIt is 1.5 times as wide! Then more."), QString("It is 1.5 times as wide!"));
    QCOMPARE(caption_of("one two, three four five six", 4), QString("one two …"));
    QCOMPARE(caption_of("The gradient is a difference:\n\n$d = p - y$\n\nMore."), QString("The gradient is a difference: $d = p - y$"));
    QCOMPARE(caption_of("직선은 숫자 두 개로 정해집니다. $f(x) = a$. 기울기 $a$는 그다음입니다."), QString("직선은 숫자 두 개로 정해집니다. $f(x) = a$"));
    QCOMPARE(caption_of("Lines: {parameter:lines}. Add a third and a fourth."), QString("Add a third and a fourth."));
    QCOMPARE(caption_of("Choose `relu`. It keeps what is positive."), QString("It keeps what is positive."));
    QCOMPARE(caption_of("Look."), QString("Look.")); // better than nothing
    QCOMPARE(caption_of(""), QString());
    int captions = 0;
    for (const Card& card : cards()->cards)
        for (const std::string& lang : {std::string("en"), std::string("ko")})
            for (const CardStep& step : card.lesson) {
                const QString all = QString::fromStdString(card.text.in(lang)), heading = "\n## " + QString::fromStdString(step.text) + "\n";
                const qsizetype at = all.indexOf(heading);
                QVERIFY(at >= 0);
                const QString caption = caption_of(all.mid(at + heading.size(), all.indexOf("\n## ", at + 1) - at - heading.size()));
                QVERIFY2(!caption.isEmpty() && caption.count('$') % 2 == 0, qPrintable(caption));
                ++captions;
            }
    QVERIFY(captions >= 18 * 5);
}

QTEST_MAIN(TestClass)
#include "test_class.moc"
