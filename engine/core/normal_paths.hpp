#pragma once

#include <cstdint>
#include <vector>

namespace gradus {

/// Makes pairs of normal numbers, first_pair, first_pair + 1, …, side by side, with the bits of Philox::normal_pair().
struct NormalPath {
    static constexpr std::uint64_t numbers = 128; ///< of one call
    const char* name;
    void (*make)(std::uint64_t seed, std::uint64_t stream, std::uint64_t first_pair, double* out); ///< null: not compiled
};
NormalPath avx2_normals();
NormalPath avx512_normals();

/// Those that this processor can run, the widest first.
const std::vector<NormalPath>& normal_paths();

} // namespace gradus
