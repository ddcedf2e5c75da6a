#pragma once

#include "engine/trace/derive/kernel_block.hpp"

#include <map>

namespace gradus {

/// An array that a block works on, as rows of columns: a buffer in global memory, or a variable in shared memory.
struct TileArray {
    std::string name;
    simt::Space space = simt::Space::global;
    std::uint8_t range = 0;
    std::uint64_t offset = 0;  ///< bytes of the range at which it begins
    std::uint64_t element = 4; ///< bytes of one
    std::int64_t rows = 1, columns = 1; ///< of more than two axes the last is the columns, all others the rows
};

/// Ways that data takes, as the source says it: what a lane loads comes into its registers, what it stores leaves them. An asynchronous copy goes
/// past them; it is counted where it is asked for.
enum class TileWay : std::uint8_t { load, store, shared_load, shared_store, copy };
inline constexpr std::size_t tile_ways = 5;
using TileBytes = std::array<std::int64_t, tile_ways>; ///< by TileWay, of all lanes

/// What a block's threads do from one of its barriers to the next.
struct BlockPhase {
    struct Touch {
        std::uint32_t array = 0;
        std::int64_t element = 0;
        std::uint32_t first = 0; ///< the step that touches it first
    };
    std::size_t begin = 0, end = 0; ///< its steps
    std::vector<Touch> touches;     ///< each element once; by array, then by element
};

/// How tiles go through a block: which parts of its arrays each phase touches, and how many bytes go which way. Counted, at the source's level.
class TileMotion {
public:
    explicit TileMotion(std::shared_ptr<const KernelBlock> block);

    const KernelBlock& block() const { return *block_; }
    /// Those that its steps touch, buffers first.
    const std::vector<TileArray>& arrays() const { return arrays_; }
    std::size_t phases() const { return begins_.size(); }
    std::size_t phase_of(std::size_t step) const;
    /// Made when it is asked for; the last few are kept. Not for several threads at once.
    const BlockPhase& phase(std::size_t number) const;
    /// What has gone each way in the phase of a step, that step with it.
    TileBytes moved(std::size_t step) const;
    /// The elements that one step touches, each once, by array and element.
    std::vector<BlockPhase::Touch> touched_by(std::size_t step) const;
    /// Nothing for a step that touches no array.
    std::optional<TileWay> way_of(std::size_t step) const;

private:
    struct First { ///< what a step's lowest lane touches
        std::uint8_t range = 0;
        std::uint64_t offset = 0;
    };
    std::optional<First> first_of(std::size_t step) const;
    std::optional<std::uint32_t> array_at(std::uint8_t range, std::uint64_t offset) const;
    void add_touches(std::size_t step, std::vector<BlockPhase::Touch>& to) const;

    std::shared_ptr<const KernelBlock> block_;
    std::vector<TileArray> arrays_;
    std::vector<std::size_t> begins_; ///< of each phase
    std::vector<bool> lands_;         ///< of each site: its writes are those of asynchronous copies
    mutable std::map<std::size_t, BlockPhase> made_;
};

} // namespace gradus
