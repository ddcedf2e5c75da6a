#include "app/window/window_main.hpp"

#include "app/window/lab.hpp"
#include "app/window/one_heap.hpp"

#include <QApplication>
#include <cstdlib>

namespace gradus {

bool display_available() {
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        if (const char* value = std::getenv(name); value && *value) return true;
    return false;
}

int run_window(int& argc, char** argv, Library library, const std::string& first_card, const std::string& language) {
    share_heaps();
    QApplication::setApplicationName("gradus");
    const LastTime before = LastTime::read(first_card, language);
    const auto reading = read_data_ahead(library, before.state); // before the window: each takes its time
    QApplication application(argc, argv);
    QApplication::setStyle("Fusion"); // the same everywhere; colours come from our tokens
    Lab lab(std::move(library), before);
    lab.window().show();
    return QApplication::exec();
}

} // namespace gradus
