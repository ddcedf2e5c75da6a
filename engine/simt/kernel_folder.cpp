#include "engine/simt/kernel_folder.hpp"

#include "engine/core/error.hpp"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>

namespace gradus::simt {

std::string kernel_folder() {
    std::error_code error;
    const auto is_one = [&](const std::filesystem::path& folder) {
        return std::filesystem::is_directory(folder / "kernels", error) && std::filesystem::is_directory(folder / "simt" / "shim", error);
    };
    if (const char* named = std::getenv("GRADUS_KERNELS"); named && *named) {
        if (is_one(named)) return named;
        throw FileError(fmt::format("GRADUS_KERNELS is '{}', where there are no folders kernels and simt/shim", named));
    }
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
    for (std::filesystem::path folder = program.parent_path(); !folder.empty(); folder = folder.parent_path()) {
        for (const char* below : {"engine", "share/gradus/engine"})
            if (is_one(folder / below)) return (folder / below).string();
        if (folder == folder.root_path()) break;
    }
    throw FileError(fmt::format("no folder engine/kernels beside or above {}; set GRADUS_KERNELS", program.string()));
}

} // namespace gradus::simt
