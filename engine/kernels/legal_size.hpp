#pragma once

#include "engine/core/error.hpp"

#include <cstdint>
#include <initializer_list>
#include <string>

namespace gradus {

/// Throws ArgumentError where a rung is written for some sizes only: "attention/4_flash: D must be 32 or 64, not 7".
inline void require_one_of(const std::string& rung, const std::string& name, std::int64_t value, std::initializer_list<std::int64_t> legal) {
    std::string words;
    for (const std::int64_t& each : legal) {
        if (each == value) return;
        words += (words.empty() ? "" : &each + 1 == legal.end() ? " or " : ", ") + std::to_string(each);
    }
    throw ArgumentError(rung + ": " + name + " must be " + words + ", not " + std::to_string(value));
}

/// The same, where it must be even.
inline void require_even(const std::string& rung, const std::string& name, std::int64_t value) {
    if (value % 2 != 0) throw ArgumentError(rung + ": " + name + " must be even, not " + std::to_string(value));
}

} // namespace gradus
