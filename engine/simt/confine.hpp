#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace gradus::simt {

/// What a kernel's process may use.
struct Limits {
    std::uint64_t cpu_seconds = 120;
    std::uint64_t memory_bytes = std::uint64_t{24} << 30; ///< of address space, most of which is never touched
};

/// Gives up, for this process, whatever a kernel has no business with: files are opened for reading only, none is written, no process
/// is started, nothing is sent. What is tried all the same ends the process, after its name was put into `words`, which lie in memory
/// that the parent sees. False, with the reason, where the system refuses to filter system calls: limits hold, all else is allowed.
bool confine(const Limits& limits, std::span<std::byte> words, std::string& reason);

} // namespace gradus::simt
