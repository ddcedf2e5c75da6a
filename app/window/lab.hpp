#pragma once

#include "app/window/last_session.hpp"
#include "app/window/main_window.hpp"
#include "app/window/recording.hpp"
#include "lessons/runtime/progress.hpp"

#include <QElapsedTimer>
#include <QTimer>
#include <memory>
#include <optional>
#include <string>

namespace gradus {

/// Where this user left the lab, or else the defaults.
struct LastTime {
    AppState state;
    std::optional<LastSession> session;
    /// Needs the application's name, and no application yet.
    static LastTime read(const std::string& first_card, const std::string& language);
};

/// The window with all that stays when it is closed: where one was, what was answered, what was recorded.
class Lab {
public:
    /// Opens where this user left it. Throws ArgumentError for an unusable card.
    Lab(Library library, const LastTime& before);
    ~Lab(); ///< keeps where one is

    MainWindow& window() { return *window_; }

private:
    void save();

    std::unique_ptr<Progress> progress_;
    std::unique_ptr<Recording> recording_; ///< outlives the window, whose engine writes to it
    FileKeeper state_file_, session_file_;
    std::unique_ptr<MainWindow> window_;
    AppState saved_;
    LastSession saved_session_;
    QTimer saver_;
    QElapsedTimer since_saved_;
    std::string unkept_; ///< why answers are not kept
};

} // namespace gradus
