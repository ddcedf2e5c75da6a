#pragma once

#include "engine/trace/derive/level_traffic.hpp"
#include "engine/trace/run.hpp"

#include <utility>

namespace gradus::kernels {

/// What is counted of a rung beside what run_kernel's series tell, by the name of its series.
std::vector<std::pair<SeriesInfo, double>> rung_counts(const LevelTraffic& traffic);

/// One of these, or one of run_kernel's that follow from the traffic (sectors, sectors_ideal, wavefronts, wavefronts_ideal). Throws
/// ArgumentError for a name that none has.
double rung_count(const LevelTraffic& traffic, const std::string& name);

} // namespace gradus::kernels
