#include "tests/window/test_access.hpp"

#include "app/window/export_panel.hpp"
#include "app/window/presenter_stage.hpp"
#include "app/window/setting_popup.hpp"
#include "app/window/why_driver.hpp"
#include "app/window/paths_panel.hpp"
#include "app/window/stage.hpp"
#include "app/window/transport_bar.hpp"
#include "tests/window/lab.hpp"
#include "views/access/accessible_item.hpp"
#include "views/access/item_focus.hpp"
#include "views/graph/graph_widget.hpp"
#include "views/story/story_view.hpp"

#include <QAbstractButton>
#include <QAccessible>
#include <QMenu>
#include <QSet>
#include <QShortcut>
#include <QSignalSpy>
#include <QTest>

using namespace gradus;

namespace {

const std::vector<std::pair<const char*, StepIndex>> cards{
    {"forward-pass-as-matmuls", 3}, {"xor-network", 40}, {"chain-rule-backprop", 5}, {"gradient-descent-step", 5},
    {"training-step-anatomy", 4}, {"lines-and-composition", 0}, {"softmax-cross-entropy", 0}};

void add_cards() {
    QTest::addColumn<QString>("card");
    QTest::addColumn<int>("step");
    for (const auto& [card, step] : cards) QTest::newRow(card) << QString(card) << static_cast<int>(step);
}

/// Every interface below one, the visible ones.
void walk(QAccessibleInterface* at, const std::function<void(QAccessibleInterface*)>& meet, int depth = 0) {
    if (!at || !at->isValid() || depth > 30 || at->state().invisible) return;
    meet(at);
    for (int i = 0; i < at->childCount(); ++i) walk(at->child(i), meet, depth + 1);
}

/// What a person can do something with.
bool is_control(QAccessibleInterface* at) {
    static const QSet<QAccessible::Role> roles{QAccessible::Button, QAccessible::EditableText, QAccessible::Slider,
                                               QAccessible::CheckBox, QAccessible::RadioButton, QAccessible::ComboBox,
                                               QAccessible::SpinBox, QAccessible::ListItem, QAccessible::Cell,
                                               QAccessible::Grouping};
    return roles.contains(at->role()) || at->state().focusable;
}

QString described(QAccessibleInterface* at) {
    const QObject* object = at->object();
    return QStringLiteral("%1 '%2' role %3 in %4").arg(object ? object->metaObject()->className() : "item", at->text(QAccessible::Name))
        .arg(static_cast<int>(at->role())).arg(at->parent() && at->parent()->object() ? at->parent()->object()->metaObject()->className() : "?");
}

QWidget* focused(MainWindow& window) { return window.focusWidget(); }

} // namespace

void TestAccess::every_control_has_a_name_and_a_role_data() { add_cards(); }

void TestAccess::every_control_has_a_name_and_a_role() {
    QFETCH(QString, card);
    QFETCH(int, step);
    LabInUse lab;
    QVERIFY(lab.openAt(card.toStdString(), step));
    lab.presenter().setCardStep(100);
    int controls = 0, items = 0;
    QStringList wrong;
    walk(QAccessible::queryAccessibleInterface(&lab.window()), [&](QAccessibleInterface* at) {
        if (at->role() == QAccessible::NoRole) wrong << "no role: " + described(at);
        if (!at->object()) {
            ++items;
            if (at->role() != QAccessible::Cell && at->role() != QAccessible::ListItem) wrong << "odd role: " + described(at);
        }
        if (auto* button = qobject_cast<QAbstractButton*>(at->object()); button && at->role() != QAccessible::Button)
            wrong << "a button that is none: " + described(at);
        if (!is_control(at)) return;
        ++controls;
        if (at->text(QAccessible::Name).trimmed().isEmpty()) wrong << "unnamed: " + described(at);
    });
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join("\n")));
    QVERIFY2(controls > 20 && items > 5, qPrintable(QString("%1 controls, %2 items").arg(controls).arg(items)));
}

void TestAccess::the_larger_lab_is_read_as_well() {
    LabInUse lab;
    QVERIFY(lab.openAt(first_card(), 3));
    for (const double scale : {1.6, 1.0, 1.3}) { // back and forth: the lab changes its place in the window
        lab.presenter().change("scale", [scale](AppState& state) { state.text_scale = scale; });
        QVERIFY(lab.settle());
        QAccessibleInterface* window = QAccessible::queryAccessibleInterface(&lab.window());
        int controls = 0, items = 0;
        QStringList wrong;
        walk(window, [&](QAccessibleInterface* at) {
            if (!at->object()) ++items;
            if (!is_control(at)) return;
            ++controls;
            if (at->text(QAccessible::Name).trimmed().isEmpty()) wrong << "unnamed: " + described(at);
            const auto* widget = qobject_cast<QWidget*>(at->object());
            const bool scrolled_away = widget && widget->visibleRegion().isEmpty(); // the focus brings it into sight
            if (!at->rect().isEmpty() && !scrolled_away && !window->rect().intersects(at->rect())) wrong << "outside: " + described(at);
            QAccessibleInterface* above = at;
            while (above && above->object() != &lab.window()) above = above->parent();
            if (!above) wrong << "no way leads to the window: " + described(at);
        });
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join("\n")));
        QVERIFY2(controls > 20 && items > 5, qPrintable(QString("%1: %2 controls, %3 items").arg(scale).arg(controls).arg(items)));
    }
}

void TestAccess::every_item_lies_in_its_view_data() { add_cards(); }

void TestAccess::every_item_lies_in_its_view() {
    QFETCH(QString, card);
    QFETCH(int, step);
    LabInUse lab;
    QVERIFY(lab.openAt(card.toStdString(), step));
    for (const QSize size : {QSize(1280, 800), QSize(1920, 1080), QSize(800, 520)}) {
        lab.window().resize(size);
        QVERIFY(lab.settle());
        for (QWidget* widget : lab.window().findChildren<QWidget*>()) {
            const auto* source = dynamic_cast<const HasItems*>(widget);
            if (!source || !widget->isVisible()) continue;
            const QRectF inside = QRectF(widget->rect()).adjusted(-0.5, -0.5, 0.5, 0.5);
            QSet<QString> ids;
            for (const ViewItem& item : source->items()) {
                const QString where = QStringLiteral("%1 %2x%3, %4 (%5): %6 %7 %8 %9 in %10x%11").arg(card).arg(size.width()).arg(size.height())
                    .arg(widget->metaObject()->className(), item.id).arg(item.rect.x()).arg(item.rect.y()).arg(item.rect.width())
                    .arg(item.rect.height()).arg(widget->width()).arg(widget->height());
                QVERIFY2(!item.id.isEmpty() && !item.name.isEmpty(), qPrintable(where));
                QVERIFY2(!ids.contains(item.id), qPrintable("twice: " + where));
                QVERIFY2(inside.contains(item.rect), qPrintable(where));
                ids.insert(item.id);
            }
        }
    }
}

void TestAccess::items_are_read_with_value_and_provenance() {
    LabInUse lab;
    QVERIFY(lab.openAt(first_card(), 3));
    auto* graph = lab.window().findChild<GraphWidget*>();
    QAccessibleInterface* view = QAccessible::queryAccessibleInterface(graph);
    QVERIFY(view);
    QCOMPARE(view->text(QAccessible::Name), QString("Graph"));
    const auto items = graph->items();
    QCOMPARE(view->childCount(), static_cast<int>(items.size()));
    int values = 0;
    for (int i = 0; i < view->childCount(); ++i) {
        QAccessibleInterface* child = view->child(i);
        const ViewItem& item = items[static_cast<std::size_t>(i)];
        QCOMPARE(view->indexOfChild(child), i);
        QCOMPARE(child->parent()->object(), static_cast<QObject*>(graph));
        QCOMPARE(child->text(QAccessible::Name), item.name);
        QCOMPARE(child->text(QAccessible::Value), item.value.isEmpty() ? QString() : item.value + ", computed");
        QCOMPARE(child->rect().topLeft(), graph->mapToGlobal(item.rect.toAlignedRect().topLeft()));
        const QPoint centre = child->rect().center();
        QCOMPARE(view->childAt(centre.x(), centre.y()), child);
        values += !item.value.isEmpty();
    }
    QVERIFY(values > 5);
    // What a reader presses is chosen as a click would.
    QAccessibleInterface* weight = nullptr;
    for (int i = 0; i < view->childCount(); ++i)
        if (view->child(i)->text(QAccessible::Name) == QStringLiteral("W₂")) weight = view->child(i);
    QVERIFY(weight && weight->actionInterface());
    QCOMPARE(weight->text(QAccessible::Description), QString("parameter"));
    weight->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
    QCOMPARE(lab.window().state().selection.tensor, std::string("W2"));
    // One that is gone says so and harms nobody.
    AccessibleItem gone(graph, "no such");
    QVERIFY(!gone.isValid() && gone.rect().isEmpty() && gone.text(QAccessible::Name).isEmpty());
}

void TestAccess::items_are_walked_and_chosen_by_key() {
    LabInUse lab;
    QVERIFY(lab.openAt(first_card(), 3));
    MainWindow& window = lab.window();
    window.setFocus();
    QTest::keyClick(&window, Qt::Key_Right, Qt::AltModifier); // into the first thing that has items
    QVERIFY(window.items().view());
    auto* graph = window.findChild<GraphWidget*>();
    graph->setFocus(Qt::TabFocusReason);
    QCOMPARE(window.items().view(), graph);
    const auto items = graph->items();
    using Way = ItemFocus::Way;
    static const std::map<Way, Qt::Key> keys{{Way::right, Qt::Key_Right}, {Way::left, Qt::Key_Left}, {Way::above, Qt::Key_Up}, {Way::below, Qt::Key_Down}};
    // The shortest way from each item to each: every one can be reached, and the keys walk it.
    const auto way_to = [&](int from, int to) {
        std::map<int, std::vector<Way>> ways{{from, {}}};
        std::vector<int> next{from};
        for (std::size_t i = 0; i < next.size(); ++i)
            for (const auto& [way, key] : keys)
                if (const int there = item_that_way(items, next[i], way); there >= 0 && !ways.contains(there)) {
                    ways[there] = ways[next[i]];
                    ways[there].push_back(way);
                    next.push_back(there);
                }
        return ways.contains(to) ? std::optional(ways[to]) : std::nullopt;
    };
    const auto place = [&](const QString& id) {
        for (std::size_t i = 0; i < items.size(); ++i)
            if (items[i].id == id) return static_cast<int>(i);
        return -1;
    };
    const auto press = [&](Qt::Key key) { QTest::keyClick(window.focusWidget(), key, Qt::AltModifier); };
    const auto walk_to = [&](const QString& id) {
        if (window.items().item().isEmpty()) press(Qt::Key_Right);
        const auto way = way_to(place(window.items().item()), place(id));
        if (!way) return false;
        for (const Way each : *way) press(keys.at(each));
        return window.items().item() == id;
    };
    for (const ViewItem& item : items) QVERIFY2(walk_to(item.id), qPrintable("not reached: " + item.name));
    QVERIFY(walk_to("W1"));
    QTest::keyClick(graph, Qt::Key_Return);
    QCOMPARE(window.state().selection.tensor, std::string("W1"));
    const auto open = window.state().open_modules;
    for (const ViewItem& item : items)
        if (!graph->model()->find(item.id.toStdString())->module.empty()) { // a part of a layer
            QVERIFY(walk_to(item.id));
            break;
        }
    QTest::keyClick(graph, Qt::Key_Return, Qt::ControlModifier);
    QVERIFY(window.state().open_modules != open);
    QTest::keyClick(&window, Qt::Key_Escape);
    QVERIFY(!window.items().view() && window.items().ring().isNull());
}

void TestAccess::the_ring_is_where_the_keyboard_is() {
    LabInUse lab;
    QVERIFY(lab.openAt(first_card(), 3));
    MainWindow& window = lab.window();
    auto* graph = window.findChild<GraphWidget*>();
    graph->setFocus(Qt::TabFocusReason);
    const QRect whole(graph->mapTo(&window, QPoint(0, 0)), graph->size());
    QCOMPARE(window.items().ring(), whole);
    QTest::keyClick(graph, Qt::Key_Right, Qt::AltModifier);
    const QString id = window.items().item();
    const auto rect_of = [&] {
        for (const ViewItem& item : graph->items())
            if (item.id == id) return QRect(graph->mapTo(&window, item.rect.toAlignedRect().topLeft()), item.rect.toAlignedRect().size());
        return QRect();
    };
    QVERIFY(window.items().ring().contains(rect_of()) && window.items().ring().width() <= rect_of().width() + 8);
    const QImage picture = window.grab().toImage(); // two pixels of ink
    const QRect ring = window.items().ring();
    const Theme theme = load_theme(ThemeMode::light);
    for (const int in : {0, 1}) QCOMPARE(picture.pixelColor(ring.left() + in, ring.center().y()), theme.ink);
    window.resize(1500, 900);
    QVERIFY(lab.settle());
    QVERIFY2(window.items().ring().contains(rect_of()), "the ring follows its item");
    graph->clearFocus();
    graph->setFocus(Qt::MouseFocusReason);
    QVERIFY(window.items().ring().isNull());
}

void TestAccess::tab_reaches_every_control() {
    LabInUse lab;
    QVERIFY(lab.openAt(first_card(), 3));
    lab.presenter().setCardStep(lab.library().find(first_card())->lesson.size() - 1);
    QVERIFY(lab.settle());
    MainWindow& window = lab.window();
    window.setFocus();
    QSet<QWidget*> reached;
    std::vector<QWidget*> order;
    for (int i = 0; i < 200; ++i) {
        QTest::keyClick(focused(window), Qt::Key_Tab);
        if (reached.contains(focused(window))) break;
        reached.insert(focused(window));
        order.push_back(focused(window));
    }
    for (QWidget* widget : window.findChildren<QWidget*>())
        if (widget->isVisible() && widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus))
            QVERIFY2(reached.contains(widget), qPrintable(QStringLiteral("%1 '%2' %3").arg(widget->metaObject()->className(), widget->accessibleName(), widget->objectName())));
    // As one reads: track, views, story, transport.
    const auto place = [&](QWidget* widget) { return std::find(order.begin(), order.end(), widget) - order.begin(); };
    QVERIFY(place(window.findChild<PathsPanel*>()) < place(window.findChild<GraphWidget*>()));
    QVERIFY(place(window.findChild<GraphWidget*>()) < place(window.findChild<QWidget*>("play")));
}

void TestAccess::every_key_of_the_table_does_what_it_says() {
    LabInUse lab;
    QVERIFY(lab.openAt(first_card(), 12));
    MainWindow& window = lab.window();
    Presenter& presenter = lab.presenter();
    presenter.submit(Edit::parse("lr = 0.2"));
    QVERIFY(lab.settle([&] { return presenter.state().run == 1 && presenter.run()->head() > 12; }));
    presenter.goTo(5);
    presenter.setCardStep(2);
    presenter.goTo(5);
    QVERIFY(lab.settle());
    const auto& state = presenter.state();
    // What is seen of each; a row of the table that is not here fails the test.
    const auto differs = [](auto what) { return [what, before = what()] { return what() != before; }; };
    using Seen = std::function<bool()>;
    const std::map<QString, std::function<Seen()>> effects{
        {"Play or pause", [&] { return differs([&] { return presenter.playing(); }); }},
        {"Step", [&] { return differs([&] { return state.cursor; }); }},
        {"Step back", [&] { return differs([&] { return state.cursor; }); }},
        {"Prepared step", [&] { return differs([&] { return state.cursor; }); }},
        {"First step", [&]() -> Seen { return [&] { return state.cursor.iteration == 0; }; }},
        {"Last step", [&]() -> Seen { return [&] { return state.cursor.at_head; }; }},
        {"Slower", [&] { return differs([&] { return lab.presenter().speed(); }); }},
        {"Faster", [&] { return differs([&] { return lab.presenter().speed(); }); }},
        {"Bookmark this step", [&] { return differs([&] { return state.bookmarks; }); }},
        {"Next bookmark", [&] { return differs([&] { return state.cursor.iteration; }); }},
        {"Previous bookmark", [&] { return differs([&] { return state.cursor.iteration; }); }},
        {"Into: phase, layer, op", [&] { return differs([&] { return state.cursor.level; }); }},
        {"Out of it", [&] { return differs([&] { return state.cursor.level; }); }},
        {"Previous branch", [&] { return differs([&] { return state.run; }); }},
        {"Next branch", [&] { return differs([&] { return state.run; }); }},
        {"Drop this branch", [&] { return differs([&] { return state.dropped.size(); }); }},
        {"Undo", [&] { return differs([&] { return state.theme; }); }},
        {"Redo", [&] { return differs([&] { return state.theme; }); }},
        {"Next part of the lesson", [&] { return differs([&] { return state.card_step; }); }},
        {"Previous part", [&] { return differs([&] { return state.card_step; }); }},
        {"Light or dark", [&] { return differs([&] { return state.theme; }); }},
        {"English or Korean", [&] { return differs([&] { return state.language; }); }},
        {"Next lesson of the track", [&] { return differs([&] { return state.card; }); }},
        {"Previous lesson", [&] { return differs([&] { return state.card; }); }},
        {"Into the track: ↑ ↓, Enter; again: fold", [&]() -> Seen { return [&] { return window.focusWidget() == window.findChild<PathsPanel*>(); }; }},
        {"Story", [&] { return differs([&] { return state.story_open; }); }},
        {"One view alone, or all", [&] { return differs([&] { return state.alone; }); }},
        {"Item to the right", [&] { return differs([&] { return window.items().item(); }); }},
        {"Item to the left", [&] { return differs([&] { return window.items().item(); }); }},
        {"Item above", [&] { return differs([&] { return window.items().item(); }); }},
        {"Item below", [&] { return differs([&] { return window.items().item(); }); }},
        {"Stop at … (breakpoints)", [&]() -> Seen { return [&] { return window.findChild<QMenu*>() != nullptr; }; }},
        {"Keys", [&]() -> Seen { return [&] { return window.findChild<KeysOverlay*>() != nullptr; }; }},
        {"Menu", [&]() -> Seen { return [&] { return window.findChild<QMenu*>() != nullptr; }; }},
        {"Leave a field", [&]() -> Seen { return [&] { return window.focusWidget() == &window; }; }},
        {"Learning rate", [&]() -> Seen { return [&] { return window.findChild<SettingPopup*>() != nullptr; }; }},
        {"In class", [&] { return differs([&] { return window.classStage() != nullptr; }); }},
        {"Larger text", [&] { return differs([&] { return state.text_scale; }); }},
        {"Smaller text", [&] { return differs([&] { return state.text_scale; }); }},
        {"Text as it was", [&]() -> Seen { return [&] { return state.text_scale == 1; }; }},
        {"Ruler: none, FLOPs, bytes, time", [&] { return differs([&] { return state.ruler; }); }},
        {"Hide the chosen tensor, or show it", [&] { return differs([&] { return state.hidden; }); }},
        {"Why this number?", [&]() -> Seen { return [&] { return window.why().open(); }; }},
        {"Export …", [&]() -> Seen { return [&] { return window.findChild<ExportPanel*>() != nullptr; }; }},
        // What these do needs a recording; tests/window/test_files.cpp tries it. Here: the key is theirs alone.
        {"Save the run as …", [&]() -> Seen { return [] { return true; }; }},
        {"Record, or stop recording", [&]() -> Seen { return [] { return true; }; }},
        {"Go on where the last run ended", [&]() -> Seen { return [] { return true; }; }},
        {"Start anew", [&]() -> Seen { return [] { return true; }; }},
        // What this does needs a kernel on stage; tests/window/test_edits.cpp tries it.
        {"Write in it", [&]() -> Seen { return [] { return true; }; }},
        {"What was found or is said next", [&]() -> Seen { return [] { return true; }; }},
        {"Quit", [&]() -> Seen { return [&] { return !window.isVisible(); }; }}};
    // What must be so for it to have something to do.
    const std::map<QString, std::function<void()>> before{
        {"Step", [&] { presenter.goTo(5); }}, {"Step back", [&] { presenter.goTo(5); }},
        {"Hide the chosen tensor, or show it", [&] { presenter.select({"W1", {}}); }},
        {"Prepared step", [&] { presenter.goTo(7); }}, {"First step", [&] { presenter.goTo(7); }},
        {"Slower", [&] { presenter.setSpeed(30); }}, {"Faster", [&] { presenter.setSpeed(30); }},
        {"Bookmark this step", [&] { presenter.goTo(3); }},
        {"Next bookmark", [&] { presenter.goTo(0); }}, {"Previous bookmark", [&] { presenter.goTo(9); }},
        {"Last step", [&] { presenter.goTo(4); }},
        {"Previous branch", [&] { presenter.selectRun(1); lab.settle([&] { return state.run == 1; }); }},
        {"Next branch", [&] { presenter.selectRun(0); lab.settle([&] { return state.run == 0; }); }},
        {"Drop this branch", [&] { presenter.selectRun(1); lab.settle([&] { return state.run == 1; }); }},
        {"Undo", [&] { presenter.change("theme", [](AppState& s) { s.theme = ThemeMode::dark; }); }},
        {"Into: phase, layer, op", [&] { while (state.cursor.level > Level::iteration) presenter.levelOut(); }},
        {"Out of it", [&] { while (state.cursor.level < Level::op) presenter.levelIn(); }},
        {"Redo", [&] {
             presenter.change("contrast", [](AppState& s) { s.high_contrast = !s.high_contrast; }); // does not join the next one
             presenter.change("theme", [](AppState& s) { s.theme = s.theme == ThemeMode::dark ? ThemeMode::light : ThemeMode::dark; });
             presenter.undo();
         }},
        {"Larger text", [&] { presenter.change("scale", [](AppState& s) { s.text_scale = 1.2; }); }},
        {"Smaller text", [&] { presenter.change("scale", [](AppState& s) { s.text_scale = 1.2; }); }},
        {"Text as it was", [&] { presenter.change("scale", [](AppState& s) { s.text_scale = 1.2; }); }},
        {"Item above", [&] { QTest::keyClick(&window, Qt::Key_Right, Qt::AltModifier); QTest::keyClick(&window, Qt::Key_Down, Qt::AltModifier); }},
        {"Leave a field", [&] { window.findChild<GraphWidget*>()->setFocus(Qt::TabFocusReason); }}};
    auto actions = window.actions();
    std::stable_partition(actions.begin(), actions.end(), [](const KeyAction& action) { return action.name != "Quit"; });
    for (const KeyAction& action : actions) {
        if (!action.act) continue; // held, not pressed: test_futures.cpp
        const auto effect = effects.find(action.name);
        QVERIFY2(effect != effects.end(), qPrintable("no effect is known of: " + action.name));
        for (const QKeySequence& keys : action.keys) {
            if (presenter.playing()) presenter.playOrPause();
            QVERIFY(lab.settle([&] { return !presenter.playing() && !presenter.session().status().busy; }));
            if (action.name.startsWith("Item")) {
                window.findChild<GraphWidget*>()->setFocus(Qt::TabFocusReason);
                if (window.items().item().isEmpty())
                    for (int i = 0; i < 6; ++i) QTest::keyClick(&window, Qt::Key_Right, Qt::AltModifier);
            } else if (action.name != "Leave a field") window.setFocus();
            if (const auto first = before.find(action.name); first != before.end()) first->second();
            window.frame();
            QShortcut* shortcut = nullptr;
            for (QShortcut* each : window.findChildren<QShortcut*>())
                if (each->key() == keys) shortcut = each;
            QVERIFY2(shortcut, qPrintable(action.name));
            QSignalSpy met(shortcut, &QShortcut::activated);
            const Seen seen = effect->second();
            QTest::keySequence(&window, keys);
            QVERIFY2(met.count() == 1, qPrintable(action.name + ": " + keys.toString()));
            [&] { QTRY_VERIFY2(seen(), qPrintable(action.name + ": " + keys.toString())); }();
            if (QTest::currentTestFailed()) return;
            for (QMenu* menu : window.findChildren<QMenu*>()) menu->close();
            for (KeysOverlay* overlay : window.findChildren<KeysOverlay*>()) overlay->close();
            for (SettingPopup* popup : window.findChildren<SettingPopup*>()) popup->close();
            for (ExportPanel* panel : window.findChildren<ExportPanel*>()) QTest::keyClick(panel, Qt::Key_Escape);
            if (window.classStage()) window.leaveClass();
            window.activateWindow(); // after a popup nobody is active here: there is no window manager
            QVERIFY(!window.isVisible() || QTest::qWaitForWindowActive(&window));
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
            if (action.name == "English or Korean" && state.language == Language::ko)
                presenter.change("language", [](AppState& s) { s.language = Language::en; });
        }
    }
}

void TestAccess::the_nearest_item_that_way_is_found() {
    using Way = ItemFocus::Way;
    const auto item = [](double x, double y) { return ViewItem{QRectF(x, y, 10, 10), {}, {}, {}, Provenance::computed, Role::metric}; };
    const std::vector<ViewItem> items{item(0, 0), item(20, 0), item(40, 2), item(20, 50), item(200, 100)};
    const struct {
        int from;
        Way way;
        int to;
    } rows[]{{0, Way::right, 1}, {1, Way::right, 2}, {1, Way::below, 3}, {3, Way::above, 1}, {2, Way::left, 1},
             {0, Way::left, -1}, {0, Way::above, -1}, {3, Way::right, 4}, {4, Way::left, 3}, {4, Way::below, -1}, {4, Way::right, -1}, {2, Way::right, 4}};
    for (const auto& row : rows) QCOMPARE(item_that_way(items, row.from, row.way), row.to);
    QCOMPARE(item_that_way({}, 0, Way::right), -1);
}
