#include "tests/views/test_overview.hpp"

#include "tests/support/slowed.hpp"
#include "tests/views/strips_stage.hpp"
#include "views/derive/main_series.hpp"

#include <QImage>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <ctime>

using namespace gradus;
using Stage = testing::StripsStage;
using testing::forked, testing::stage_of, testing::strips_of, testing::WrittenRun;

namespace {

/// Processor time of this thread: other programs on the machine do not count.
qint64 thread_ns() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<qint64>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

const StepBand& band_of(const StepsStrip& steps, StepIndex iteration, std::int32_t ordinal) {
    for (const StepBand& band : steps.bands)
        if (band.iteration == iteration && band.ordinal == ordinal) return band;
    static const StepBand none;
    return none;
}

} // namespace

void TestOverview::zoom_keeps_what_is_under_the_pointer_data() {
    QTest::addColumn<double>("first");
    QTest::addColumn<double>("count");
    QTest::addColumn<double>("factor");
    QTest::addColumn<double>("share");
    QTest::newRow("in at the left") << 100.0 << 20.0 << 0.5 << 0.0;
    QTest::newRow("in at the right") << 100.0 << 20.0 << 0.5 << 1.0;
    QTest::newRow("in between") << 100.0 << 20.0 << 0.85 << 0.37;
    QTest::newRow("out") << 300.0 << 20.0 << 1.7 << 0.6;
    QTest::newRow("far in") << 500.0 << 40.0 << 0.03 << 0.5;
}

void TestOverview::zoom_keeps_what_is_under_the_pointer() {
    QFETCH(double, first);
    QFETCH(double, count);
    QFETCH(double, factor);
    QFETCH(double, share);
    const StepWindow window{first, count}, after = zoomed(window, factor, share, 1000, 800);
    QVERIFY(std::abs(after.first + share * after.count - (first + share * count)) < 1e-9);
    QCOMPARE(after.count, std::max(1.0, count * factor));
    // At the ends of the run the window stays inside.
    const StepWindow out = zoomed({0, 20}, 3, 0, 30, 800);
    QCOMPARE(out.first, 0.0);
    QCOMPARE(out.count, 30.0);
    QVERIFY(zoomed({0, 90}, 1000, 0.5, 1'000'000, 800).count <= 100); // eight pixels for each step
}

void TestOverview::window_follows_the_cursor() {
    StepWindow window{0, 20};
    for (StepIndex i = 0; i < 500; ++i) {
        const StepWindow before = window;
        window = following(window, i, 500, 800);
        QVERIFY(window.first <= static_cast<double>(i) && window.until() >= static_cast<double>(i + 1));
        QVERIFY(window.first - before.first <= 1 && window.first >= before.first); // it moves no further than it must
    }
    QCOMPARE(window.until(), 500.0);
    QCOMPARE(following(window, 3, 500, 800).first, 0.0);
    QCOMPARE(following({10, 20}, 17, 500, 800), (StepWindow{10, 20}));
    QCOMPARE(following({0, 20}, 0, 1, 800), (StepWindow{0, 1})); // a run of one step
}

void TestOverview::the_usual_window_follows_from_the_step_alone() {
    double before = 0;
    int moves = 0;
    for (StepIndex i = 0; i < 500; ++i) {
        const StepWindow window = page_of(i, 500, 800);
        QCOMPARE(window.count, usual_count(800));
        const double margin = i == 0 || i >= 499 ? 0 : std::min({2.0, static_cast<double>(i), static_cast<double>(499 - i)});
        QVERIFY(window.first + margin <= static_cast<double>(i) && window.until() - margin >= static_cast<double>(i + 1));
        QVERIFY(window.first >= before);
        moves += window.first != before;
        before = window.first;
    }
    QVERIFY(moves < 500 / 10); // it stands still in between
    QCOMPARE(page_of(499, 500, 800).until(), 500.0);
    QCOMPARE(page_of(0, 1, 800), (StepWindow{0, 1}));
}

void TestOverview::every_run_comes_down_to_a_series() {
    const auto run_of = [](std::initializer_list<const char*> names) {
        std::vector<SeriesInfo> series;
        for (const char* name : names) series.push_back({name, "", Provenance::computed, true});
        return std::make_shared<Run>(Manifest{}, series, nullptr);
    };
    QCOMPARE(main_series(*run_of({"accuracy", "loss"})), std::string("loss"));
    QCOMPARE(main_series(*run_of({"x", "result", "f"})), std::string("result")); // x is where the points stand
    QCOMPARE(main_series(*run_of({})), std::string());
    auto run = run_of({"x", "result"});
    for (StepIndex i = 0; i < 20; ++i) {
        const_cast<Series*>(run->find_series("x"))->push(i, static_cast<double>(i));
        const_cast<Series*>(run->find_series("result"))->push(i, static_cast<double>(i * i));
    }
    Stage stage;
    stage.runs = {run};
    const auto strips = strips_of(stage, {600, 72});
    const auto picture = [&strips] { return strips->grab().toImage(); };
    const QImage open = picture();
    strips->setVeil({{"f"}, 0});
    QVERIFY(picture() == open); // something else is hidden
    strips->setVeil({{"result"}, 0});
    QVERIFY(picture() != open);
}

void TestOverview::curve_of_growth_equals_curve_of_all() {
    WrittenRun written{.steps = 3000, .planned = 4000, .observe_every = 5000, .loss = [](StepIndex i) {
        return i == 1700 ? NAN : 1 + std::sin(static_cast<double>(i * i)) * 0.1; }};
    const auto all = written.write();
    OutcomeCurve at_once("loss"), grown("loss");
    QVERIFY(at_once.grow({all}, 4000, 300));
    QVERIFY(!at_once.grow({all}, 4000, 300)); // nothing new
    Manifest manifest;
    auto growing = std::make_shared<Run>(manifest, std::vector<SeriesInfo>{{"loss", "", Provenance::computed, true}}, nullptr);
    for (StepIndex i = 0; i < 3000; ++i) {
        const_cast<Series*>(growing->find_series("loss"))->push(i, written.loss(i));
        if (i % 37 == 0) grown.grow({growing}, 4000, 300);
    }
    grown.grow({growing}, 4000, 300);
    QCOMPARE(at_once.broken_at(0), StepIndex{1700});
    QCOMPARE(grown.broken_at(0), StepIndex{1700});
    double least = INFINITY;
    for (std::size_t i = 0; i < 300; ++i) {
        const auto a = at_once.of(0)[i], b = grown.of(0)[i];
        QVERIFY(a.any == b.any && a.least == b.least && a.greatest == b.greatest && a.broken == b.broken);
        QCOMPARE(a.any, i < 225);
        if (a.any) least = std::min<double>(least, a.least);
    }
    QVERIFY(std::abs(at_once.height_of(least)) < 1e-6);
}

void TestOverview::a_million_steps_cost_a_frame_nothing() {
    WrittenRun written{.steps = 1'000'000, .planned = 1'000'001, .observe_every = 20'000};
    Stage stage = stage_of(written);
    const auto strips = strips_of(stage, {1100, 72});
    QImage image(strips->size(), QImage::Format_ARGB32_Premultiplied);
    std::vector<qint64> still, moving;
    for (int i = 0; i < 21; ++i) {
        qint64 start = thread_ns();
        strips->present(stage.look(), {});
        still.push_back(thread_ns() - start);
        stage.state.cursor.iteration -= 1000;
        start = thread_ns();
        strips->present(stage.look(), {});
        strips->render(&image);
        moving.push_back(thread_ns() - start);
    }
    std::sort(still.begin(), still.end());
    std::sort(moving.begin(), moving.end());
    qInfo("still %lld us, moving and painted %lld us", static_cast<long long>(still[10] / 1000), static_cast<long long>(moving[10] / 1000));
    QVERIFY2(still[10] < 200'000, qPrintable(QString::number(still[10])));
    QVERIFY2(moving[10] < test::slowed * 8'000'000, qPrintable(QString::number(moving[10])));
}

void TestOverview::bands_fill_their_step_data() {
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("observe_every");
    QTest::addColumn<int>("ruler");
    for (const int width : {160, 560, 1100, 3000})
        for (const int every : {1, 4})
            for (const Ruler ruler : {Ruler::none, Ruler::time, Ruler::flops, Ruler::bytes})
                QTest::addRow("%d px, every %d, ruler %d", width, every, static_cast<int>(ruler)) << width << every << static_cast<int>(ruler);
}

void TestOverview::bands_fill_their_step() {
    QFETCH(int, width);
    QFETCH(int, observe_every);
    QFETCH(int, ruler);
    Stage stage = stage_of({.steps = 15, .planned = 20, .observe_every = observe_every});
    stage.state.ruler = static_cast<Ruler>(ruler);
    const auto strips = strips_of(stage, {width, 72});
    const StepsStrip& steps = strips->steps();
    QVERIFY(!steps.iterations.empty());
    for (const StepSlot& slot : steps.iterations) {
        QCOMPARE(slot.bands, std::size_t{3});
        double at = slot.rect.left();
        for (std::size_t i = slot.first_band; i < slot.first_band + slot.bands; ++i) {
            const StepBand& band = steps.bands[i];
            QVERIFY(std::abs(band.rect.left() - at) < 1e-6);
            QVERIFY(band.rect.width() >= 0);
            at = band.rect.right();
            QCOMPARE(band.recorded, slot.iteration < 15);
            const bool counted = stage.state.ruler == Ruler::flops || stage.state.ruler == Ruler::bytes;
            const auto kind = counted ? StepWidths::Kind::counted
                              : band.recorded && slot.iteration % observe_every == 0 ? StepWidths::Kind::measured
                                                                                     : StepWidths::Kind::typical;
            QCOMPARE(static_cast<int>(band.kind), static_cast<int>(kind));
        }
        QVERIFY(std::abs(at - slot.rect.right()) < 1e-6);
    }
}

void TestOverview::measured_widths_are_the_events() {
    Stage stage = stage_of({.steps = 10, .planned = 10, .observe_every = 2, .nanoseconds = [](StepIndex i, int phase) {
        return static_cast<Ticks>(100 * (phase + 1) + (phase == 0 ? 10 * i : 0)); }});
    const auto strips = strips_of(stage, {1100, 72});
    for (const StepIndex i : {0, 2, 4, 6, 8}) {
        const double forward = 100 + 10 * static_cast<double>(i), all = forward + 500;
        const StepBand& band = band_of(strips->steps(), i, 1);
        QVERIFY(std::abs(band.rect.width() / strips->steps().slot_of(i).width() - forward / all) < 1e-9);
        QVERIFY(std::abs(band.seconds - forward * 1e-9) < 1e-15);
    }
    // The medians of those five are what the steps between them are drawn with.
    QVERIFY(std::abs(band_of(strips->steps(), 3, 1).rect.width() / strips->steps().slot_of(3).width() - 140.0 / 640) < 1e-6);
    stage.state.ruler = Ruler::flops; // 1000, 3000 and 0
    strips->present(stage.look(), {});
    QVERIFY(std::abs(band_of(strips->steps(), 0, 1).rect.width() / strips->steps().slot_of(0).width() - 0.25) < 1e-9);
    QCOMPARE(band_of(strips->steps(), 0, 7).rect.width(), 0.0);
}

/// Medians of times, each for itself, would draw forward as a seventh of the two: as in the one step that is like no other.
void TestOverview::a_typical_step_is_like_most() {
    const auto times = [](StepIndex i, int phase) { return static_cast<Ticks>(phase == 2 ? 1 : phase == 0 ? (i < 6 ? 100 : 600) : (i < 4 ? 100 : 600)); };
    Stage stage = stage_of({.steps = 10, .planned = 10, .observe_every = 2, .nanoseconds = times});
    const auto strips = strips_of(stage, {1100, 72});
    const double forward = band_of(strips->steps(), 3, 1).rect.width() / strips->steps().slot_of(3).width();
    QVERIFY2(std::abs(forward - 0.5) < 0.01, qPrintable(QString::number(forward)));
}

void TestOverview::cursor_stands_on_its_event() {
    Stage stage = stage_of({.steps = 10, .planned = 20, .ops = 2});
    stage.state.cursor.iteration = 4;
    const auto strips = strips_of(stage, {1100, 72});
    const QRectF slot = strips->steps().slot_of(4);
    QCOMPARE(strips->steps().cursor, slot.center().x());
    QCOMPARE(strips->steps().place, QString("step 4"));
    // Per phase two ops of 300, 500 and 200 ns: 2000 in all.
    const struct { int ordinal; double from, until; const char* place; } rows[] = {
        {1, 0, 600, "4 · forward"}, {4, 300, 600, "4 · forward · layer 1 · matmul z₁"}, {5, 600, 1600, "4 · backward"},
        {7, 600, 1100, "4 · backward · layer 1 · matmul z₀"}, {12, 1800, 2000, "4 · update · layer 1 · matmul z₁"}};
    for (const auto& row : rows) {
        stage.state.cursor.ordinal = row.ordinal;
        strips->present(stage.look(), {});
        QVERIFY(std::abs(strips->steps().cursor - (slot.left() + slot.width() * (row.from + row.until) / 4000)) < 1e-6);
        QCOMPARE(strips->steps().place, QString::fromUtf8(row.place));
    }
    stage.state.cursor.ordinal = 999; // no such event: the step itself
    strips->present(stage.look(), {});
    QCOMPARE(strips->steps().cursor, slot.center().x());
}

void TestOverview::event_under_a_point_is_the_event_there() {
    const auto run = WrittenRun{.steps = 3, .planned = 3, .ops = 4}.write();
    StepWidths widths;
    const std::vector<std::shared_ptr<const Run>> runs{run};
    AppState state;
    widths.look({runs, state, nullptr, 0, 3, false});
    const auto extents = widths.extents(1);
    const StepPlan& plan = widths.plan();
    for (const Level level : {Level::phase, Level::module, Level::op})
        for (std::int32_t ordinal = 1; ordinal < static_cast<std::int32_t>(plan.site.size()); ++ordinal)
            if (plan.site_of(*run, ordinal).level == level)
                QCOMPARE(event_at(plan, *run, extents, extents[static_cast<std::size_t>(ordinal)].middle(), level), ordinal);
    QCOMPARE(event_at(plan, *run, extents, 0.5, Level::iteration), -1);
    QCOMPARE(event_at(plan, *run, extents, 0, Level::phase), plan.phases().front());
    QCOMPARE(event_at(plan, *run, extents, 1, Level::phase), plan.phases().back());
}

void TestOverview::pressing_goes_there_and_dragging_the_frame_travels() {
    Stage stage = stage_of({.steps = 400, .planned = 500, .ops = 2});
    stage.state.cursor.iteration = 200;
    stage.state.cursor.level = Level::op;
    const auto strips = strips_of(stage, {1100, 72});
    QSignalSpy moved(strips.get(), &RunStrips::cursorMoved), chosen(strips.get(), &RunStrips::eventChosen);
    const Overview& overview = strips->overview();
    const int y = static_cast<int>(overview.area.center().y());
    QTest::mouseClick(strips.get(), Qt::LeftButton, {}, {static_cast<int>(overview.middle_of(50)), y});
    QCOMPARE(moved.size(), 1);
    QVERIFY(std::abs(moved.takeFirst()[0].toLongLong() - 50) <= 1);
    QTest::mouseClick(strips.get(), Qt::LeftButton, {}, {static_cast<int>(overview.middle_of(480)), y});
    QCOMPARE(moved.takeFirst()[0].toLongLong(), 399); // not beyond what has run
    // The frame carries the cursor along and keeps its width.
    const QPoint grip = overview.frame.center().toPoint();
    const double frame = overview.frame.width();
    QTest::mousePress(strips.get(), Qt::LeftButton, {}, grip);
    QTest::mouseMove(strips.get(), grip + QPoint(100, 0));
    QTest::mouseRelease(strips.get(), Qt::LeftButton, {}, grip + QPoint(100, 0));
    const double per_pixel = 500 / overview.area.width();
    QVERIFY(!moved.isEmpty());
    QVERIFY(std::abs(moved.takeLast()[0].toDouble() - (200 + 100 * per_pixel)) <= 2);
    QVERIFY(std::abs(strips->overview().frame.width() - frame) < 1);
    // Its right edge zooms, its left end stays.
    const double first = strips->window().first, count = strips->window().count;
    const QPoint edge(static_cast<int>(strips->overview().frame.right()) - 1, y);
    QTest::mousePress(strips.get(), Qt::LeftButton, {}, edge);
    QTest::mouseMove(strips.get(), edge + QPoint(60, 0));
    QTest::mouseRelease(strips.get(), Qt::LeftButton, {}, edge + QPoint(60, 0));
    QVERIFY(strips->window().count > count * 1.5);
    QVERIFY(std::abs(strips->window().first - first) < 1e-9);
    // In a band: the iteration, and the event at the cursor's level.
    moved.clear();
    const StepSlot slot = strips->steps().iterations[strips->steps().iterations.size() / 2];
    QTest::mouseClick(strips.get(), Qt::LeftButton, {}, QPointF(slot.rect.left() + slot.rect.width() * 0.45, slot.rect.center().y()).toPoint());
    QCOMPARE(moved.takeFirst()[0].toLongLong(), slot.iteration);
    QCOMPARE(chosen.takeFirst()[0].toInt(), 7); // the first op of backward lies from 0.3 to 0.55, the second to 0.8
}

void TestOverview::every_size_can_be_drawn_data() {
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("height");
    for (const auto& [width, height] : {std::pair{1, 1}, {10, 200}, {40, 10}, {239, 72}, {560, 72}, {1100, 72}, {1100, 160}, {3840, 2160}})
        QTest::addRow("%dx%d", width, height) << width << height;
}

void TestOverview::every_size_can_be_drawn() {
    QFETCH(int, width);
    QFETCH(int, height);
    Stage stages[] = {forked(), stage_of({.steps = 1, .planned = 1}), stage_of({.steps = 0, .planned = 10}),
                      stage_of({.steps = 50, .planned = 50, .loss = [](StepIndex) { return NAN; }})};
    stages[2].state.cursor.iteration = 0;
    for (Stage& stage : stages) {
        const auto strips = strips_of(stage, {width, height}, 0);
        QVERIFY(!strips->grab().isNull());
        strips->setTheme(load_theme(ThemeMode::dark));
        QVERIFY(!strips->grab().isNull());
        if (width < 240 || height < 40) continue;
        const QRectF all = QRectF(strips->rect()).adjusted(-0.5, -0.5, 0.5, 0.5);
        for (const OverviewBranch& branch : strips->overview().branches)
            QVERIFY(branch.start.y() > 0 && branch.start.y() < strips->steps().area.top());
        QVERIFY(all.contains(strips->overview().frame) && all.contains(strips->steps().area));
    }
}

void TestOverview::a_real_run_can_be_shown_while_it_grows() {
    RunRequest request;
    request.parameters = {{"data", "spirals"}, {"layers", "2,16,16,2"}, {"batch", "32"}};
    request.steps = 300;
    request.device.threads = 1;
    Session session(request);
    session.play();
    RunStrips strips(load_theme(ThemeMode::light), nullptr);
    strips.resize(560, 72);
    StepIndex seen = -1;
    for (int i = 0; i < 3000 && seen < 299; ++i) {
        QTest::qWait(2);
        const auto runs = session.runs();
        if (runs.empty() || runs[0]->head() < 1) continue;
        AppState state;
        seen = state.cursor.iteration = runs[0]->head() - 1;
        strips.present({runs, state, nullptr, 0, 300, true}, {});
        QVERIFY(!strips.grab().isNull());
        QVERIFY(strips.steps().cursor > 0);
    }
    QCOMPARE(seen, StepIndex{299});
    bool measured = false;
    for (const StepBand& band : strips.steps().bands) measured |= band.kind == StepWidths::Kind::measured && band.seconds > 0;
    QVERIFY(measured); // the last step is always observed
}
