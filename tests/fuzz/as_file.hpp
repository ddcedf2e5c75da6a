#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>

namespace gradus::test {

/// The bytes as a file in memory, one per process, which goes with it; the next call writes over it.
inline const std::string& as_file(const std::uint8_t* data, std::size_t size) {
    static const std::string path = "/dev/shm/gradus-fuzz-" + std::to_string(::getpid());
    static const bool registered = std::atexit([] { ::unlink(path.c_str()); }) == 0;
    static_cast<void>(registered);
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (!file) std::abort();
    if (size > 0) std::fwrite(data, 1, size, file);
    std::fclose(file);
    return path;
}

} // namespace gradus::test
