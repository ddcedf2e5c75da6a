#include "app/window/window_main.hpp"

#include "app/window/main_window.hpp"

#include <QApplication>
#include <cstdlib>

namespace gradus {

bool display_available() {
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        if (const char* value = std::getenv(name); value && *value) return true;
    return false;
}

int run_window(int& argc, char** argv, RunRequest request, const std::string& title) {
    QApplication application(argc, argv);
    QApplication::setApplicationName("Gradus");
    QApplication::setStyle("Fusion"); // the same everywhere; colours come from our tokens
    MainWindow window(std::move(request), QString::fromStdString(title));
    if (qgetenv("GRADUS_THEME") == "dark") window.setTheme(ThemeMode::dark);
    window.show();
    return QApplication::exec();
}

} // namespace gradus
