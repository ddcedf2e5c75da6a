#include "app/window/former_runs.hpp"

#include "lessons/runtime/session.hpp"

#include <utility>

namespace gradus {

void FormerRuns::keep(std::vector<std::shared_ptr<const Run>> runs) {
    const std::lock_guard lock(mutex_);
    runs_ = std::move(runs);
}

void FormerRuns::keepOutlines() { keep(outlines_of(runs())); }

std::vector<std::shared_ptr<const Run>> FormerRuns::runs() const {
    const std::lock_guard lock(mutex_);
    return runs_;
}

} // namespace gradus
