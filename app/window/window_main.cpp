#include "app/window/window_main.hpp"

#include "app/window/main_window.hpp"
#include "app/window/state_file.hpp"
#include "engine/core/error.hpp"
#include "lessons/runtime/progress.hpp"

#include <QApplication>
#include <QFile>
#include <cstdlib>
#include <fmt/format.h>

namespace gradus {

namespace {

/// What this user had on screen; the defaults where there is nothing, or nothing that can be read.
AppState last_state(const std::string& first_card, const std::string& language) {
    AppState state;
    state.card = first_card;
    state.language = language == "ko" ? Language::ko : Language::en;
    QFile file(state_path());
    if (!file.open(QIODevice::ReadOnly)) return state;
    try {
        AppState last = state_from_json(file.readAll(), state_path());
        if (last.run > 0) last.cursor = {}; // its branches ended with it
        last.run = 0;
        if (last.card.empty()) last.card = first_card;
        return last;
    } catch (const FileError& error) {
        fmt::print(stderr, "gradus: {}; starting as new\n", error.what());
        return state;
    }
}

} // namespace

bool display_available() {
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        if (const char* value = std::getenv(name); value && *value) return true;
    return false;
}

int run_window(int& argc, char** argv, Library library, const std::string& first_card, const std::string& language) {
    QApplication application(argc, argv);
    QApplication::setApplicationName("gradus");
    QApplication::setStyle("Fusion"); // the same everywhere; colours come from our tokens
    AppState state = last_state(first_card, language);
    if (qgetenv("GRADUS_THEME") == "dark") state.theme = ThemeMode::dark;
    std::unique_ptr<Progress> progress;
    try {
        progress = std::make_unique<Progress>(Progress::standard_path());
    } catch (const FileError& error) {
        fmt::print(stderr, "gradus: {}; answers are not kept\n", error.what());
    }
    MainWindow window(std::make_shared<const Library>(std::move(library)), state, progress.get());
    QTimer saver; // a crash loses a second of where one was
    AppState saved = window.state();
    const auto save = [&] {
        AppState now = window.state();
        if (window.presenter().playing() || now.cursor.at_head) now.cursor = {}; // moves by itself
        if (now == saved) return;
        if (save_state(now, state_path())) saved = now;
    };
    QObject::connect(&saver, &QTimer::timeout, &window, save);
    saver.start(1000);
    window.show();
    const int status = QApplication::exec();
    save();
    return status;
}

} // namespace gradus
