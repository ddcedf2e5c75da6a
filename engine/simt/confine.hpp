#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <sys/types.h>

namespace gradus::simt {

/// What a kernel's process may use.
struct Limits {
    std::uint64_t cpu_seconds = 1 << 30; ///< the lab ends what takes too long
    std::uint64_t memory_bytes = std::uint64_t{24} << 30; ///< of address space, most of which is never touched
};

/// Has the system send this process the signal when `parent` ends; false where it has ended already.
bool end_with(pid_t parent, int signal);

/// Gives up, for this process, whatever a kernel has no business with: no file is opened or written, but that `library`, if it is named, may be
/// opened once for reading; no process is started or reached, nothing is sent. What is tried all the same ends the process, after its name was
/// put into `words`, which lie in memory that the parent sees, as is the want of memory. False, with the reason, where the system refuses to
/// filter system calls: limits hold, all else is allowed.
bool confine(const Limits& limits, std::span<std::byte> words, std::string& reason, const std::string& library = {});

} // namespace gradus::simt
