#include "app/window/bench_start.hpp"

#include "app/window/main_window.hpp"
#include "app/window/one_heap.hpp"
#include "engine/data/dataset.hpp"
#include "views/graph/graph_widget.hpp"

#include <QApplication>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QMainWindow>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <memory>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace gradus {

using cli::median;

namespace {

constexpr QSize size(1280, 720);

void say(const char* word) {
    std::puts(word);
    std::fflush(stdout);
}

/// Milliseconds from the start of a process to each of the words it says.
/// It is spawned without a copy of this process's pages, whose making would count for both sides.
std::vector<double> start(const char* what, const std::vector<std::string>& words) {
    std::array<int, 2> pipe{};
    if (::pipe(pipe.data()) != 0) return {};
    const auto close = [](std::FILE* file) { std::fclose(file); };
    const std::unique_ptr<std::FILE, decltype(close)> said(::fdopen(pipe[0], "r"), close);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, pipe[0]);
    std::string program = QCoreApplication::applicationFilePath().toStdString(), first = "bench", second = "window";
    char* const arguments[] = {program.data(), first.data(), second.data(), nullptr};
    qputenv(start_variable, what);
    QElapsedTimer timer;
    timer.start();
    pid_t child = 0;
    const bool begun = ::posix_spawn(&child, program.c_str(), &actions, nullptr, arguments, environ) == 0;
    qunsetenv(start_variable);
    posix_spawn_file_actions_destroy(&actions);
    ::close(pipe[1]);
    std::vector<double> times;
    std::array<char, 64> line{};
    while (begun && times.size() < words.size() && std::fgets(line.data(), line.size(), said.get()))
        if (line.data() == words[times.size()] + "\n") times.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
    if (begun) ::waitpid(child, nullptr, 0);
    return times;
}

/// Waits for a graph that is painted with its numbers.
struct NumbersPainted : QObject {
    bool seen = false; ///< and over, once the events that have come are done
    bool eventFilter(QObject* object, QEvent* event) override {
        if (event->type() == QEvent::Paint)
            if (const auto* graph = qobject_cast<const GraphWidget*>(object); graph && graph->values()) seen = true;
        return false;
    }
};

} // namespace

void start_once(int& argc, char** argv, LessonsReader lessons) {
    ::alarm(30); // seconds: one that never paints ends, and its row says that nothing was measured
    if (qgetenv(start_variable) == "bare") {
        QApplication application(argc, argv);
        QApplication::setStyle("Fusion");
        QMainWindow window;
        window.resize(size);
        window.setCentralWidget(new QWidget);
        for (const auto area : {Qt::LeftDockWidgetArea, Qt::RightDockWidgetArea, Qt::BottomDockWidgetArea})
            window.addDockWidget(area, new QDockWidget("dock"));
        window.show();
        QCoreApplication::processEvents(); // paints it
        say("painted");
        std::_Exit(0); // closing is no part of it
    }
    share_heaps();
    AppState state;
    ReadAhead ahead(std::move(lessons), state);
    QApplication application(argc, argv);
    QApplication::setStyle("Fusion");
    Lessons read = ahead.lessons();
    state.card = read.first_card;
    MainWindow window(std::make_shared<const Library>(std::move(read.library)), state);
    window.resize(size);
    window.show();
    QCoreApplication::processEvents();
    say("window");
    NumbersPainted painted;
    application.installEventFilter(&painted);
    while (!painted.seen) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    say("painted");
    std::_Exit(0);
}

void bench_start(std::vector<cli::BenchRow>& rows) {
    DataStore().get("fashion-mnist", 1); // from now on its unpacked copy is kept, as on every day but the first
    std::vector<double> ratios, bare, window, ours;
    for (int i = 0; i < 21; ++i) {
        const auto theirs = start("bare", {"painted"}), lab = start("lab", {"window", "painted"});
        if (theirs.empty() || lab.size() < 2) continue;
        bare.push_back(theirs[0]);
        window.push_back(lab[0]);
        ours.push_back(lab[1]);
        ratios.push_back(lab[1] / theirs[0]);
    }
    rows.push_back({"window", "start to first painted, working view / bare window", median(ratios), "ratio", 3, false,
                    fmt::format("{:.0f} ms / {:.0f} ms, its frame after {:.0f} ms; QMainWindow with three docks; not its first start; by the clock",
                                median(ours), median(bare), median(window)), ratios.empty()});
}

} // namespace gradus
