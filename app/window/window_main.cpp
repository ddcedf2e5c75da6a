#include "app/window/window_main.hpp"

#include "app/window/lab.hpp"
#include "app/window/one_heap.hpp"
#include "app/window/platform_remarks.hpp"

#include <QApplication>
#include <cstdlib>
#include <pwd.h>
#include <unistd.h>

namespace gradus {

bool display_available() {
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        if (const char* value = std::getenv(name); value && *value) return true;
    return false;
}

void do_without_display() {
    if (display_available()) return;
    qputenv("QT_QPA_PLATFORM", "offscreen");
    // Where Qt would put it by itself, which it says on a line of its own, in the middle of ours.
    if (qEnvironmentVariableIsEmpty("XDG_RUNTIME_DIR")) {
        const passwd* user = getpwuid(geteuid());
        qputenv("XDG_RUNTIME_DIR", "/tmp/runtime-" + (user ? QByteArray(user->pw_name) : QByteArray::number(geteuid())));
    }
}

int run_window(int& argc, char** argv, Library library, const std::string& first_card, const std::string& language) {
    share_heaps();
    QApplication::setApplicationName("gradus");
    const LastTime before = LastTime::read(first_card, language);
    const auto reading = read_data_ahead(library, before.state); // before the window: each takes its time
    drop_platform_remarks();
    QApplication application(argc, argv);
    QApplication::setStyle("Fusion"); // the same everywhere; colours come from our tokens
    Lab lab(std::move(library), before);
    lab.window().show();
    return QApplication::exec();
}

} // namespace gradus
