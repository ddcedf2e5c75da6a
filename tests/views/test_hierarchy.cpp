#include "tests/views/test_hierarchy.hpp"

#include "engine/trace/derive/level_traffic.hpp"
#include "tests/views/kernel_stage.hpp"
#include "views/access/press_item.hpp"
#include "views/hierarchy/hierarchy_view.hpp"
#include "views/theme/numbers.hpp"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

using namespace gradus;
using gradus::testing::climb;
using gradus::testing::product;
using gradus::testing::transpose;

namespace {

const HierarchyRoom some_room{.name = 160, .value = 110, .line = 20, .small = 16, .label = 18, .rung = 12, .foot = 32};
using Stage = gradus::testing::KernelStage<HierarchyView>;

/// The block at C[16:32,16:32] of a product of 64 × 64 matrices.
std::shared_ptr<const Run> one_block() {
    static const auto run = gradus::testing::run_of_experiment(
        "run_kernel", {{"ladder", "matmul"}, {"rung", "3_shared"}, {"sizes", "M=64,N=64,K=64"}, {"block", "16x16"}, {"record", "block"}, {"record_block", "5"}}, 1);
    return run;
}

/// The first step of the block that goes that way, in its phase of that number.
std::size_t step_that_goes(const TileMotion& motion, std::size_t phase, TileWay way) {
    std::size_t step = motion.phase(phase).begin;
    while (motion.way_of(step) != way) ++step;
    return step;
}

} // namespace

void TestHierarchy::rows_fit_and_never_overlap_data() {
    QTest::addColumn<QSizeF>("size");
    QTest::addColumn<int>("rungs");
    QTest::addColumn<int>("rows");
    QTest::addColumn<bool>("bar");
    QTest::addColumn<bool>("chart");
    QTest::addColumn<bool>("two_lines");
    QTest::addColumn<bool>("foot");
    QTest::newRow("roomy, eight rungs") << QSizeF(800, 500) << 8 << 5 << true << true << true << true;
    QTest::newRow("roomy, no rungs") << QSizeF(800, 500) << 0 << 5 << true << false << true << true;
    QTest::newRow("narrow, rungs only") << QSizeF(450, 500) << 8 << 5 << false << true << true << true;
    QTest::newRow("narrow, bar only") << QSizeF(420, 500) << 0 << 5 << true << false << true << true;
    QTest::newRow("numbers only") << QSizeF(340, 500) << 8 << 5 << false << false << true << true;
    QTest::newRow("no room for the foot") << QSizeF(800, 240) << 0 << 5 << true << false << true << false;
    QTest::newRow("one line each") << QSizeF(800, 150) << 0 << 5 << true << false << false << false;
    QTest::newRow("not all of them") << QSizeF(800, 80) << 0 << 3 << true << false << false << false;
}

void TestHierarchy::rows_fit_and_never_overlap() {
    QFETCH(QSizeF, size);
    QFETCH(int, rungs);
    QFETCH(int, rows);
    QFETCH(bool, bar);
    QFETCH(bool, chart);
    QFETCH(bool, two_lines);
    QFETCH(bool, foot);
    const QRectF area(QPointF(18, 44), size);
    const HierarchyGeometry g = lay_out_hierarchy(5, static_cast<std::size_t>(rungs), some_room, area);
    QCOMPARE(static_cast<int>(g.rows.size()), rows);
    QCOMPARE(!g.foot.isNull(), foot);
    double bottom = area.top();
    for (const HierarchyGeometry::Row& row : g.rows) {
        QVERIFY(area.adjusted(-0.1, -0.1, 0.1, 0.1).contains(row.rect) && row.rect.top() >= bottom - 0.1);
        bottom = row.rect.bottom();
        QCOMPARE(!row.bar.isNull(), bar);
        QCOMPARE(!row.rungs.empty(), chart);
        QCOMPARE(row.two_lines, two_lines);
        double right = row.rect.left();
        std::vector<QRectF> parts{row.strip, row.name, row.value};
        if (bar) parts.push_back(row.bar);
        parts.insert(parts.end(), row.rungs.begin(), row.rungs.end());
        for (const QRectF& part : parts) {
            QVERIFY(row.rect.adjusted(-0.1, -0.1, 0.1, 0.1).contains(part) && part.left() >= right - 0.1);
            right = part.right();
        }
        for (std::size_t i = 0; i < row.rungs.size(); ++i) {
            QVERIFY(row.rungs[i].width() >= some_room.rung - 0.1);
            QCOMPARE(g.rung_at(row.rungs[i].center()), static_cast<int>(i));
        }
    }
    QCOMPARE(g.labels.size(), chart ? static_cast<std::size_t>(rungs) : std::size_t{0});
    for (const QRectF& label : g.labels) QVERIFY(label.top() >= bottom - 0.1 && area.adjusted(-0.1, -0.1, 0.1, 0.1).contains(label));
    QVERIFY(!foot || (g.foot.top() >= bottom && area.contains(g.foot)));
    QCOMPARE(g.rung_at(area.topLeft() - QPointF(5, 5)), -1);
    QVERIFY(lay_out_hierarchy(5, 0, some_room, QRectF(0, 0, 10, 10)).rows.empty());
}

void TestHierarchy::places_say_what_moves_there() {
    Stage stage(product());
    // 64³ multiply-adds: two loads of shared memory each, and a sixteenth of that of global memory; C once.
    constexpr double n = 64, loads = 2 * n * n * n;
    const struct {
        const char* id;
        const char* capacity;
        QString value;
    } rows[] = {
        {"registers", "256 KiB per SM", with_prefix((loads + 2 * (loads / 16) + n * n) * 4, "B")},
        {"shared", "up to 228 KiB per SM", with_prefix((loads / 32 + loads / 16 / 32) * 128, "B")},
        {"l1", "256 KiB per SM with shared memory", with_prefix((loads / 16 + n * n) * 4, "B")},
        {"l2", "50 MiB", QStringLiteral("≤ ") + with_prefix((loads / 16 + n * n) * 4, "B")},
        {"memory", "3.35 TB/s", QStringLiteral("≥ ") + with_prefix(3 * n * n * 4, "B")},
    };
    for (const auto& row : rows) {
        const ViewItem* item = stage.item(row.id);
        QVERIFY2(item, row.id);
        QVERIFY2(item->name.contains(row.capacity), qPrintable(item->name));
        QVERIFY2(item->value.startsWith(row.value), qPrintable(item->value + " for " + row.value));
        QCOMPARE(item->provenance, Provenance::counted);
    }
    QVERIFY(stage.item("memory")->name.startsWith("HBM3"));
    QVERIFY(stage.view.picture().model.rungs.empty());
}

void TestHierarchy::the_event_at_the_cursor_is_counted() {
    Stage stage(transpose());
    QVERIFY(stage.view.note().startsWith("the whole launch"));
    QVERIFY(stage.item("l1")->value.startsWith(with_prefix(128 * 36 * 32, "B")));
    stage.go(0, stage.kernels->of_block(0));
    QVERIFY(stage.view.note().startsWith("block 3"));
    QVERIFY(stage.item("l1")->value.startsWith(with_prefix(8 * 36 * 32, "B")));
    std::size_t store = 0;
    const KernelTrace& trace = stage.kernels->trace();
    while (step_traffic(trace, store).global.stores == 0) ++store;
    stage.go(0, stage.kernels->of_step(store));
    QVERIFY(stage.view.note().startsWith("one warp step"));
    QCOMPARE(stage.item("l1")->value, QStringLiteral("1.02 kB, ideal 128 B")); // a column: 32 sectors for 128 bytes
    const QImage step = stage.view.grab().toImage();
    stage.go(0, stage.kernels->of_step(store) + 1); // a lane of it: the same
    QVERIFY(stage.view.grab().toImage() == step);
}

void TestHierarchy::a_rung_is_a_bar_and_a_click_goes_there() {
    Stage stage(climb(), {900, 500});
    const HierarchyPicture& p = stage.view.picture();
    QCOMPARE(p.model.rungs.size(), std::size_t{3});
    QVERIFY(p.model.rungs[0].here && !p.model.rungs[2].here);
    QCOMPARE(p.model.rungs[2].name, QStringLiteral("5_tile_2d"));
    for (std::size_t row = 0; row < p.geometry.rows.size(); ++row) {
        double most = 0;
        for (std::size_t i = 0; i < 3; ++i) most = std::max(most, rung_bar(p, row, i).height());
        for (std::size_t i = 0; i < 3; ++i) { // from zero, to the row's own scale
            double largest = 0;
            for (const auto& each : p.model.places[row].rungs) largest = std::max(largest, each.value_or(0));
            const double share = *p.model.places[row].rungs[i] / largest;
            QVERIFY(std::abs(rung_bar(p, row, i).height() - share * most) <= 2);
        }
    }
    QVERIFY(rung_bar(p, 2, 0).height() > 4 * rung_bar(p, 2, 1).height()); // the naive rung asks for a multiple
    QCOMPARE(rung_bar(p, 1, 0).height(), 0.0);                              // and nothing of shared memory
    QSignalSpy moved(&stage.view, &View::cursorMoved);
    for (const auto& [id, iteration] : {std::pair{"shared.3_shared", 1}, {"l1.5_tile_2d", 2}, {"memory.1_naive", 0}}) {
        const ViewItem* item = stage.item(id);
        QVERIFY2(item && !item->value.isEmpty(), id);
        press_item(stage.view, item->rect.center());
        QCOMPARE(moved.size(), 1);
        QCOMPARE(moved.takeFirst()[0].toInt(), iteration);
    }
    press_item(stage.view, stage.item("shared")->rect.center());
    QCOMPARE(moved.size(), 0);
    const QImage before = stage.view.grab().toImage();
    stage.go(2);
    QVERIFY(p.model.rungs[2].here && stage.item("l1.5_tile_2d")->name.contains("where you stand"));
    QVERIFY(stage.view.grab().toImage() != before);
}

void TestHierarchy::tiles_move_with_the_step() {
    Stage stage(one_block(), {900, 560});
    QVERIFY(!stage.view.picture().moving()); // of a whole launch there is no way
    const std::shared_ptr<const KernelTrace> trace(stage.kernels, &stage.kernels->trace());
    const TileMotion motion(std::make_shared<const KernelBlock>(trace, 0));
    QCOMPARE(motion.phases(), std::size_t{9});
    const auto go = [&](std::size_t step) { stage.go(0, stage.kernels->of_step(step)); };
    const auto flow = [&](TileWay way) { return stage.item(QStringLiteral("flow.%1").arg(static_cast<int>(way))); };
    const std::size_t last = motion.phase(2).end - 1; // the second pair of tiles has come
    go(last);
    const HierarchyPicture& p = stage.view.picture();
    QVERIFY(p.moving());
    QCOMPARE(stage.item("tile.A")->value, QString("A[16:32,16:32]"));
    QCOMPARE(stage.item("tile.B")->value, QString("B[16:32,16:32]"));
    QCOMPARE(stage.item("tile.a_tile")->value, QString("a_tile"));
    QCOMPARE(flow(TileWay::load)->value, with_prefix(2048, "B"));
    QCOMPARE(flow(TileWay::shared_store)->value, with_prefix(2048, "B"));
    QVERIFY(!flow(TileWay::shared_load));
    const auto cells = [&](const char* name, HierarchyTiles::State state) {
        std::int64_t count = 0;
        for (const HierarchyTiles::Picture& picture : p.model.tiles->pictures)
            for (const HierarchyTiles::Cell& cell : picture.cells) count += picture.name == QLatin1String(name) && cell.state == state;
        return count;
    };
    QCOMPARE(cells("a_tile", HierarchyTiles::State::phase), 256);
    const struct {
        std::size_t phase;
        TileWay way;
        bool upwards; // registers stand at the top
    } steps[] = {{2, TileWay::load, true}, {2, TileWay::shared_store, false}, {3, TileWay::shared_load, true}, {8, TileWay::store, false}};
    for (const auto& each : steps) {
        go(step_that_goes(motion, each.phase, each.way));
        QVERIFY(!p.tiles.arrow.isNull());
        QCOMPARE(p.tiles.upwards, each.upwards);
        QVERIFY(flow(each.way));
    }
    QCOMPARE(cells("C", HierarchyTiles::State::step), 32);
    go(step_that_goes(motion, 3, TileWay::shared_load));
    QCOMPARE(cells("A", HierarchyTiles::State::before), 256); // the tile that is in shared memory now
    QCOMPARE(cells("A", HierarchyTiles::State::phase), 0);
    QVERIFY(std::all_of(p.geometry.rows.begin(), p.geometry.rows.end(), [](const HierarchyGeometry::Row& row) { return row.bar.isNull() && row.rungs.empty(); }));
    const QImage rest = stage.view.grab().toImage();
    std::vector<QImage> hovered; // each says something of its own
    for (const char* id : {"tile.a_tile", "tile.A", "flow.2"}) {
        const ViewItem* item = stage.item(id);
        QVERIFY2(item, id);
        QTest::mouseMove(&stage.view, item->rect.center().toPoint());
        QCoreApplication::processEvents();
        hovered.push_back(stage.view.grab().toImage());
        QVERIFY(hovered.back() != rest && (hovered.size() < 2 || hovered.back() != hovered[hovered.size() - 2]));
    }
    stage.view.setVeil({{"bytes"}, 0});
    for (const ViewItem& item : stage.view.readable()) QCOMPARE(item.value == QStringLiteral("?"), !item.id.startsWith("tile."));
}

void TestHierarchy::a_step_is_shown_within_a_frame() {
    Stage stage(one_block(), {900, 560});
    const auto steps = stage.kernels->trace().steps_of_block(0);
    stage.go(0, stage.kernels->of_step(steps.first));
    std::vector<double> times;
    for (std::size_t step = steps.first; step < steps.second; step += 7) {
        QElapsedTimer clock;
        clock.start();
        stage.go(0, stage.kernels->of_step(step));
        stage.view.grab();
        times.push_back(static_cast<double>(clock.nsecsElapsed()) * 1e-6);
    }
    std::sort(times.begin(), times.end());
    QVERIFY2(times[times.size() / 2] < 16, qPrintable(QString::number(times[times.size() / 2])));
}

void TestHierarchy::what_is_asked_for_is_hidden() {
    Stage stage(climb(), {900, 500});
    stage.view.setVeil({{"l1"}, 0});
    for (const ViewItem& item : stage.view.readable()) {
        const bool asked = item.id == "l1" || item.id.startsWith("l1.");
        QCOMPARE(item.value == QStringLiteral("?"), asked);
    }
    stage.view.setVeil({{"bytes"}, 0});
    for (const ViewItem& item : stage.view.readable()) QCOMPARE(item.value, QStringLiteral("?"));
    QVERIFY(!stage.view.hidden().painted.empty());
}

void TestHierarchy::without_a_kernel_it_says_so() {
    Stage stage(gradus::testing::run_of_experiment("train_mlp", {{"data", "moons"}, {"layers", "2,3,2"}, {"batch", "16"}}, 2));
    QVERIFY(stage.view.items().empty());
    QVERIFY(!stage.view.grab().isNull());
}

void TestHierarchy::every_size_is_painted() {
    for (const auto& [width, height] : {std::pair{120, 100}, {240, 120}, {344, 228}, {604, 418}, {1164, 638}, {3800, 2100}})
        for (const bool sparse : {false, true}) {
            Stage stage(climb(), {width, height});
            stage.view.setSparse(sparse);
            stage.view.resize(width + 1, height);
            for (const bool in_a_block : {false, true}) {
                stage.go(1);
                if (in_a_block && !stage.kernels->trace().log.blocks.empty()) stage.go(1, stage.kernels->of_step(stage.kernels->trace().steps_of_block(0).first + 40));
                QVERIFY(!stage.view.grab().isNull());
                const QRectF all = QRectF(stage.view.rect()).adjusted(-0.1, -0.1, 0.1, 0.1);
                const TilesGeometry& tiles = stage.view.picture().tiles;
                for (const auto* parts : {&tiles.pictures, &tiles.labels, &tiles.flows, &tiles.lanes})
                    for (const QRectF& part : *parts) QVERIFY(part.isNull() || all.contains(part));
            }
            for (const ViewItem& item : stage.view.items()) QVERIFY2(QRectF(stage.view.rect()).contains(item.rect), qPrintable(item.id));
        }
}
