#pragma once

#include "engine/simt/runtime/hooked_runner.hpp"

#include <array>
#include <vector>

namespace gradus::simt {

/// What the lanes of a warp have done and their warp has not. Each lane has a column of its own, in which what it does lies one after
/// another: a lane runs on for as long as it may before the next one does, so that it writes few lines of the cache at a time.
struct HookedRunner::Log {
    Log(std::uint32_t length, bool values)
        : rows(length), apart(length == 1 ? 1 : (length / 16 + 2) * 16), sites(warp_size * apart), addresses(warp_size * apart),
          before(values ? warp_size * apart : 0), after(values ? warp_size * apart : 0), copied(values ? warp_size * apart : 0) {}
    std::uint32_t rows;
    std::size_t apart; ///< entries from one column to the next: no power of two, or all would fall into the same sets of the cache
    std::vector<std::uint32_t> sites;
    std::vector<std::uint64_t> addresses;
    std::vector<Word> before, after; ///< empty where values are not logged
    std::vector<std::uint8_t> copied; ///< 1: a write that was done only after the reads behind it
};

/// A row of the logs, as a warp step has it.
struct alignas(64) HookedRunner::AddressRow {
    std::array<std::uint64_t, warp_size> of;
};
struct alignas(64) HookedRunner::WordRow {
    std::array<Word, warp_size> of;
};

/// What each hook reads comes first, in one line of the cache.
struct alignas(64) HookedRunner::Lane : SimtNow {
    enum class State : std::uint8_t { fresh, ready, at_barrier, meeting, returned };
    std::uint32_t head = 0;       ///< of its column: what is still to be taken off
    std::uint32_t path = 0;
    void* stack = nullptr;        // one more line
    State state = State::fresh;
    bool pending = false;         ///< the last of them was logged but not done: it waits for its turn
    std::uint32_t depth = 0;      ///< functions with hooks that it is in
    std::uint64_t true_last = 0;  ///< where its last basic block began, if last_block says that each is told of
    HookedRunner* runner = nullptr;
    alignas(64) SimtLane stands{}; // one more
    Word *before = nullptr, *after = nullptr; ///< its column, where values are logged
    std::uint8_t* copied = nullptr;
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
        bool copies = false;      ///< nothing stood there when a read behind it was told of
    };
    std::vector<Open> opens;  ///< of a wide write there are several
    bool more_follow = false; ///< pieces of a wide access, which is done after its last one
    bool may_copy = false;    ///< the last access was a write: what it writes may still be to be read
    std::uint64_t accesses = 0, accesses_here = 0; ///< in this block; since the lane was last resumed
    std::vector<Copy> copies;
    std::uint32_t batch = 0; ///< that is being filled

    static constexpr std::uint32_t most_depth = 48;
    struct Call {
        std::uint32_t path = 0;       ///< of the caller
        std::uint64_t last_block = 0; ///< there
    };
    std::array<Call, most_depth> calls{};
    std::array<std::uint64_t, most_depth> frames{}; ///< of the functions that it is in, outermost first: rbp

    bool has() const { return head < count; }
};

} // namespace gradus::simt
