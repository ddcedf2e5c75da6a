// What a class sees: the lab shown larger, and the lesson on the whole screen.
#include "app/window/presenter_stage.hpp"
#include "app/window/spotlight.hpp"
#include "app/window/vote_panel.hpp"
#include "app/window/window_main.hpp"
#include "app/window/window_files.hpp"
#include "app/window/zoom_host.hpp"
#include "lessons/runtime/progress.hpp"
#include "tests/support/slowed.hpp"
#include "tests/window/small_class.hpp"
#include "views/text/rich_label.hpp"

#include <QDir>
#include <QSignalSpy>
#include <QTest>
#include <QWindow>
#include <filesystem>

using namespace gradus;
using namespace gradus::test;

class TestClass : public QObject {
    Q_OBJECT

private slots:
    void the_lab_is_shown_larger();
    void the_lab_starts_larger();
    void f5_and_esc();
    void a_clicker_goes_through_parts_and_questions();
    void home_and_blank();
    void a_spotlight_leaves_its_patch_as_it_was();
    void a_vote_is_counted_closed_and_kept_out_of_everything();
    void the_back_row_can_read_it_data();
    void the_back_row_can_read_it();
    void a_part_shows_a_class_what_its_text_speaks_of();
    void a_class_stays_where_the_part_puts_it();
    void forks_are_there_after_class();
};

void TestClass::the_lab_is_shown_larger() {
    const auto window = open("0.05", "series:loss", nullptr, 0);
    auto* host = window->findChild<ZoomHost*>();
    QCOMPARE(host->zoom(), 1.0);
    QTest::keyClick(window.get(), Qt::Key_Equal, Qt::ControlModifier);
    QTest::keyClick(window.get(), Qt::Key_Plus, Qt::ControlModifier);
    QCOMPARE(window->state().text_scale, 1.2);
    QCOMPARE(host->zoom(), 1.0); // keys that come together are laid out together
    window->frame();
    QCOMPARE(host->zoom(), 1.2);
    window->presenter().change("text size", [](AppState& state) { state.text_scale = 1.6; });
    window->frame();
    QCOMPARE(host->content()->size(), QSize(800, 500)); // in its own pixels
    // A view is as large on screen as it says, and nothing of the content hangs out of the window.
    for (const QWidget* child : host->content()->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
        if (child->isVisible()) QVERIFY2(host->content()->rect().contains(child->geometry()), child->metaObject()->className());
    QVERIFY(!window->grab().isNull());
    QTest::keyClick(window.get(), Qt::Key_Plus, Qt::ControlModifier);
    QCOMPARE(window->state().text_scale, 1.6); // 1280 x 800 has no room for more
    QVERIFY(!window->files().said().isEmpty());
    QTest::keyClick(window.get(), Qt::Key_Minus, Qt::ControlModifier);
    QCOMPARE(window->state().text_scale, 1.5);
    QTest::keyClick(window.get(), Qt::Key_0, Qt::ControlModifier);
    window->frame();
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

void TestClass::a_spotlight_leaves_its_patch_as_it_was() {
    const auto window = open("0.05", "series:loss", nullptr, 0);
    press(*window, Qt::Key_F5);
    PresenterStage& stage = *window->classStage();
    const QImage before = stage.grab().toImage();
    press(*window, Qt::Key_L);
    QVERIFY(stage.spotlight().on());
    QTest::mouseMove(&stage, {400, 300});
    QTRY_COMPARE(stage.spotlight().middle(), QPointF(400, 300));
    const QImage lit = stage.grab().toImage();
    for (const QPoint at : {QPoint(400, 300), QPoint(430, 280)}) QCOMPARE(lit.pixelColor(at), before.pixelColor(at));
    for (const QPoint at : {QPoint(20, 20), QPoint(900, 700)}) QVERIFY(lit.pixelColor(at).lightness() < before.pixelColor(at).lightness() - 60);
    press(*window, Qt::Key_Right, Qt::ShiftModifier);
    QVERIFY(stage.spotlight().middle().x() > 400);
    QCOMPARE(stage.page(), std::size_t{0}); // the page stays
    const double radius = stage.spotlight().radius();
    press(*window, Qt::Key_Plus);
    QVERIFY(stage.spotlight().radius() > radius);
    for (int i = 0; i < 40; ++i) press(*window, Qt::Key_Left, Qt::ShiftModifier);
    QVERIFY(stage.rect().contains(stage.spotlight().middle().toPoint()));
    press(*window, Qt::Key_L);
    QVERIFY(!stage.spotlight().on());
    press(*window, Qt::Key_L);
    press(*window, Qt::Key_B);
    QVERIFY(!stage.spotlight().on()); // nothing is lit on a dark screen
    press(*window, Qt::Key_B);
    QCOMPARE(stage.grab().toImage().pixelColor(20, 20), before.pixelColor(20, 20));
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

void TestClass::forks_are_there_after_class() {
    Library library = small_library("0.1", "series:loss");
    library.cards[0].lesson[1].in_class = {{"layers", "2,4,2"}};
    const auto opened = opened_at_once(library);
    MainWindow& window = *opened;
    Presenter& p = window.presenter();
    QTRY_VERIFY_WITH_TIMEOUT((window.frame(), !p.runs().empty() && p.runs()[0]->state() == RunState::finished), patience_ms);
    p.goTo(10);
    p.submit(Edit::parse("lr = 0.3"));
    QTRY_VERIFY_WITH_TIMEOUT((window.frame(), p.runs().size() == 2 && p.state().run == 1 && p.runs()[1]->head() > 10 && !p.session().status().playing), patience_ms);
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

QTEST_MAIN(TestClass)
#include "test_class.moc"
