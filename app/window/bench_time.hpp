#pragma once

#include <ctime>

namespace gradus {

/// Milliseconds of this thread's own time that some work takes: drawing has one thread, and what else runs on the machine
/// is not in it.
template <class Work> double milliseconds_of(Work work) {
    const auto now = [] {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
    };
    const double begin = now();
    work();
    return now() - begin;
}

} // namespace gradus
