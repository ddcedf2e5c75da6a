#include "engine/core/hash.hpp"

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace gradus {

std::uint64_t hash_bytes(const void* data, std::size_t bytes, std::uint64_t seed) {
    return XXH3_64bits_withSeed(data, bytes, seed);
}

std::string hash_hex(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

} // namespace gradus
