#include "tests/window/lab.hpp"

#include "app/window/stage.hpp"
#include "views/graph/graph_widget.hpp"

#include <QApplication>
#include <QElapsedTimer>
#include <QThread>
#include <QTimer>
#include <filesystem>

namespace gradus {

const char* first_card() { return "forward-pass-as-matmuls"; }

namespace {
std::shared_ptr<const Library> library_of(StepIndex steps) {
    auto library = std::make_shared<Library>(load_library(std::filesystem::path(GRADUS_SOURCE_FOLDER) / "lessons"));
    for (Card& card : library->cards)
        if (steps > 0 && card.id == first_card()) card.steps = steps;
    return library;
}
} // namespace

LabInUse::LabInUse(AppState state, QSize size, StepIndex steps)
    : library_(library_of(steps)), progress_(std::make_unique<Progress>((folder_.path() + "/progress.sqlite").toStdString())), size_(size) {
    if (state.card.empty()) state.card = first_card();
    open(std::move(state));
}

void LabInUse::open(AppState state) {
    window_ = std::make_unique<MainWindow>(library_, std::move(state), progress_.get());
    window_->resize(size_);
    window_->show();
    window_->activateWindow();
}

void LabInUse::reopen(AppState state) {
    window_.reset();
    open(std::move(state));
}

bool LabInUse::settle(const std::function<bool()>& done, int patience_ms) {
    QElapsedTimer timer;
    timer.start();
    int quiet = 0; // frames since it was done: workers hand their numbers in a frame or two later
    while (quiet < 12) {
        window_->frame();
        QApplication::processEvents();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); // as an event loop would
        if (!presenter().status().failure.empty()) return false;
        quiet = done() ? quiet + 1 : 0;
        if (timer.elapsed() > patience_ms) return false;
        QThread::msleep(quiet > 0 ? 10 : 3);
    }
    return true;
}

bool LabInUse::goTo(StepIndex step) {
    presenter().session().run_to(step + 1);
    if (!settle([&] { return !presenter().runs().empty() && presenter().run()->head() > step && !presenter().status().playing; }))
        return false;
    presenter().goTo(step);
    return settle([&] {
        if (!presenter().isComplete()) return false;
        for (View* view : window_->stage().views())
            if (const auto* graph = qobject_cast<GraphWidget*>(view); graph && (!graph->values() || graph->values()->iteration != step))
                return false;
        return true;
    });
}

bool LabInUse::openAt(const std::string& card, StepIndex step) {
    window_->openCard(QString::fromStdString(card));
    return goTo(step);
}

} // namespace gradus
