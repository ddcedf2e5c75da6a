#include "app/window/bench_opening.hpp"

#include "app/window/window_main.hpp"
#include "engine/core/error.hpp"
#include "engine/kernels/ladder.hpp"
#include "engine/trace/derive/event_tree.hpp"
#include "lessons/runtime/session.hpp"
#include "views/theatre/theatre_view.hpp"

#include <QApplication>
#include <QElapsedTimer>
#include <QImage>
#include <QTemporaryDir>
#include <algorithm>
#include <fmt/format.h>

namespace gradus {

using cli::BenchRow;
using cli::median;

namespace {

double seconds(const QElapsedTimer& timer) { return static_cast<double>(timer.nsecsElapsed()) / 1e9; }

struct Opened {
    std::string name;
    double seconds = 0;
    std::shared_ptr<const Run> run;
};

/// As the window opens it: a session of one iteration.
Opened open(const std::string& ladder, const std::string& rung, const Parameters& more) {
    RunRequest request;
    request.experiment = "run_kernel";
    request.parameters = more;
    request.parameters["ladder"] = ladder, request.parameters["rung"] = rung;
    request.steps = 1;
    QElapsedTimer timer;
    timer.start();
    Session session(request);
    session.play();
    session.wait();
    if (const std::string why = session.status().failure; !why.empty()) throw Error(fmt::format("{}/{}: {}", ladder, rung, why));
    Opened out{ladder + "/" + rung, seconds(timer), session.run(0)};
    if (!out.run || !out.run->tensors_of(0) || !out.run->tensors_of(0)->kernels) throw Error(out.name + " has no steps to be shown");
    return out;
}

BenchRow row(std::string name, double value, std::string unit, double bound, std::string note) {
    return {"opening", std::move(name), value, std::move(unit), bound, false, std::move(note), false};
}

BenchRow slowest(const std::string& name, std::vector<Opened> all) {
    constexpr double bound = 1; // second
    std::sort(all.begin(), all.end(), [](const Opened& a, const Opened& b) { return a.seconds > b.seconds; });
    BenchRow out = row(name, all.front().seconds, "s", bound, fmt::format("{}; half of the {} within {:.2f} s", all.front().name, all.size(), all[all.size() / 2].seconds));
    for (std::size_t i = 0; i < all.size() && (i < 3 || !(all[i].seconds <= bound)); ++i) out.beside.emplace_back(all[i].name, all[i].seconds);
    out.beside_unit = "s";
    return out;
}

/// The theatre on a block of which the first launch was recorded, and its ways from step to step.
class Theatre {
public:
    explicit Theatre(const std::shared_ptr<const Run>& run) : runs_{run}, tree_(*run, 0), view_(load_theme(ThemeMode::light), nullptr), image_(1280, 720, QImage::Format_ARGB32_Premultiplied) {
        view_.resize(image_.size());
        view_.show();
        const EventSite* first = tree_.step(-1, Level::warp_instruction, 1);
        if (!first) throw Error("no step was recorded");
        go(first->ordinal);
    }
    /// Seconds of so many steps, each presented and painted.
    std::vector<double> walk(int by, int count) {
        std::vector<double> out;
        for (int i = 0; i < count; ++i) {
            QElapsedTimer timer;
            timer.start();
            const std::int32_t to = view_.target(TheatreWay::warp_step, by);
            if (to < 0) throw Error("the block has fewer steps than are walked");
            go(to);
            out.push_back(seconds(timer));
        }
        return out;
    }

private:
    void go(std::int32_t ordinal) {
        state_.cursor.iteration = 0;
        state_.cursor.ordinal = ordinal;
        state_.cursor.level = tree_.find(ordinal)->level;
        Look look{runs_, state_, runs_[0], 1, 1};
        look.kernels = tree_.kernels();
        view_.present(look);
        view_.render(&image_);
    }
    std::vector<std::shared_ptr<const Run>> runs_;
    AppState state_;
    EventTree tree_;
    TheatreView view_;
    QImage image_;
};

BenchRow step_row(const std::string& which, std::vector<double> times) {
    constexpr double frame = 16; // ms
    const auto near_all = times.begin() + static_cast<std::ptrdiff_t>(times.size() * 99 / 100);
    std::nth_element(times.begin(), near_all, times.end());
    const double tail = *near_all * 1e3;
    return row(fmt::format("a step {} in the theatre, a block of 4096³", which), median(std::move(times)) * 1e3, "ms", frame, fmt::format("99 of 100 within {:.1f} ms", tail));
}

} // namespace

std::vector<BenchRow> bench_opening(int& argc, char** argv) {
    do_without_display();
    const QTemporaryDir empty; // in which no kernel has been compiled
    qputenv("XDG_CACHE_HOME", empty.path().toUtf8());
    QApplication application(argc, argv);
    QApplication::setStyle("Fusion");
    std::vector<BenchRow> rows;
    std::vector<Opened> first, again;
    for (const Ladder& ladder : all_ladders())
        for (const Rung& rung : ladder.rungs)
            for (std::vector<Opened>* each : {&first, &again}) {
                each->push_back(open(ladder.id, rung.id, {}));
                each->back().run.reset();
            }
    rows.push_back(slowest("every rung at its usual sizes, the slowest", std::move(again)));
    rows.push_back(slowest("the same, each compiled first", std::move(first)));
    const Parameters block{{"sizes", "M=4096,N=4096,K=4096"}, {"block", "16x16"}, {"record", "block_alone"}};
    Opened large = open("matmul", "3_shared", block);
    for (int i = 0; i < 2; ++i)
        if (Opened other = open("matmul", "3_shared", block); other.seconds < large.seconds) large = std::move(other);
    rows.push_back(row("one block of matmul/3_shared of 4096³", large.seconds, "s", 1, "201 MB of buffers; the best of three"));
    Theatre theatre(large.run);
    constexpr int steps = 400;
    const std::vector<double> forwards = theatre.walk(1, steps), back = theatre.walk(-1, steps);
    rows.push_back(step_row("forwards", forwards));
    rows.push_back(step_row("back", back));
    return rows;
}

} // namespace gradus
