#include "tests/views/test_theatre.hpp"

#include "tests/views/theatre_stage.hpp"
#include "views/theatre/kernel_editor.hpp"
#include "views/theatre/theatre_view.hpp"
#include "views/theatre/theatre_words.hpp"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>

using namespace gradus;
using testing::naive_transpose, testing::recorded_product, testing::run_of;
using Stage = testing::TheatreStage;

void TestTheatre::it_lies_inside_at_every_size_data() {
    QTest::addColumn<QSize>("size");
    for (const QSize size : {QSize(1500, 860), QSize(1100, 640), QSize(900, 520), QSize(640, 640), QSize(560, 480), QSize(300, 300), QSize(160, 120), QSize(1, 1)})
        QTest::newRow(qPrintable(QStringLiteral("%1x%2").arg(size.width()).arg(size.height()))) << size;
}

void TestTheatre::it_lies_inside_at_every_size() {
    QFETCH(QSize, size);
    for (const auto& run : {recorded_product(), naive_transpose()}) {
        Stage stage(run, size);
        for (const char* path : {"launches/0/block 0/load at [", "launches/0/block 0/store lane 3 at ["}) {
            stage.stand(path);
            QVERIFY(!stage.view.grab().isNull());
            const QRectF inside = QRectF(stage.view.rect()).adjusted(0, 0, 1, 1);
            std::vector<QRectF> lanes;
            for (const ViewItem& item : stage.view.items()) {
                QVERIFY2(inside.contains(item.rect), qPrintable(item.id));
                if (item.id.startsWith(QLatin1String("lane"))) lanes.push_back(item.rect);
            }
            for (std::size_t i = 0; i < lanes.size(); ++i)
                for (std::size_t j = i + 1; j < lanes.size(); ++j) QVERIFY(!lanes[i].intersects(lanes[j]));
            for (const TheatreGeometry::Sector& a : stage.view.picture().geometry.sectors)
                for (const QRectF& lane : lanes) QVERIFY(!a.rect.intersects(lane));
        }
    }
}

void TestTheatre::it_shows_what_the_step_does() {
    Stage stage(naive_transpose());
    stage.stand("launches/0/block 0/store at y[");
    QCOMPARE(stage.model().sectors.sectors, 32); // the column that a warp writes lies in 32 rows
    QCOMPARE(stage.model().sectors.ideal, 4);
    QCOMPARE(stage.model().stand.count(LaneState::active), 32);
    QCOMPARE(stage.item("sectors")->value, QStringLiteral("32 sectors, ideal 4"));
    QCOMPARE(stage.view.picture().geometry.sectors.size() + 4 * stage.view.picture().geometry.lines_left_out, std::size_t{32 * 4});
    QVERIFY(stage.item("active")->value.contains(QLatin1String("32 of 32")));
    stage.stand("launches/0/block 0/load at y[");
    QCOMPARE(stage.item("sectors")->value, QStringLiteral("4 sectors, ideal 4"));
}

/// Of "sums[t] += sums[t + distance]", too: what is written and what is read bear the same name.
void TestTheatre::the_access_under_way_is_marked() {
    Stage stage(run_of("reduction", "3_sequential", "n=512"));
    const auto place = [&](const char* path) {
        stage.stand(path);
        return stage.model().column - 1;
    };
    const QString line = QStringLiteral("        if (t < distance) sums[t] += sums[t + distance];");
    const auto left = static_cast<std::int32_t>(line.indexOf(QLatin1String("sums"))), right = static_cast<std::int32_t>(line.lastIndexOf(QLatin1String("sums")));
    QCOMPARE(place("launches/0/block 0/store at sums[t] +="), left);
    QCOMPARE(stage.model().code[static_cast<std::size_t>(stage.model().line) - 1].text, line);
    std::set<std::int32_t> read{place("launches/0/block 0/load at sums[t] +="), place("launches/0/block 0/warp 0 load time 1 at sums[t] +=")};
    QCOMPARE(read, (std::set<std::int32_t>{left, right}));
}

void TestTheatre::a_click_on_a_line_runs_to_it() {
    Stage stage(recorded_product());
    stage.stand("launches/0/block 0/load at A[");
    const std::int32_t barrier = [&] {
        for (std::size_t i = 0; i < stage.model().code.size(); ++i)
            if (stage.model().code[i].text.contains(QLatin1String("__syncthreads"))) return static_cast<std::int32_t>(i) + 1;
        return -1;
    }();
    stage.click(QStringLiteral("line%1").arg(barrier));
    QCOMPARE(stage.model().line, barrier);
    QCOMPARE(stage.model().op, simt::Op::barrier);
}

void TestTheatre::a_lane_is_gone_into_and_out_of_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("usual") << QSize(720, 720);
    QTest::newRow("so large that it is drawn larger") << QSize(1300, 900);
}

void TestTheatre::a_lane_is_gone_into_and_out_of() {
    QFETCH(QSize, size);
    Stage stage(recorded_product(), size);
    stage.stand("launches/0/block 0/load at A[");
    const std::size_t step = stage.model().step;
    stage.click("lane7");
    QCOMPARE(stage.model().lane, 7);
    QCOMPARE(stage.state.cursor.level, Level::lane);
    QCOMPARE(stage.model().step, step);
    QVERIFY(stage.item("locals").has_value());
    stage.click("lane7");
    QCOMPARE(stage.state.cursor.level, Level::warp_instruction);
    QCOMPARE(stage.model().step, step);
}

void TestTheatre::ways_step_there_and_back() {
    Stage stage(recorded_product());
    stage.stand("launches/0/block 0/load at A[");
    for (const int way : {0, 1, 2}) {
        stage.click(QStringLiteral("way.%1.on").arg(way));
        const std::size_t first = stage.model().step;
        stage.click(QStringLiteral("way.%1.on").arg(way));
        QVERIFY(stage.model().step > first);
        stage.click(QStringLiteral("way.%1.back").arg(way));
        QCOMPARE(stage.model().step, first);
        stage.stand("launches/0/block 0/load at A[");
    }
}

void TestTheatre::a_sector_asks_who_touches_its_word() {
    Stage stage(naive_transpose());
    stage.stand("launches/0/block 0/store at y[");
    stage.click("sector3.0");
    QCOMPARE(QString::fromStdString(stage.state.selection.tensor), QStringLiteral("y"));
    QTRY_VERIFY_WITH_TIMEOUT((stage.frame(), !stage.model().seeking), 5000);
    QCOMPARE(stage.model().touching.size(), std::size_t{1}); // each element is written once
    QVERIFY(stage.item("touch1").has_value());
    stage.click("touch1");
    QVERIFY(stage.model().word_lanes != 0);
    for (const char* lets_go : {"sector3.0", "touches"}) { // the same once more, and its list's head
        if (stage.state.selection.tensor.empty()) stage.click("sector3.0");
        QTRY_VERIFY_WITH_TIMEOUT((stage.frame(), stage.item("touches").has_value()), 5000);
        stage.click(lets_go);
        QVERIFY2(stage.state.selection == Selection{}, lets_go);
        QVERIFY(!stage.item("touches"));
    }
}

/// Where the window is low, and of a step with many sectors or many turns: what is not drawn is counted, or stands in the head.
void TestTheatre::what_has_no_room_is_told() {
    struct Case {
        std::shared_ptr<const Run> run;
        const char* path;
    };
    int told = 0, heads = 0;
    for (const auto& [run, path] : {Case{naive_transpose(), "launches/0/block 0/store at y["}, {run_of("transpose", "2_tiled", "rows=64,columns=64"), "launches/0/block 0/load at tile["}})
        for (int height = 160; height <= 700; height += 20) {
            Stage stage(run, {720, height});
            stage.stand(path);
            stage.view.setEditing(height % 40 == 0);
            stage.view.grab();
            const TheatreGeometry& g = stage.view.picture().geometry;
            const QByteArray at = QByteArray::number(height) + " " + path;
            const QString cost = stage.model().space == simt::Space::shared ? QStringLiteral("wavefronts") : QStringLiteral("sectors"); // what is covered where that is asked
            QVERIFY2(stage.item(cost).has_value() == !g.memory_head.isNull() && stage.item(cost + ".more").has_value() == !g.more.isNull(), at);
            if (g.memory.isNull()) {
                heads += !g.memory_head.isNull();
                QVERIFY2(g.memory_head.isNull() || g.memory_head.bottom() <= height, at);
                continue;
            }
            const std::size_t lines = stage.model().sectors.lines.size(), turns = stage.model().banks.turns.size();
            const bool all = g.sectors.size() == 4 * lines && g.turns == turns;
            QCOMPARE(g.sectors.size() + 4 * g.lines_left_out, 4 * lines);
            QVERIFY2(all || g.memory_foot.height() >= 1 || !g.more.isNull(), at);
            QVERIFY2(g.turns > 0 || g.banks.isNull(), at); // no numbers of banks above nothing
            if (!g.more.isNull()) {
                ++told;
                QVERIFY2(!all && g.more.bottom() <= height, at);
                for (const TheatreGeometry::Sector& sector : g.sectors) QVERIFY2(!sector.rect.intersects(g.more), at);
                QVERIFY2(!g.banks.intersects(g.more) && !g.locals.intersects(g.more), at);
            }
        }
    QVERIFY(told > 0 && heads > 0);
}

void TestTheatre::at_the_bits_the_parts_make_the_result() {
    Stage stage(recorded_product());
    const KernelEvents& events = *stage.tree.kernels();
    const KernelTrace& trace = events.trace();
    QVERIFY(!trace.log.fmas.empty());
    stage.go(events.of_fma(trace.log.fmas.size() / 2));
    QCOMPARE(stage.state.cursor.level, Level::bits);
    QVERIFY(stage.model().bits.has_value());
    QCOMPARE(stage.model().bits->result, trace.log.fmas[trace.log.fmas.size() / 2].result);
    QVERIFY(stage.item("bits").has_value());
    QVERIFY(stage.model().fma >= 0 && stage.model().fma < stage.model().fmas);
}

void TestTheatre::lanes_that_part_say_where_they_stand() {
    Stage stage(run_of("branch_parity", "1_by_thread", "usual"));
    const KernelTrace& trace = stage.tree.kernels()->trace();
    std::size_t parted = trace.steps();
    for (std::size_t step = 0; step < trace.steps() && parted == trace.steps(); ++step)
        if (trace.log.mask[step] == 0x55555555u || trace.log.mask[step] == 0xaaaaaaaau) parted = step;
    QVERIFY(parted < trace.steps());
    stage.go(stage.tree.kernels()->of_step(parted));
    QCOMPARE(stage.model().stand.count(LaneState::active), 16);
    QCOMPARE(stage.model().stand.count(LaneState::elsewhere) + stage.model().stand.count(LaneState::waiting) + stage.model().stand.count(LaneState::done), 16);
    QVERIFY(stage.model().stand.groups >= 2);
    stage.stand("launches/0/block 0/warp 0 load at x[");
    QCOMPARE(stage.model().stand.count(LaneState::elsewhere), 16);
    const std::int32_t there = trace.sites[trace.log.site[stage.model().stand.lanes[1].next]].place.line;
    QVERIFY(there > stage.model().line);
    QCOMPARE(others_words(stage.model()), QStringLiteral(", 16 at line %1").arg(there));
    Stage low(run_of("branch_parity", "1_by_thread", "usual"), {676, 643}); // little room below the lanes: a line for what moves
    low.stand("launches/0/block 0/warp 0 load at x[");
    const TheatreGeometry& g = low.view.picture().geometry;
    QVERIFY(g.memory_foot.height() >= 1 && !g.sectors.empty() && g.sectors.back().rect.bottom() <= g.memory_foot.top());
}

void TestTheatre::an_access_out_of_bounds_is_underlined_where_it_stands() {
    QStringList lines;
    Stage own(naive_transpose());
    for (const TheatreLine& line : own.model().code) lines << line.text;
    QString far = lines.join('\n');
    far.replace(QLatin1String("x[row * columns + column]"), QLatin1String("x[row * columns + column + 5200]")); // and meets what lies behind it
    Stage stage(gradus::testing::run_of_experiment("run_kernel", {{"ladder", "transpose"}, {"rung", "1_naive"}, {"sizes", "rows=64,columns=64"}, {"record", "all"}, {"source", far.toStdString()}}, 1));
    const KernelTrace& trace = stage.tree.kernels()->trace();
    int looked = 0;
    for (std::size_t step = 0; step < trace.steps() && looked < 3; ++step) {
        if (trace.log.sites[trace.log.site[step]].op != simt::Op::read || !trace.is_shown(step)) continue;
        stage.go(stage.tree.kernels()->of_step(step));
        QCOMPARE(stage.model().code[static_cast<std::size_t>(stage.model().line) - 1].text[stage.model().column - 1], QChar('x'));
        ++looked;
    }
    QVERIFY(looked > 0);
}

void TestTheatre::counts_on_screen_are_the_runs() {
    Stage stage(recorded_product());
    stage.stand("launches/0/block 0/load at A[");
    const KernelTrace& trace = stage.tree.kernels()->trace();
    std::int64_t lines = 0, total = 0;
    for (const TheatreLine& line : stage.model().code)
        for (const LineAccess& access : line.sectors) lines += access.transfers;
    for (const KernelTrace::Line& line : trace.lines)
        if (simt::touches_memory(line.op) && line.space == simt::Space::global) total += line.transfers;
    QCOMPARE(lines, total);
    QCOMPARE(static_cast<double>(total), *stage.runs[0]->value_at("sectors", 0));
}

/// Two numbers that are nearly equal are allowed what their condition makes of roundings: as right as `gradus kernel` says it is.
void TestTheatre::what_is_allowed_is_the_runs() {
    Stage stage(run_of("layernorm", "1_naive", "rows=33,columns=2"));
    const double error = *stage.runs[0]->value_at("max_error", 0), allowed = *stage.runs[0]->value_at("error_allowed", 0);
    QVERIFY(error > 2e-6 && error <= allowed);
    QCOMPARE(stage.model().tolerance, allowed);
    QVERIFY(stage.model().right());
}

void TestTheatre::what_is_written_goes_out_and_comes_back() {
    Stage stage(recorded_product());
    stage.click("edit");
    QVERIFY(stage.view.editing());
    QVERIFY(stage.view.editPanel().isVisible());
    KernelEditor& editor = stage.view.editPanel().editor();
    const QString own = editor.toPlainText();
    QVERIFY(own.contains(QLatin1String("__global__")));
    QSignalSpy drafted(&stage.view, &View::drafted), dropped(&stage.view, &View::draftDropped);
    editor.moveCursor(QTextCursor::End);
    QTest::keyClicks(&editor, "int x");
    QVERIFY(drafted.wait(2000));
    QCOMPARE(drafted.last().at(1).toBool(), false);
    QTest::keyClick(&editor, Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(drafted.last().at(1).toBool(), true);
    QVERIFY(drafted.last().at(0).toString().endsWith(QLatin1String("int x")));
    auto draft = std::make_shared<KernelDraft>();
    draft->state = KernelDraft::State::refused;
    draft->messages = {{3, 7, QStringLiteral("expected ';'")}, {9, 1, QStringLiteral("'y' was not declared")}};
    stage.draft = draft;
    stage.frame();
    QVERIFY(stage.view.editPanel().said().contains(QLatin1String("line 3")));
    QVERIFY(stage.view.editPanel().said().contains(QLatin1String("1 more")));
    QVERIFY(stage.view.editPanel().printed().isEmpty());
    draft = std::make_shared<KernelDraft>(*draft);
    draft->printed = QStringLiteral("i = 0\ni = 1\n");
    draft->printed_more = 12345;
    stage.draft = draft;
    stage.frame();
    QVERIFY2(stage.view.editPanel().printed().startsWith(QStringLiteral("i = 0\ni = 1\n…")), qPrintable(stage.view.editPanel().printed()));
    for (const auto& [line, words] : {std::pair{3, "expected"}, {9, "'y'"}, {3, "expected"}}) { // and round again
        QTest::keyClick(&editor, Qt::Key_F8);
        QCOMPARE(editor.textCursor().blockNumber() + 1, line);
        QVERIFY2(stage.view.editPanel().said().contains(QLatin1String(words)), qPrintable(stage.view.editPanel().said()));
    }
    for (const ThemeMode mode : {ThemeMode::dark, ThemeMode::light}) { // the lines stay readable
        const Theme theme = load_theme(mode);
        stage.view.setTheme(theme);
        QCOMPARE(editor.extraSelections().size(), qsizetype{2});
        for (const QTextEdit::ExtraSelection& marked : editor.extraSelections()) QCOMPARE(marked.format.background().color(), theme.fill);
    }
    QTest::keyClick(&editor, Qt::Key_F4);
    QCOMPARE(dropped.count(), 1);
    QCOMPARE(editor.toPlainText(), own); // at once, whatever its run takes
    QTest::keyClicks(&editor, "// more");
    stage.draft.reset();
    stage.frame();
    QVERIFY(editor.toPlainText().contains(QLatin1String("// more"))); // what is written meanwhile stays
    QTest::keyClick(&editor, Qt::Key_Escape);
    QVERIFY(!stage.view.editing());
}

void TestTheatre::variables_are_told_in_three_digits() {
    Stage stage(run_of("matmul", "5_tile_2d", "M=64,N=64,K=64", "block"));
    stage.stand("launches/0/block 0/warp 0 load time 40 at b_tile");
    bool array = false;
    for (const TheatreLocal& local : stage.model().locals) {
        static const QRegularExpression exact(QStringLiteral("\\.\\d{5}"));
        QVERIFY2(!local.value.contains(exact) && !local.value.contains(QLatin1String("nan")), qPrintable(local.value));
        array |= local.value.startsWith('[') && local.value.contains('.');
    }
    QVERIFY(array);
}

void TestTheatre::the_editor_grows_with_the_window() {
    Stage stage(naive_transpose(), {700, 640});
    stage.view.setEditing(true);
    QVERIFY(stage.view.editing());
    const auto height = [&] { return stage.view.editPanel().editor().cursorRect().height(); };
    const int small = height();
    stage.view.resize(1500, 1200);
    QCoreApplication::processEvents();
    QVERIFY2(height() > small + 4, qPrintable(QString::number(height())));
    stage.view.resize(700, 640);
    QCoreApplication::processEvents();
    QCOMPARE(height(), small);
}

void TestTheatre::without_a_kernel_it_says_so() {
    const auto run = testing::sample_run("xor", "2,2,1", 3);
    std::vector<std::shared_ptr<const Run>> runs{run};
    AppState state;
    TheatreView view(load_theme(ThemeMode::dark), nullptr);
    view.resize(600, 400);
    view.present(Look{runs, state, run, 1, 3});
    QVERIFY(view.items().empty());
    QVERIFY(!view.grab().isNull());
    const auto none = run_of("transpose", "1_naive", "rows=64,columns=64", "none");
    Stage stage(none);
    QVERIFY(stage.model().there() && !stage.model().block);
    QVERIFY(!stage.view.picture().geometry.rows.empty()); // the counts are there all the same
    QVERIFY(!stage.view.grab().isNull());
}

void TestTheatre::a_step_is_shown_within_a_frame_data() {
    QTest::addColumn<QString>("sizes");
    QTest::addColumn<QString>("record");
    QTest::newRow("64³") << "M=64,N=64,K=64" << "block";
    QTest::newRow("one block of 4096³") << "M=4096,N=4096,K=4096" << "block_alone";
}

void TestTheatre::a_step_is_shown_within_a_frame() {
    QFETCH(QString, sizes);
    QFETCH(QString, record);
    Stage stage(run_of("matmul", "3_shared", sizes.toStdString(), record.toStdString()));
    stage.stand("launches/0/block 0/load at A[");
    QImage image(stage.view.size(), QImage::Format_ARGB32_Premultiplied);
    for (const int by : {1, -1}) {
        std::vector<double> ms;
        for (int i = 0; i < 31; ++i) {
            QElapsedTimer timer;
            timer.start();
            const std::int32_t to = stage.view.target(TheatreWay::warp_step, by);
            QVERIFY(to >= 0);
            stage.go(to);
            stage.view.render(&image);
            ms.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
        }
        std::nth_element(ms.begin(), ms.begin() + 15, ms.end());
        QVERIFY2(ms[15] < 16, qPrintable(QString::number(ms[15])));
    }
}
