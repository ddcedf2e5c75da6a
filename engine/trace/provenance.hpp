#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gradus {

/// Where a number comes from; every number on screen and in an export says it.
enum class Provenance : std::uint8_t {
    computed, ///< the engine's arithmetic gave it
    measured, ///< a clock or a hardware counter read it
    counted,  ///< the program's own accesses or operations were counted
    modelled, ///< a stated formula gave it
    cited     ///< someone published it
};

constexpr std::string_view name_of(Provenance provenance) {
    switch (provenance) {
    case Provenance::computed: return "computed";
    case Provenance::measured: return "measured";
    case Provenance::counted: return "counted";
    case Provenance::modelled: return "modelled";
    case Provenance::cited: return "cited";
    }
    return "?";
}

constexpr std::optional<Provenance> provenance_named(std::string_view name) {
    for (const Provenance p : {Provenance::computed, Provenance::measured, Provenance::counted, Provenance::modelled,
                               Provenance::cited})
        if (name_of(p) == name) return p;
    return std::nullopt;
}

} // namespace gradus
