#pragma once

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <string>
#include <unistd.h>

namespace gradus::test {

/// A file that stands in for a rung's source, as long as this lives.
struct Edited {
    std::filesystem::path path = std::filesystem::temp_directory_path() / fmt::format("gradus kernel {}.cu", getpid());
    explicit Edited(const std::string& text) { std::ofstream(path) << text; }
    ~Edited() { std::filesystem::remove(path); }
};

} // namespace gradus::test
