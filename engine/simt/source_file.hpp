#pragma once

#include <string>

namespace gradus::simt {

/// A kernel's text as a file in a folder of its own, gone when this is. Throws FileError where there is no place for it.
class SourceFile {
public:
    static constexpr std::size_t most_bytes = std::size_t{256} << 10;
    SourceFile(const std::string& text, const std::string& name);
    ~SourceFile();
    SourceFile(const SourceFile&) = delete;
    SourceFile& operator=(const SourceFile&) = delete;
    const std::string& path() const { return path_; }

private:
    std::string folder_, path_;
};

} // namespace gradus::simt
