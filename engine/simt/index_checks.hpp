#pragma once

#include "engine/simt/runtime/launch_request.hpp"
#include "engine/simt/source_places.hpp"

namespace gradus::simt {

/// In `counts[x[i]]` the compiler reads x[i] once to see whether it lies in the array and once more to use it; the source, and a GPU, read
/// it once. Takes the later reads out of what was counted and recorded: those at the same place of the source as an earlier one, on the
/// same calls, of as many bytes, which began at the same address and cost the same.
void drop_index_checks(LaunchAnswer& answer, const SourcePlaces& places);

} // namespace gradus::simt
