#include "engine/core/part_file.hpp"

#include "engine/core/text.hpp"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fmt/format.h>
#include <string_view>
#include <unistd.h>

namespace gradus {

namespace {
constexpr std::string_view mark = ".gradus-", suffix = ".part";
constexpr std::size_t longest = 200; // bytes of a name, so that the whole stays a name
} // namespace

std::filesystem::path part_of(const std::filesystem::path& path) {
    static std::atomic<int> count{0};
    std::filesystem::path part = path;
    part.replace_filename(fmt::format(".{}{}{}-{}{}", path.filename().string().substr(0, longest), mark, ::getpid(), count.fetch_add(1), suffix));
    std::error_code error;
    std::filesystem::remove(part, error); // of an earlier process with this number that was killed here
    return part;
}

void remove_old_parts(const std::filesystem::path& path) {
    std::error_code error;
    const auto now = std::filesystem::file_time_type::clock::now();
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    std::filesystem::directory_iterator entry(folder, error), end_of_folder;
    for (std::error_code listing = error; !listing && entry != end_of_folder; entry.increment(listing)) {
        const std::string name = entry->path().filename().string();
        const std::size_t at = name.rfind(mark), end = name.rfind(suffix); // a database's own files go on behind it
        if (name[0] != '.' || at == std::string::npos || end == std::string::npos || end < at + mark.size()) continue;
        const std::string_view numbers = std::string_view(name).substr(at + mark.size(), end - at - mark.size()); // PID-COUNT
        const auto process = parse_integer(numbers.substr(0, numbers.find('-')));
        const auto written = entry->last_write_time(error);
        if (!process || *process < 1 || error || now - written < std::chrono::minutes(1)) continue;
        if (::kill(static_cast<pid_t>(*process), 0) != 0 && errno == ESRCH) std::filesystem::remove_all(entry->path(), error);
    }
}

} // namespace gradus
