#include "engine/core/hash.hpp"

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace gradus {

std::uint64_t hash_bytes(const void* data, std::size_t bytes, std::uint64_t seed) {
    return XXH3_64bits_withSeed(data, bytes, seed);
}

std::uint64_t hash_pieces(const std::function<std::span<const std::byte>()>& next, std::uint64_t seed) {
    XXH3_state_t state;
    XXH3_INITSTATE(&state);
    XXH3_64bits_reset_withSeed(&state, seed);
    for (auto piece = next(); !piece.empty(); piece = next()) XXH3_64bits_update(&state, piece.data(), piece.size());
    return XXH3_64bits_digest(&state);
}

std::string hash_hex(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

} // namespace gradus
