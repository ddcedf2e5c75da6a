#pragma once

#include "engine/simt/prepared_run.hpp"

#include <stop_token>

namespace gradus::simt {

/// What all launches take of one thread's processor time in this process, compiled without hooks: block by block and lane by lane. Measured.
struct PlainTime {
    double least = 0, median = 0; ///< seconds, of the readings
    int readings = 0;
};
/// Three readings or more, a quarter of a second in all, or one that takes longer than that. Throws what compile_kernel and run_plain
/// throw; Interrupted where a stop is requested between two readings.
PlainTime plain_time(const PreparedRun& run, const std::stop_token& stop = {});

} // namespace gradus::simt
