#include "tests/views/test_story.hpp"

#include "tests/views/story_column.hpp"
#include "views/story/check_verdict.hpp"

#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

using namespace gradus;
using testing::Column, testing::sample_check, testing::sample_story;

void TestStory::one_choice_answers_at_once() {
    StoryModel model = sample_story();
    model.check = sample_check();
    Column column(model);
    QSignalSpy answered(&column.view, &StoryView::answered);
    QVERIFY(!column.find<QWidget>("answer")->isVisible());
    column.click("option:falls");
    QCOMPARE(answered.takeFirst(), (QVariantList{"a", "falls"}));
    column.view.chooseOption("rises"); // pointed at elsewhere
    QCOMPARE(answered.takeFirst(), (QVariantList{"a", "rises"}));
    column.view.chooseOption("nothing of the kind");
    auto* option = column.find<StoryButton>("option:rises");
    option->setFocus();
    QTest::keyClick(option, Qt::Key_Space);
    QCOMPARE(answered.count(), 1);
    model.check->state = StoryCheck::State::committed;
    column.view.present(model);
    column.click("option:falls");
    QCOMPARE(answered.count(), 1); // said is said
}

void TestStory::sets_are_committed_with_a_button() {
    StoryModel model = sample_story();
    model.check = sample_check(StoryCheck::Kind::point);
    model.check->set = true;
    Column column(model);
    QSignalSpy answered(&column.view, &StoryView::answered);
    QVERIFY(!column.find<QWidget>("answer")->isEnabled());
    for (const char* name : {"option:W1[0,:]", "option:rises", "option:falls", "option:falls"}) column.click(name);
    QVERIFY(answered.isEmpty());
    column.click("answer");
    QCOMPARE(answered.takeFirst(), (QVariantList{"a", "W1[0,:],rises"}));
    QCOMPARE(split_answer("W1[0,:],rises"), (QStringList{"W1[0,:]", "rises"}));
}

void TestStory::numbers_are_typed() {
    StoryModel model = sample_story();
    model.check = sample_check(StoryCheck::Kind::number);
    model.check->unit = "%";
    Column column(model);
    QSignalSpy answered(&column.view, &StoryView::answered);
    auto* field = column.find<StoryField>("number");
    QTest::keyClick(field, Qt::Key_Return);
    QVERIFY(answered.isEmpty()); // nothing was typed
    QTest::keyClicks(field, " 84 ");
    QTest::keyClick(field, Qt::Key_Return);
    column.click("answer");
    QCOMPARE(answered.takeFirst(), (QVariantList{"a", "84"}));
    QCOMPARE(answered.count(), 1);
    model.check->refusal = "'x' is not a number";
    column.view.present(model);
    QVERIFY(column.find<RichLabel>("said")->isVisible());
}

void TestStory::orders_are_moved() {
    StoryModel model = sample_story();
    model.check = sample_check(StoryCheck::Kind::order);
    Column column(model);
    QSignalSpy answered(&column.view, &StoryView::answered);
    auto* list = column.find<OrderList>("order");
    list->setFocus();
    QTest::keyClick(list, Qt::Key_Down); // the second row
    QCOMPARE(list->order(), (QStringList{"rises", "falls", "W1[0,:]"}));
    QTest::keyClick(list, Qt::Key_Space);
    QTest::keyClick(list, Qt::Key_Up);
    QCOMPARE(list->order(), (QStringList{"falls", "rises", "W1[0,:]"}));
    QTest::mousePress(list, Qt::LeftButton, {}, {60, 20});
    QTest::mouseMove(list, {60, list->height() - 12});
    QTest::mouseRelease(list, Qt::LeftButton, {}, {60, list->height() - 12});
    QCOMPARE(list->order(), (QStringList{"rises", "W1[0,:]", "falls"}));
    column.click("answer");
    QCOMPARE(answered.takeFirst(), (QVariantList{"a", "rises,W1[0,:],falls"}));
}

void TestStory::verdicts_are_ink() {
    StoryModel model = sample_story();
    model.check = sample_check();
    model.check->state = StoryCheck::State::committed;
    model.check->right = QStringList{"falls"};
    model.check->answer = "rises";
    model.check->engine = "0.1662 → 0.1723";
    Column column(model);
    auto *rises = column.find<StoryButton>("option:rises"), *falls = column.find<StoryButton>("option:falls");
    QCOMPARE(rises->state(), StoryButton::Look::outlined); // keeps its outline
    QVERIFY(falls->ticked() && falls->state() == StoryButton::Look::plain);
    QVERIFY(column.find<RichLabel>("why")->isVisible());
    QVERIFY(column.find<RichLabel>("why")->text().startsWith("You chose: **rises**. Right: **falls**."));
    model.check->answer = "falls";
    model.check->is_right = true;
    column.view.present(model);
    QVERIFY(falls->state() == StoryButton::Look::chosen && !falls->ticked());
    QVERIFY(rises->state() == StoryButton::Look::plain && !rises->ticked());
    model.check->undecided = true;
    column.view.present(model);
    QVERIFY(falls->state() == StoryButton::Look::chosen && !falls->ticked() && !rises->ticked());
    QSignalSpy next(&column.view, &StoryView::nextCheck);
    column.click("next");
    QCOMPARE(next.count(), 1);
    model.check->number = 2; // the last one
    column.view.present(model);
    QVERIFY(!column.find<QWidget>("next")->isVisible() && !column.find<QWidget>("again")->isVisible());
    QSignalSpy previous(&column.view, &StoryView::previousCheck), again(&column.view, &StoryView::checkAgain);
    column.click("previous");
    QCOMPARE(previous.count(), 1);
    model.check->recalled = true;
    column.view.present(model);
    column.click("again");
    QCOMPARE(again.count(), 1);
    model.check->state = StoryCheck::State::computing;
    column.view.present(model);
    QVERIFY(column.find<RichLabel>("said")->isVisible() && !column.find<RichLabel>("why")->isVisible());
}

void TestStory::a_question_shows_all_its_answers_data() {
    QTest::addColumn<int>("height");
    for (const int height : {480, 560, 640, 720}) QTest::addRow("%d px", height) << height;
}

void TestStory::a_question_shows_all_its_answers() {
    QFETCH(int, height);
    StoryModel model = sample_story();
    model.parts = 3;
    model.part = 1;
    for (int i = 0; i < 6; ++i) model.text += QStringLiteral("\n\nOne more paragraph, so that the column is longer than the window.");
    Column column(model, 340, height);
    auto* area = column.view.findChild<QScrollArea*>();
    const auto in_sight = [&] {
        for (StoryButton* button : column.view.findChildren<StoryButton*>()) {
            if (!button->objectName().startsWith("option:") || !button->isVisible()) continue;
            const QRect there(button->mapTo(area->viewport(), QPoint()), button->size());
            if (!area->viewport()->rect().contains(there)) return false;
        }
        return true;
    };
    auto* forward = column.find<StoryButton>("forward");
    const auto come = [&] { // to the last page, which is read from its beginning; its way on leads to the question
        model.part = 2;
        model.check = sample_check();
        column.view.present(model);
        QCOMPARE(area->verticalScrollBar()->value(), 0);
        QCOMPARE(forward->words(), QString("Question ↓"));
        QVERIFY(forward->isEnabled());
        column.click("forward");
        QVERIFY(!forward->words().startsWith("Question") && !forward->isEnabled());
    };
    come();
    QVERIFY(area->verticalScrollBar()->maximum() > 0);
    QVERIFY2(in_sight(), "the first time");
    model.part = 1;
    model.check.reset();
    column.view.present(model);
    QCOMPARE(area->verticalScrollBar()->value(), 0);
    come();
    QVERIFY2(in_sight(), "come back");
    column.view.resize(340, height - 20);
    QVERIFY2(in_sight(), "in a lower window");
    const auto anew = [&] { // the Run is computed, and the question is asked again
        const auto check = model.check;
        model.check.reset();
        column.view.present(model);
        model.check = check;
        column.view.present(model);
    };
    anew();
    QVERIFY2(in_sight(), "asked later");
    model.check->id = "b";
    column.view.present(model);
    QVERIFY2(in_sight(), "the next one");
    area->verticalScrollBar()->setValue(0); // who reads the text is left to it
    QCOMPARE(forward->words(), QString("Question ↓"));
    model.text += QStringLiteral(" More.");
    column.view.present(model);
    anew();
    QCOMPARE(area->verticalScrollBar()->value(), 0);
}

/// Where the card has no room: from its head as long as the verdict is in sight, else from the verdict.
void TestStory::a_verdict_keeps_its_question() {
    for (const int height : {300, 360, 420, 480, 540, 600, 700}) {
        StoryModel model = sample_story();
        model.parts = 1;
        for (int i = 0; i < 6; ++i) model.text += QStringLiteral("\n\nOne more paragraph, so that the column is longer than the window.");
        model.check = sample_check();
        Column column(model, 340, height);
        model.check->state = StoryCheck::State::committed;
        model.check->answer = "rises";
        model.check->right = {"falls"};
        for (int i = 0; i < 6; ++i) model.check->why += QStringLiteral(" One more sentence that says why it is so.");
        column.view.present(model);
        auto* area = column.view.findChild<QScrollArea*>();
        auto* check = column.find<CheckPanel>("check");
        const int top = check->mapTo(area->viewport(), QPoint()).y(), seen = area->viewport()->height();
        if (check->verdictBottom() + 40 < seen) QVERIFY2(top >= -4, qPrintable(QString("%1: %2").arg(height).arg(top)));
        QVERIFY2(top + check->verdictTop() >= 0 && top + check->verdictTop() + 20 < seen, qPrintable(QString("%1: the verdict").arg(height)));
    }
}

/// Answers with pictures, in rows: from wherever the verdict is read, the row at the upper end is whole.
void TestStory::a_verdict_cuts_no_answer() {
    QImage picture(28, 28, QImage::Format_RGB32);
    picture.fill(Qt::gray);
    int rows = 0;
    for (int height = 300; height <= 700; height += 20) {
        StoryModel model = sample_story();
        model.parts = 1;
        model.check = sample_check();
        for (int i = 0; i < 6; ++i) model.check->options.push_back({QString("more%1").arg(i), "one more", picture});
        for (StoryOption& option : model.check->options) option.picture = picture;
        Column column(model, 340, height);
        model.check->state = StoryCheck::State::committed;
        model.check->answer = "more5";
        model.check->right = {"falls"};
        for (int i = 0; i < 6; ++i) model.check->why += QStringLiteral(" One more sentence that says why it is so.");
        column.view.present(model);
        auto* area = column.view.findChild<QScrollArea*>();
        auto* check = column.find<CheckPanel>("check");
        const int top = check->mapTo(area->viewport(), QPoint()).y(), seen = area->viewport()->height();
        QVERIFY2(top + check->verdictTop() >= 0 && top + check->verdictTop() + 20 < seen, qPrintable(QString("%1: the verdict").arg(height)));
        for (const StoryButton* button : check->findChildren<StoryButton*>()) {
            if (!button->isVisible()) continue;
            const int first = button->mapTo(area->viewport(), QPoint()).y(), last = first + button->height() - 1 - ring_room;
            QVERIFY2(first >= 0 || last < ring_room, qPrintable(QString("%1: %2 from %3 to %4").arg(height).arg(button->objectName()).arg(first).arg(last)));
            rows += first >= 0 && button->objectName().startsWith("option:");
        }
    }
    QVERIFY(rows > 0);
}

/// At every place it may be scrolled to: a filled button is not cut at the lower end, and nothing lies on what is whole.
void TestStory::a_filled_button_is_whole_or_gone() {
    StoryModel model = sample_story();
    for (int i = 0; i < 6; ++i) model.text += QStringLiteral("\n\nOne more paragraph, so that the column is longer than the window.");
    Column column(model, 340, 300);
    auto* area = column.view.findChild<QScrollArea*>();
    const StoryButton* filled = nullptr;
    for (const StoryButton* button : column.view.findChildren<StoryButton*>())
        if (button->state() == StoryButton::Look::chosen && button->isVisible()) filled = button;
    QVERIFY(filled);
    const QColor ink = load_theme(ThemeMode::light).ink;
    int cut = 0;
    for (int at = 0; at <= area->verticalScrollBar()->maximum(); ++at) {
        area->verticalScrollBar()->setValue(at);
        const QRect there(filled->mapTo(&column.view, QPoint()), filled->size());
        if (there.top() > area->geometry().bottom() || there.bottom() <= area->geometry().bottom()) continue;
        ++cut;
        const QImage image = column.view.grab().toImage();
        const double scale = image.devicePixelRatio();
        for (int y = there.top() + ring_room + 2; y <= area->geometry().bottom(); ++y) // left of its words
            QVERIFY2(image.pixelColor((QPointF(there.left() + ring_room + 6, y) * scale).toPoint()).lightness() > ink.lightness() + 100, qPrintable(QString("%1: %2").arg(at).arg(y)));
    }
    QVERIFY(cut > 20);
}

void TestStory::an_option_shows_its_picture_data() {
    QTest::addColumn<int>("width");
    QTest::addColumn<double>("scale");
    for (const int width : {260, 340, 460, 620})
        for (const double scale : {1.0, 1.3, 1.6}) QTest::addRow("%d at %.1f", width, scale) << width << scale;
}

void TestStory::an_option_shows_its_picture() {
    QFETCH(int, width);
    QFETCH(double, scale);
    StoryModel model = sample_story();
    model.text_scale = scale;
    StoryCheck check = sample_check(StoryCheck::Kind::point);
    check.set = true;
    check.options.clear();
    for (int i = 0; i < 6; ++i) {
        QImage picture(28, 28, QImage::Format_Grayscale8);
        picture.fill(40 * i);
        check.options.push_back({QString("image%1").arg(i), QString("the ankle boot (image %1)").arg(i), picture});
    }
    model.check = check;
    Column column(model, width, 1400);
    const auto buttons = [&] {
        std::vector<StoryButton*> out;
        for (const StoryOption& option : check.options) out.push_back(column.view.findChild<StoryButton*>("option:" + option.id));
        return out;
    };
    const QRectF before = buttons()[0]->geometry();
    for (const bool committed : {false, true}) {
        if (committed) {
            check.state = StoryCheck::State::committed;
            check.answer = "image0,image1";
            check.right = {"image3", "image1"};
            for (const StoryOption& option : check.options) check.found[option.id] = "12.3";
            model.check = check;
            column.view.present(model);
        }
        for (std::size_t i = 0; i < 6; ++i) {
            StoryButton* button = buttons()[i];
            const QRectF picture = button->pictureRect();
            QVERIFY(picture.width() >= 42 * scale && picture.height() == picture.width());
            QCOMPARE(std::fmod(picture.width(), 28), 0.0); // crisp
            QVERIFY2(QRectF(button->rect()).adjusted(4, 4, -4, -4).contains(picture), qPrintable(button->words()));
            QVERIFY(button->height() >= button->heightNeeded(button->width())); // a row is as high as its highest
            QCOMPARE(button->accessibleName(), committed ? button->words() + ": 12.3" : button->words());
            const QRect centre(picture.center().toPoint() - QPoint(4, 4), QSize(8, 8));
            const QImage shown = button->grab(centre).toImage();
            QCOMPARE(qGray(shown.pixel(shown.width() / 2, shown.height() / 2)), static_cast<int>(40 * i));
            for (std::size_t k = 0; k < i; ++k) QVERIFY(!button->geometry().adjusted(4, 4, -4, -4).intersects(buttons()[k]->geometry().adjusted(4, 4, -4, -4)));
        }
        QCOMPARE(buttons()[0]->width(), static_cast<int>(before.width())); // nothing jumps
        QCOMPARE(buttons()[0]->height(), static_cast<int>(before.height()));
    }
}
