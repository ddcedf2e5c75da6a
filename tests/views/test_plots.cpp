#include "tests/views/test_plots.hpp"

#include "tests/support/slowed.hpp"
#include "tests/views/sample_run.hpp"
#include "tests/views/written_run.hpp"
#include "views/derive/main_series.hpp"
#include "views/plots/curves.hpp"
#include "views/plots/extrema.hpp"
#include "views/plots/plot_view.hpp"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <ctime>
#include <tuple>

using namespace gradus;

namespace {

/// Nanoseconds of this thread's own time: what else the machine does is not in it.
qint64 thread_ns() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<qint64>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

std::vector<double> noise(std::size_t count) {
    std::vector<double> values(count);
    std::uint64_t state = 1;
    for (double& value : values) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        value = static_cast<double>(state >> 40) / 1e6;
    }
    return values;
}

} // namespace

void TestPlots::decimation_keeps_extrema_data() {
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("from");
    QTest::addColumn<int>("until");
    QTest::addColumn<int>("columns");
    QTest::newRow("nothing") << 0 << 0 << 100 << 10;
    QTest::newRow("one") << 1 << 0 << 100 << 10;
    QTest::newRow("few") << 20 << 0 << 100 << 30;
    QTest::newRow("exactly two a column") << 60 << 0 << 60 << 30;
    QTest::newRow("many") << 10'000 << 0 << 10'000 << 430;
    QTest::newRow("half run") << 5'000 << 0 << 10'000 << 430;
    QTest::newRow("a part") << 10'000 << 1234 << 8765 << 100;
    QTest::newRow("blocks of blocks of blocks") << 600'000 << 0 << 600'000 << 3;
    QTest::newRow("a part of those") << 600'000 << 4'095 << 524'289 << 2;
    QTest::newRow("one column") << 10'000 << 0 << 10'000 << 1;
}

void TestPlots::decimation_keeps_extrema() {
    QFETCH(int, count);
    QFETCH(int, from);
    QFETCH(int, until);
    QFETCH(int, columns);
    const std::vector<double> values = noise(static_cast<std::size_t>(count));
    const auto series = testing::series_of(values);
    Extrema extrema;
    extrema.grow(*series);
    const auto points = extrema.decimate(*series, from, until, columns);
    QVERIFY(points.size() <= static_cast<std::size_t>(columns) * 2);
    double least = INFINITY, greatest = -INFINITY;
    for (int i = from; i < std::min(until, count); ++i) {
        least = std::min(least, values[static_cast<std::size_t>(i)]);
        greatest = std::max(greatest, values[static_cast<std::size_t>(i)]);
    }
    double kept_least = INFINITY, kept_greatest = -INFINITY;
    StepIndex before = -1;
    for (const SeriesPoint& point : points) {
        QVERIFY(point.iteration > before && point.iteration >= from && point.iteration < until);
        QCOMPARE(point.value, values[static_cast<std::size_t>(point.iteration)]);
        before = point.iteration;
        kept_least = std::min(kept_least, point.value);
        kept_greatest = std::max(kept_greatest, point.value);
    }
    QCOMPARE(kept_least, least);
    QCOMPARE(kept_greatest, greatest);
}

void TestPlots::decimation_of_growth_equals_decimation_of_all() {
    const std::vector<double> values = noise(5'000);
    Extrema grown;
    Extrema::Passed passed, part;
    const auto same = [](const std::vector<SeriesPoint>& x, const std::vector<SeriesPoint>& y) {
        return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const SeriesPoint& m, const SeriesPoint& n) {
            return m.iteration == n.iteration && m.value == n.value;
        });
    };
    Series growing({"loss", "", Provenance::computed, true}, 0);
    for (std::size_t i = 0; i < values.size(); ++i) {
        growing.push(static_cast<StepIndex>(i), values[i]);
        if (i % 37 != 0) continue;
        grown.grow(growing); // and a picture of every size on the way, of all and of a part
        Extrema at_once;
        at_once.grow(growing);
        QVERIFY(same(at_once.decimate(growing, 0, 5'000, 100), grown.decimate(growing, 0, 5'000, 100, passed)));
        QVERIFY(same(at_once.decimate(growing, 1'000, 3'000, 30), grown.decimate(growing, 1'000, 3'000, 30, part)));
    }
    grown.grow(growing);
    const auto all = testing::series_of(values);
    Extrema at_once;
    at_once.grow(*all);
    QVERIFY(same(at_once.decimate(*all, 0, 5'000, 100), grown.decimate(growing, 0, 5'000, 100, passed)));
    QVERIFY(same(at_once.decimate(*all, 0, 5'000, 90), grown.decimate(growing, 0, 5'000, 90, passed))); // another width
    QCOMPARE(at_once.least(), grown.least());
}

void TestPlots::numbers_that_are_not_finite_break_the_line() {
    std::vector<double> values(1'000, 1.0);
    for (std::size_t i = 400; i < 600; ++i) values[i] = NAN;
    values[100] = INFINITY; // alone in its column: the others stay
    const auto series = testing::series_of(values);
    Extrema extrema;
    extrema.grow(*series);
    int broken = 0;
    for (const SeriesPoint& point : extrema.decimate(*series, 0, 1'000, 100)) {
        if (!std::isfinite(point.value)) ++broken;
        QVERIFY(!std::isinf(point.value));
    }
    QCOMPARE(broken, 20); // the columns that hold nothing else
    QCOMPARE(extrema.greatest(), 1.0);
}

void TestPlots::means_are_of_what_there_is() {
    std::vector<double> values = noise(70'000);
    values[5] = NAN;
    values[40'000] = INFINITY;
    const auto series = testing::series_of(values);
    Extrema extrema;
    extrema.grow(*series);
    const auto means = extrema.means(*series, 0, 100'000, 7); // the last two parts are not yet recorded
    {
        Extrema grown; // a part that is passed is not read again
        Extrema::Passed passed;
        std::vector<SeriesPoint> kept;
        while (!grown.grow(*series, 777)) kept = grown.means(*series, 0, 100'000, 7, passed);
        kept = grown.means(*series, 0, 100'000, 7, passed);
        QCOMPARE(kept.size(), means.size());
        for (std::size_t i = 0; i < kept.size(); ++i) QVERIFY(kept[i].iteration == means[i].iteration && std::abs(kept[i].value - means[i].value) < 1e-12);
    }
    QCOMPARE(means.size(), std::size_t{5});
    for (std::size_t part = 0; part < means.size(); ++part) {
        const auto edge = [](std::size_t k) { return std::min<std::size_t>(70'000, static_cast<std::size_t>(std::ceil(static_cast<double>(k) * 100'000 / 7))); };
        double sum = 0;
        int finite = 0;
        for (std::size_t i = edge(part); i < edge(part + 1); ++i) {
            if (!std::isfinite(values[i])) continue;
            sum += values[i];
            ++finite;
        }
        QVERIFY(std::abs(means[part].value - sum / finite) < 1e-9);
        QVERIFY(means[part].iteration >= static_cast<StepIndex>(edge(part)) && means[part].iteration < static_cast<StepIndex>(edge(part + 1)));
    }
    const auto nothing = testing::series_of(std::vector<double>(100, NAN));
    Extrema broken;
    broken.grow(*nothing);
    QVERIFY(broken.means(*nothing, 0, 100, 4).empty());
}

void TestPlots::only_a_noisy_run_has_a_mean() {
    for (const bool noisy : {true, false}) {
        testing::WrittenRun written;
        written.steps = written.planned = 20'000;
        written.observe_every = 1'000;
        written.loss = [noisy](StepIndex i) {
            const double smooth = std::exp(-static_cast<double>(i) / 300);
            return smooth + (noisy ? 0.1 * std::sin(static_cast<double>(i * i % 1'000)) : 0.0);
        };
        CurveBook book({"loss"});
        CurveSet set = book.look({written.write()}, 0, 0, 300);
        QVERIFY(set.complete);
        QCOMPARE(set.curves.size(), std::size_t{1});
        QCOMPARE(set.curves[0].means.empty(), !noisy);
        QCOMPARE(set.mean_of > 0, noisy);
    }
}

void TestPlots::a_curve_has_the_colour_of_its_numbers() {
    const auto role = [](const std::string& experiment, const Parameters& parameters, const std::string& series) {
        return series_role(*testing::run_of_experiment(experiment, parameters, 2), series);
    };
    QCOMPARE(role("descend", {}, "w"), std::optional(Role::parameter));
    QCOMPARE(role("descend", {}, "loss"), std::optional(Role::loss));
    QCOMPARE(role("compose_lines", {}, "f"), std::optional(Role::activation));
    QCOMPARE(role("logits", {}, "p3"), std::optional(Role::activation)); // an element of p
    QCOMPARE(role("logits", {}, "arrow"), std::optional(Role::metric));
}

void TestPlots::what_the_cursor_has_not_reached_comes_later() {
    const auto run = testing::sample_run("xor", "2,2,1", 3);
    std::int32_t product = -1, loss = -1;
    for (std::size_t i = 0; i < run->sites().size(); ++i) {
        const EventSite& site = run->sites()[i];
        if (site.name == "matmul" && product < 0) product = site.ordinal;
        for (const OutputInfo& output : site.outputs)
            if (output.name == "loss") loss = site.ordinal;
    }
    QVERIFY(product >= 0 && loss > product);
    PlotView view(load_theme(ThemeMode::light), {"loss"}, PlotView::Scale::even, nullptr);
    view.resize(400, 300);
    const std::vector<std::shared_ptr<const Run>> runs{run};
    AppState state;
    state.cursor.iteration = 1;
    for (const auto& [level, ordinal, later] : {std::tuple{Level::iteration, product, false}, {Level::op, product, true}, {Level::op, loss, false}}) {
        state.cursor.level = level;
        state.cursor.ordinal = ordinal;
        view.present({runs, state, run, 0, 10, false});
        QCOMPARE(view.curves().cursor.later, later);
        QCOMPARE(*view.curves().cursor.value, *run->value_at("loss", 1)); // it is shown all the same
    }
    const std::vector<std::shared_ptr<const Run>> walk{testing::run_of_experiment("descend", {}, 3)};
    PlotView place(load_theme(ThemeMode::light), {"w"}, PlotView::Scale::even, nullptr);
    state.cursor.level = Level::op;
    state.cursor.ordinal = 0;
    place.present({walk, state, walk[0], 0, 10, false});
    QVERIFY(!place.curves().cursor.later); // a step begins with its parameters
}

void TestPlots::curves_that_agree_are_drawn_once_data() {
    QTest::addColumn<QList<double>>("fork"); ///< from step 2
    QTest::addColumn<QList<int>>("left");    ///< the parent's steps that stay, -1: a gap
    QTest::newRow("the same to the end") << QList<double>{2, 3, 4, 5} << QList<int>{0, 1, 2};
    QTest::newRow("another from the start") << QList<double>{9, 9, 9, 9} << QList<int>{0, 1, 2, 3, 4, 5};
    QTest::newRow("another at the end") << QList<double>{2, 3, 4, 9} << QList<int>{0, 1, 2, -1, 4, 5};
    QTest::newRow("shorter") << QList<double>{2, 3} << QList<int>{0, 1, 2, 3, 4, 5};
}

void TestPlots::curves_that_agree_are_drawn_once() {
    QFETCH(QList<double>, fork);
    QFETCH(QList<int>, left);
    Curve parent{0, false, false, 0, Role::metric, {}, {}}, selected{1, true, false, 0, Role::metric, {}, {}};
    for (StepIndex i = 0; i < 6; ++i) parent.points.push_back({i, static_cast<double>(i)});
    for (qsizetype i = 0; i < fork.size(); ++i) selected.points.push_back({static_cast<StepIndex>(i + 2), fork[i]});
    CurveSet set;
    set.curves = {parent, selected};
    const Curve drawn = apart_from_selected(parent, set);
    QList<int> steps;
    for (const SeriesPoint& point : drawn.points) steps << (std::isfinite(point.value) ? static_cast<int>(point.iteration) : -1);
    QCOMPARE(steps, left);
    QCOMPARE(apart_from_selected(selected, set).points.size(), selected.points.size());
    parent.name = 1; // of another series
    QCOMPARE(apart_from_selected(parent, set).points.size(), std::size_t{6});
}

void TestPlots::a_million_values_take_a_frame() {
    const auto series = testing::series_of(noise(1'000'000));
    Extrema extrema;
    extrema.grow(*series);
    std::vector<qint64> times;
    for (int i = 0; i < 21; ++i) {
        const qint64 start = thread_ns();
        QVERIFY(!extrema.decimate(*series, 0, 1'000'000, 1'900).empty());
        times.push_back(thread_ns() - start);
    }
    std::sort(times.begin(), times.end());
    QVERIFY2(times[times.size() / 2] < test::slowed * 8'000'000, qPrintable(QString::number(times[times.size() / 2])));
}
