#include "engine/core/give_way.hpp"

#include <sys/resource.h>
#include <unistd.h>

namespace gradus {

void give_way() {
    constexpr int below = 10; // of a nice value's 20 steps: a tenth of the share of a thread that does not give way
    setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), below); // of this thread alone, on Linux
}

} // namespace gradus
