#pragma once

#include "engine/simt/runtime/hooked_runner.hpp"
#include "engine/simt/runtime/transfers.hpp"

#include <array>
#include <unordered_map>

namespace gradus::simt {

/// What the warp steps at one place of the code cost together. Counted.
struct PlaceCount {
    Site site;
    Op op = Op::none;
    std::uint16_t bytes = 0;   ///< of one lane's access
    Space space = Space::global;
    int range = -1;            ///< of the first access
    std::int64_t offset = 0;   ///< bytes from its beginning, of the first access
    std::int64_t steps = 0, lanes = 0;
    std::int64_t transfers = 0; ///< global: sectors; shared: wavefronts
    std::int64_t lines = 0;
    std::int64_t ideal = 0;     ///< of transfers
};

/// Counts what a launch asks of memory, for each place of its code.
class AccessCounters : public StepWatcher {
public:
    /// `shared_begin`: where a block's shared memory begins, from which banks are counted.
    AccessCounters(const MemoryMap& memory, std::uint64_t shared_begin, std::uint64_t text_bytes);
    void step(const WarpStep& step) override;
    std::vector<PlaceCount> counts() const; ///< in the order in which they were first reached

private:
    struct Place {
        PlaceCount count;
        // The last access's pattern, and what it cost at each place within a line at which it was begun.
        std::uint32_t mask = 0;
        bool even = false; ///< as of a step
        std::uint64_t stride = 0;
        std::array<std::uint64_t, warp_size> apart{}; ///< from the first lane's address
        struct Cost {
            std::int16_t transfers = -1, lines = 0, ideal = 0;
        };
        std::array<Cost, line_bytes> costs{};
    };
    Place& place_of(const WarpStep& step);
    static void see_pattern(Place& place, const WarpStep& step);
    Place::Cost cost(const Place& place, const WarpStep& step) const;

    const MemoryMap& memory_;
    std::uint64_t shared_begin_;
    std::vector<std::uint16_t> by_offset_; ///< of places without a path: their number + 1
    std::unordered_map<std::uint32_t, std::uint16_t> by_site_;
    std::vector<Place> places_;
};

} // namespace gradus::simt
