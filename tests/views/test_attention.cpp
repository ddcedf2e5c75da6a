#include "tests/views/test_attention.hpp"

#include "engine/trace/derive/event_tree.hpp"
#include "tests/views/sample_run.hpp"
#include "views/access/press_item.hpp"
#include "views/attention/attention_parts.hpp"
#include "views/attention/attention_view.hpp"
#include "views/attention/attention_words.hpp"
#include "views/theme/numbers.hpp"

#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <cmath>

using namespace gradus;

namespace {

std::shared_ptr<const Run> run_of(const std::string& rung, const std::string& sizes, const std::string& record = "block", const std::string& block = "0") {
    return testing::run_of_experiment("run_kernel", {{"ladder", "attention"}, {"rung", rung}, {"sizes", sizes}, {"record", record}, {"record_block", block}}, 1);
}
/// The third of four rows of tiles: it reads three.
std::shared_ptr<const Run> flash() {
    static const auto run = run_of("4_flash", "BH=1,T=128,D=32,causal=1", "block", "2");
    return run;
}
std::shared_ptr<const Run> online() {
    static const auto run = run_of("3_online", "BH=1,T=24,D=32");
    return run;
}
std::shared_ptr<const Run> naive() {
    static const auto run = run_of("1_naive", "BH=1,T=20,D=8", "all");
    return run;
}

struct Stage {
    explicit Stage(std::shared_ptr<const Run> run, QSize size = {1100, 600}) : runs{std::move(run)}, tree(*runs[0], 0), view(load_theme(ThemeMode::light), nullptr) {
        view.resize(size);
        view.show();
        QObject::connect(&view, &View::eventChosen, [this](int ordinal) {
            state.cursor.ordinal = ordinal;
            frame();
        });
        QObject::connect(&view, &View::selected, [this](const Selection& selection) {
            state.selection = selection;
            frame();
        });
        frame();
    }
    void frame() {
        Look look{runs, state, runs[0], 1, 1};
        look.kernels = tree.kernels();
        view.present(look);
    }
    /// At a step, or a lane of it.
    void stand(std::size_t step, int lane = -1) {
        std::int32_t ordinal = tree.kernels()->of_step(step);
        if (lane >= 0) ordinal = tree.kernels()->step(ordinal, Level::lane, 1)->ordinal;
        for (int i = 0; i < lane; ++i) ordinal = tree.kernels()->step(ordinal, Level::lane, 1)->ordinal;
        state.cursor.ordinal = ordinal;
        frame();
    }
    std::size_t step_of(std::int32_t tile, TilePhase phase) const {
        for (const AttentionTiles::Mark& mark : model().marks)
            if (mark.tile == tile && mark.phase == phase) return mark.step;
        return ~std::size_t{0};
    }
    std::optional<ViewItem> item(const QString& id) const {
        for (const ViewItem& one : view.items())
            if (one.id == id) return one;
        return std::nullopt;
    }
    const AttentionModel& model() const { return view.picture().model; }
    std::vector<std::shared_ptr<const Run>> runs;
    AppState state;
    EventTree tree;
    AttentionView view;
};

} // namespace

void TestAttention::it_lies_inside_at_every_size_data() {
    QTest::addColumn<QSize>("size");
    for (const QSize size : {QSize(1500, 860), QSize(1100, 600), QSize(820, 360), QSize(640, 640), QSize(560, 300), QSize(300, 300), QSize(160, 140), QSize(1, 1)})
        QTest::newRow(qPrintable(QStringLiteral("%1x%2").arg(size.width()).arg(size.height()))) << size;
}

void TestAttention::it_lies_inside_at_every_size() {
    QFETCH(QSize, size);
    for (const auto& run : {flash(), online(), naive()}) {
        Stage stage(run, size);
        stage.stand(stage.tree.kernels()->trace().steps() / 2);
        QVERIFY(!stage.view.grab().isNull());
        const AttentionGeometry& g = stage.view.picture().geometry;
        if (g.grid.isNull()) {
            QVERIFY(size.width() < 300 || g.table.size() == attention_words::bytes_lines(stage.model()).size() + 1); // the whole ledger in its place
            continue;
        }
        QCOMPARE(g.grid.width(), g.grid.height());
        const QRectF inside = stage.view.contents().adjusted(-0.5, -0.5, 0.5, 0.5);
        std::vector<QRectF> parts{g.grid, g.legend, g.headline};
        for (const auto& row : g.rows) parts.push_back(row.rect);
        for (const auto* rects : {&g.memory, &g.table, &g.key_boxes, &g.query_boxes}) parts.insert(parts.end(), rects->begin(), rects->end());
        for (std::size_t i = 0; i < parts.size(); ++i) {
            QVERIFY(parts[i].isNull() || inside.contains(parts[i]));
            for (std::size_t j = i + 1; j < parts.size(); ++j) {
                const QRectF both = parts[i].intersected(parts[j]);
                QVERIFY2(both.width() < 0.5 || both.height() < 0.5, qPrintable(QStringLiteral("%1 and %2").arg(i).arg(j)));
            }
        }
        for (const double column : g.columns) QVERIFY(column <= inside.right());
    }
}

void TestAttention::it_is_drawn_larger_where_there_is_room() {
    Stage stage(flash(), {3000, 1900});
    stage.stand(stage.step_of(1, TilePhase::add));
    const AttentionGeometry& g = stage.view.picture().geometry;
    const auto tile = stage.item(QStringLiteral("tile2,0"));
    QVERIFY(tile && tile->rect.width() > 1.9 * g.grid.width() / 4 && stage.view.contents().contains(tile->rect));
    QTest::mouseClick(&stage.view, Qt::LeftButton, {}, tile->rect.center().toPoint()); // what is hit is what is seen
    QCOMPARE(stage.model().step, stage.model().row_tiles[2].begins[0]);
    stage.view.setSparse(true);
    stage.view.retranslate(); // as the window does
    QVERIFY(std::abs(stage.item(QStringLiteral("tile2,0"))->rect.width() - stage.view.picture().geometry.grid.width() / 4) < 1); // a class has it larger already
}

void TestAttention::where_rows_have_no_room_those_at_work_are_seen() {
    Stage stage(flash(), {676, 640});
    const KernelTrace& trace = stage.tree.kernels()->trace();
    std::set<int> warps;
    for (std::size_t step = 0; step < trace.steps(); step += trace.steps() / 97) {
        stage.stand(step);
        const AttentionGeometry& g = stage.view.picture().geometry;
        const auto& rows = stage.model().rows;
        QVERIFY(g.rows.size() < rows.size() && !g.rows_more.isNull());
        for (const AttentionGeometry::Row& row : g.rows) QVERIFY(!row.rect.intersects(g.rows_more));
        if (std::ranges::none_of(rows, [](const AttentionCursor::Row& row) { return row.here; })) continue;
        QVERIFY(std::ranges::any_of(g.rows, [&](const AttentionGeometry::Row& row) { return rows[row.row].here; }));
        warps.insert(trace.log.warp[step]);
    }
    QVERIFY(warps.size() > 1);
}

/// As where the text is large: no room for rows, but for what was counted and what the formula says.
void TestAttention::a_narrow_one_has_its_sums() {
    Stage stage(flash(), {400, 380});
    stage.stand(stage.step_of(1, TilePhase::add));
    const AttentionGeometry& g = stage.view.picture().geometry;
    QVERIFY(g.rows.empty());
    QCOMPARE(g.columns.size(), std::size_t{1});
    QCOMPARE(g.table.size(), std::size_t{5});
    QVERIFY(g.grid.width() >= 120);
    QCOMPARE(g.summary_lines.size(), std::size_t{4}); // and its row's maximum, sum and output
    for (const auto* lines : {&g.table, &g.summary_lines})
        for (const QRectF& line : *lines) QVERIFY(!line.intersects(g.grid) && stage.view.contents().adjusted(0, 0, 1, 1).contains(line));
    for (const QRectF& line : g.table) QVERIFY(!line.intersects(g.summary_lines.front()));
}

void TestAttention::a_class_reads_less_and_larger() {
    Stage stage(flash(), {1280, 640});
    stage.view.setSparse(true);
    stage.view.retranslate();
    stage.stand(stage.step_of(1, TilePhase::add));
    const AttentionGeometry& g = stage.view.picture().geometry;
    QVERIFY(g.rows.empty() && g.table.empty() && g.memory.empty());
    QCOMPARE(g.summary_lines.size(), std::size_t{4});
    QCOMPARE(g.bars.size(), std::size_t{2});
    for (const QRectF& line : g.summary_lines) QVERIFY(!line.intersects(g.grid) && stage.view.contents().contains(line));
    QVERIFY(stage.item("toldm") && stage.item("toldO"));
}

void TestAttention::a_class_sees_shared_memory_before_a_row_has_met_a_tile() {
    Stage stage(flash(), {1280, 640});
    stage.view.setSparse(true);
    stage.view.retranslate();
    stage.stand(stage.step_of(0, TilePhase::load));
    const AttentionGeometry& g = stage.view.picture().geometry;
    QCOMPARE(g.memory.size(), stage.model().held.size());
    QVERIFY(!g.memory.empty() && g.summary_lines.empty());
    for (const QRectF& box : g.memory) QVERIFY(!box.intersects(g.grid) && stage.view.contents().contains(box));
    for (const QRectF& bar : g.bars) QVERIFY(!bar.intersects(g.memory.back()));
}

/// What stands together can be worked out again from what stands there.
void TestAttention::a_rescaling_adds_up_as_it_is_written() {
    Stage stage(flash());
    for (int tile = 1; tile < 3; ++tile) {
        stage.stand(stage.step_of(tile, TilePhase::add));
        for (const AttentionCursor::Row& row : stage.model().rows) {
            if (row.tile < 1) continue;
            const attention_words::RescalingWords words = attention_words::rescaling_words(row);
            QCOMPARE(attention_words::value_text(std::exp(number_of(words.old_max) - number_of(words.max))), words.factor);
            QCOMPARE(attention_words::value_text(number_of(words.old_sum) * number_of(words.factor) + number_of(words.added)), words.sum);
            const double added = static_cast<double>(row.sum) - row.factor * static_cast<double>(row.old_sum);
            QVERIFY(std::abs(number_of(words.added) - added) <= 0.02 * number_of(words.sum));
        }
    }
}

void TestAttention::it_follows_the_cursor_through_the_tiles() {
    Stage stage(flash());
    QCOMPARE(stage.model().kind, AttentionModel::Kind::tiles);
    QCOMPARE(stage.model().place.phase, TilePhase::queries);
    QVERIFY(std::all_of(stage.model().cells.begin(), stage.model().cells.end(), [](double cell) { return std::isnan(cell); }));
    stage.stand(stage.step_of(1, TilePhase::load));
    const AttentionModel& m = stage.model();
    QCOMPARE(m.place.tile, 1);
    QCOMPARE(m.rows.size(), std::size_t{32});
    for (const AttentionCursor::Row& row : m.rows) QVERIFY(row.why.empty() && row.tile == 0 && row.sum > 0);
    for (std::int64_t row = 0; row < 32; ++row)
        for (std::int64_t key = 0; key < 128; ++key) QCOMPARE(std::isnan(m.cell(64 + row, key)), key >= 32);
    double sum = 0;
    for (std::int64_t key = 0; key < 32; ++key) sum += m.cell(69, key);
    QVERIFY(std::abs(sum - static_cast<double>(m.rows[5].sum)) < 1e-5 * sum);
    QVERIFY(stage.item("row69")->value.contains(attention_words::value_text(m.rows[5].max)));
    QVERIFY(!stage.view.picture().cells.isNull());
    stage.stand(stage.step_of(-1, TilePhase::write)); // and a key that the query does not see has no cell
    QVERIFY(!std::isnan(stage.model().cell(69, 69)) && std::isnan(stage.model().cell(69, 70)));
}

void TestAttention::a_click_goes_to_a_tile() {
    Stage stage(flash());
    for (const char* id : {"tile2,1", "tile2,2", "tile2,0"}) {
        press_item(stage.view, stage.item(id)->rect.center());
        QCOMPARE(stage.model().place.tile, QString(id).last(1).toInt());
        QCOMPARE(stage.model().place.phase, TilePhase::load);
        QCOMPARE(stage.model().step, stage.step_of(stage.model().place.tile, TilePhase::load));
    }
    QVERIFY(stage.model().chosen && stage.item(QStringLiteral("row%1").arg(stage.state.selection.element[1]))); // the query that was clicked is told of
    const std::size_t before = stage.model().step;
    press_item(stage.view, stage.item("tile0,0")->rect.center()); // another block's
    press_item(stage.view, stage.item("tile2,3")->rect.center()); // never read
    QCOMPARE(stage.model().step, before);
    press_item(stage.view, stage.item("next")->rect.center());
    QCOMPARE(stage.model().step, stage.step_of(0, TilePhase::scores));
    stage.stand(stage.model().step + 3);
    press_item(stage.view, stage.item("previous")->rect.center()); // first to where the part begins
    QCOMPARE(stage.model().step, stage.step_of(0, TilePhase::scores));
    press_item(stage.view, stage.item("previous")->rect.center());
    QCOMPARE(stage.model().step, stage.step_of(0, TilePhase::load));
    stage.stand(stage.step_of(-1, TilePhase::queries));
    QVERIFY(!stage.item("previous"));
    stage.stand(stage.step_of(-1, TilePhase::write));
    QVERIFY(!stage.item("next"));
}

/// A prediction that asks for the factor finds it nowhere: not in the table, not in a card, not by a reader's ear.
void TestAttention::a_factor_that_is_asked_for_is_hidden() {
    Stage stage(flash());
    stage.stand(stage.step_of(2, TilePhase::add));
    const AttentionCursor::Row& row = stage.model().rows[stage.model().focus];
    const QString id = QStringLiteral("row%1.factor").arg(row.query), value = attention_words::value_text(row.factor);
    QVERIFY(stage.item(id) && stage.item(id)->value == value);
    const auto tells = [&](bool secret) {
        for (const ValueCardLine& line : attention_words::row_card(row, secret))
            if (line.text.contains(value)) return true;
        return false;
    };
    QVERIFY(tells(false) && !tells(true));
    stage.view.setVeil({{QStringLiteral("attention/factor")}, 0});
    QVERIFY(!stage.view.hidden().painted.empty());
    for (const ViewItem& item : stage.view.readable())
        if (item.id == id) QVERIFY(item.value != value);
}

/// With all blocks recorded those that were done before stay on the grid, and every tile leads to its block.
void TestAttention::blocks_that_were_done_stay() {
    Stage stage(run_of("4_flash", "BH=2,T=64,D=32,causal=1", "all"));
    press_item(stage.view, stage.item("tile1,1")->rect.center());
    QCOMPARE(stage.model().row_tile, std::int64_t{1});
    QCOMPARE(stage.model().head, std::int64_t{0});
    QVERIFY(stage.model().row_tiles[0].done);
    for (std::int64_t query = 0; query < 32; ++query) { // as their queries' sums say
        double sum = 0;
        for (std::int64_t key = 0; key <= query; ++key) sum += stage.model().cell(query, key);
        QVERIFY(sum >= 1 - 1e-6 && sum <= 32);
        QVERIFY(std::isnan(stage.model().cell(query, query + 1)));
    }
    press_item(stage.view, stage.item("tile0,0")->rect.center());
    QCOMPARE(stage.model().row_tile, std::int64_t{0});
    QVERIFY(!stage.model().row_tiles[1].done && std::isnan(stage.model().cell(40, 0)));
    const auto& blocks = stage.tree.kernels()->trace().log.blocks;
    stage.stand(blocks.back().first + 1); // of the second head, of which another block was done, too
    QCOMPARE(stage.model().head, std::int64_t{1});
    QVERIFY(stage.model().row_tiles[0].done && !std::isnan(stage.model().cell(0, 0)));
}

void TestAttention::a_query_is_told_of_alone() {
    Stage stage(flash());
    stage.stand(stage.step_of(2, TilePhase::load));
    const std::int64_t query = stage.model().first_query + static_cast<std::int64_t>(stage.model().focus);
    QVERIFY(stage.model().rows[stage.model().focus].factor < 1 || stage.model().rows[stage.model().focus].tile == 0); // that a tile rescales
    const std::int64_t other = query == 64 ? 65 : 64;
    stage.state.selection = {"O", {0, other, 0}};
    stage.frame();
    QCOMPARE(stage.model().focus, static_cast<std::size_t>(other - 64));
    QSignalSpy chosen(&stage.view, &View::selected);
    press_item(stage.view, stage.item(QStringLiteral("row%1").arg(other + 1))->rect.center());
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(stage.model().focus, static_cast<std::size_t>(other + 1 - 64));
}

void TestAttention::tiles_that_the_mask_hides_are_skipped() {
    Stage stage(flash());
    const AttentionModel& m = stage.model();
    QVERIFY(m.as_formula && m.tiles_read == 3);
    for (std::int64_t row = 0; row < 4; ++row)
        for (std::int64_t tile = 0; tile < 4; ++tile) QCOMPARE(m.skipped(row, tile), tile > row);
    Stage all(run_of("4_flash", "BH=1,T=64,D=32", "block_alone"));
    QVERIFY(!all.model().skipped(0, 1) && !all.model().skipped(1, 1));
}

void TestAttention::a_lanes_key_and_dimension_are_marked() {
    Stage stage(flash());
    stage.stand(stage.step_of(1, TilePhase::scores), 5);
    QCOMPARE(stage.model().lane, 5);
    QVERIFY(touched_places(stage.model()).keys == std::set<std::int64_t>{32 + 5});
    stage.stand(stage.step_of(1, TilePhase::add), 7);
    QVERIFY(touched_places(stage.model()).dimensions == std::set<std::int64_t>{7});
    stage.stand(stage.step_of(2, TilePhase::load)); // a row of K, by all lanes
    QVERIFY(touched_places(stage.model()).keys == std::set<std::int64_t>{64});
}

void TestAttention::other_rungs_show_their_passes() {
    Stage stage(naive());
    QCOMPARE(stage.model().kind, AttentionModel::Kind::passes);
    QCOMPARE(stage.model().passes.size(), std::size_t{3});
    QCOMPARE(stage.model().matrix, std::string("S"));
    const KernelTrace& trace = stage.tree.kernels()->trace();
    stage.stand(trace.steps() - 1);
    QCOMPARE(stage.model().matrix, std::string("P"));
    for (std::int64_t row = 0; row < 20; ++row) { // all of P is there now, and its rows add up to 1
        double sum = 0;
        for (std::int64_t key = 0; key < 20; ++key) sum += stage.model().cell(row, key);
        QVERIFY(std::abs(sum - 1) < 1e-5);
    }
    QVERIFY(stage.item("bytes.S") && stage.item("bytes.S")->provenance == Provenance::counted);
}

/// With a row less, the columns of a ledger do not add up.
void TestAttention::a_ledger_has_all_its_rows_where_they_fit_closely() {
    const std::size_t all = attention_words::bytes_lines(Stage(naive()).model()).size() + 1; // and what stands above them
    for (const auto& [width, height] : {std::pair{676, 280}, {676, 290}, {676, 300}, {676, 320}, {380, 300}, {380, 330}, {380, 380}, {380, 460}, {380, 620}}) { // beside the grid, alone, or below it
        Stage stage(naive(), {width, height});
        const AttentionGeometry& g = stage.view.picture().geometry;
        QCOMPARE(g.table.size(), all);
        QVERIFY(stage.item("bytes.Q") && stage.item("bytes.sum"));
        for (std::size_t i = 0; i < g.table.size(); ++i) {
            QVERIFY(stage.view.contents().adjusted(0, 0, 0, 1).contains(g.table[i]));
            QVERIFY(i == 0 || g.table[i].top() >= g.table[i - 1].bottom() - 0.01);
        }
    }
}

void TestAttention::without_a_record_it_says_so() {
    Stage stage(testing::run_of_experiment("run_kernel", {{"ladder", "transpose"}, {"sizes", "rows=32,columns=32"}}, 1));
    QCOMPARE(stage.model().kind, AttentionModel::Kind::none);
    QVERIFY(stage.view.items().empty() && !attention_words::message(stage.model()).isEmpty());
    QVERIFY(!stage.view.grab().isNull());
}
