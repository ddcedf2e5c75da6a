#include "engine/simt/source_file.hpp"

#include "engine/core/error.hpp"
#include "engine/core/user_folder.hpp"
#include "engine/simt/kernel_text.hpp"

#include <cstring>
#include <cerrno>
#include <filesystem>
#include <fmt/format.h>

namespace gradus::simt {

namespace fs = std::filesystem;

SourceFile::SourceFile(const std::string& text, const std::string& name) {
    std::error_code error;
    folder_ = (temporary_folder() / "gradus-source-XXXXXX").string();
    if (!mkdtemp(folder_.data())) throw FileError(fmt::format("{}: no folder can be made there for the kernel's text: {}", folder_, std::strerror(errno)));
    path_ = folder_ + "/" + name;
    try {
        write_text(path_, text);
    } catch (...) {
        fs::remove_all(folder_, error);
        throw;
    }
}

SourceFile::~SourceFile() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
}

} // namespace gradus::simt
