#pragma once

#include "app/window/main_window.hpp"
#include "lessons/runtime/card.hpp"
#include "lessons/runtime/progress.hpp"

#include <QTemporaryDir>
#include <functional>
#include <memory>

namespace gradus {

/// The lab on the shipped lessons, with answers kept in a folder of its own: what the tests of the window's use share.
class LabInUse {
public:
    /// `steps`: of the first lesson, in place of the card's; 0: the card's.
    explicit LabInUse(AppState state = {}, QSize size = {1280, 800}, StepIndex steps = 0);

    MainWindow& window() { return *window_; }
    Presenter& presenter() { return window_->presenter(); }
    Progress& progress() { return *progress_; }
    const Library& library() const { return *library_; }
    /// Ends the window as if it were closed, and opens another on the state; the answers stay.
    void reopen(AppState state);

    /// Frames until `done` has held for some of them; false after the patience of a slow machine.
    bool settle(const std::function<bool()>& done = [] { return true; }, int patience_ms = 60'000);
    /// On a card with this step computed, the cursor there, paused and drawn.
    bool openAt(const std::string& card, StepIndex step);
    /// The cursor there, paused, every view with its numbers.
    bool goTo(StepIndex step);

private:
    void open(AppState state);

    QTemporaryDir folder_;
    std::shared_ptr<const Library> library_;
    std::unique_ptr<Progress> progress_;
    std::unique_ptr<MainWindow> window_;
    QSize size_;
};

/// The first lesson, as the program picks it.
const char* first_card();

} // namespace gradus
