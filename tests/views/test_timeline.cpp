#include "tests/support/slowed.hpp"
#include "tests/views/test_timeline.hpp"

#include "tests/views/sample_run.hpp"
#include "tests/views/written_run.hpp"
#include "views/derive/event_words.hpp"
#include "views/theme/words.hpp"
#include "views/timeline/timeline_view.hpp"

#include <QImage>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <ctime>

using namespace gradus;
using testing::WrittenRun;

namespace {

/// Processor time of this thread: other programs on the machine do not count.
qint64 thread_ns() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<qint64>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

struct Stage {
    std::vector<std::shared_ptr<const Run>> runs;
    AppState state;
    std::shared_ptr<const Run> full;
    double progress = 0;
    Look look() const { return {runs, state, full, progress, 100, false}; }
};

std::shared_ptr<const Run> trained() {
    static const auto run = testing::sample_run("fashion-mnist", "784,128,64,10", 6);
    return run;
}

Stage stage_of(std::shared_ptr<const Run> run, StepIndex iteration) {
    Stage stage{.runs = {std::move(run)}, .state = {}, .full = {}};
    stage.full = stage.runs[0];
    stage.state.cursor.iteration = iteration;
    return stage;
}

std::unique_ptr<TimelineView> view_of(const Stage& stage, QSize size) {
    auto view = std::make_unique<TimelineView>(load_theme(ThemeMode::light), nullptr);
    view->resize(size);
    view->present(stage.look());
    return view;
}

void turn(QWidget& widget, QPointF at, int degrees) {
    QWheelEvent event(at, widget.mapToGlobal(at), {}, {0, degrees}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&widget, &event);
}

} // namespace

void TestTimeline::bars_are_the_events() {
    const auto run = trained();
    const TimelineModel model = make_timeline(run, 3, false);
    std::size_t bars = 0;
    const auto events = run->events_of(3);
    double whole = 0;
    for (const EventRecord& event : events) {
        const EventSite& site = run->sites()[static_cast<std::size_t>(event.site)];
        const double seconds = run->manifest().clock.seconds(event.start, event.end);
        if (site.level == Level::iteration) {
            whole = seconds;
            continue;
        }
        const TimelineBar* bar = model.find(event.ordinal);
        QVERIFY(bar && std::abs(bar->length() - seconds) < 1e-12 && bar->site == event.site);
        ++bars;
    }
    std::size_t shown = 0;
    for (const TimelineLane& lane : model.lanes) shown += lane.bars.size();
    QCOMPARE(shown, bars);
    QVERIFY(bars > 20);
    QVERIFY(std::abs(model.step_end - whole) < 1e-9);
    QVERIFY(make_timeline(run, 77, false).lanes.empty());
}

void TestTimeline::bars_lie_inside_what_holds_them() {
    const auto run = trained();
    const TimelineModel model = make_timeline(run, 2, false);
    const TimelineGeometry geometry = lay_out(model, QRectF(10, 10, 1100, 300), {0, model.step_end});
    QCOMPARE(geometry.rows.size(), model.lanes.size());
    for (std::size_t i = 1; i < geometry.rows.size(); ++i) QVERIFY(geometry.rows[i].rect.top() >= geometry.rows[i - 1].rect.bottom());
    int checked = 0;
    for (const TimelineLane& lane : model.lanes)
        for (const TimelineBar& bar : lane.bars) {
            const TimelineBar* outer = model.find(model.site_of(bar).parent);
            if (!outer || model.site_of(bar).level == Level::phase) continue;
            QVERIFY(bar.start >= outer->start && bar.end <= outer->end);
            QVERIFY(geometry.x_of(bar.start) >= geometry.x_of(outer->start) - 1e-9);
            ++checked;
        }
    QVERIFY(checked > 15);
    for (const TimelineItem& item : geometry.items)
        QVERIFY(geometry.area.adjusted(-2, -1, 2, 1).contains(item.rect));
}

/// A band too narrow for its name has it upright, and its row is as high as that takes.
void TestTimeline::a_narrow_phase_has_room_for_its_name() {
    TimelineModel model = make_timeline(trained(), 3, false);
    for (TimelineLane& lane : model.lanes)
        if (lane.level == Level::phase)
            for (std::size_t i = 0; i < lane.bars.size(); ++i) { // the last takes nearly all of the step
                const double share = 0.09 * static_cast<double>(i), end = i + 1 == lane.bars.size() ? 1 : share + 0.09;
                lane.bars[i].start = share * model.end;
                lane.bars[i].end = end * model.end;
            }
    const TextMetrics fm(text_font(metrics::small_text + 1, QFont::DemiBold));
    for (const int height : {200, 230, 400}) {
        const TimelineGeometry g = lay_out(model, QRectF(18, 60, 296, height), {0, model.end});
        for (std::size_t i = 0; i < model.lanes.size(); ++i) {
            QVERIFY(g.rows[i].rect.height() >= 34);
            QVERIFY(g.rows[i].rect.bottom() <= 60 + height);
            if (i > 0) QVERIFY(g.rows[i].rect.top() >= g.rows[i - 1].rect.bottom());
            if (model.lanes[i].level != Level::phase || height < 230) continue;
            for (const TimelineBar& bar : model.lanes[i].bars) QVERIFY(g.rows[i].rect.height() >= fm.horizontalAdvance(event_word(model.site_of(bar))) + 8);
        }
    }
}

void TestTimeline::every_bar_is_found_under_its_own_point() {
    const auto run = WrittenRun{.steps = 2, .planned = 2, .ops = 5}.write();
    const TimelineModel model = make_timeline(run, 1, false);
    const TimelineGeometry geometry = lay_out(model, QRectF(0, 0, 1000, 200), {0, model.step_end});
    QCOMPARE(geometry.items.size(), std::size_t{3 + 3 + 15});
    for (const TimelineItem& item : geometry.items) {
        QCOMPARE(item.count, std::size_t{1});
        QCOMPARE(geometry.at(item.rect.center()), &item);
        QCOMPARE(geometry.find(model, model.lanes[item.lane].bars[item.first].ordinal), &item);
    }
    QVERIFY(!geometry.at({500, 5}));
    QVERIFY(!geometry.find(model, -1) && !geometry.find(model, 999));
    for (const double x : {0.0, 123.4, 999.0}) QVERIFY(std::abs(geometry.x_of(geometry.seconds_at(x)) - x) < 1e-6);
}

void TestTimeline::zoom_keeps_what_is_under_the_pointer_data() {
    QTest::addColumn<double>("from");
    QTest::addColumn<double>("until");
    QTest::addColumn<double>("factor");
    QTest::addColumn<double>("share");
    QTest::newRow("in") << 0.0 << 1.0 << 0.8 << 0.3;
    QTest::newRow("in at the end") << 0.25 << 0.75 << 0.5 << 1.0;
    QTest::newRow("out") << 0.45 << 0.55 << 1.25 << 0.5;
    QTest::newRow("far in") << 0.4 << 0.6 << 1e-5 << 0.9;
}

void TestTimeline::zoom_keeps_what_is_under_the_pointer() {
    QFETCH(double, from);
    QFETCH(double, until);
    QFETCH(double, factor);
    QFETCH(double, share);
    const TimeSpan after = zoomed({from, until}, factor, share, 1);
    QVERIFY(std::abs(after.from + share * after.length() - (from + share * (until - from))) < 1e-12);
    QVERIFY(std::abs(after.length() - factor * (until - from)) < 1e-12);
    QCOMPARE(zoomed({0.1, 0.9}, 100, 0.2, 1), (TimeSpan{0, 1}));
    QVERIFY(zoomed({0.1, 0.9}, 1e-30, 0.2, 1).length() >= 0.99e-9);
}

void TestTimeline::keys_and_wheel_zoom_and_zero_shows_all() {
    const Stage stage = stage_of(trained(), 2);
    const auto view = view_of(stage, {900, 300});
    const TimeSpan whole{0, view->model().step_end};
    QCOMPARE(view->span(), whole);
    const QPointF at(view->timeline().area.left() + 300, view->timeline().area.center().y());
    const double there = view->timeline().seconds_at(at.x());
    turn(*view, at, 240);
    QVERIFY(view->span().length() < whole.length() * 0.7);
    QVERIFY(std::abs(view->timeline().seconds_at(at.x()) - there) < whole.length() * 1e-9);
    QTest::keyClick(view.get(), Qt::Key_Plus);
    const double near = view->span().length();
    QTest::keyClick(view.get(), Qt::Key_Minus);
    QVERIFY(view->span().length() > near);
    // Dragging carries the time under the pointer along.
    const TimeSpan before = view->span();
    QTest::mousePress(view.get(), Qt::LeftButton, {}, at.toPoint());
    QTest::mouseMove(view.get(), at.toPoint() - QPoint(40, 0));
    QTest::mouseRelease(view.get(), Qt::LeftButton, {}, at.toPoint() - QPoint(40, 0));
    const double by = 40 * before.length() / view->timeline().area.width();
    QVERIFY(std::abs(view->span().from - before.from - by) < whole.length() * 1e-9);
    view->present(stage.look()); // a frame changes nothing of it
    QVERIFY(view->span() != whole);
    QTest::keyClick(view.get(), Qt::Key_0);
    QCOMPARE(view->span(), whole);
    turn(*view, at, 240);
    QTest::mouseDClick(view.get(), Qt::LeftButton, {}, at.toPoint());
    QCOMPARE(view->span(), whole);
}

void TestTimeline::bars_narrower_than_a_pixel_are_joined_and_counted() {
    const auto run = WrittenRun{.steps = 1, .planned = 1, .ops = 5000}.write();
    const TimelineModel model = make_timeline(run, 0, false);
    for (const double width : {50.0, 400.0, 1900.0}) {
        const TimelineGeometry geometry = lay_out(model, QRectF(0, 0, width, 200), {0, model.step_end});
        std::size_t bars = 0, joined = 0;
        for (const TimelineItem& item : geometry.items) {
            bars += item.count;
            joined += item.count > 1;
        }
        QCOMPARE(bars, std::size_t{3 + 3 + 15'000}); // none is lost
        QVERIFY(joined > 0 && geometry.items.size() < 100);
    }
    // Near enough each stands alone again.
    const TimelineGeometry near = lay_out(model, QRectF(0, 0, 400, 200), {0, model.step_end / 1000});
    for (const TimelineItem& item : near.items) QCOMPARE(item.count, std::size_t{1});
}

void TestTimeline::a_hundred_thousand_events_take_a_frame() {
    const auto run = WrittenRun{.steps = 1, .planned = 1, .ops = 33'333, .nanoseconds = [](StepIndex, int phase) {
        return static_cast<Ticks>(phase == 1 ? 40 : 7); }}.write();
    const Stage stage = stage_of(run, 0);
    const auto view = view_of(stage, {1920, 1080});
    QImage image(view->size(), QImage::Format_ARGB32_Premultiplied);
    std::vector<qint64> zooming, still;
    const QPointF at(700, view->timeline().area.center().y());
    for (int i = 0; i < 21; ++i) {
        qint64 start = thread_ns();
        turn(*view, at, i % 2 == 0 ? 1200 : -1200); // everything is laid out and painted anew
        view->render(&image);
        zooming.push_back(thread_ns() - start);
        start = thread_ns();
        view->present(stage.look());
        view->render(&image);
        still.push_back(thread_ns() - start);
    }
    std::sort(zooming.begin(), zooming.end());
    std::sort(still.begin(), still.end());
    qInfo("zooming %lld us, still %lld us", static_cast<long long>(zooming[10] / 1000), static_cast<long long>(still[10] / 1000));
    QVERIFY2(zooming[10] < test::slowed * 16'000'000, qPrintable(QString::number(zooming[10])));
    QVERIFY2(still[10] < test::slowed * 16'000'000, qPrintable(QString::number(still[10])));
}

void TestTimeline::ticks_are_round_and_inside() {
    const auto run = WrittenRun{.steps = 1, .planned = 1, .nanoseconds = [](StepIndex, int) { return Ticks{1'234'567}; }}.write();
    const TimelineModel model = make_timeline(run, 0, false);
    for (const double width : {60.0, 500.0, 1800.0}) {
        const TimelineGeometry geometry = lay_out(model, QRectF(0, 0, width, 200), {0, model.step_end});
        QVERIFY(!geometry.ticks.empty());
        QCOMPARE(geometry.ticks.front().text, QString("0 ms"));
        for (std::size_t i = 1; i < geometry.ticks.size(); ++i) {
            QVERIFY(geometry.ticks[i].x - geometry.ticks[i - 1].x > 80);
            QVERIFY(geometry.ticks[i].x <= geometry.area.right() + 0.5);
            QVERIFY2(geometry.ticks[i].text.endsWith(" ms") && geometry.ticks[i].text.size() <= 7, qPrintable(geometry.ticks[i].text));
        }
    }
    const TimelineGeometry near = lay_out(model, QRectF(0, 0, 500, 200), {1e-3, 1e-3 + 1e-6});
    QVERIFY(near.ticks.size() >= 4);
}

void TestTimeline::the_table_accounts_for_all_the_time() {
    const TimelineModel model = make_timeline(trained(), 4, false);
    const OpTable table = make_op_table(model);
    double share = 0;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        share += table.rows[i].share;
        if (i > 0) QVERIFY(table.rows[i].share <= table.rows[i - 1].share);
        if (table.rows[i].site < 0) continue;
        const TimelineBar* bar = model.find(table.rows[i].ordinal);
        QVERIFY(bar && bar->length() == table.rows[i].seconds);
    }
    QVERIFY(std::abs(share - 1) < 1e-9);
    // Rows and what is left out are all of it, too, whatever the height and however far it is scrolled.
    for (const double height : {0.0, 30.0, 100.0, 5000.0})
        for (const std::size_t scrolled : {0, 3, 1000}) {
            const OpTableGeometry geometry = lay_out(table, QRectF(0, 0, 600, height), scrolled);
            double shown = geometry.hidden_share;
            for (const OpTableItem& item : geometry.items) {
                shown += table.rows[item.row].share;
                QVERIFY(item.rect.bottom() <= height + 1e-9);
                QCOMPARE(geometry.at(item.rect.center()), &item);
            }
            if (scrolled == 0) QVERIFY(std::abs(shown - 1) < 1e-9);
        }
}

void TestTimeline::the_table_of_all_steps_has_medians() {
    const auto run = WrittenRun{.steps = 11, .planned = 11, .nanoseconds = [](StepIndex i, int phase) {
        return static_cast<Ticks>(100 * (phase + 1) + (phase == 2 ? 10 * i : 0)); }}.write();
    Stage stage = stage_of(run, 10);
    const auto view = view_of(stage, {700, 300});
    view->setMode(TimelineView::Mode::all);
    view->present(stage.look());
    const OpTable& table = view->table();
    QCOMPARE(table.steps, std::size_t{11});
    QCOMPARE(table.rows.size(), std::size_t{3});
    const OpRow& update = table.rows[0];
    QCOMPARE(static_cast<int>(update.phase), static_cast<int>(Phase::update));
    QVERIFY(std::abs(update.seconds - 350e-9) < 1e-13);
    QVERIFY(std::abs(update.low - 310e-9) < 1e-13 && std::abs(update.high - 390e-9) < 1e-13);
    QVERIFY(std::abs(update.share - 350.0 / 650) < 1e-6);
    QVERIFY(std::abs(table.total - 11 * 650e-9) < 1e-12);
    QVERIFY(view->headline().contains("11"));
}

void TestTimeline::a_click_chooses_the_event() {
    // Written times: on a busy machine a measured step may be one long event and slivers.
    const Stage stage = stage_of(WrittenRun{.steps = 3, .planned = 3, .nanoseconds = [](StepIndex, int phase) {
        return static_cast<Ticks>(100 * (phase + 1)); }}.write(), 2);
    const auto view = view_of(stage, {1200, 700});
    QSignalSpy chosen(view.get(), &View::eventChosen);
    int clicked = 0;
    for (const TimelineItem& item : view->timeline().items) {
        if (item.rect.width() < 12 || clicked == 5) continue;
        ++clicked;
        QTest::mouseClick(view.get(), Qt::LeftButton, {}, item.rect.center().toPoint());
        QCOMPARE(chosen.takeFirst()[0].toInt(), view->model().lanes[item.lane].bars[item.first].ordinal);
    }
    QCOMPARE(clicked, 5);
    QVERIFY(!view->tableGeometry().items.empty()); // there is room for the ops below
    const OpTableItem row = view->tableGeometry().items[0];
    QTest::mouseClick(view.get(), Qt::LeftButton, {}, row.rect.center().toPoint());
    QCOMPARE(chosen.takeFirst()[0].toInt(), view->table().rows[row.row].ordinal);
    QTest::mouseClick(view.get(), Qt::LeftButton, {}, {600, 690});
    QVERIFY(chosen.isEmpty());
    for (const ViewItem& item : view->items()) QVERIFY2(!item.name.isEmpty() && QRectF(view->rect()).intersects(item.rect), qPrintable(item.id));
}

void TestTimeline::what_was_not_observed_is_said() {
    auto forked = testing::forked_runs("xor", "2,2,1", 30, 10, {});
    Stage stage{.runs = forked.runs, .state = {}, .full = {}};
    stage.state.cursor.iteration = 7;
    stage.progress = 0.4;
    const auto view = view_of(stage, {560, 300});
    QTest::qWait(250);
    view->present(stage.look());
    QVERIFY2(view->message().contains("7") && view->message().contains("40"), qPrintable(view->message()));
    QVERIFY(view->items().empty());
    stage.full = testing::full_of(*forked.session, 0, 7);
    QVERIFY(stage.full && stage.full != stage.runs[0]);
    view->present(stage.look());
    QVERIFY(view->message().isEmpty() && view->model().again);
    QVERIFY2(view->headline().contains("re-computation"), qPrintable(view->headline()));
    stage.state.cursor.iteration = 10; // observed: the Run's own times
    stage.full = stage.runs[0];
    view->present(stage.look());
    QVERIFY(!view->model().again && view->model().iteration == 10);
    QVERIFY(!view->headline().contains("re-computation"));
}

void TestTimeline::every_size_can_be_drawn_data() {
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("height");
    for (const auto& [width, height] : {std::pair{1, 1}, {30, 400}, {200, 40}, {300, 200}, {560, 300}, {1200, 700}, {3840, 2160}})
        QTest::addRow("%dx%d", width, height) << width << height;
}

void TestTimeline::every_size_can_be_drawn() {
    QFETCH(int, width);
    QFETCH(int, height);
    for (const auto& run : {trained(), std::shared_ptr<const Run>(WrittenRun{.steps = 1, .planned = 1, .ops = 300}.write()),
                            std::shared_ptr<const Run>(WrittenRun{.steps = 0, .planned = 1}.write())}) {
        Stage stage = stage_of(run, 0);
        stage.state.cursor.ordinal = 3;
        const auto view = view_of(stage, {width, height});
        for (const auto mode : {TimelineView::Mode::step, TimelineView::Mode::all}) {
            view->setMode(mode);
            view->present(stage.look());
            QTest::mouseMove(view.get(), {width / 2, height / 2}); // with the card
            QVERIFY(!view->grab().isNull());
            view->setTheme(load_theme(ThemeMode::dark));
            QVERIFY(!view->grab().isNull());
        }
        for (const TimelineItem& item : view->timeline().items) QVERIFY(QRectF(view->rect()).adjusted(-2, -2, 2, 2).contains(item.rect) || width < 100 || height < 100);
    }
}
