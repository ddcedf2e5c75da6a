#pragma once

#include <cstddef>

namespace gradus::cli {

/// What this machine reaches at most, measured: nothing here is taken from a data sheet.

/// fp32 multiply-adds in registers, as operations (two each) per second, on `threads` threads at once.
double peak_flops(int threads);
/// Bytes read and written per second by copies within a working set of `bytes` (half of it read, half written).
double copy_bandwidth(std::size_t bytes, int threads);

} // namespace gradus::cli
