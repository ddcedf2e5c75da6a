// Any bytes as a .gradus file.
#include "engine/core/error.hpp"
#include "engine/trace/file/reader.hpp"

#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

#include <fmt/format.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const std::string path = fmt::format("/dev/shm/gradus-fuzz-{}.gradus", getpid());
    static const bool registered = std::atexit([] { unlink(path.c_str()); }) == 0;
    static_cast<void>(registered);
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (!file) std::abort();
    if (size > 0) std::fwrite(data, 1, size, file);
    std::fclose(file);
    try {
        gradus::read_run_file(path);
    } catch (const gradus::FileError&) {
    }
    return 0;
}
