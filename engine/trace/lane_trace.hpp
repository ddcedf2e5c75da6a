#pragma once

#include "engine/trace/run_writer.hpp"

#include <span>
#include <string>
#include <vector>

namespace gradus {

/// Events that other threads have measured, as lanes of a Run beside the engine's own. They hand in start and end, and the
/// engine's thread, which alone writes the Run, publishes them in an observed iteration: after its own events, whose ordinals
/// they do not shift, in the order in which they are given. An event belongs to the iteration that its work was done for; what
/// was made ahead has times before that iteration began.
class LaneTrace {
public:
    struct Event {
        int lane = 0; ///< position in `lanes`
        int work = 0; ///< position in `works`
        Ticks start = 0, end = 0;
    };

    /// What a thread does, and what it reads and writes each time.
    struct Work {
        std::string name;
        Cost cost = {};
    };
    /// `lanes` are the names of the threads, the engine's first ("loader 1"); `works` what they do ("load"); `module` stands
    /// for all.
    LaneTrace(std::string module, std::vector<std::string> lanes, std::vector<Work> works)
        : module_(std::move(module)), lanes_(std::move(lanes)), works_(std::move(works)) {}

    /// Writes a site for each work on each lane: level op, phase data, path "module/lane/work"; `first_lane` is what lane 0 of
    /// these is called in the Run. Their ordinals vary.
    void begin(RunWriter& writer, std::int32_t first_lane = 0);
    /// Publishes events of the current iteration; does nothing where it is not observed.
    void write(RunWriter& writer, std::span<const Event> events) const;

private:
    std::string module_;
    std::vector<std::string> lanes_;
    std::vector<Work> works_;
    std::int32_t first_site_ = -1;
};

} // namespace gradus
