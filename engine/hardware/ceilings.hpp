#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gradus {

// What this machine reaches at most, measured: nothing here is taken from a data sheet.

/// fp32 multiply-adds in registers, as operations (two each) per second, on `threads` threads at once, in the widest vectors that this
/// program has for the processor.
double peak_flops(int threads);
/// Bytes read and written per second by copies within a working set of `bytes` (half of it read, half written).
double copy_bandwidth(std::size_t bytes, int threads);

constexpr std::size_t beyond_caches = std::size_t{64} << 20; ///< bytes: more than a core's caches hold
constexpr std::size_t in_cache = std::size_t{512} << 10;     ///< bytes: a core's own caches hold it

/// What one core reaches.
enum class Ceiling : std::uint8_t { peak, memory, cache };
/// The series of a Run that holds it: "peak_flops", "memory_bandwidth", "cache_bandwidth".
std::string_view name_of(Ceiling ceiling);
struct Ceilings {
    double peak_flops = 0;                            ///< FLOP/s
    double memory_bandwidth = 0, cache_bandwidth = 0; ///< bytes per second: copies within beyond_caches and in_cache
};
/// Takes half a second.
Ceilings measured_ceilings();

} // namespace gradus
