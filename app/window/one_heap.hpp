#pragma once

#include <malloc.h>

namespace gradus {

/// Threads of sessions come and go, and with an arena of the allocator for each, what they free stays with them: in ten
/// minutes of random use the process grew by 60 MiB while what was in use did not. Call it before there are threads.
inline void share_heaps() { mallopt(M_ARENA_MAX, 2); }

} // namespace gradus
