#include "tests/views/test_rungs.hpp"

#include "engine/simt/kernel_run.hpp"
#include "tests/views/kernel_stage.hpp"
#include "views/access/item_focus.hpp"
#include "views/access/press_item.hpp"
#include "views/rungs/rungs_view.hpp"
#include "views/rungs/rungs_words.hpp"
#include "views/theme/numbers.hpp"

#include <QSignalSpy>
#include <QTest>
#include <cmath>
#include <tuple>

using namespace gradus;
using gradus::testing::climb;
using gradus::testing::product;
using gradus::testing::run_of_experiment;

namespace {

using Stage = gradus::testing::KernelStage<RungsView>;
constexpr QSize roomy(1100, 760);

const RungCount& count_of(const RungsView& view, const QString& id) {
    for (const RungCount& count : view.picture().model.counts)
        if (count.id == id) return count;
    throw std::runtime_error("no count " + id.toStdString());
}

std::shared_ptr<const Run> turned() {
    static const auto run = run_of_experiment("climb_ladder", {{"ladder", "transpose"}, {"sizes", "rows=64,columns=64"}}, 3);
    return run;
}

/// The driver's steps, as ordinals of the cursor's iteration.
std::vector<std::int32_t> steps_of(Stage& stage, StepIndex iteration) {
    stage.go(iteration);
    const RungsModel& model = stage.view.picture().model;
    std::vector<std::int32_t> out;
    for (const std::uint32_t step : model.driver().work->steps) out.push_back(stage.kernels->of_step(step));
    return out;
}

struct Stand {
    std::size_t a = 0, b = 0;
    int line_a = -1, line_b = -1;
    bool operator==(const Stand&) const = default;
};
Stand stand_of(const RungsModel& model) { return {model.sides[0].number, model.sides[1].number, model.sides[0].line, model.sides[1].line}; }

} // namespace

void TestRungs::lines_are_cut_where_words_end_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<int>("fit");
    QTest::addColumn<QStringList>("pieces");
    QTest::newRow("fits") << QStringLiteral("float sum = 0;") << 20 << QStringList{"float sum = 0;"};
    QTest::newRow("nothing") << QString() << 20 << QStringList{""};
    QTest::newRow("at a blank") << QStringLiteral("float sum = 1 + other;") << 14 << QStringList{"float sum = 1", "+ other;"};
    QTest::newRow("at a bracket") << QStringLiteral("fmaf(a_tile[threadIdx.y][k])") << 16 << QStringList{"fmaf(a_tile", "[threadIdx.y]", "[k])"};
    QTest::newRow("a word that is too long") << QStringLiteral("abcdefghijklmnopqrstuvwxyz") << 12 << QStringList{"abcdefghijkl", "mnopqrstuv", "wxyz"};
}

void TestRungs::lines_are_cut_where_words_end() {
    QFETCH(QString, line);
    QFETCH(int, fit);
    QFETCH(QStringList, pieces);
    QStringList found;
    for (const TextSpan& piece : wrapped(line, fit, fit - 2)) found << line.mid(static_cast<qsizetype>(piece.begin), static_cast<qsizetype>(piece.end - piece.begin));
    QCOMPARE(found, pieces);
    for (qsizetype i = 0; i < found.size(); ++i) QVERIFY(found[i].size() + (i ? 2 : 0) <= fit);
}

void TestRungs::everything_lies_inside_and_apart_data() {
    QTest::addColumn<QSizeF>("size");
    QTest::addColumn<bool>("beside");
    QTest::addColumn<bool>("bars");
    QTest::newRow("a wide screen: the table at the side") << QSizeF(1900, 900) << true << true;
    QTest::newRow("a stage") << QSizeF(800, 600) << true << false;
    QTest::newRow("narrow: one above the other") << QSizeF(500, 700) << false << true;
    QTest::newRow("very narrow: numbers only") << QSizeF(330, 700) << false << false;
    QTest::newRow("low") << QSizeF(900, 330) << true << true;
}

void TestRungs::everything_lies_inside_and_apart() {
    QFETCH(QSizeF, size);
    QFETCH(bool, beside);
    QFETCH(bool, bars);
    Stage stage(climb(), roomy);
    const auto steps = steps_of(stage, 1);
    stage.go(1, steps[steps.size() / 2]);
    const RungsModel& model = stage.view.picture().model;
    RungsRoom room;
    room.chips = {90, 90, 100}, room.short_chips = {36, 36, 36}, room.ways = {30, 70, 50};
    const QRectF area(QPointF(18, 44), size), inside = area.adjusted(-0.1, -0.1, 0.1, 0.1);
    const RungsGeometry g = lay_out_rungs(model, room, area);
    QCOMPARE(g.beside, beside);
    QVERIFY(!g.table.empty() && !g.cells.empty() && !g.track.isNull());
    QCOMPARE(!g.table.front().bar.isNull(), bars);
    std::vector<QRectF> rects{g.progress, g.track, g.heads[0], g.heads[1], g.legend};
    for (const QRectF& chip : g.chips) rects.push_back(chip);
    for (const RungsGeometry::Button& button : g.buttons) rects.push_back(button.rect);
    for (const RungsGeometry::WayLabel& label : g.ways) rects.push_back(label.rect);
    for (const RungsGeometry::Cell& cell : g.cells) rects.push_back(cell.rect);
    for (const RungsGeometry::TableRow& row : g.table) rects.push_back(row.rect);
    if (!g.more.isNull()) rects.push_back(g.more);
    for (std::size_t i = 0; i < rects.size(); ++i) {
        QVERIFY2(inside.contains(rects[i]), qPrintable(QString::number(i)));
        for (std::size_t j = 0; j < i; ++j) {
            const QRectF both = rects[i].intersected(rects[j]);
            QVERIFY2(both.width() < 0.2 || both.height() < 0.2, qPrintable(QStringLiteral("%1 and %2").arg(i).arg(j)));
        }
    }
    for (const RungsGeometry::Cell& cell : g.cells) {
        double right = cell.rect.left();
        for (const QRectF& part : {cell.sign, cell.number, cell.text, cell.counts}) {
            QVERIFY(part.left() >= right - 0.1 && part.right() <= cell.rect.right() + 0.1);
            right = part.right();
        }
        QVERIFY(static_cast<double>(cell.pieces.size()) * room.line <= cell.rect.height() + 0.1);
    }
    for (const RungsGeometry::TableRow& row : g.table) {
        double right = row.rect.left();
        std::vector<QRectF> parts{row.name, row.values[0], row.values[1]};
        for (const QRectF& part : {row.bar, row.change})
            if (!part.isNull()) parts.push_back(part);
        for (const QRectF& part : parts) {
            QVERIFY(part.left() >= right - 0.1 && part.right() <= row.rect.right() + 0.1);
            right = part.right();
        }
    }
    // The line at which the cursor is has room, however little there is.
    QVERIFY(std::any_of(g.cells.begin(), g.cells.end(), [&](const RungsGeometry::Cell& cell) { return cell.side == 1 && cell.line == model.sides[1].line; }));
    QVERIFY(lay_out_rungs(model, room, QRectF(0, 0, 20, 20)).cells.empty());
}

void TestRungs::counts_are_those_of_the_command_line_data() {
    QTest::addColumn<QString>("rung");
    QTest::addColumn<int>("iteration");
    QTest::newRow("1_naive") << QStringLiteral("1_naive") << 0;
    QTest::newRow("3_shared") << QStringLiteral("3_shared") << 1;
    QTest::newRow("5_tile_2d") << QStringLiteral("5_tile_2d") << 2;
}

/// What `gradus kernel` prints is the sum of what the interpreter reports of each line.
void TestRungs::counts_are_those_of_the_command_line() {
    QFETCH(QString, rung);
    QFETCH(int, iteration);
    simt::KernelRequest request;
    std::tie(request.ladder, request.rung) = simt::find_rung("matmul/" + rung.toStdString());
    request.sizes = {{"M", 64}, {"N", 64}, {"K", 64}};
    request.block = {16, 16, 1};
    request.recording.wanted = true; // then distinct sectors are counted, too
    const simt::KernelRun run = simt::run_kernel(request);
    QVERIFY(run.end.done);
    std::map<QString, double> sums;
    for (const simt::StepReport& step : run.steps) {
        ++sums["launches"];
        sums["multiply_adds"] += static_cast<double>(step.multiply_adds);
        sums["bytes_memory"] += 32.0 * static_cast<double>(step.sectors_read + step.sectors_written);
        for (const simt::LineCount& line : step.lines) {
            const auto steps = static_cast<double>(line.steps), transfers = static_cast<double>(line.transfers), ideal = static_cast<double>(line.ideal);
            sums["warp_instructions"] += steps;
            if (line.op == simt::Op::barrier) sums["barriers"] += steps;
            if (!simt::touches_memory(line.op)) continue;
            if (line.space == simt::Space::global) sums["global_requests"] += steps, sums["sectors"] += transfers, sums["sectors.ideal"] += ideal;
            if (line.space == simt::Space::shared) sums["shared_requests"] += steps, sums["wavefronts"] += transfers, sums["wavefronts.ideal"] += ideal;
        }
    }
    sums["bytes_shared"] = 128 * sums["wavefronts"], sums["bytes_l2"] = 32 * sums["sectors"];
    sums["flops_per_byte"] = 2 * sums["multiply_adds"] / sums["bytes_l2"];
    Stage stage(climb(), roomy);
    stage.state.compared = iteration;
    stage.go(iteration ? 0 : 2);
    const RungsModel& model = stage.view.picture().model;
    const std::size_t side = model.sides[0].iteration == iteration ? 0 : 1;
    QCOMPARE(model.sides[side].name, rung);
    for (const auto& [id, value] : sums) {
        const bool ideal = id.endsWith(".ideal");
        const RungCount& count = count_of(stage.view, id.section('.', 0, 0));
        QCOMPARE((ideal ? count.ideal : count.of)[side].value_or(-1), value);
        QCOMPARE(count.provenance, Provenance::counted);
    }
    QCOMPARE(*count_of(stage.view, "multiply_adds").of[side], 64.0 * 64 * 64);
    const ViewItem* item = stage.item("sectors");
    QVERIFY(item && item->value.contains(letter_of(side) + ' ' + grouped(static_cast<qint64>(sums["sectors"]))));
    QVERIFY(item->value.contains(grouped(static_cast<qint64>(sums["sectors.ideal"]))));
    QCOMPARE(stage.item("modelled_seconds")->provenance, Provenance::modelled);
    QVERIFY(stage.item("modelled_seconds")->name.contains("A100") && stage.item("modelled_seconds")->name.contains("modelled, not measured"));
}

void TestRungs::the_largest_change_stands_out() {
    Stage stage(climb(), roomy);
    stage.go(1);
    const RungsModel& model = stage.view.picture().model;
    double most = 1;
    for (const RungCount& count : model.counts)
        if (count.provenance != Provenance::measured) most = std::max(most, count.factor().value_or(1));
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < model.counts.size(); ++i) all.push_back(i);
    const int largest = largest_change(model.counts, all);
    QVERIFY(largest >= 0 && most > 2);
    QCOMPARE(*model.counts[static_cast<std::size_t>(largest)].factor(), most);
    std::erase(all, static_cast<std::size_t>(largest));
    QVERIFY(largest_change(model.counts, all) != largest);
    QCOMPARE(largest_change(model.counts, {}), -1);
    QCOMPARE(change_text(count_of(stage.view, "multiply_adds")), QStringLiteral("the same"));
    QCOMPARE(change_text(count_of(stage.view, "wavefronts")), QStringLiteral("none before"));
    QVERIFY(change_text(count_of(stage.view, "sectors")).endsWith(QStringLiteral("× fewer")));
    QVERIFY(change_text(count_of(stage.view, "flops_per_byte")).endsWith(QStringLiteral("× higher")));
    RungCount count;
    for (const auto& [left, right, words] : {std::tuple{8.0, 2.0, "4× fewer"}, {2.0, 5.0, "2.50× more"}, {0.0, 0.0, "the same"}, {3.0, 0.0, "none any more"}, {0.0, 3.0, "none before"}}) {
        count.of = {left, right};
        QCOMPARE(change_text(count), QString::fromUtf8(words));
    }
    const std::tuple<RungCount::Unit, const char*, const char*> words_of_unit[] = {
        {RungCount::Unit::bytes, "3× more", "3× less"}, {RungCount::Unit::seconds, "3× longer", "3× shorter"}, {RungCount::Unit::flops_per_byte, "3× higher", "3× lower"}};
    for (const auto& [unit, more, less] : words_of_unit) {
        count.unit = unit;
        count.of = {1.0, 3.0};
        QCOMPARE(change_text(count), QString::fromUtf8(more));
        count.of = {3.0, 1.0};
        QCOMPARE(change_text(count), QString::fromUtf8(less));
    }
    count.of = {std::nullopt, 1.0};
    QVERIFY(change_text(count).isEmpty() && !count.factor());
}

void TestRungs::what_changed_in_the_source_is_marked() {
    Stage stage(turned(), roomy);
    stage.state.compared = 1;
    stage.go(2); // a column of padding more
    const RungsModel& model = stage.view.picture().model;
    QCOMPARE(model.sides[0].name, QStringLiteral("2_tiled"));
    QStringList changed;
    for (const SourceRow& row : *model.rows) {
        if (row.kind == SourceRow::Kind::same) continue;
        QCOMPARE(row.kind, SourceRow::Kind::changed);
        const QString line = (*model.sides[1].code)[static_cast<std::size_t>(row.right)].text;
        for (const TextSpan& word : row.right_words) changed << line.mid(static_cast<qsizetype>(word.begin), static_cast<qsizetype>(word.end - word.begin));
    }
    QCOMPARE(changed.first(), QStringLiteral("transpose_padded"));
    QVERIFY(changed.contains("+ 1"));
    const ViewItem* line = nullptr;
    for (const ViewItem& item : stage.items = stage.view.items())
        if (item.name.contains("tile[side][side + 1]")) line = &item;
    QVERIFY(line && line->name.startsWith("B, line ") && line->name.contains("changed"));
    // What the line that reads the tile costs: 32 turns before, one with the padding.
    QStringList costs;
    for (const ViewItem& item : stage.items)
        if (item.id.startsWith("costs.") && item.value.contains("load of tile")) costs << item.id.mid(6, 1) + item.value.section(" wavefronts", 0, 0).section(' ', -1);
    QCOMPARE(costs, QStringList({"A32", "B1"}));
}

void TestRungs::one_cursor_goes_through_both_and_back() {
    for (const StepIndex iteration : {1, 0}) { // the right one drives, then the left one
        Stage stage(climb(), roomy);
        const auto steps = steps_of(stage, iteration);
        QVERIFY(steps.size() > 100);
        const RungsModel& model = stage.view.picture().model;
        QCOMPARE(model.sides[1].drives, iteration == 1);
        QVERIFY(!model.at_step && model.share(0) == 0);
        QCOMPARE(model.work, Work::multiply_adds);
        std::vector<Stand> forwards;
        bool both = false;
        for (const std::int32_t ordinal : steps) {
            stage.state.cursor.level = Level::warp_instruction;
            stage.go(iteration, ordinal);
            QVERIFY(model.at_step);
            if (!forwards.empty()) {
                QVERIFY(model.sides[0].number >= forwards.back().a && model.sides[1].number >= forwards.back().b);
                both |= model.sides[0].number > forwards.back().a && model.sides[1].number > forwards.back().b;
            }
            forwards.push_back(stand_of(model));
            const double apart = model.share(0) - model.share(1); // one has done no less than the other, and no more than it must
            QVERIFY(std::abs(apart) <= 32.0 / 2048 + 1e-9);
        }
        QVERIFY(both);
        QCOMPARE(model.share(0), 1.0);
        QCOMPARE(model.share(1), 1.0);
        const QImage end = stage.view.grab().toImage();
        for (std::size_t i = steps.size(); i-- > 0;) {
            stage.go(iteration, steps[i]);
            QCOMPARE(stand_of(model), forwards[i]);
        }
        stage.go(iteration, steps.back());
        QVERIFY(stage.view.grab().toImage() == end);
    }
}

void TestRungs::both_lines_are_in_sight() {
    for (const QSize size : {QSize(1100, 470), QSize(1100, 560)}) {
        Stage stage(climb(), size);
        bool apart = false;
        for (const std::int32_t ordinal : steps_of(stage, 1)) {
            stage.state.cursor.level = Level::warp_instruction;
            stage.go(1, ordinal);
            const RungsGeometry& g = stage.view.picture().geometry;
            QVERIFY(!g.cells.empty());
            for (int side = 0; side < 2; ++side) {
                const int line = stage.view.picture().model.sides[static_cast<std::size_t>(side)].line;
                QVERIFY2(line < 0 || std::ranges::any_of(g.cells, [&](const RungsGeometry::Cell& cell) { return cell.side == side && cell.line == line; }), qPrintable(QString::number(line)));
            }
            for (std::size_t i = 1; i < g.cells.size(); ++i) QVERIFY(g.cells[i].rect.top() >= g.cells[i - 1].rect.top());
            apart |= !g.gaps.empty();
        }
        QVERIFY(apart || size.height() > 500);
    }
}

void TestRungs::a_line_of_either_side_is_run_to() {
    Stage stage(climb(), roomy);
    const auto steps = steps_of(stage, 1);
    stage.state.cursor.level = Level::warp_instruction;
    stage.go(1, steps[steps.size() / 3]);
    QSignalSpy chosen(&stage.view, &View::eventChosen);
    int found[2] = {};
    const std::vector<ViewItem> items = stage.view.items();
    for (const ViewItem& item : items) {
        if (!item.id.startsWith("line.")) continue;
        stage.go(1, steps[steps.size() / 3]);
        press_item(stage.view, item.rect.center());
        if (chosen.isEmpty()) continue; // nothing was counted there
        stage.go(1, chosen.takeFirst()[0].toInt());
        const std::size_t side = item.id[5] == 'A' ? 0 : 1;
        const RungSide& shown = stage.view.picture().model.sides[side];
        const int number = (*shown.code)[static_cast<std::size_t>(shown.line)].number;
        if (side == 1) QCOMPARE(QStringLiteral("line.B%1").arg(number), item.id); // the side that keeps up comes close
        ++found[side];
    }
    QVERIFY(found[0] >= 2 && found[1] >= 5);
}

void TestRungs::the_bar_is_a_way_to_a_share() {
    Stage stage(climb(), roomy);
    stage.state.cursor.level = Level::warp_instruction;
    stage.go(1);
    QSignalSpy chosen(&stage.view, &View::eventChosen);
    for (const double share : {0.1, 0.5, 0.9}) {
        const QRectF track = stage.view.picture().geometry.track;
        press_item(stage.view, {track.left() + share * track.width(), track.center().y()});
        QCOMPARE(chosen.size(), 1);
        stage.go(1, chosen.takeFirst()[0].toInt());
        for (const std::size_t side : {0, 1}) QVERIFY(std::abs(stage.view.picture().model.share(side) - share) < 0.02);
        const ViewItem* item = stage.item("progress");
        QVERIFY(item && item->value.contains(QStringLiteral("%1 %").arg(std::lround(100 * stage.view.picture().model.share(1)))));
    }
}

void TestRungs::any_two_rungs_are_compared() {
    Stage stage(climb(), roomy);
    const RungsModel& model = stage.view.picture().model;
    QSignalSpy compared(&stage.view, &View::comparedChosen);
    const char* names[] = {"1_naive", "3_shared", "5_tile_2d"};
    for (int here = 0; here < 3; ++here) {
        stage.state.compared = -1;
        stage.go(here);
        QCOMPARE(model.sides[0].name, QString(names[std::max(here - 1, 0)])); // the one before; beside the first the second
        QCOMPARE(model.sides[1].name, QString(names[std::max(here, 1)]));
        for (int beside = 0; beside < 3; ++beside) {
            press_item(stage.view, stage.item(QStringLiteral("rung.") + names[beside])->rect.center());
            QCOMPARE(compared.size(), here == beside ? 0 : 1);
            if (here == beside) continue;
            stage.state.compared = compared.takeFirst()[0].toLongLong();
            stage.frame();
            QCOMPARE(model.sides[0].name, QString(names[std::min(here, beside)]));
            QCOMPARE(model.sides[1].name, QString(names[std::max(here, beside)]));
            QCOMPARE(model.driver().name, QString(names[here]));
            QVERIFY(model.walks() && model.rows);
        }
    }
    stage.state.compared = 17; // of another run
    stage.go(2);
    QCOMPARE(model.sides[0].name, QStringLiteral("3_shared"));
}

void TestRungs::keys_do_what_the_pointer_does() {
    QWidget window;
    window.resize(1200, 800);
    ItemFocus focus(&window, &window);
    Stage stage(climb(), roomy);
    stage.view.setParent(&window);
    focus.watch(&stage.view);
    window.show();
    stage.view.show();
    stage.state.cursor.level = Level::warp_instruction;
    stage.go(1);
    QSignalSpy compared(&stage.view, &View::comparedChosen), chosen(&stage.view, &View::eventChosen);
    stage.view.setFocus(Qt::TabFocusReason);
    focus.move(ItemFocus::Way::right);
    QCOMPARE(focus.item(), QStringLiteral("rung.1_naive"));
    focus.move(ItemFocus::Way::right);
    focus.move(ItemFocus::Way::right);
    QCOMPARE(focus.item(), QStringLiteral("rung.5_tile_2d"));
    QVERIFY(focus.choose());
    QCOMPARE(compared.takeFirst()[0].toInt(), 2);
    std::set<QString> reached;
    for (int i = 0; i < 500; ++i) { // everything is reached in reading order
        reached.insert(focus.item());
        focus.move(ItemFocus::Way::right);
    }
    for (const char* id : {"way.0.on", "way.1.on", "way.2.back"}) QVERIFY2(stage.item(id), id);
    press_item(stage.view, stage.item("way.1.on")->rect.center());
    QCOMPARE(chosen.size(), 1);
    stage.go(1, chosen.takeFirst()[0].toInt());
    QCOMPARE(stage.view.picture().model.sides[1].number, std::size_t{0});
    for (const RungsWay way : {RungsWay::line, RungsWay::warp_step, RungsWay::barrier}) { // there and back
        stage.go(1, stage.view.target(RungsWay::barrier, 1));
        const std::int32_t here = stage.kernels->of_step(stage.view.picture().model.driver().step()), there = stage.view.target(way, 1);
        QVERIFY(there > here);
        stage.go(1, there);
        if (way != RungsWay::line) QCOMPARE(stage.view.target(way, -1), here); // a line back is its first step
    }
    stage.view.setParent(nullptr);
}

void TestRungs::without_steps_it_says_so() {
    struct {
        const char* experiment;
        Parameters parameters;
        StepIndex steps;
        QString sentence;
    } rows[] = {{"train_mlp", {{"data", "moons"}, {"layers", "2,3,2"}, {"batch", "16"}}, 2, "no rungs to compare"},
                {"run_kernel", {{"ladder", "transpose"}, {"rung", "1_naive"}}, 1, "no rungs to compare"},
                {"climb_ladder", {{"ladder", "transpose"}, {"sizes", "rows=64,columns=64"}}, 1, "One rung"}};
    for (const auto& row : rows) {
        Stage stage(run_of_experiment(row.experiment, row.parameters, row.steps), roomy);
        QVERIFY(stage.view.items().empty());
        QVERIFY2(stage.view.picture().model.sentence.contains(row.sentence), row.experiment);
        QVERIFY(!stage.view.grab().isNull());
    }
    Stage stage(run_of_experiment("climb_ladder", {{"ladder", "transpose"}, {"sizes", "rows=64,columns=64"}, {"record", "none"}}, 2), roomy);
    stage.go(1);
    const RungsModel& model = stage.view.picture().model;
    QVERIFY(model.there() && !model.walks() && model.rows);
    QVERIFY(model.sides[0].why.contains("1_naive") && model.sides[1].why.contains("2_tiled"));
    QVERIFY(stage.view.picture().geometry.track.isNull() && !stage.view.picture().geometry.table.empty());
    QVERIFY(*count_of(stage.view, "sectors").of[0] > *count_of(stage.view, "sectors").of[1]);
    QCOMPARE(stage.view.target(RungsWay::line, 1), -1);
}

void TestRungs::what_is_asked_for_is_hidden() {
    Stage stage(climb(), roomy);
    stage.go(1);
    stage.view.setVeil({{"counts"}, 0});
    int hidden = 0;
    for (const ViewItem& item : stage.view.readable()) {
        const bool counted = item.parts.contains("counts");
        if (counted) QCOMPARE(item.value, QStringLiteral("?"));
        hidden += counted;
    }
    QVERIFY(hidden > 10);
    stage.view.setVeil({{"sectors"}, 0});
    for (const ViewItem& item : stage.view.readable())
        if (item.id == "sectors" || item.id == "wavefronts") QCOMPARE(item.value == QStringLiteral("?"), item.id == "sectors");
}

void TestRungs::every_size_is_painted() {
    for (const auto& run : {climb(), turned()})
        for (const auto& [width, height] : {std::pair{160, 120}, {240, 160}, {344, 420}, {604, 418}, {900, 360}, {1164, 638}, {1500, 900}, {3800, 2100}})
            for (const bool sparse : {false, true}) {
                Stage stage(run, {width, height});
                stage.view.setSparse(sparse);
                stage.view.resize(width + 1, height);
                stage.state.cursor.level = Level::warp_instruction;
                stage.go(1);
                if (const std::int32_t ordinal = stage.view.target(RungsWay::line, 1); ordinal >= 0) stage.go(1, ordinal);
                QVERIFY(!stage.view.grab().isNull());
                for (const ViewItem& item : stage.view.items()) QVERIFY2(QRectF(stage.view.rect()).contains(item.rect), qPrintable(item.id));
            }
}
