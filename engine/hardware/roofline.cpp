#include "engine/hardware/roofline.hpp"

#include "engine/core/error.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace gradus {

Roofline roofline(double flops, double bytes, double peak, double bandwidth) {
    if (!(peak > 0) || !(bandwidth > 0)) throw ArgumentError(fmt::format("a roofline's peak and bandwidth are above 0, not {} FLOP/s and {} B/s", peak, bandwidth));
    if (!(flops >= 0) || !(bytes >= 0)) throw ArgumentError(fmt::format("work is 0 or more, not {} FLOPs and {} bytes", flops, bytes));
    const double arithmetic = flops / peak, memory = bytes / bandwidth;
    Roofline out;
    out.seconds = std::max(arithmetic, memory);
    out.by_memory = memory > arithmetic;
    out.flops_per_second = out.seconds > 0 ? flops / out.seconds : 0;
    return out;
}

LevelTimes level_times(double flops, double shared_bytes, double global_bytes, const Chip& chip) {
    return {flops / chip.fp32_flops, shared_bytes / chip.shared_bandwidth(), global_bytes / chip.memory_bandwidth};
}

} // namespace gradus
