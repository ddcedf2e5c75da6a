#include "tests/views/test_story.hpp"

#include "lessons/runtime/card.hpp"
#include "views/story/check_verdict.hpp"
#include "views/story/story_view.hpp"

#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

using namespace gradus;

namespace {

using Kind = StoryParameter::Kind;

StoryModel sample() {
    StoryModel model;
    model.title = "One gradient-descent step";
    model.question = "How far does a weight move?";
    model.parts = 3;
    model.text = "The loss is {loss}. Rate: {parameter:lr}. Layers: {parameter:layers}. Data: {parameter:data}.";
    model.numbers = {{"loss", {"0.448", Provenance::computed}}};
    model.parameters = {{"lr", "Learning rate η", Kind::number, "0.10", 0.001, 10, true, "", {}, ""},
                        {"layers", "Layers", Kind::widths, "784,10", 0, 0, false, "", {}, ""},
                        {"data", "Data", Kind::choice, "xor", 0, 0, false, "", {{"xor", "XOR"}, {"spirals", "Spirals"}}, ""}};
    return model;
}

StoryCheck sample_check(StoryCheck::Kind kind = StoryCheck::Kind::choice) {
    StoryCheck check;
    check.id = "a";
    check.kind = kind;
    check.ask = "The loss is {loss}. It …";
    check.why = "Because it is $-\\eta g$.";
    if (kind != StoryCheck::Kind::number) check.options = {{"rises", "rises"}, {"falls", "falls"}, {"W1[0,:]", "row 0"}};
    check.count = 2;
    return check;
}

/// A column as it would stand in the window, shown.
struct Column {
    StoryView view{load_theme(ThemeMode::light)};
    explicit Column(const StoryModel& model, int width = 340, int height = 900) {
        view.resize(width, height);
        view.present(model);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
    }
    template <class T> T* find(const char* name) const { return view.findChild<T*>(name); }
    void click(const char* name) const { QTest::mouseClick(find<QWidget>(name), Qt::LeftButton); }
};

} // namespace

void TestStory::scales_go_there_and_back_data() {
    QTest::addColumn<double>("least");
    QTest::addColumn<double>("most");
    QTest::addColumn<bool>("log");
    QTest::addColumn<bool>("whole");
    QTest::addColumn<double>("value");
    QTest::addColumn<double>("place");
    QTest::addColumn<QString>("text");
    QTest::newRow("middle of a log scale") << 0.001 << 10.0 << true << false << 0.1 << 0.5 << "0.10";
    QTest::newRow("least") << 0.001 << 10.0 << true << false << 0.001 << 0.0 << "0.0010";
    QTest::newRow("most") << 0.001 << 10.0 << true << false << 10.0 << 1.0 << "10";
    QTest::newRow("linear") << 0.0 << 1.0 << false << false << 0.25 << 0.25 << "0.25";
    QTest::newRow("integers") << 0.0 << 50.0 << false << true << 10.0 << 0.2 << "10";
    QTest::newRow("integers by ratio") << 1.0 << 10000.0 << true << true << 100.0 << 0.5 << "100";
    QTest::newRow("a log scale from 0") << 0.0 << 10000.0 << true << true << 100.0 << 0.5 << "100";
    QTest::newRow("ratios both ways") << -100.0 << 100.0 << true << false << 0.0 << 0.5 << "0.00";
    QTest::newRow("the end of one way") << -100.0 << 100.0 << true << false << -100.0 << 0.0 << "-100";
    QTest::newRow("below 0") << -2.0 << 2.0 << false << false << -1.0 << 0.25 << "-1.00";
}

void TestStory::scales_go_there_and_back() {
    QFETCH(double, least);
    QFETCH(double, most);
    QFETCH(bool, log);
    QFETCH(bool, whole);
    QFETCH(double, value);
    QFETCH(double, place);
    QFETCH(QString, text);
    const SliderScale scale{least, most, log, whole};
    QVERIFY(std::abs(scale.place(value) - place) < 1e-9);
    QVERIFY(std::abs(scale.value(place) - value) <= 1e-9 * std::abs(value));
    QCOMPARE(scale.written(scale.value(place)), text);
    for (double at = -0.1; at <= 1.1; at += 0.01) { // nothing leaves the range, and what is written is reached
        const double there = scale.value(at);
        QVERIFY(there >= std::min(least, most) && there <= most);
        QVERIFY(std::abs(scale.written(there).toDouble() - there) <= 1e-9 * std::max(1.0, std::abs(there)));
    }
}

void TestStory::scales_step_and_mark() {
    const SliderScale rate{0.001, 10, true, false}, units{1, 64, false, true};
    QCOMPARE(rate.step(0.1, 1), 0.11);
    QVERIFY(std::abs(rate.step(0.1, -1) - 0.099) < 1e-12); // finer below a decade
    QCOMPARE(rate.page(0.1, 1), 0.2);
    QCOMPARE(rate.page(0.12, -1), 0.1);
    QCOMPARE(rate.step(10, 1), 10.0);
    QCOMPARE(units.step(5, 1), 6.0);
    QCOMPARE(units.step(1, -1), 1.0);
    QCOMPARE(rate.ticks(8), (std::vector<double>{0.001, 0.01, 0.1, 1, 10}));
    QVERIFY(rate.ticks(3).size() <= 3);
    QVERIFY(units.ticks(6).size() >= 4 && units.ticks(6).size() <= 7);
    QVERIFY((SliderScale{3, 3, false, false}).ticks(5).empty()); // no range
    const SliderScale shift{-100, 100, true, false};
    QCOMPARE(shift.ticks(8), (std::vector<double>{-100, -10, -1, 0, 1, 10, 100}));
    QCOMPARE(shift.ticks(3), (std::vector<double>{-100, 0, 100}));
    QCOMPARE(shift.step(0, 1), 0.01);
    QCOMPARE(shift.step(-10, 1), -9.9);
    QCOMPARE(shift.page(0, -1), -0.1);
    QCOMPARE(shift.page(-1, -1), -2.0);
    QCOMPARE(shift.page(50, 1), 100.0);
    QCOMPARE(shift.page(100, 1), 100.0);
    QVERIFY(shift.place(1) - shift.place(0) > 0.1 && shift.place(100) == 1);
    QCOMPARE((SliderScale{3, 3, false, false}).value(0.7), 3.0);
    QCOMPARE((SliderScale{0, 1, false, false}).place(std::nan("")), 0.0);
}

void TestStory::sliders_move() {
    Column column(sample());
    QSignalSpy dragged(&column.view, &StoryView::parameterDragged), committed(&column.view, &StoryView::parameterCommitted);
    auto* slider = column.find<QWidget>("control:lr")->findChild<Slider*>("slider");
    QVERIFY(slider && slider->isVisible());
    const QPoint from = slider->thumb().toPoint();
    QTest::mousePress(slider, Qt::LeftButton, {}, from);
    QTest::mouseMove(slider, from + QPoint(40, 0));
    QTest::mouseMove(slider, from + QPoint(80, 0));
    QVERIFY(dragged.count() >= 1 && committed.isEmpty());
    column.view.present([] { // frames go on while one drags: the old value does not pull the ring back
        StoryModel model = sample();
        model.numbers["loss"] = {"0.447", Provenance::computed};
        return model;
    }());
    QVERIFY(slider->value() > 0.5);
    QTest::mouseRelease(slider, Qt::LeftButton, {}, from + QPoint(80, 0));
    QCOMPARE(committed.count(), 1);
    QCOMPARE(committed[0][0].toString(), QString("lr"));
    QCOMPARE(committed[0][1].toString().toDouble(), slider->value());
    slider->setFocus();
    StoryModel model = sample();
    model.parameters[0].value = "1.0";
    column.view.present(model);
    QCOMPARE(slider->value(), 1.0);
    QTest::keyClick(slider, Qt::Key_Right);
    QCOMPARE(committed.last()[1].toString(), QString("1.1"));
    QTest::keyClick(slider, Qt::Key_Down, Qt::ShiftModifier);
    QCOMPARE(committed.last()[1].toString(), QString("1.0"));
    QCOMPARE(committed.count(), 3);
    for (const int key : {Qt::Key_Home, Qt::Key_End, Qt::Key_PageUp, Qt::Key_PageDown}) QTest::keyClick(slider, static_cast<Qt::Key>(key)); // the lesson's
    QCOMPARE(committed.count(), 3);
}

void TestStory::controls_take_and_refuse() {
    StoryModel model = sample();
    Column column(model);
    QSignalSpy committed(&column.view, &StoryView::parameterCommitted);
    auto* layers = column.find<ParameterControl>("control:layers");
    auto* field = layers->findChild<StoryField*>("field");
    field->setFocus();
    field->selectAll();
    QTest::keyClicks(field, "784,x");
    column.view.present(model); // typing goes on while frames pass
    QCOMPARE(field->text(), QString("784,x"));
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(committed.takeFirst(), (QVariantList{"layers", "784,x"}));
    const auto takes_undo = [&] { // else it is the window's
        QKeyEvent undo(QEvent::ShortcutOverride, Qt::Key_Z, Qt::ControlModifier);
        undo.ignore();
        QCoreApplication::sendEvent(field, &undo);
        return undo.isAccepted();
    };
    QVERIFY(!takes_undo());
    QTest::keyClick(field, Qt::Key_1);
    QVERIFY(takes_undo());
    QTest::keyClick(field, Qt::Key_Backspace);
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(committed.takeFirst(), (QVariantList{"layers", "784,x"}));
    const int before = layers->height();
    model.parameters[1].refusal = "a width is a whole number";
    column.view.present(model);
    QVERIFY(layers->height() > before); // the sentence stands under the field
    QCOMPARE(field->text(), QString("784,x"));
    auto* spirals = column.find<QWidget>("control:data")->findChild<StoryButton*>("choice:spirals");
    QTest::mouseClick(spirals, Qt::LeftButton);
    QCOMPARE(committed.takeFirst(), (QVariantList{"data", "spirals"}));
    QCOMPARE(spirals->state(), StoryButton::Look::chosen);
    model.text = "No control here.";
    column.view.present(model);
    QVERIFY(!layers->isVisible());
}

void TestStory::one_choice_answers_at_once() {
    StoryModel model = sample();
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
    StoryModel model = sample();
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
    StoryModel model = sample();
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
    StoryModel model = sample();
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
    StoryModel model = sample();
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

void TestStory::parts_are_turned() {
    StoryModel model = sample();
    Column column(model);
    QSignalSpy turned(&column.view, &StoryView::partChanged);
    column.click("back"); // there is none before the first
    QVERIFY(turned.isEmpty());
    column.click("forward");
    QCOMPARE(turned.takeFirst(), QVariantList{1});
    model.part = 2;
    column.view.present(model);
    column.click("forward");
    QVERIFY(turned.isEmpty());
    column.click("back");
    QCOMPARE(turned.takeFirst(), QVariantList{1});
    model.part = 0; // from the first part to the guess, and back
    model.guess_of = 3;
    column.view.present(model);
    QVERIFY(column.find<RichLabel>("ahead")->text().contains("3 questions"));
    column.click("guess");
    QCOMPARE(turned.takeFirst(), QVariantList{2});
    model.part = 2;
    model.guess_of = 0;
    column.view.present(model);
    QVERIFY(!column.find<QWidget>("guess")->isVisible());
    column.click("back");
    QCOMPARE(turned.takeFirst(), QVariantList{0});
    for (QWidget* each : column.view.findChildren<QWidget*>())
        if (each->focusPolicy() != Qt::NoFocus && each->isVisible() && !qobject_cast<QScrollBar*>(each))
            QVERIFY2(!each->accessibleName().isEmpty(), qPrintable(each->objectName()));
}

void TestStory::the_column_scrolls_only_down() {
    StoryModel model = sample();
    model.check = sample_check();
    Column column(model, 280, 300);
    auto* area = column.view.findChild<QScrollArea*>();
    QVERIFY(area->verticalScrollBar()->maximum() > 0);
    QCOMPARE(area->horizontalScrollBar()->maximum(), 0);
    area->setFocus();
    QTest::keyClick(area, Qt::Key_PageDown);
    QVERIFY(area->verticalScrollBar()->value() > 0);
    model.part = 1;
    model.check.reset();
    column.view.present(model);
    QCOMPARE(area->verticalScrollBar()->value(), 0); // another part begins at its top
    QVERIFY(column.view.minimumSizeHint().width() <= 280);
}

void TestStory::a_question_shows_all_its_answers_data() {
    QTest::addColumn<int>("height");
    for (const int height : {480, 560, 640, 720}) QTest::addRow("%d px", height) << height;
}

void TestStory::a_question_shows_all_its_answers() {
    QFETCH(int, height);
    StoryModel model = sample();
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
    const auto come = [&] { // to the last page, and its question
        model.part = 2;
        model.check = sample_check();
        column.view.present(model);
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
    model.check.reset(); // the Run is computed anew, and the question is asked again
    column.view.present(model);
    come();
    QVERIFY2(in_sight(), "asked later");
    area->verticalScrollBar()->setValue(0); // who reads the text is left to it
    model.text += QStringLiteral(" More.");
    column.view.present(model);
    QCOMPARE(area->verticalScrollBar()->value(), 0);
}

void TestStory::what_lies_over_its_head_cuts_no_line() {
    Column column(sample(), 340, 640);
    auto* area = column.view.findChild<QScrollArea*>();
    const QRect before = area->geometry();
    QVERIFY(column.view.hasRoomBelow(300));
    column.view.giveWay(300);
    QCOMPARE(area->geometry().top(), 300); // its first line begins there
    QCOMPARE(area->geometry().bottom(), before.bottom());
    QCOMPARE(area->verticalScrollBar()->value(), 0);
    QVERIFY(!column.view.hasRoomBelow(520));
    column.view.giveWay(520); // all of it is covered
    QCOMPARE(area->geometry(), before);
    column.view.giveWay(300);
    column.view.giveWay(0);
    QCOMPARE(area->geometry(), before);
}

void TestStory::mistakes_are_reported_and_shown() {
    Column column(sample());
    QSignalSpy problem(&column.view, &StoryView::problem);
    StoryModel model = sample();
    model.part = 1;
    model.text = "So $\\frac{a}$ it is, and {nobody}.";
    column.view.present(model);
    QCOMPARE(problem.count(), 1);
    QCOMPARE(problem[0][0].toString(), QString("part 2: $\\frac{a}$, at character 1: \\frac needs two arguments"));
    auto* text = column.find<RichLabel>("text");
    bool raw = false, open = false;
    for (const RichRun& run : text->geometryFor(text->width()).runs) {
        raw = raw || run.text == "$\\frac{a}$";
        open = open || run.text == nothing_yet;
    }
    QVERIFY(raw && open);
}

void TestStory::all_cards_fit_data() {
    QTest::addColumn<QString>("card");
    for (const char* card : {"chain-rule-backprop", "forward-pass-as-matmuls", "xor-network"}) QTest::newRow(card) << card;
}

void TestStory::all_cards_fit() {
    QFETCH(QString, card);
    const Card read = load_card(std::string(GRADUS_SOURCE_FOLDER) + "/lessons/cards/" + card.toStdString());
    Column column(sample(), 280, 700);
    QSignalSpy problem(&column.view, &StoryView::problem);
    for (const char* language : {"en", "ko"}) {
        StoryModel model = sample();
        model.title = QString::fromStdString(read.title.in(language));
        model.question = QString::fromStdString(read.question.in(language));
        model.text = QString::fromStdString(read.text.in(language));
        for (const Check& check : read.checks) {
            model.check = sample_check(static_cast<StoryCheck::Kind>(check.kind));
            model.check->id = QString::fromStdString(check.id);
            model.check->ask = QString::fromStdString(check.ask.in(language));
            model.check->why = QString::fromStdString(check.why.in(language));
            model.check->options.clear();
            for (const CheckOption& option : check.options)
                model.check->options.push_back({QString::fromStdString(option.id), QString::fromStdString(option.words.in(language))});
            for (const auto state : {StoryCheck::State::asking, StoryCheck::State::committed})
                for (const int width : {280, 340, 500}) {
                    model.check->state = state;
                    column.view.resize(width, 700);
                    column.view.present(model);
                    auto* page = column.view.findChild<StoryPage*>();
                    int bottom = 0;
                    for (QWidget* child : page->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
                        if (!child->isVisible()) continue;
                        QVERIFY2(page->rect().contains(child->geometry()), qPrintable(child->objectName()));
                        if (!child->objectName().startsWith("control:")) {
                            QVERIFY2(child->y() >= bottom, qPrintable(child->objectName()));
                            bottom = child->geometry().bottom();
                        }
                    }
                    for (QWidget* child : page->check()->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
                        if (child->isVisible())
                            QVERIFY2(page->check()->rect().contains(child->geometry()),
                                     qPrintable(QString("%1 at %2 of %3, %4").arg(child->objectName()).arg(child->geometry().bottom()).arg(page->check()->height()).arg(width)));
                }
        }
    }
    QVERIFY2(problem.isEmpty(), problem.isEmpty() ? "" : qPrintable(problem[0][0].toString()));
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
    StoryModel model = sample();
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
