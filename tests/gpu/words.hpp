#pragma once

#include "engine/kernels/ladder.hpp"

#include <string>

namespace gradus::gpu {

/// "32x8", "256"
inline std::string words_of(const Dim3& shape) {
    std::string out = std::to_string(shape.x);
    if (shape.y > 1 || shape.z > 1) out += "x" + std::to_string(shape.y);
    if (shape.z > 1) out += "x" + std::to_string(shape.z);
    return out;
}

/// "K=128 M=64"
inline std::string words_of(const Problem& problem) {
    std::string out;
    for (const auto& [name, value] : problem) out += (out.empty() ? "" : " ") + name + "=" + std::to_string(value);
    return out;
}

} // namespace gradus::gpu
