#include "app/window/bench_start.hpp"

#include "app/window/lab.hpp"
#include "app/window/stage.hpp"
#include "views/graph/graph_widget.hpp"

#include <QApplication>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QMainWindow>
#include <QProcess>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>

namespace gradus {

using cli::median;

namespace {

constexpr QSize size(1280, 720);

void say(const char* word) {
    std::puts(word);
    std::fflush(stdout);
}

/// Milliseconds from the start of a process to each of the words it says.
std::vector<double> start(const QString& what, const std::vector<QByteArray>& words) {
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(start_variable, what);
    process.setProcessEnvironment(environment);
    std::vector<double> times;
    QElapsedTimer timer;
    timer.start();
    process.start(QCoreApplication::applicationFilePath(), {"bench", "window"});
    while (times.size() < words.size() && process.waitForReadyRead(30'000))
        while (process.canReadLine())
            if (process.readLine().trimmed() == words[times.size()]) times.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
    process.waitForFinished();
    return times;
}

} // namespace

void start_once(int& argc, char** argv, const std::function<Library()>& library, const std::string& first_card) {
    if (qgetenv(start_variable) == "bare") {
        QApplication application(argc, argv);
        QApplication::setStyle("Fusion");
        QMainWindow window;
        window.resize(size);
        window.setCentralWidget(new QWidget);
        for (const auto area : {Qt::LeftDockWidgetArea, Qt::RightDockWidgetArea, Qt::BottomDockWidgetArea})
            window.addDockWidget(area, new QDockWidget("dock"));
        window.show();
        QCoreApplication::processEvents();
        window.grab();
        say("painted");
        std::_Exit(0); // closing is no part of it
    }
    AppState state;
    state.card = first_card;
    const auto lessons = std::make_shared<const Library>(library());
    const auto reading = read_data_ahead(*lessons, state);
    QApplication application(argc, argv);
    QApplication::setStyle("Fusion");
    MainWindow window(lessons, state);
    window.resize(size);
    window.show();
    QCoreApplication::processEvents();
    window.grab();
    say("window");
    const auto works = [&] { // a graph with its numbers
        for (View* view : window.stage().views())
            if (auto* graph = qobject_cast<GraphWidget*>(view); graph && graph->values()) return true;
        return false;
    };
    QTimer poll;
    QEventLoop loop;
    QObject::connect(&poll, &QTimer::timeout, &loop, [&] {
        if (works()) loop.quit();
    });
    poll.start(1);
    loop.exec();
    window.grab();
    say("painted");
    std::_Exit(0);
}

void bench_start(std::vector<cli::BenchRow>& rows) {
    std::vector<double> ratios, bare, window, ours;
    for (int i = 0; i < 9; ++i) {
        const auto theirs = start("bare", {"painted"}), lab = start("lab", {"window", "painted"});
        if (theirs.empty() || lab.size() < 2) continue;
        bare.push_back(theirs[0]);
        window.push_back(lab[0]);
        ours.push_back(lab[1]);
        ratios.push_back(lab[1] / theirs[0]);
    }
    rows.push_back({"window", "start to first painted, working view / bare window", median(ratios), "ratio", 3, false,
                    fmt::format("{:.0f} ms / {:.0f} ms, its frame after {:.0f} ms; QMainWindow with three docks; by the clock",
                                median(ours), median(bare), median(window)), ratios.empty()});
}

} // namespace gradus
