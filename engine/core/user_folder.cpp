#include "engine/core/user_folder.hpp"

#include <cstdlib>
#include <fmt/format.h>
#include <unistd.h>

namespace gradus {

namespace fs = std::filesystem;

fs::path user_folder(Keeps what) {
    struct Place {
        const char *variable, *in_home;
    };
    const auto [variable, in_home] = what == Keeps::data    ? Place{"XDG_DATA_HOME", ".local/share"}
                                     : what == Keeps::state ? Place{"XDG_STATE_HOME", ".local/state"}
                                                            : Place{"XDG_CACHE_HOME", ".cache"};
    if (const char* base = std::getenv(variable); base && fs::path(base).is_absolute()) return fs::path(base) / "gradus";
    if (const char* home = std::getenv("HOME"); home && *home) return fs::path(home) / in_home / "gradus";
    return temporary_folder() / fmt::format("gradus-{}", geteuid()); // which everybody shares
}

fs::path temporary_folder() {
    std::error_code error;
    const fs::path named = fs::temp_directory_path(error);
    return error ? "/tmp" : named;
}

} // namespace gradus
