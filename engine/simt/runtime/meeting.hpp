#pragma once

#include "engine/simt/simt.h"

#include <array>
#include <cstdint>

namespace gradus::simt {

/// What the lanes of a warp hand to each other in a shuffle, a vote, a match or a reduction.
struct Meeting {
    const char* name = "";           ///< CUDA's
    std::uint8_t given = 0, got = 0; ///< ValueKind; 0: the collective hands no values on
    std::array<std::uint64_t, 32> values{}, results{};
    std::array<std::uint8_t, 32> sources{}; ///< the lane that a shuffle asks; SIMT_NO_LANE

    void begin(const char* its_name, std::uint32_t how, const std::array<void*, 32>& handed) {
        name = its_name;
        given = static_cast<std::uint8_t>(how >> 8), got = static_cast<std::uint8_t>(how >> 16);
        for (std::size_t i = 0; given && i < handed.size(); ++i) {
            if (!handed[i]) continue;
            const auto* mine = static_cast<const SimtHanded*>(handed[i]);
            values[i] = mine->value, sources[i] = static_cast<std::uint8_t>(mine->source);
        }
    }
    void end(const std::array<void*, 32>& handed) {
        for (std::size_t i = 0; given && i < handed.size(); ++i)
            if (handed[i]) results[i] = static_cast<const SimtHanded*>(handed[i])->result;
    }
};

} // namespace gradus::simt
