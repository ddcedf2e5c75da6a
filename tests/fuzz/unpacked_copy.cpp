// Any bytes as the unpacked copy of a data set.
#include "engine/data/unpacked_copy.hpp"

#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const std::string path = fmt::format("/dev/shm/gradus-fuzz-{}.copy", getpid());
    static const bool registered = std::atexit([] { unlink(path.c_str()); }) == 0;
    static_cast<void>(registered);
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (!file) std::abort();
    if (size > 0) std::fwrite(data, 1, size, file);
    std::fclose(file);
    const gradus::UnpackedCopy copy(path, {}); // made of no originals: one fingerprint for all
    if (const auto set = copy.read(); set && set->hash != gradus::hash_of(*set)) std::abort();
    return 0;
}
