// The window table of gradus bench. Ours and theirs by turns in one run, drawn by the same software rasteriser.
#include "app/window/bench_window.hpp"

#include "app/window/bench_graph.hpp"
#include "app/window/bench_start.hpp"
#include "app/window/bench_time.hpp"
#include "app/window/window_main.hpp"
#include "engine/trace/run_writer.hpp"
#include "views/plots/plain_plot.hpp"
#include "views/plots/plot_view.hpp"
#include "views/tensor/tensor_painter.hpp"

#include <QApplication>
#include <QPainter>
#include <cmath>
#include <fmt/format.h>

namespace gradus {

using cli::BenchRow;
using cli::median;

namespace {

constexpr QSize plot_size(1280, 720);

/// Everything that waits to be done and painted.
void settle() {
    for (int i = 0; i < 4; ++i) QCoreApplication::processEvents();
}

BenchRow plot_row(std::string name, double value, std::string unit, double bound, bool at_least, std::string note) {
    return {"window", std::move(name), value, std::move(unit), bound, at_least, std::move(note), false};
}

// --- series ------------------------------------------------------------------------------------------------------

double loss_at(std::size_t i) {
    const auto x = static_cast<double>(i);
    return 2 / (1 + x * 1e-5) + 0.3 * std::sin(x * 0.7) * std::cos(x * 0.013) + 0.4;
}

std::shared_ptr<const Run> run_of(std::size_t points) {
    Manifest manifest;
    manifest.planned_steps = static_cast<StepIndex>(points);
    manifest.id = "run";
    auto run = std::make_shared<Run>(manifest, std::vector<SeriesInfo>{{"loss", "", Provenance::computed, true}}, nullptr);
    RunWriter writer(run);
    for (std::size_t i = 0; i < points; ++i) {
        writer.push_at(0, static_cast<StepIndex>(i), loss_at(i));
        writer.append_iteration_end(static_cast<Ticks>(i));
    }
    return run;
}

/// Our view of the loss over so many points; each redraw has the cursor elsewhere.
class OurCurve {
public:
    explicit OurCurve(std::size_t points) : runs_{run_of(points)}, view_(load_theme(ThemeMode::light), {"loss"}, PlotView::Scale::decades, nullptr) {
        view_.resize(plot_size);
        view_.show();
        state_.cursor.at_head = false;
        do redraw(); // it reads a part of a long series per frame
        while (!view_.curves().complete);
    }
    void redraw() {
        state_.cursor.iteration = (state_.cursor.iteration + 7919) % static_cast<StepIndex>(runs_[0]->manifest().planned_steps);
        view_.present(Look{runs_, state_, nullptr, 0, runs_[0]->manifest().planned_steps, false});
        settle();
    }

private:
    std::vector<std::shared_ptr<const Run>> runs_;
    AppState state_;
    PlotView view_;
};

void bench_series(std::vector<BenchRow>& rows) {
    OurCurve small(100'000), large(10'000'000);
    PlainPlot plain(plot_size);
    std::vector<double> values(10'000'000);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = loss_at(i);
    plain.setCurve(values);
    plain.redraw();
    std::vector<double> ratios, ours, before, theirs;
    for (int i = 0; i < 15; ++i) {
        before.push_back(milliseconds_of([&] { small.redraw(); }));
        ours.push_back(milliseconds_of([&] { large.redraw(); }));
        theirs.push_back(milliseconds_of([&] { plain.redraw(); }));
        ratios.push_back(ours.back() / before.back());
    }
    rows.push_back(plot_row("series of 10⁷ points, redraw / of 10⁵", median(ratios), "ratio", 1.5, false,
                            fmt::format("{:.2f} ms / {:.2f} ms", median(ours), median(before))));
    rows.push_back(plot_row("series of 10⁷ points, QCustomPlot / ours", median(theirs) / median(ours), "ratio", 0, false,
                            fmt::format("{:.2f} ms / {:.2f} ms", median(theirs), median(ours))));
}

// --- heat map ----------------------------------------------------------------------------------------------------

void bench_heat(std::vector<BenchRow>& rows) {
    constexpr int side = 1024;
    std::vector<float> numbers[2];
    std::uint32_t state = 1;
    for (auto& each : numbers)
        for (int i = 0; i < side * side; ++i) {
            state = state * 1664525u + 1013904223u;
            each.push_back(static_cast<float>(static_cast<double>(state) / 2147483648.0 - 1));
        }
    const Theme theme = load_theme(ThemeMode::light);
    const ColorMap map = signed_map(theme, 1);
    QImage screen(side, side, QImage::Format_ARGB32_Premultiplied);
    PlainPlot plain({side + 100, side + 100}); // with axes round it
    plain.setHeat(side, numbers[0]);
    plain.redraw();
    std::vector<double> ours, theirs;
    for (int i = 0; i < 21; ++i) {
        const std::vector<float>& now = numbers[i % 2];
        ours.push_back(milliseconds_of([&] {
            const CellSource source{reinterpret_cast<const std::byte*>(now.data()), DType::f32, side, side, side, 1};
            QPainter painter(&screen);
            paint_heat(painter, screen.rect(), source, source.all(), INFINITY, map, theme.fault);
        }));
        theirs.push_back(milliseconds_of([&] {
            plain.setHeat(side, now);
            plain.redraw();
        }));
    }
    rows.push_back(plot_row("heat map 1024², new data, QCPColorMap / ours", median(theirs) / median(ours), "ratio", 4, true,
                            fmt::format("{:.2f} ms / {:.2f} ms", median(theirs), median(ours))));
}

} // namespace

std::vector<BenchRow> bench_window(int& argc, char** argv, const LessonsReader& lessons) {
    do_without_display();
    if (qEnvironmentVariableIsSet(start_variable)) start_once(argc, argv, lessons);
    QApplication application(argc, argv);
    QApplication::setStyle("Fusion");
    std::vector<BenchRow> rows;
    bench_series(rows);
    bench_heat(rows);
    bench_graph(rows);
    bench_start(rows);
    return rows;
}

} // namespace gradus
