#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace gradus {

/// A training iteration, counted from 0. Iteration i turns the state after i updates into the state after i + 1.
using StepIndex = std::int64_t;

/// An event: its iteration and its place in the order in which that iteration's events began.
/// Re-computing an iteration gives the same ids.
struct EventId {
    StepIndex iteration = -1;
    std::int32_t ordinal = -1;
    auto operator<=>(const EventId&) const = default;
    bool valid() const { return ordinal >= 0; }
};

/// A tensor: the event that wrote it and which of its outputs it is.
struct TensorId {
    EventId event;
    std::int32_t output = 0;
    auto operator<=>(const TensorId&) const = default;
    bool valid() const { return event.valid(); }
};

} // namespace gradus

template <> struct std::hash<gradus::EventId> {
    std::size_t operator()(const gradus::EventId& id) const noexcept {
        return std::hash<std::uint64_t>{}(static_cast<std::uint64_t>(id.iteration) * 0x9E3779B97F4A7C15u ^
                                          static_cast<std::uint32_t>(id.ordinal));
    }
};
template <> struct std::hash<gradus::TensorId> {
    std::size_t operator()(const gradus::TensorId& id) const noexcept {
        return std::hash<gradus::EventId>{}(id.event) * 31 + static_cast<std::uint32_t>(id.output);
    }
};
