#pragma once

#include "engine/simt/runtime/instruction.hpp"

#include <array>
#include <string>
#include <vector>

namespace gradus::simt {

/// Something wrong that a launch did.
struct Finding {
    enum class Kind : std::uint8_t {
        race,              ///< two threads, at least one write, nothing between that orders them
        uninitialised,     ///< a read of shared memory that nobody wrote
        out_of_bounds,
        misaligned,
        mismatched_barrier,
        never_meets,       ///< a shuffle, vote or barrier whose lanes never all come
        endless,           ///< the budget of steps is used up
        trap,
    };
    Kind kind{};
    Site site, other{};         ///< other: of a race, the earlier access
    ThreadName thread, second{};
    int range = -1;             ///< in the memory map; -1: none
    std::int64_t offset = 0;    ///< bytes from its beginning
    std::uint32_t bytes = 0;
    bool writes = false, other_writes = false;
    std::string words;          ///< what else there is to say
};

/// Whether nothing of the launch comes after it.
constexpr bool ends_launch(Finding::Kind kind) {
    return kind != Finding::Kind::race && kind != Finding::Kind::uninitialised && kind != Finding::Kind::mismatched_barrier;
}

/// Each kind once for each pair of places: a kernel that is wrong in one line is wrong a million times.
class Findings {
public:
    void add(Finding finding) {
        for (Seen& seen : seen_)
            if (seen.first.kind == finding.kind && seen.first.site == finding.site && seen.first.other == finding.other && seen.first.range == finding.range) {
                ++seen.times;
                seen.mark(finding);
                return;
            }
        if (seen_.size() >= most) return;
        seen_.push_back({std::move(finding), 1, {}, {}});
        seen_.back().mark(seen_.back().first);
    }
    using Ranks = std::array<std::uint32_t, 32>; ///< threads of a block: bit r % 32 of word r / 32
    struct Seen {
        Finding first;
        std::int64_t times = 0;
        Ranks threads, seconds; ///< of the first one's blocks, all that had a part in it
        void mark(const Finding& finding) {
            if (finding.thread.block == first.thread.block) threads[finding.thread.rank / 32 % 32] |= 1u << finding.thread.rank % 32;
            if (finding.second.block == first.second.block) seconds[finding.second.rank / 32 % 32] |= 1u << finding.second.rank % 32;
        }
    };
    const std::vector<Seen>& all() const { return seen_; }
    bool any(Finding::Kind kind) const {
        for (const Seen& seen : seen_)
            if (seen.first.kind == kind) return true;
        return false;
    }
    void clear() { seen_.clear(); }

private:
    static constexpr std::size_t most = 64;
    std::vector<Seen> seen_;
};

} // namespace gradus::simt
