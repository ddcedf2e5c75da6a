#include "tests/views/test_story.hpp"

#include "lessons/runtime/card.hpp"
#include "tests/views/story_column.hpp"

#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

using namespace gradus;
using Kind = StoryParameter::Kind;
using testing::Column, testing::sample_check, testing::sample_story;

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
    Column column(sample_story());
    QSignalSpy dragged(&column.view, &StoryView::parameterDragged), committed(&column.view, &StoryView::parameterCommitted);
    auto* slider = column.find<QWidget>("control:lr")->findChild<Slider*>("slider");
    QVERIFY(slider && slider->isVisible());
    const QPoint from = slider->thumb().toPoint();
    QTest::mousePress(slider, Qt::LeftButton, {}, from);
    QTest::mouseMove(slider, from + QPoint(40, 0));
    QTest::mouseMove(slider, from + QPoint(80, 0));
    QVERIFY(dragged.count() >= 1 && committed.isEmpty());
    column.view.present([] { // frames go on while one drags: the old value does not pull the ring back
        StoryModel model = sample_story();
        model.numbers["loss"] = {"0.447", Provenance::computed};
        return model;
    }());
    QVERIFY(slider->value() > 0.5);
    QTest::mouseRelease(slider, Qt::LeftButton, {}, from + QPoint(80, 0));
    QCOMPARE(committed.count(), 1);
    QCOMPARE(committed[0][0].toString(), QString("lr"));
    QCOMPARE(committed[0][1].toString().toDouble(), slider->value());
    slider->setFocus();
    StoryModel model = sample_story();
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
    StoryModel model = sample_story();
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

void TestStory::parts_are_turned() {
    StoryModel model = sample_story();
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
    StoryModel model = sample_story();
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

void TestStory::what_lies_over_its_head_cuts_no_line() {
    Column column(sample_story(), 340, 640);
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
    Column column(sample_story());
    QSignalSpy problem(&column.view, &StoryView::problem);
    StoryModel model = sample_story();
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
    Column column(sample_story(), 280, 700);
    QSignalSpy problem(&column.view, &StoryView::problem);
    for (const char* language : {"en", "ko"}) {
        StoryModel model = sample_story();
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
