#pragma once

#include "engine/trace/run.hpp"

#include <span>
#include <string>
#include <vector>

namespace gradus::file {

/// How many of each an allocator's record holds.
struct MemoryCounts {
    std::int64_t segments = 0, blocks = 0, events = 0;
};
MemoryCounts counts_of(const AllocatorRecord& record);

/// The statistics, then the columns of the segments, of their blocks and of the events, little-endian, without a gap.
std::vector<std::byte> memory_to_bytes(const AllocatorRecord& record);
/// Throws FileError, naming `where`, unless these are exactly so many, the state is whole and the events can follow from it.
AllocatorRecord memory_from_bytes(std::span<const std::byte> bytes, const MemoryCounts& counts, const std::string& where);

} // namespace gradus::file
