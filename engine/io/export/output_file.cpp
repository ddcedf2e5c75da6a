#include "engine/io/export/output_file.hpp"

#include "engine/core/error.hpp"
#include "engine/core/part_file.hpp"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <zlib.h>

namespace gradus {

namespace fs = std::filesystem;

OutputFile::OutputFile(const fs::path& path) : path_(path) {
    if (path.empty()) throw FileError("the name of the file to write is empty");
    std::error_code error; // a file that is not there yet is none
    if (fs::is_symlink(path_, error)) // the link stays one
        if (const fs::path target = fs::weakly_canonical(path_, error); !error && !target.empty()) path_ = target;
    // Renaming would put a plain file in the place of a device.
    const fs::file_status status = fs::status(path_, error);
    if (fs::is_directory(status)) fail("it is a folder");
    if (fs::exists(status) && !fs::is_regular_file(status)) fail("it is not a regular file");
    if (path_.filename().empty()) fail("it names no file");
    const fs::path folder = path_.has_parent_path() ? path_.parent_path() : fs::path(".");
    if (!fs::is_directory(folder, error)) fail(fmt::format("there is no folder {}", folder.string()));
    remove_old_parts(path_);
    part_ = part_of(path_);
}

OutputFile::~OutputFile() {
    std::error_code ignored;
    if (!part_.empty()) fs::remove(part_, ignored);
}

void OutputFile::commit() {
    std::error_code error;
    fs::rename(part_, path_, error);
    if (error) fail(error.message());
    part_.clear();
}

void OutputFile::fail(std::string_view reason) const {
    throw FileError(fmt::format("{} cannot be written: {}", path_.string(), reason));
}

TextFile::TextFile(const fs::path& path) : file_(path) {
    errno = 0;
    stream_ = gzopen(file_.part().c_str(), path.extension() == ".gz" ? "wb4" : "wbT"); // T: not compressed
    if (!stream_) file_.fail(errno ? std::strerror(errno) : "out of memory");
    gzbuffer(stream_, 1u << 17);
    text.reserve(2 * enough);
}

TextFile::~TextFile() {
    if (stream_) gzclose(stream_);
}

void TextFile::flush() {
    errno = 0;
    if (!text.empty() && gzwrite(stream_, text.data(), static_cast<unsigned>(text.size())) <= 0)
        file_.fail(errno ? std::strerror(errno) : "the compression failed");
    text.clear();
}

void TextFile::commit() {
    flush();
    errno = 0;
    const int result = gzclose(stream_);
    stream_ = nullptr;
    if (result != Z_OK) file_.fail(errno ? std::strerror(errno) : "the compression failed");
    file_.commit();
}

} // namespace gradus
