#include "app/window/window_main.hpp"

#include "app/window/lab.hpp"
#include "app/window/one_heap.hpp"
#include "app/window/platform_remarks.hpp"
#include "engine/core/error.hpp"

#include <QApplication>
#include <QDir>
#include <QLibraryInfo>
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <fmt/format.h>
#include <pwd.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace gradus {

namespace {

/// Whether something listens at an address of this machine; Qt would end the program where nothing does.
bool answers(const std::string& path, bool abstract) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() + 1 >= sizeof address.sun_path) return false;
    std::copy(path.begin(), path.end(), address.sun_path + (abstract ? 1 : 0));
    const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket < 0) return false;
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size() + 1);
    const bool there = ::connect(socket, reinterpret_cast<const sockaddr*>(&address), length) == 0;
    ::close(socket);
    return there;
}

/// Of ":0" and ":0.0"; a display of another machine is taken at its word.
bool x_display_there(std::string_view name) {
    if (name.starts_with("unix:")) name.remove_prefix(4);
    if (!name.starts_with(':')) return !name.empty();
    const std::string socket = "/tmp/.X11-unix/X" + std::string(name.substr(1, name.find('.') == std::string_view::npos ? name.npos : name.find('.') - 1));
    return answers(socket, true) || answers(socket, false);
}

bool wayland_display_there(std::string_view name) {
    if (name.empty()) return false;
    const char* folder = std::getenv("XDG_RUNTIME_DIR");
    return answers(name.starts_with('/') ? std::string(name) : std::string(folder ? folder : "") + "/" + std::string(name), false);
}

std::string_view set_as(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : std::string_view();
}

/// Qt would end the program, in a paragraph of its own, where it cannot draw as QT_QPA_PLATFORM asks.
void expect_platform() {
    const std::string_view asked = set_as("QT_QPA_PLATFORM"), name = asked.substr(0, asked.find_first_of(":;"));
    if (name.empty() || !set_as("QT_QPA_PLATFORM_PLUGIN_PATH").empty()) return;
    const QDir plugins(QLibraryInfo::path(QLibraryInfo::PluginsPath) + "/platforms");
    const auto files = plugins.entryList({QStringLiteral("libq*.so")}, QDir::Files);
    const QString wanted = "libq" + QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    const bool there = std::any_of(files.begin(), files.end(), [&](const QString& file) { return file == wanted + ".so" || file.startsWith(wanted + '-'); });
    if (!files.isEmpty() && !there) {
        QStringList names;
        for (const QString& file : files) names << file.mid(4).section('-', 0, 0).section(QStringLiteral(".so"), 0, 0);
        names.removeDuplicates();
        throw ArgumentError(fmt::format("QT_QPA_PLATFORM: Qt has no platform '{}' here; there are {}", name, names.join(", ").toStdString()));
    }
    if (name == "xcb" && asked == name && !x_display_there(set_as("DISPLAY")))
        throw ArgumentError(fmt::format("QT_QPA_PLATFORM asks for an X display, but none answers at DISPLAY '{}'", set_as("DISPLAY")));
}

} // namespace

bool display_available() {
    return !set_as("QT_QPA_PLATFORM").empty() || x_display_there(set_as("DISPLAY")) || wayland_display_there(set_as("WAYLAND_DISPLAY"));
}

void do_without_display() {
    expect_platform();
    if (display_available()) return;
    qputenv("QT_QPA_PLATFORM", "offscreen");
    // Where Qt would put it by itself, which it says on a line of its own, in the middle of ours.
    if (qEnvironmentVariableIsEmpty("XDG_RUNTIME_DIR")) {
        const passwd* user = getpwuid(geteuid());
        qputenv("XDG_RUNTIME_DIR", "/tmp/runtime-" + (user ? QByteArray(user->pw_name) : QByteArray::number(geteuid())));
    }
}

int run_window(int& argc, char** argv, LessonsReader lessons, const std::string& language) {
    expect_platform();
    share_heaps();
    QApplication::setApplicationName("gradus");
    LastTime before = LastTime::read({}, language);
    ReadAhead ahead(std::move(lessons), before.state);
    drop_platform_remarks();
    QApplication application(argc, argv);
    QApplication::setStyle("Fusion"); // the same everywhere; colours come from our tokens
    Lessons read = ahead.lessons();
    if (before.state.card.empty()) before.state.card = read.first_card;
    Lab lab(std::move(read.library), before);
    lab.window().show();
    return QApplication::exec();
}

} // namespace gradus
