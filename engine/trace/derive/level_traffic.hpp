#pragma once

#include "engine/trace/event.hpp"
#include "engine/trace/kernel/kernel_events.hpp"

#include <optional>
#include <span>

namespace gradus {

/// Where a kernel's data lies, near to far.
enum class MemoryLevel : std::uint8_t { registers, shared, l1, l2, memory };
inline constexpr std::array memory_levels{MemoryLevel::registers, MemoryLevel::shared, MemoryLevel::l1, MemoryLevel::l2, MemoryLevel::memory};
/// "registers", "shared", "l1", "l2", "memory"; a Run's series of its bytes is "bytes_" and this.
std::string_view name_of(MemoryLevel level);

/// What lanes ask of one kind of memory. Counted at the source's level.
struct SpaceTraffic {
    std::int64_t loads = 0, stores = 0;   ///< accesses of single lanes; an atomic is both
    std::int64_t loaded = 0, stored = 0;  ///< bytes, each lane's own, whoever else asks for the same
    std::int64_t requests = 0;            ///< warp instructions
    std::int64_t transfers = 0;           ///< global: sectors of 32 bytes; shared: wavefronts
    std::int64_t ideal = 0;               ///< the fewest of them that would do for the same bytes
    std::int64_t bytes() const { return loaded + stored; }
    SpaceTraffic& operator+=(const SpaceTraffic& other);
};

/// Bytes that cross each level for one event. Counted at the source's level; no cache is simulated, so of L1, L2 and memory there is what
/// is asked and what cannot be less, and no hit rate.
struct LevelTraffic {
    SpaceTraffic shared, global;
    std::int64_t multiply_adds = 0; ///< fmaf of lanes, where they are recorded
    /// Distinct sectors of 32 bytes of the buffers that are read, and that are written. Nothing where not all of the event is known.
    std::optional<std::int64_t> sectors_read, sectors_written;

    /// Between registers and what lies beyond: what each lane loads or stores, of buffers and of shared memory. An asynchronous copy is a
    /// load and a store here, though a GPU takes it past the registers.
    std::int64_t registers() const { return shared.bytes() + global.bytes(); }
    /// Wavefronts · 128: each turn of the 32 banks could serve 4 bytes of each.
    std::int64_t shared_moved() const { return shared.transfers * 128; }
    /// Sectors · 32: what warps' requests take from the L1 cache, or go through it. As much as that is asked of L2 where L1 holds nothing.
    std::int64_t sectors_asked() const { return global.transfers * 32; }
    /// Distinct sectors · 32: what must come from memory, or go there, at least, however large the caches: the algorithm's minimum where
    /// buffers are read once and written once.
    std::optional<std::int64_t> memory_least() const;
    LevelTraffic& operator+=(const LevelTraffic& other);
};

/// Bytes at a level; of L2 what is asked at most, of memory what moves at least.
std::optional<std::int64_t> bytes_at(const LevelTraffic& traffic, MemoryLevel level);
/// The fewest bytes with which the same could be asked there: ideal wavefronts, ideal sectors; of L2 what memory must move. Nothing where
/// that is not known, or where there is no more than one way.
std::optional<std::int64_t> ideal_at(const LevelTraffic& traffic, MemoryLevel level);

/// Of a whole launch, from trace.lines. Distinct sectors are those that the launch's event says (attributes sectors_read, sectors_written),
/// else those of its steps, where all of them are recorded.
LevelTraffic launch_traffic(const KernelTrace& trace, std::size_t launch, const EventSite* event = nullptr);
/// Of a recorded block, by its number in log.blocks, from the steps that are shown of it.
LevelTraffic block_traffic(const KernelTrace& trace, std::size_t block);
/// Of one warp step.
LevelTraffic step_traffic(const KernelTrace& trace, std::size_t step);

/// What the traffic at a cursor is of.
struct TrafficAt {
    enum class Of : std::uint8_t { iteration, launch, block, step };
    Of of = Of::iteration;
    std::size_t number = 0; ///< of the launch, of the block in log.blocks, of the step
    LevelTraffic traffic;
};
/// Of the event with that ordinal, or of the step that it is inside of; of all launches together where it lies above them. `launches`: the
/// events of the launches, in their order, null where one is not known.
TrafficAt traffic_at(const KernelEvents& kernels, std::int32_t ordinal, std::span<const EventSite* const> launches);

} // namespace gradus
