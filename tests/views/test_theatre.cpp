#include "tests/views/test_theatre.hpp"

#include "engine/trace/derive/event_tree.hpp"
#include "tests/views/sample_run.hpp"
#include "views/access/press_item.hpp"
#include "views/theatre/class_code.hpp"
#include "views/theatre/kernel_editor.hpp"
#include "views/theatre/theatre_view.hpp"
#include "views/theatre/theatre_words.hpp"
#include "views/theme/paragraph.hpp"

#include <QElapsedTimer>
#include <QLabel>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>

using namespace gradus;

namespace {

std::shared_ptr<const Run> run_of(const std::string& ladder, const std::string& rung, const std::string& sizes, const std::string& record = "all") {
    return testing::run_of_experiment("run_kernel", {{"ladder", ladder}, {"rung", rung}, {"sizes", sizes}, {"record", record}}, 1);
}
std::shared_ptr<const Run> product() {
    static const auto run = run_of("matmul", "3_shared", "M=64,N=64,K=64", "block");
    return run;
}
std::shared_ptr<const Run> naive_transpose() {
    static const auto run = run_of("transpose", "1_naive", "rows=64,columns=64");
    return run;
}

struct Stage {
    explicit Stage(std::shared_ptr<const Run> run, QSize size = {1100, 640}) : runs{std::move(run)}, tree(*runs[0], 0), view(load_theme(ThemeMode::light), nullptr) {
        view.resize(size);
        view.show();
        QObject::connect(&view, &View::eventChosen, [this](int ordinal) { go(ordinal); });
        QObject::connect(&view, &View::selected, [this](const Selection& selection) {
            state.selection = selection;
            frame();
        });
        frame();
    }
    void frame() {
        Look look{runs, state, runs[0], 1, 1};
        look.kernels = tree.kernels();
        look.draft = draft;
        view.present(look);
    }
    void go(std::int32_t ordinal) {
        const EventSite* site = tree.find(ordinal);
        state.cursor.ordinal = ordinal;
        state.cursor.level = site->level;
        frame();
    }
    void stand(std::string_view path) {
        const EventSite* site = tree.find(path);
        QVERIFY2(site, std::string(path).c_str());
        go(site->ordinal);
    }
    std::optional<ViewItem> item(const QString& id) const {
        for (const ViewItem& one : view.items())
            if (one.id == id) return one;
        return std::nullopt;
    }
    void click(const QString& id) {
        const auto one = item(id);
        QVERIFY2(one, qPrintable(id));
        QTest::mouseClick(&view, Qt::LeftButton, {}, one->rect.center().toPoint());
    }
    const TheatreModel& model() const { return view.picture().model; }
    std::vector<std::shared_ptr<const Run>> runs;
    AppState state;
    EventTree tree;
    std::shared_ptr<const KernelDraft> draft;
    TheatreView view;
};

} // namespace

void TestTheatre::it_lies_inside_at_every_size_data() {
    QTest::addColumn<QSize>("size");
    for (const QSize size : {QSize(1500, 860), QSize(1100, 640), QSize(900, 520), QSize(640, 640), QSize(560, 480), QSize(300, 300), QSize(160, 120), QSize(1, 1)})
        QTest::newRow(qPrintable(QStringLiteral("%1x%2").arg(size.width()).arg(size.height()))) << size;
}

void TestTheatre::it_lies_inside_at_every_size() {
    QFETCH(QSize, size);
    for (const auto& run : {product(), naive_transpose()}) {
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
    Stage stage(product());
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
    Stage stage(product(), size);
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
    Stage stage(product());
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
}

void TestTheatre::at_the_bits_the_parts_make_the_result() {
    Stage stage(product());
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
}

void TestTheatre::counts_on_screen_are_the_runs() {
    Stage stage(product());
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

void TestTheatre::what_is_written_goes_out_and_comes_back() {
    Stage stage(product());
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
    for (const auto& [line, words] : {std::pair{3, "expected"}, {9, "'y'"}, {3, "expected"}}) { // and round again
        QTest::keyClick(&editor, Qt::Key_F8);
        QCOMPARE(editor.textCursor().blockNumber() + 1, line);
        QVERIFY2(stage.view.editPanel().said().contains(QLatin1String(words)), qPrintable(stage.view.editPanel().said()));
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

void TestTheatre::a_class_reads_it() {
    const auto restored = qScopeGuard([] { set_smallest_text(metrics::small_text); });
    set_smallest_text(28);
    Stage stage(naive_transpose(), {1232, 620});
    stage.view.setSparse(true);
    stage.stand("launches/0/block 0/store at y[");
    stage.view.resize(1230, 620);
    const TheatreGeometry& g = stage.view.picture().geometry;
    QCOMPARE(g.lanes.size(), std::size_t{32});
    for (const QRectF& lane : g.lanes) QVERIFY(lane.width() >= 14 && lane.height() >= 14); // told from its neighbour
    for (const TheatreGeometry::CodeRow& row : g.rows) QVERIFY(row.rect.height() >= 28);
    QVERIFY(!g.rows.empty() && g.rows.size() <= 3);
    QVERIFY(stage.view.grab().width() > 0);
    set_smallest_text(metrics::text); // as the class's stage has it, which is then drawn larger
    Stage column(run_of("transpose", "2_tiled", "rows=64,columns=64", "block"), {577, 321});
    column.view.setSparse(true);
    column.stand("launches/0/block 0/warp 0 load at y[");
    column.view.resize(576, 321);
    const std::vector<QRectF>& banks = column.view.picture().geometry.class_banks; // a column of 32 words in one bank: how many they are stands in it
    QCOMPARE(banks.size(), std::size_t{32});
    for (std::size_t i = 0; i < banks.size(); ++i) {
        QVERIFY(banks[i].height() >= 14 && banks[i].bottom() <= column.view.picture().geometry.memory_foot.top());
        for (std::size_t j = i + 1; j < banks.size(); ++j) QVERIFY(!banks[i].intersects(banks[j]));
        for (const QRectF& lane : column.view.picture().geometry.lanes) QVERIFY(!banks[i].intersects(lane));
    }
    QVERIFY(column.view.picture().geometry.numbers);
    QVERIFY(!column.view.grab().isNull());
}

void TestTheatre::a_class_reads_what_the_index_is() {
    for (const auto& [ladder, rung, sizes, at, names] : {std::tuple{"copy", "1_naive", "n=256", "store at y[", QStringList{QStringLiteral(" i =")}},
                                                         std::tuple{"branch_parity", "1_by_thread", "n=256", "load at x[", QStringList{QStringLiteral(" i ="), QStringLiteral("if (i % 2 == 0)")}},
                                                         std::tuple{"transpose", "1_naive", "rows=64,columns=64", "store at y[", QStringList{QStringLiteral(" column ="), QStringLiteral(" row =")}}}) {
        Stage stage(run_of(ladder, rung, sizes, "block"));
        stage.stand(std::string("launches/0/block 0/") + at);
        for (const std::size_t rows : {1, 2, 3, 5}) {
            const std::vector<CodePiece> pieces = class_code(stage.model(), 80, rows);
            QVERIFY(!pieces.empty() && pieces.size() <= rows);
            QString before;
            std::int32_t last = 0;
            bool here = false;
            for (const CodePiece& piece : pieces) {
                QVERIFY(piece.line > last); // each line once, in their order
                last = piece.line;
                here |= piece.line == stage.model().line;
                if (piece.line < stage.model().line) before += stage.model().code[static_cast<std::size_t>(piece.line) - 1].text;
            }
            QVERIFY(here);
            if (rows > static_cast<std::size_t>(names.size()))
                for (const QString& name : names) QVERIFY2(before.contains(name), qPrintable(before));
        }
    }
}

void TestTheatre::a_line_too_long_for_a_class_goes_on_below() {
    const QString line = QStringLiteral("        sum = fmaf(a_tile[threadIdx.y][k], b_tile[k][threadIdx.x], sum); // one product");
    for (qsizetype columns = 17; columns < 70; ++columns) {
        const std::vector<CodePiece> pieces = broken_code(line, 8, columns);
        QString all;
        for (const CodePiece& piece : pieces) {
            QVERIFY2(piece.to - piece.from <= columns - (piece.goes_on ? indent_of_rest : 0) + (line[piece.to - 1] == ' '), qPrintable(QString::number(columns)));
            QCOMPARE(piece.goes_on, piece.from > 8);
            all += line.mid(piece.from, piece.to - piece.from).remove(' ');
        }
        QCOMPARE(all, QStringLiteral("sum=fmaf(a_tile[threadIdx.y][k],b_tile[k][threadIdx.x],sum);"));
    }
    QCOMPARE(broken_code(line, 8, 36).size(), std::size_t{2}); // "sum = fmaf(a_tile[threadIdx.y][k]," and the rest
    QVERIFY(broken_code(line, 8, 6).empty());                  // no room for a name
    QCOMPARE(broken_code(line, 4, 40).back().at, 4 + indent_of_rest); // behind its first row, which has blanks of its own
    Stage stage(run_of("matmul", "3_shared", "M=32,N=32,K=32", "block"), {400, 300});
    stage.view.setSparse(true);
    stage.stand("launches/0/block 0/warp 0 load at fmaf(a_tile");
    const auto& rows = stage.view.picture().geometry.rows;
    QVERIFY(rows.size() == 3 && rows[2].goes_on && rows[1].line == stage.model().line && rows[2].line == stage.model().line);
    QVERIFY(!stage.view.grab().isNull());
}

/// A learner predicts whether a kernel races: nothing tells, neither lanes nor lines nor the room that is kept.
void TestTheatre::what_is_asked_of_findings_tells_nothing() {
    const auto racing = run_of("faulty/running_sum", "1_thread_each", "usual", "block"), clean = run_of("vector_add", "1_naive", "usual", "block");
    const auto tells = [](const QImage& image) {
        const QRgb fault = load_theme(ThemeMode::light).fault.rgb();
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (image.pixel(x, y) == fault) return true;
        return false;
    };
    Veil veil;
    veil.ids << QStringLiteral("findings");
    for (const bool sparse : {false, true}) {
        std::vector<std::size_t> covered;
        std::vector<double> rooms;
        for (const auto& run : {racing, clean}) {
            Stage stage(run);
            stage.view.setSparse(sparse);
            stage.stand("launches/0/block 0/warp 1 store at i]");
            QCOMPARE(tells(stage.view.grab().toImage()), run == racing);
            stage.view.setVeil(veil);
            QVERIFY(!tells(stage.view.grab().toImage()));
            covered.push_back(0);
            for (const ViewItem& item : stage.view.items())
                if (item.parts.contains(QStringLiteral("findings"))) {
                    ++covered.back();
                    QVERIFY(item.name.isEmpty() && item.value.isEmpty());
                }
            for (const QRectF& row : stage.view.picture().geometry.finding_rows) rooms.push_back(row.height());
            stage.view.setVeil({});
            QCOMPARE(tells(stage.view.grab().toImage()), run == racing);
        }
        if (!sparse) QCOMPARE(rooms.size(), std::size_t{2}); // a row each, and of one height
        QVERIFY(std::ranges::all_of(rooms, [&](double height) { return height == rooms.front(); }));
        QCOMPARE(covered[0], covered[1]);
        QCOMPARE(covered[0], std::size_t{1});
    }
}

void TestTheatre::a_launch_shows_its_grid() {
    Stage stage(naive_transpose()); // blocks of 32 × 8
    stage.stand("launches/0");
    const TheatreGeometry& g = stage.view.picture().geometry;
    QCOMPARE(g.blocks.size(), std::size_t{16});
    QVERIFY(g.memory.isNull() && g.sectors.empty());
    QCOMPARE(g.blocks[2].left(), g.blocks[0].left()); // two to a row, as the launch has them
    QVERIFY(stage.item("grid")->value.contains("2 × 8") && stage.item("grid")->value.contains("32 × 8"));
    QVERIFY(!stage.view.grab().isNull());
    // Beside it the threads of one block, clear of the blocks.
    QCOMPARE(g.threads.size(), std::size_t{256});
    QCOMPARE(g.enlarged, std::size_t{0});
    QCOMPARE(g.threads[32].left(), g.threads[0].left()); // 32 to a row
    for (const QRectF& thread : g.threads) {
        QVERIFY(g.grid.contains(thread));
        QVERIFY(!g.first_warp.intersects(thread) && !g.enlarged_label.intersects(thread));
        for (const QRectF& block : g.blocks) QVERIFY(!block.intersects(thread));
    }
    QVERIFY(!g.first_warp.isNull());
    stage.click("block5");
    QCOMPARE(stage.state.cursor.level, Level::block);
    QCOMPARE(stage.model().block->number(), std::size_t{5});
    const auto part = run_of("vector_add", "1_naive", "n=65536", "block"); // 256 blocks, one of them recorded
    Stage large(part, {1100, 400});
    large.stand("launches/0");
    QVERIFY(large.item("block0") && !large.item("block1"));
    QCOMPARE(large.view.picture().geometry.blocks_left_out, std::int64_t{0});
    for (const QRectF& block : large.view.picture().geometry.blocks) QVERIFY(QRectF(large.view.rect()).contains(block));
}

void TestTheatre::a_class_reads_which_buffer_was_missed() {
    Stage stage(run_of("faulty/product_index", "4_no_test", "M=20,N=20"));
    const auto& findings = stage.model().findings;
    const auto missed = std::ranges::find(findings, finding_word("out-of-bounds"), &TheatreFinding::kind);
    QVERIFY(missed != findings.end());
    const QFont font = text_font(17);
    QVERIFY(stage.tree.kernels()->trace().ranges.size() > 1);
    QVERIFY(std::ranges::any_of(stage.tree.kernels()->trace().ranges, [&](const KernelTrace::Range& range) { return missed->about.toStdString() == range.name; }));
    QVERIFY(class_words(*missed, font, 1000).endsWith(QStringLiteral(": ") + missed->about));
    QVERIFY(!class_words(*missed, font, 10).contains(QLatin1Char(':'))); // its kind is always said
    const KernelTrace::Finding unnamed{"out-of-bounds", "", "shared memory", {}, {}};
    QVERIFY(about_words(unnamed).isEmpty());
}

void TestTheatre::what_was_found_is_read_whole() {
    const auto run = run_of("faulty/running_sum", "1_thread_each", "usual", "block");
    for (const QSize size : {QSize(680, 640), QSize(1100, 640), QSize(1500, 900)}) {
        Stage stage(run, size);
        stage.stand("launches/0/block 0/warp 1 store at i]");
        QVERIFY(!stage.view.picture().geometry.finding_rows.empty());
        const QRectF& row = stage.view.picture().geometry.finding_rows[0];
        const double kind = TextMetrics(text_font(metrics::text - 1, QFont::DemiBold)).height();
        QVERIFY2(paragraph_height(stage.model().findings[0].sentence, text_font(metrics::small_text), row.width() - 12) <= row.height() - kind, qPrintable(QString::number(size.width())));
        QVERIFY(QRectF(stage.view.rect()).contains(row));
    }
}

void TestTheatre::what_was_found_in_another_block_asks_for_it() {
    Stage stage(run_of("faulty/reverse_in_place", "1_thread_each", "usual", "block"));
    stage.stand("launches/0/block 0/warp 0 load at x[n");
    QVERIFY(!stage.model().findings.empty());
    QCOMPARE(stage.model().findings.front().ordinal, -1); // its blocks were not recorded
    QSignalSpy wanted(&stage.view, &View::blockWanted);
    QSignalSpy chosen(&stage.view, &View::eventChosen);
    stage.click("finding0");
    QCOMPARE(wanted.size(), 1);
    QCOMPARE(wanted[0][1].toLongLong(), stage.model().findings.front().block);
    QCOMPARE(chosen.size(), 0);
    // The run that has that block comes on stage: what was found is gone to.
    const auto block = std::to_string(stage.model().findings.front().block);
    stage.runs = {testing::run_of_experiment("run_kernel", {{"ladder", "faulty/reverse_in_place"}, {"rung", "1_thread_each"}, {"sizes", "usual"}, {"record", "block"}, {"record_block", block}}, 1)};
    stage.tree = EventTree(*stage.runs[0], 0);
    stage.stand("launches/0");
    QTRY_COMPARE(chosen.size(), 1);
    QVERIFY(stage.model().at_step && stage.model().findings.front().here);
}

/// What somebody wrote ends in block 0, and block 4 was to be recorded.
void TestTheatre::what_ends_before_the_recorded_block_is_opened_where_it_ends() {
    const char* text = R"(__global__ void copy_naive(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 1) *reinterpret_cast<float4*>(&y[1]) = make_float4(0, 0, 0, 0);
    if (i < n) y[i] = x[i];
})";
    Stage stage(testing::run_of_experiment("run_kernel", {{"ladder", "copy"}, {"rung", "1_naive"}, {"sizes", "n=2048"}, {"record", "block"}, {"record_block", "4"}, {"source", text}}, 1));
    QSignalSpy wanted(&stage.view, &View::blockWanted);
    stage.stand("launches/0");
    QVERIFY(!stage.model().block && stage.model().edited);
    QVERIFY(stage.model().findings.size() == 1 && stage.model().findings.front().line == 3);
    QTRY_COMPARE(wanted.size(), 1);
    QCOMPARE(wanted[0][1].toLongLong(), 0);
    stage.state.cursor.ordinal = -1;
    stage.frame();
    QCoreApplication::processEvents();
    QCOMPARE(wanted.size(), 1); // once
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
