#pragma once

#include "engine/trace/kernel/kernel_trace.hpp"

#include <map>

namespace gradus {

/// Stands between two steps of a trace, as KernelCursor does, and shows what lanes keep in their variables there: of a lane, as it comes to
/// its next step. So what a load puts into a variable is seen once the load was done. Forwards and back alike: the same values.
class LocalsCursor {
public:
    explicit LocalsCursor(std::shared_ptr<const KernelTrace> trace);

    std::size_t position() const { return position_; }
    void go_to(std::size_t position);

    struct Value {
        const LocalVariable* variable = nullptr;
        std::string why; ///< where it has no value: in one sentence
        std::vector<std::byte> bytes,
            before; ///< its value, and the one when the lane came to its step before; unset bytes are unset_byte
        bool changed = false; ///< since then
        KernelPlace from, to; ///< it last changed on the lane's way from the one to the other; unknown: not yet
    };
    struct Lane {
        std::string why;           ///< where nothing of it can be shown: in one sentence
        std::vector<Value> values; ///< innermost scope first
    };
    /// Of the block that the next step is of; after the last step, of the last.
    Lane lane(std::uint32_t rank);

private:
    struct Change {
        std::uint32_t event = 0, word = 0;
        std::uint64_t before = 0, after = 0;
        std::uint32_t last = 0; ///< when the word had changed last, as `last` below
    };
    struct Thread {
        std::vector<Change> changes;      ///< all that it did in the block
        std::vector<std::uint32_t> steps; ///< that it takes part in
        std::vector<std::uint64_t> words; ///< as they are after the changes before `next`
        std::vector<std::uint32_t>
            last; ///< of each word: the number of the thread's step at which it had changed, plus 1; 0: it has not
        std::size_t next = 0; ///< of changes
    };
    void enter_block(std::size_t block);
    Thread& thread_of(std::uint32_t rank, const KernelLog::Locals::Thread& kept);
    static void move(Thread& thread, std::uint64_t event);

    std::shared_ptr<const KernelTrace> trace_;
    std::size_t position_ = 0, block_ = ~std::size_t{0};
    std::map<std::uint32_t, Thread> threads_;
};

/// A variable's value in words: "3", "[1, 2, 3]", "{.x = 1, .y = 2}"; at most so many elements of an array. Pointers name what they point to.
std::string local_text(const KernelTrace& trace, const LocalVariable& variable, std::span<const std::byte> bytes,
                       std::size_t most_elements = 16);

} // namespace gradus
