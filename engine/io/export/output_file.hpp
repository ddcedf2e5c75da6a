#pragma once

#include <filesystem>
#include <string>
#include <string_view>

struct gzFile_s;

namespace gradus {

/// A file that comes into being as a whole: it is written under another name in the same folder, and commit()
/// gives it its own. What is not committed is removed.
class OutputFile {
public:
    /// Throws FileError if `path` is no place for a file.
    explicit OutputFile(const std::filesystem::path& path);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    /// Where it is written meanwhile.
    const std::filesystem::path& part() const { return part_; }
    /// Throws FileError.
    void commit();
    /// Throws FileError: the file's path and `reason`.
    [[noreturn]] void fail(std::string_view reason) const;

private:
    std::filesystem::path path_, part_;
};

/// Text that is written piece by piece, compressed with gzip where the path ends in .gz.
class TextFile {
public:
    explicit TextFile(const std::filesystem::path& path);
    ~TextFile();

    /// Append to this, then say so; written once there is enough of it. Throws FileError.
    std::string text;
    void written() {
        if (text.size() >= enough) flush();
    }
    /// Writes the rest and gives the file its name. Throws FileError.
    void commit();

private:
    static constexpr std::size_t enough = std::size_t{1} << 18;
    void flush();

    OutputFile file_;
    gzFile_s* stream_ = nullptr;
};

} // namespace gradus
