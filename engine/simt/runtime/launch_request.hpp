#pragma once

#include "engine/simt/arena.hpp"
#include "engine/simt/runtime/access_counters.hpp"
#include "engine/simt/runtime/finding.hpp"
#include "engine/simt/runtime/launch_recorder.hpp"
#include "engine/simt/runtime/locals_recorder.hpp"
#include "engine/simt/runtime/step_recorder.hpp"

#include <cstddef>
#include <optional>

namespace gradus::simt {

/// What the child is asked to do. Offsets are into the memory that both processes share, which holds the buffers.
struct LaunchRequest {
    struct Buffer {
        std::string name;
        std::uint64_t offset = 0, bytes = 0;
        std::int32_t unit = 4; ///< bytes of an element, at most 4
    };
    struct Argument {
        std::int32_t buffer = -1; ///< its address; -1: the bits below
        std::uint64_t bits = 0;
    };
    struct Step {
        std::int32_t entry = 0; ///< of the library
        LaunchShape shape;
        std::vector<Argument> arguments;
    };
    /// The block whose steps are recorded.
    struct Watched {
        std::int32_t step = -1; ///< -1: none
        std::uint32_t block = 0, warps = ~0u;
        bool alone = false; ///< other blocks of that step are not run at all
    };
    std::string library; ///< path
    std::vector<Buffer> buffers;
    std::vector<Step> steps;
    RunOptions options;
    Watched watched;
    Recording recording;
    std::vector<FrameLayout> frames; ///< what is looked at of the lanes of blocks that are recorded or watched
    std::int64_t dynamic_shared = -1; ///< where in shared memory what a launch asks for begins; -1: no kernel has any
    bool check_races = true, count = true;

    std::vector<std::byte> bytes() const;
    static LaunchRequest read(std::span<const std::byte> bytes);
};

/// What came of it.
struct LaunchAnswer {
    struct Step {
        std::vector<PlaceCount> counts;
        std::int64_t lane_steps = 0;
        std::int64_t multiply_adds = 0; ///< fmaf of all lanes; the compiler marks no other arithmetic
        double seconds = 0;
        /// Distinct sectors of 32 bytes of the buffers; counted where something is to be recorded.
        std::int64_t sectors_read = 0, sectors_written = 0;
    };
    struct Range { ///< what findings and counts name by its index
        std::string name;
        Space space = Space::global;
        std::uint64_t bytes = 0;
        std::uint64_t at = 0; ///< of the library's own variables: where in its file
    };
    struct Found {
        Finding finding;
        std::int64_t times = 0;
        std::int32_t step = 0;
        Findings::Ranks threads{}, seconds{};
    };
    std::vector<Step> steps;
    std::vector<Range> ranges;
    std::vector<Found> findings;
    std::vector<std::vector<std::uint32_t>> paths; ///< of calls, by their number: offsets, outermost first
    std::uint64_t text_offset = 0;                 ///< what is added to an offset in the code for an address in the library's file
    /// Where shared memory and the mapping with the buffers begin in recorded addresses, which are the same in every run.
    std::uint64_t shared_begin = 0, base = 0;
    PrintedText printed;
    std::optional<StepRecord> record;
    std::optional<LaunchRecord> log;
    std::optional<LocalsRecord> locals;
    bool whole = false;   ///< all steps ran to their end
    bool lockstep = false; ///< it was run again without running ahead, since what was found depends on the order

    void write(BlobWriter& to) const;
    static LaunchAnswer read(std::span<const std::byte> bytes);
};

/// Runs a hooked library in this process, which must have been made for it: see engine/simt/child.hpp.
LaunchAnswer run_hooked(const LaunchRequest& request, OwnMemory& memory);

} // namespace gradus::simt
