#pragma once

#include "engine/simt/runtime/hooked_runner.hpp"

#include <array>

namespace gradus::simt {

/// What the lanes of a warp have done and their warp has not: a row for each position, a column for each lane, so that lanes that go
/// the same way lie side by side.
struct HookedRunner::Log {
    explicit Log(std::uint32_t rows, bool values) : sites(rows), addresses(rows), before(values ? rows : 0), after(values ? rows : 0) {}
    using Sites = std::array<std::uint32_t, warp_size>;
    using Addresses = std::array<std::uint64_t, warp_size>;
    struct alignas(64) SiteRow {
        Sites of{};
    };
    struct alignas(64) AddressRow {
        Addresses of{};
    };
    std::vector<SiteRow> sites;
    struct alignas(64) WordRow {
        std::array<Word, warp_size> of{};
    };
    std::vector<AddressRow> addresses;
    std::vector<WordRow> before, after; ///< empty where values are not logged
};

struct HookedRunner::Lane {
    enum class State : std::uint8_t { fresh, ready, at_barrier, meeting, returned };
    SimtLane place{};
    HookedRunner* runner = nullptr;
    Log* log = nullptr;
    std::uint32_t* sites = nullptr;     ///< the lane's column of the log: every 32nd
    std::uint64_t* addresses = nullptr;
    void* stack = nullptr;
    std::uint32_t head = 0, count = 0; ///< of its column: what is still to be taken off
    State state = State::fresh;
    bool pending = false;              ///< the last of them was logged but not done: it waits for its turn
    std::uint32_t path = 0, last_block = 0;
    std::uint32_t depth = 0;           ///< functions with hooks that it is in
    static constexpr std::uint32_t most_depth = 48;
    struct Call {
        std::uint32_t path = 0, last_block = 0; ///< of the caller
        std::uint64_t frame = 0;                ///< of the function itself: rbp
    };
    std::array<Call, most_depth> calls{};
    Site waits_at{};                   ///< a barrier
    Site last{};                       ///< of a lane that has returned: its last access, or end of a loop's body
    bool just_returned = false;        ///< since the last barrier
    // At a meeting or a barrier:
    std::uint32_t mask = 0;
    SimtTogether together = nullptr;
    SimtAllTogether all_together = nullptr;
    void* handed = nullptr;
    std::uint32_t how = 0; ///< lanes meet: simt.h says
    const char* name = "";
    std::uint32_t active = 0; ///< what __activemask says

    /// A __pipeline_memcpy_async: read, not yet written.
    struct Copy {
        void* shared = nullptr;
        std::array<std::byte, 16> data{};
        std::uint32_t bytes = 0, batch = 0;
    };
    struct Open { ///< a write whose new value is still to be read
        std::uint64_t address = 0;
        std::uint32_t bytes = 0, row = 0;
        std::uint64_t number = 0; ///< of the lane's accesses
        bool late = false;        ///< its row was taken off before
    };
    std::vector<Open> opens;  ///< of a wide write there are several
    bool more_follow = false; ///< pieces of a wide access, which is done after its last one
    bool may_copy = false;    ///< the last access was a write: what it writes may still be to be read
    std::uint64_t accesses = 0, accesses_here = 0; ///< in this block; since the lane was last resumed
    std::vector<Copy> copies;
    std::uint32_t batch = 0; ///< that is being filled

    bool has() const { return head < count; }
};

} // namespace gradus::simt
