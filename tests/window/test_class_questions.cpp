#include "app/window/presenter_page.hpp"
#include "app/window/presenter_stage.hpp"
#include "app/window/vote_panel.hpp"
#include "lessons/runtime/edit.hpp"
#include "lessons/runtime/progress.hpp"
#include "tests/window/small_class.hpp"
#include "views/text/rich_label.hpp"
#include "views/theme/words.hpp"

#include <QDir>
#include <QPainter>
#include <QTest>
#include <filesystem>

using namespace gradus;
using namespace gradus::test;

// What a class is asked, and the captions that it reads.
class TestClassQuestions : public QObject {
    Q_OBJECT

private slots:
    void a_question_stands_at_its_prepared_step();
    void an_answer_is_there_again();
    void captions_of_cards_are_read_whole();
    void questions_of_cards_keep_their_size();
    void choices_of_two_lines_stand_in_the_middle_of_their_keys();
    void choices_stand_on_the_line_of_their_keys();
    void choices_show_their_pictures_data();
    void choices_show_their_pictures();
    void a_picture_that_is_not_there_is_said();
    void captions_are_short();
};

/// From wherever one comes: the last part has parameters of its own, the question has not, and neither Run was there yet.
void TestClassQuestions::a_question_stands_at_its_prepared_step() {
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

void TestClassQuestions::an_answer_is_there_again() {
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

void TestClassQuestions::captions_of_cards_are_read_whole() {
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
void TestClassQuestions::questions_of_cards_keep_their_size() {
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
            for (std::size_t i = 0; i < class_checks(card); ++i) {
                stage.goToPage(card.lesson.size() + i);
                QTRY_VERIFY_WITH_TIMEOUT((window.frame(), stage.choices().isVisible()), patience_ms);
                for (const RichRun& run : stage.caption().geometryFor(stage.caption().width()).runs)
                    QVERIFY2(run.font.pixelSize() >= 34, qPrintable(QString::fromStdString(card.id + " " + card.checks[i].id) + ": " + stage.caption().text()));
            }
            window.leaveClass();
        }
}

void TestClassQuestions::choices_of_two_lines_stand_in_the_middle_of_their_keys() {
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
void TestClassQuestions::choices_stand_on_the_line_of_their_keys() {
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

void TestClassQuestions::choices_show_their_pictures_data() {


    QTest::addColumn<QSize>("size");
    QTest::addColumn<double>("unit");
    QTest::newRow("1280×800") << QSize(645, 560) << 1.0;
    QTest::newRow("1920×1080") << QSize(970, 760) << 1.35;
    QTest::newRow("3840×2160") << QSize(1940, 1520) << 2.7;
}

void TestClassQuestions::choices_show_their_pictures() {
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
void TestClassQuestions::a_picture_that_is_not_there_is_said() {
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

void TestClassQuestions::captions_are_short() {
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

QTEST_MAIN(TestClassQuestions)
#include "test_class_questions.moc"
