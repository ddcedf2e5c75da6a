#include "tests/views/test_overview.hpp"

#include "tests/views/strips_stage.hpp"
#include "engine/trace/run_writer.hpp"
#include "views/derive/event_words.hpp"
#include "views/runs/run_rows.hpp"

#include <QTest>
#include <algorithm>
#include <cmath>

using namespace gradus;
using Stage = testing::StripsStage;
using testing::forked, testing::stage_of, testing::strips_of, testing::WrittenRun;

void TestOverview::labels_never_overlap_data() {
    QTest::addColumn<int>("width");
    for (const int width : {120, 200, 300, 560, 1100, 2400}) QTest::addRow("%d", width) << width;
}

void TestOverview::labels_never_overlap() {
    QFETCH(int, width);
    Stage stage = stage_of({.steps = 1000, .planned = 1200});
    stage.planned = 1200;
    const auto strips = strips_of(stage, {width, 72});
    for (StepIndex i = 940; i < 1000; ++i)
        for (const int ordinal : {-1, 3, 9}) {
            stage.state.cursor.iteration = i;
            stage.state.cursor.ordinal = ordinal;
            strips->present(stage.look(), {});
            const StepsStrip& steps = strips->steps();
            QVERIFY(steps.cursor >= steps.area.left() && steps.cursor <= steps.area.right());
            for (const QRectF& label : {steps.first_rect, steps.last_rect}) {
                QVERIFY(!label.intersects(steps.place_rect));
                QVERIFY(QRectF(strips->rect()).contains(label) || label.isEmpty());
            }
            QVERIFY(!steps.first_rect.intersects(steps.last_rect));
            QVERIFY(QRectF(strips->rect()).contains(steps.place_rect));
        }
}

void TestOverview::forks_leave_their_parent_and_are_named() {
    Stage stage = forked();
    const auto strips = strips_of(stage, {1100, 120});
    const Overview& overview = strips->overview();
    QCOMPARE(overview.branches.size(), std::size_t{3});
    const OverviewBranch &root = overview.branches[0], &edited = overview.branches[1], &broken = overview.branches[2];
    QCOMPARE(edited.run, std::size_t{1});
    QVERIFY(edited.selected && edited.parameter && !edited.setting && !edited.broken && !root.selected);
    QVERIFY(broken.setting && !broken.parameter && broken.broken);
    QCOMPARE(edited.leaves, QPointF(overview.x_of(8), root.start.y()));
    QVERIFY(edited.start.y() > root.start.y() && broken.start.y() > edited.start.y());
    QCOMPARE(edited.recorded, overview.x_of(12));
    QVERIFY2(edited.name.contains("W₂[86, 7] = 3") && edited.name.contains("11"), qPrintable(edited.name));
    QVERIFY2(broken.name.contains("η = 10") && broken.name.contains("7"), qPrintable(broken.name));
    for (const OverviewBranch& branch : overview.branches) QVERIFY(overview.area.contains(branch.name_rect) || branch.run == 0);
    // Where there is no room for all, the selected one stays.
    for (const std::size_t selected : {std::size_t{1}, std::size_t{2}}) {
        stage.state.run = selected;
        stage.state.cursor.iteration = 6;
        const auto low = strips_of(stage, {560, 72});
        QCOMPARE(low->overview().branches.size(), std::size_t{2});
        QCOMPARE(low->overview().branches[1].run, selected);
    }
}

void TestOverview::a_fork_is_named_as_its_control_is() {
    Manifest manifest;
    manifest.parameters = {{"slope_x2", "-3"}, {"lr", "0.1"}};
    const auto parent = std::make_shared<Run>(manifest, std::vector<SeriesInfo>{}, nullptr);
    const std::pair<const char*, QString> rows[] = {{"slope_x2[0, 0] = -2", "Slope in x₂ = -2"}, {"lr = 0.05", "η = 0.05"},
                                                    {"W1[0, 8] = 3", "W₁[0, 8] = 3"}, {"slope_x2[0, 1] = 4", "slope_x₂[0, 1] = 4"}};
    for (const auto& [change, name] : rows) {
        const auto fork = std::make_shared<Run>(manifest, std::vector<SeriesInfo>{}, parent);
        RunWriter(fork).log_edit(Edit::parse("break nan"), 0);
        RunWriter(fork).log_edit(Edit::parse(change), 0);
        QCOMPARE(written_change(*fork), name);
    }
    QVERIFY(written_change(*parent).isEmpty());
}

void TestOverview::strip_and_list_say_the_same_of_a_fork_data() {
    QTest::addColumn<int>("from");
    QTest::addColumn<int>("head");
    QTest::addColumn<int>("cursor");
    QTest::addColumn<QString>("strip");
    QTest::addColumn<QString>("list");
    QTest::addColumn<int>("step"); // of the loss in the list; -1: none
    QTest::newRow("left at step 0, not begun") << 0 << 0 << 0 << "nothing recorded yet" << "from step 0, nothing recorded yet" << -1;
    QTest::newRow("left later, not begun") << 8 << 8 << 12 << "nothing recorded yet" << "from step 8, nothing recorded yet" << -1;
    QTest::newRow("one step from step 0") << 0 << 1 << 0 << "recorded to step 0" << "from step 0, 1 of 20 done" << 0;
    QTest::newRow("as far as the cursor") << 8 << 12 << 11 << "recorded to step 11" << "from step 8, 12 of 20 done" << 11;
    QTest::newRow("further than the cursor") << 8 << 12 << 9 << "recorded to step 11" << "from step 8, 12 of 20 done" << 9;
    QTest::newRow("not so far as the cursor") << 8 << 12 << 19 << "recorded to step 11" << "at step 11, 12 of 20 done" << 11;
}

void TestOverview::strip_and_list_say_the_same_of_a_fork() {
    QFETCH(int, from);
    QFETCH(int, head);
    QFETCH(int, cursor);
    QFETCH(QString, strip);
    QFETCH(QString, list);
    QFETCH(int, step);
    Stage stage = stage_of({.steps = 20, .planned = 20});
    const WrittenRun fork{.steps = head, .planned = 20, .loss = [](StepIndex i) { return 2.0 + static_cast<double>(i); }, .parent = stage.runs[0], .from = from, .edits = {"lr = 5"}};
    stage.runs.push_back(fork.write());
    stage.state.run = 1;
    const auto strips = strips_of(stage, {1600, 100});
    QCOMPARE(strips->overview().branches[1].name, QString("fork 1: η = 5, ") + strip);
    const std::vector<RunRow> rows = make_rows(stage.runs, 1, QRectF(0, 0, 200, 400), 0, cursor);
    QCOMPARE(rows[1].where, list);
    QCOMPARE(rows[0].step, StepIndex{cursor}); // both are compared at one step
    QCOMPARE(*rows[0].outcome, 1.0 / (1.0 + cursor));
    QCOMPARE(rows[1].outcome.has_value(), step >= 0);
    if (step < 0) return;
    QCOMPARE(rows[1].step, StepIndex{step});
    QCOMPARE(*rows[1].outcome, 2.0 + step);
}

void TestOverview::marks_stand_at_their_steps() {
    Stage stage = forked();
    stage.state.bookmarks = {3, 900};
    const auto strips = strips_of(stage, {1100, 72}, 10);
    int bookmarks = 0, flags = 0, breakpoints = 0;
    for (const OverviewMark& mark : strips->overview().marks) {
        bookmarks += mark.kind == OverviewMark::Kind::bookmark && mark.iteration == 3;
        flags += mark.kind == OverviewMark::Kind::flag && mark.iteration == 10;
        breakpoints += mark.kind == OverviewMark::Kind::breakpoint && mark.iteration == 15;
    }
    QCOMPARE(strips->overview().marks.size(), std::size_t{3}); // the bookmark beyond the run is left out
    QVERIFY(bookmarks == 1 && flags == 1 && breakpoints == 1);
    std::vector<QString> ids;
    for (const ViewItem& item : strips->items()) {
        QVERIFY2(!item.name.isEmpty(), qPrintable(item.id));
        ids.push_back(item.id);
    }
    std::sort(ids.begin(), ids.end());
    QVERIFY(std::adjacent_find(ids.begin(), ids.end()) == ids.end());
}
