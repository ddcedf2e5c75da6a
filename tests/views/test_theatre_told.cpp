// What the theatre shows a class, and what was found.
#include "tests/views/test_theatre.hpp"

#include "tests/views/theatre_stage.hpp"
#include "views/theatre/class_code.hpp"
#include "views/theatre/theatre_view.hpp"
#include "views/theatre/theatre_words.hpp"
#include "views/theme/paragraph.hpp"

#include <QScopeGuard>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>

using namespace gradus;
using testing::naive_transpose, testing::run_of;
using Stage = testing::TheatreStage;

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
                                                         std::tuple{"transpose", "1_naive", "rows=64,columns=64", "store at y[", QStringList{QStringLiteral(" column ="), QStringLiteral(" row =")}},
                                                         std::tuple{"reduction", "3_sequential", "n=256", "store at sums[t] +=", QStringList{QStringLiteral("for (int distance")}}, // in its condition
                                                         std::tuple{"matmul", "1_naive", "M=8,N=8,K=8", "store at C[", QStringList{QStringLiteral("if (row >= M")}}}) { // lanes are missing
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

/// What was counted in a line is of accesses that are in sight; what costs nothing may end in an ellipsis.
void TestTheatre::a_line_that_costs_something_is_read_whole() {
    const auto product = run_of("matmul", "3_shared", "M=32,N=32,K=32", "block");
    bool some = false;
    for (const int width : {520, 640, 2600}) {
        Stage stage(product, {width, 900});
        for (const char* at : {"load at A[row", "load at fmaf(a_tile", "store at C["}) {
            stage.stand(std::string("launches/0/block 0/warp 0 ") + at);
            const TheatrePicture& picture = stage.view.picture();
            const TextMetrics fm(mono_font(picture.type));
            QMap<std::int32_t, QString> read;
            for (const TheatreGeometry::CodeRow& row : picture.geometry.rows) {
                const TheatreLine& line = picture.model.code[static_cast<std::size_t>(row.line) - 1];
                QCOMPARE(row.number.isNull(), row.goes_on);
                if (line.sectors.empty() && line.wavefronts.empty()) continue;
                const QString text = line.text.mid(row.from, row.to - row.from);
                QVERIFY2(fm.horizontalAdvance(text.left(text.indexOf(QLatin1String("//")))) <= row.text.width(), qPrintable(text));
                read[row.line] += text;
                some |= row.goes_on;
                for (const QRectF& counts : {row.sectors, row.wavefronts}) QVERIFY(counts.isNull() || counts.left() >= row.text.left());
            }
            QVERIFY2(read.contains(stage.model().line), qPrintable(QStringLiteral("line %1 at a width of %2, first %3, rows %4, type %5").arg(stage.model().line).arg(width).arg(picture.geometry.rows.front().line).arg(picture.geometry.rows.size()).arg(picture.type)));
            QString whole = stage.model().code[static_cast<std::size_t>(stage.model().line) - 1].text;
            QCOMPARE(read[stage.model().line].remove(' '), whole.remove(' '));
            if (width == 2600) QVERIFY(std::ranges::none_of(picture.geometry.rows, &TheatreGeometry::CodeRow::goes_on));
        }
    }
    QVERIFY(some);
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
