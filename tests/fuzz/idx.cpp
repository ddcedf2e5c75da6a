// Any bytes as an IDX file, gzip or not, of rank 1 or 3.
#include "engine/core/error.hpp"
#include "engine/data/idx.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    try {
        const auto bytes = gradus::gunzip({data + 1, size - 1}, 1 << 22, "fuzz");
        gradus::parse_idx(bytes, data[0] % 2 == 0 ? 1 : 3, "fuzz");
    } catch (const gradus::FileError&) {
    }
    return 0;
}
