#pragma once

#include "engine/trace/run.hpp"

#include <memory>
#include <mutex>
#include <vector>

namespace gradus {

/// The Runs of a session with forks, forks after their parents, for as long as undo may want them again. Once the session
/// has been given up their outlines do: they are computed again from those, to the same bits. Thread-safe.
class FormerRuns {
public:
    void keep(std::vector<std::shared_ptr<const Run>> runs);
    /// From now on keeps the outlines alone. Takes milliseconds per million iterations.
    void keepOutlines();
    std::vector<std::shared_ptr<const Run>> runs() const;

private:
    mutable std::mutex mutex_; // protects runs_
    std::vector<std::shared_ptr<const Run>> runs_;
};

} // namespace gradus
