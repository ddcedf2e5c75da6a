#include "tests/views/test_listing.hpp"

#include "engine/trace/derive/event_tree.hpp"
#include "tests/views/sample_run.hpp"
#include "views/access/press_item.hpp"
#include "views/listing/listing_view.hpp"
#include "views/theme/numbers.hpp"

#include <QSignalSpy>
#include <QTest>

using namespace gradus;

namespace {

const std::vector<bool> lines_told{false, false, false, false, false, false, false, false, true, true, true, true, true, true};
constexpr ListingRoom some_room{20, 16, 420, 300, 80, 100, 16};

std::shared_ptr<const Listing> loop() {
    auto out = std::make_shared<Listing>();
    out->lines = {{"import torch", {}, {}, {}},
                  {"", {}, {}, {}},
                  {"for x, y in batches:", "data", {}, {}},
                  {"    optimizer.zero_grad()", {}, {{"omit", "zero_grad"}}, {"No event.", "없습니다."}},
                  {"    logits = model(x)", "forward", {}, {}},
                  {"    loss = F.cross_entropy(logits, y)", "forward/loss", {}, {}},
                  {"    loss.backward()", "backward", {{"omit", "backward"}}, {}},
                  {"    optimizer.step()", "update", {{"omit", "step"}}, {}}};
    return out;
}

std::shared_ptr<const Run> run_without(const std::string& line) {
    return testing::run_of_experiment("train_mlp", {{"data", "moons"}, {"layers", "2,6,4,2"}, {"batch", "16"}, {"omit", line}}, 4);
}
std::shared_ptr<const Run> whole_run() {
    static const auto run = run_without("none");
    return run;
}

struct Stage {
    explicit Stage(std::shared_ptr<const Run> run, QSize size = {700, 400}) : runs{std::move(run)}, view(load_theme(ThemeMode::light), nullptr) {
        view.setListing(loop());
        view.resize(size);
        view.show();
        state.cursor.iteration = 2;
        frame();
    }
    void frame() { view.present(Look{runs, state, runs[0], 1, 100}); }
    void stand(std::string_view path) {
        const EventTree tree(*runs[0]);
        state.cursor.ordinal = tree.find(path)->ordinal;
        frame();
    }
    int here() const {
        const auto& rows = view.picture().model.rows;
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (rows[i].here) return static_cast<int>(i);
        return -1;
    }
    const ViewItem* item(const QString& id) {
        items = view.items();
        for (const ViewItem& one : items)
            if (one.id == id) return &one;
        return nullptr;
    }
    std::vector<std::shared_ptr<const Run>> runs;
    AppState state;
    ListingView view;
    std::vector<ViewItem> items;
};

} // namespace

void TestListing::lines_fit_and_never_overlap_data() {
    QTest::addColumn<QSizeF>("size");
    QTest::addColumn<bool>("time");
    QTest::addColumn<bool>("work");
    QTest::addColumn<bool>("numbers");
    QTest::addColumn<bool>("whole");
    QTest::newRow("roomy") << QSizeF(900, 500) << true << true << true << true;
    QTest::newRow("no room for every code line") << QSizeF(600, 500) << true << true << true << false;
    QTest::newRow("no room for numbers") << QSizeF(530, 500) << true << true << false << false;
    QTest::newRow("no room for the work") << QSizeF(450, 500) << true << false << true << false;
    QTest::newRow("code cut for the time") << QSizeF(320, 500) << true << false << false << false;
    QTest::newRow("code alone") << QSizeF(200, 500) << false << false << false << false;
    QTest::newRow("low") << QSizeF(900, 130) << true << true << true << false;
    QTest::newRow("one line") << QSizeF(900, 22) << true << true << true << false;
}

void TestListing::lines_fit_and_never_overlap() {
    QFETCH(QSizeF, size);
    QFETCH(bool, time);
    QFETCH(bool, work);
    QFETCH(bool, numbers);
    QFETCH(bool, whole);
    const QRectF area(QPointF(18, 44), size);
    const ListingGeometry g = lay_out_listing(lines_told, 10, false, some_room, area);
    QVERIFY(!g.rows.empty());
    QCOMPARE(g.whole, whole);
    QCOMPARE(g.told, work && size.height() >= 140);
    double bottom = g.head.isNull() ? area.top() : g.head.bottom();
    for (const ListingGeometry::Row& row : g.rows) {
        QVERIFY(area.adjusted(-0.1, -0.1, 0.1, 0.1).contains(row.rect));
        QVERIFY(row.rect.top() >= bottom - 0.1);
        bottom = row.rect.bottom();
        QCOMPARE(!row.time.isNull(), time);
        QCOMPARE(!row.work.isNull(), work);
        QCOMPARE(!row.number.isNull(), numbers);
        double right = row.rect.left();
        for (const QRectF& part : {row.number, row.code, row.time, row.work}) {
            if (part.isNull()) continue;
            QVERIFY(row.rect.adjusted(-0.1, -0.1, 0.1, 0.1).contains(part) && part.left() >= right);
            right = part.right();
        }
        QCOMPARE(g.row_at(row.rect.center())->line, row.line);
    }
    QVERIFY(g.notes.isNull() || (g.notes.top() >= bottom && area.contains(g.notes)));
    QVERIFY(lay_out_listing({}, -1, false, some_room, area).rows.empty());
    QVERIFY(lay_out_listing(lines_told, -1, false, some_room, QRectF(0, 0, 1, 1)).rows.empty());
}

void TestListing::the_lines_that_are_told_of_stay_data() {
    QTest::addColumn<int>("height");
    QTest::addColumn<int>("here");
    QTest::addColumn<bool>("told_only");
    QTest::addColumn<int>("first");
    QTest::addColumn<int>("last");
    QTest::newRow("all") << 300 << -1 << false << 0 << 13;
    QTest::newRow("the foot") << 180 << -1 << false << 6 << 13;
    QTest::newRow("just the told") << 140 << -1 << false << 8 << 13;
    QTest::newRow("too low, round the cursor") << 80 << 12 << false << 11 << 13;
    QTest::newRow("too low, at the start") << 80 << -1 << false << 8 << 10;
    QTest::newRow("in class") << 300 << -1 << true << 8 << 13;
    QTest::newRow("in class, low") << 80 << 13 << true << 11 << 13;
}

void TestListing::the_lines_that_are_told_of_stay() {
    QFETCH(int, height);
    QFETCH(int, here);
    QFETCH(bool, told_only);
    QFETCH(int, first);
    QFETCH(int, last);
    const ListingGeometry g = lay_out_listing(lines_told, here, told_only, some_room, QRectF(0, 0, 900, height));
    QCOMPARE(static_cast<int>(g.rows.front().line), first);
    QCOMPARE(static_cast<int>(g.rows.back().line), last);
    if (here >= 0) QVERIFY(g.find(static_cast<std::size_t>(here)));
}

/// Columns go before code is cut, and lines stand as far apart as there is room.
void TestListing::a_class_reads_whole_lines() {
    for (const double width : {320.0, 400.0, 450.0, 900.0})
        for (const double height : {150.0, 180.0, 500.0}) {
            const QRectF area(18, 44, width, height);
            const ListingGeometry g = lay_out_listing(lines_told, 10, true, some_room, area);
            QVERIFY(g.uncut);
            for (const ListingGeometry::Row& row : g.rows) QVERIFY(row.code.width() >= some_room.told && row.code.width() <= width);
            QCOMPARE(g.rows.front().time.isNull(), width < 412);
            QCOMPARE(g.told, width > 500);
            QVERIFY(g.rows.back().rect.bottom() <= area.bottom() + 0.1);
            const double pitch = g.rows[1].rect.top() - g.rows[0].rect.top();
            QVERIFY(pitch >= some_room.line && pitch <= 1.6 * some_room.line);
            QVERIFY(height < 180 || pitch > some_room.line);
        }
    QVERIFY(!lay_out_listing(lines_told, 10, true, some_room, QRectF(0, 0, 200, 300)).uncut);
}

void TestListing::what_is_missing_is_named() {
    Stage stage(whole_run());
    QVERIFY(stage.view.picture().geometry.missing.isNull() && !stage.item("missing"));
    const QSize sizes[]{{700, 200}, {220, 200}};
    for (const QSize size : sizes) { // with columns beside the code, and without
        stage.view.resize(size);
        const ListingPicture& p = stage.view.picture();
        QVERIFY(p.geometry.rows.size() < p.model.rows.size());
        const QRectF missing = p.geometry.missing;
        QVERIFY(!missing.isNull() && missing.bottom() <= p.geometry.rows.front().rect.top() + 0.1 && p.geometry.area.contains(missing));
        QVERIFY(p.geometry.head.isNull() || missing.right() < p.geometry.head.left());
        const ViewItem* item = stage.item("missing");
        QVERIFY(item && item->name.contains(QStringLiteral("1–%1").arg(p.geometry.rows.front().line)));
    }
    QVERIFY(lay_out_listing(lines_told, 10, true, some_room, QRectF(0, 0, 900, 300)).missing.isNull()); // a class is shown the told ones
}

void TestListing::a_line_says_what_its_part_took() {
    Stage stage(whole_run());
    std::vector<std::string> names{"data", "forward", "forward/loss", "backward", "update"};
    for (std::size_t i = 0; i < whole_run()->sites().size(); ++i) // the accuracy is no line's
        if (const EventSite& site = whole_run()->sites()[i]; site.name == "accuracy") names.push_back(site.path);
    QCOMPARE(names.size(), std::size_t{6});
    const auto parts = step_parts(*whole_run(), nullptr, 2, names);
    names.pop_back();
    for (std::size_t i = 0; i < whole_run()->sites().size(); ++i) // as the graph counts it
        if (const EventSite& site = whole_run()->sites()[i]; site.name == "softmax_cross_entropy") QCOMPARE(parts[2].flops, site.cost.flops);
    const std::size_t lines[]{3, 5, 6, 7, 8}; // counted from 1
    for (std::size_t i = 0; i < names.size(); ++i) {
        const QString id = QStringLiteral("line%1").arg(lines[i]);
        const ViewItem* item = stage.item(id);
        QVERIFY2(item, qPrintable(id));
        QCOMPARE(item->value, with_prefix(*parts[i].seconds, "s"));
        QCOMPARE(item->provenance, Provenance::measured);
        const ViewItem* work = stage.item(id + ".work");
        QVERIFY2(work, qPrintable(id));
        QCOMPARE(work->value, with_prefix(parts[i].flops, "FLOP"));
        QCOMPARE(work->provenance, Provenance::counted);
    }
    const ViewItem* cleared = stage.item("line4"); // the engine has no such event: no time is made up for it
    QVERIFY(cleared && cleared->value.isEmpty() && cleared->name.contains("No event."));
    QVERIFY(!stage.item("line4.work"));
    stage.state.language = Language::ko;
    stage.frame();
    QVERIFY(stage.item("line4")->name.contains("없습니다."));
}

void TestListing::the_band_goes_with_the_cursor() {
    Stage stage(whole_run());
    QCOMPARE(stage.here(), -1); // on the step itself
    const struct {
        const char* path;
        int line;
    } rows[]{{"data", 2}, {"forward", 4}, {"forward/layer2/matmul", 4}, {"forward/loss", 5}, {"forward/loss/softmax_cross_entropy", 5},
             {"backward/loss", 6}, {"backward/layer1/matmul", 6}, {"update", 7}};
    for (const auto& row : rows) {
        stage.stand(row.path);
        QVERIFY2(stage.here() == row.line, row.path);
        QVERIFY(stage.item(QStringLiteral("line%1").arg(row.line + 1))->name.contains("where you stand"));
    }
    const QImage there = stage.view.grab().toImage();
    stage.stand("forward");
    QVERIFY(stage.view.grab().toImage() != there);
}

void TestListing::a_click_goes_to_the_part() {
    Stage stage(whole_run());
    const EventTree tree(*whole_run());
    QSignalSpy chosen(&stage.view, &View::eventChosen);
    for (const auto& [id, path] : {std::pair{"line3", "data"}, {"line5", "forward"}, {"line6", "forward/loss"}, {"line7", "backward"}, {"line8.work", "update"}}) {
        press_item(stage.view, stage.item(id)->rect.center());
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen.takeFirst()[0].toInt(), tree.find(path)->ordinal);
    }
    for (const char* id : {"line1", "line4"}) press_item(stage.view, stage.item(id)->rect.center());
    QCOMPARE(chosen.size(), 0); // nothing of a step is theirs
}

void TestListing::a_line_that_is_left_out_says_so() {
    const struct {
        const char* line;
        const char* id;
        bool update; ///< still happens
    } rows[]{{"zero_grad", "line4", true}, {"backward", "line7", false}, {"step", "line8", false}};
    for (const auto& row : rows) {
        Stage stage(run_without(row.line));
        for (const char* id : {"line3", "line4", "line5", "line6", "line7", "line8"})
            QVERIFY2(stage.item(id)->name.contains("left out") == (QString(id) == row.id), row.line);
        QVERIFY(stage.item(row.id)->value.isEmpty());
        QCOMPARE(!stage.item("line8")->value.isEmpty(), row.update);
        QSignalSpy chosen(&stage.view, &View::eventChosen);
        press_item(stage.view, stage.item(row.id)->rect.center());
        QCOMPARE(chosen.size(), 0);
    }
}

void TestListing::without_a_listing_it_says_so() {
    Stage stage(whole_run());
    const QImage with = stage.view.grab().toImage();
    stage.view.setListing(nullptr);
    stage.frame();
    QVERIFY(stage.view.items().empty());
    QVERIFY(stage.view.grab().toImage() != with);
    stage.view.setListing(loop());
    stage.frame();
    QVERIFY(stage.view.grab().toImage() == with);
}

/// Stage::shareLowerRow counts on it.
void TestListing::a_step_is_whole_in_the_width_a_stage_gives() {
    const Stage stage(whole_run(), {367, 280});
    const ListingGeometry& g = stage.view.picture().geometry;
    QVERIFY(g.uncut && !g.rows.front().time.isNull());
}

void TestListing::every_size_is_painted() {
    for (const auto& [width, height] : {std::pair{120, 100}, {240, 120}, {344, 228}, {604, 418}, {1164, 638}, {3800, 2100}})
        for (const bool sparse : {false, true}) {
            Stage stage(whole_run(), {width, height});
            stage.view.setSparse(sparse);
            stage.view.resize(width + 1, height);
            stage.stand("backward");
            QVERIFY(!stage.view.grab().isNull());
            QVERIFY(stage.here() >= 0 && stage.view.picture().geometry.find(6));
            for (const ViewItem& item : stage.view.items()) QVERIFY(QRectF(stage.view.rect()).contains(item.rect));
            QVERIFY(stage.view.picture().type >= 11);
        }
}
