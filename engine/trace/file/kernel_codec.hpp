#pragma once

#include "engine/trace/kernel/kernel_trace.hpp"

#include <span>
#include <string>
#include <vector>

namespace gradus::file {

/// What was recorded of kernels as bytes, little-endian, without a gap: a version, names and places, memory, then the log's columns.
std::vector<std::byte> kernel_to_bytes(const KernelTrace& trace);
/// Throws FileError, naming `where`, unless these are such bytes and everything in them can be followed. Nothing is allocated that the
/// bytes are too few for.
KernelTrace kernel_from_bytes(std::span<const std::byte> bytes, const std::string& where);

} // namespace gradus::file
