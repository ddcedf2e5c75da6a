// Any bytes as the unpacked copy of a data set.
#include "engine/data/unpacked_copy.hpp"
#include "tests/fuzz/as_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const gradus::UnpackedCopy copy(gradus::test::as_file(data, size), {}); // made of no originals: one fingerprint for all
    if (const auto set = copy.read(); set && set->hash != gradus::hash_of(*set)) std::abort();
    return 0;
}
