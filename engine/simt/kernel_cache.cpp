#include "engine/simt/kernel_cache.hpp"

#include "engine/core/error.hpp"
#include "engine/core/hash.hpp"
#include "engine/core/part_file.hpp"
#include "engine/core/user_folder.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace gradus::simt {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t seal_bytes = 16;

std::string bytes_of(const fs::path& file) {
    std::error_code error;
    const auto size = fs::file_size(file, error);
    std::string bytes(error ? 0 : size, '\0');
    std::ifstream(file, std::ios::binary).read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return bytes;
}

/// Whether it is this user's, and those whom the mode's bits name may not write to it.
bool is_own(const fs::path& folder, mode_t others) {
    struct stat there {};
    return stat(folder.c_str(), &there) == 0 && S_ISDIR(there.st_mode) && there.st_uid == geteuid() && (there.st_mode & others) == 0 &&
           access(folder.c_str(), R_OK | W_OK | X_OK) == 0;
}

/// The folder itself, not what a link of that name leads to: in the folder for temporary files anybody may make one.
bool is_private(const fs::path& folder) {
    struct stat there {};
    return lstat(folder.c_str(), &there) == 0 && S_ISDIR(there.st_mode) && is_own(folder, S_IRWXG | S_IRWXO);
}

void make(const fs::path& folder) {
    if (mkdir(folder.c_str(), S_IRWXU) == 0 || errno != ENOENT) return;
    std::error_code error;
    fs::create_directories(folder.parent_path(), error);
    mkdir(folder.c_str(), S_IRWXU);
}

} // namespace

fs::path kernel_cache() {
    const fs::path user = user_folder(Keeps::cache), own = user / "kernels";
    make(user);
    make(own);
    if (is_own(user, S_IWOTH) && is_own(own, S_IWGRP | S_IWOTH)) return own;
    const fs::path instead = temporary_folder() / fmt::format("gradus-kernels-{}", geteuid());
    make(instead);
    if (is_private(instead)) return instead;
    throw FileError(fmt::format("compiled kernels can be kept neither in {} nor in {}: each is missing, another user's, or open to others", own.string(),
                                instead.string()));
}

WorkFolder::WorkFolder(const fs::path& name) {
    remove_old_parts(name);
    path_ = part_of(name);
    if (mkdir(path_.c_str(), S_IRWXU) != 0) throw FileError(fmt::format("{}: cannot be made: {}", path_.string(), std::strerror(errno)));
}

WorkFolder::~WorkFolder() {
    std::error_code error;
    fs::remove_all(path_, error);
}

void keep(const fs::path& made, const fs::path& name) {
    const std::string seal = hash_hex(hash_text(bytes_of(made)));
    std::ofstream out(made, std::ios::binary | std::ios::app);
    out << seal;
    out.close();
    std::error_code error;
    if (out) fs::rename(made, name, error);
    if (!out || error) throw FileError(fmt::format("{}: cannot be written", name.string()));
}

std::string kept_text(const fs::path& name) {
    std::string bytes = bytes_of(name);
    if (bytes.size() <= seal_bytes) return {};
    const std::size_t content = bytes.size() - seal_bytes;
    if (bytes.substr(content) != hash_hex(hash_text(std::string_view(bytes).substr(0, content)))) return {};
    std::error_code error;
    fs::last_write_time(name, fs::file_time_type::clock::now(), error);
    bytes.resize(content);
    return bytes;
}

bool is_kept(const fs::path& name) { return !kept_text(name).empty(); }

void thin_out(const fs::path& folder, std::uintmax_t most_bytes) {
    struct Kept {
        fs::file_time_type used;
        std::uintmax_t bytes;
        fs::path path;
    };
    std::vector<Kept> files;
    std::uintmax_t bytes = 0;
    std::error_code error;
    fs::recursive_directory_iterator entry(folder, error), end;
    for (std::error_code listing = error; !listing && entry != end; entry.increment(listing)) {
        if (entry->path().filename().string().starts_with('.')) { // of somebody at work
            entry.disable_recursion_pending();
            continue;
        }
        const auto size = entry->is_regular_file(error) ? entry->file_size(error) : 0;
        if (error || !size) continue;
        files.push_back({entry->last_write_time(error), size, entry->path()});
        bytes += size;
    }
    std::sort(files.begin(), files.end(), [](const Kept& a, const Kept& b) { return a.used < b.used; });
    for (auto file = files.begin(); file != files.end() && bytes > most_bytes; ++file) {
        fs::remove(file->path, error);
        bytes -= file->bytes;
        if (file->path.parent_path() != folder) fs::remove(file->path.parent_path(), error); // unless something is left in it
    }
}

} // namespace gradus::simt
