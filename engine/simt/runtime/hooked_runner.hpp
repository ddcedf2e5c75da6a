#pragma once

#include "engine/simt/runtime/call_paths.hpp"
#include "engine/simt/runtime/fibre.hpp"
#include "engine/simt/runtime/finding.hpp"
#include "engine/simt/runtime/meeting.hpp"
#include "engine/simt/runtime/memory_map.hpp"
#include "engine/simt/runtime/print_words.hpp"
#include "engine/simt/runtime/warp_step.hpp"
#include "engine/simt/simt.h"

#include <array>
#include <chrono>
#include <csignal>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gradus::simt {

/// What is told of each warp step, in the order in which they happen.
class StepWatcher {
public:
    virtual ~StepWatcher() = default;
    virtual void block_begins(std::uint32_t /*block*/) {}
    virtual void step(const WarpStep& step) = 0;
    /// What the lanes of the last step, a collective, handed in and got, where values are logged.
    virtual void met(std::uint32_t /*warp*/, std::uint32_t /*mask*/, const Meeting& /*meeting*/) {}
    /// The lanes of the mask are ordered from here on (__syncwarp).
    virtual void warp_ordered(std::uint32_t /*warp*/, std::uint32_t /*mask*/) {}
    /// All threads of the block are (__syncthreads).
    virtual void block_ordered() {}
    virtual void fence(ThreadName /*thread*/, int /*scope*/) {}
    /// Of the thread's last step, where it was late; or of the one so many before it.
    virtual void late_before(ThreadName /*thread*/, Word /*value*/) {}
    virtual void late_after(ThreadName /*thread*/, Word /*value*/, std::size_t /*back*/) {}
    /// a · b + c in fp32, where these are logged. `ahead`: how many of the thread's steps before it are still to be told.
    virtual void multiply_add(ThreadName /*thread*/, std::uint32_t /*ahead*/, Site /*site*/, float /*a*/, float /*b*/, float /*c*/, float /*result*/) {}
};

/// Is told of a lane before what is logged of it, where values are logged, so that it may look at the lane's variables.
class FrameWatcher {
public:
    virtual ~FrameWatcher() = default;
    /// It has entered the function with that offset in the code, whose frame lies there.
    virtual void enters(ThreadName thread, std::uint32_t offset, std::uint64_t frame) = 0;
    /// It comes to what is logged next, by those calls. `frames`: of the functions that it is in, outermost first.
    virtual void comes_to(ThreadName thread, Site site, const CallPaths& paths, std::span<const std::uint64_t> frames) = 0;
};

/// How a launch is run.
struct RunOptions {
    int log_length = 1024;      ///< accesses that a lane may be ahead of its warp; 1: in lockstep
    std::uint64_t schedule = 0; ///< 0: warps one after another; else a seed by which they take turns, in lockstep
    std::int64_t budget = 2'000'000'000; ///< of lanes' accesses and turns of loops, for each block
    int seconds = 0;            ///< a block still at work after so many on the clock is taken for endless, too (limit_time); 0: never
    bool every_branch = false;  ///< each basic block is a step, not only the ends of loops
    bool values = false;        ///< what stood in memory before and after each access is logged
    bool multiply_adds = false; ///< each fmaf is told
};

/// Runs blocks of a kernel that was compiled with hooks, warp step by warp step.
///
/// A lane runs on and logs what it does; it stops where it has to wait, before an atomic, when its log is full, and at its end. Then,
/// until all have returned or wait at a barrier: any lane with an empty log that may go on does; else, of what stands at the heads of
/// the logs, the step that comes first in the code is taken off, for all lanes at whose heads it stands. So lanes that parted meet
/// again where their ways do, as on the GPU.
class HookedRunner {
public:
    /// `text`: where the library's code begins and how long it is, bytes. `hooked`: the library's own.
    HookedRunner(const MemoryMap& memory, std::uint64_t text, std::uint64_t text_bytes, SimtHooked& hooked);
    ~HookedRunner();
    HookedRunner(const HookedRunner&) = delete;
    HookedRunner& operator=(const HookedRunner&) = delete;

    /// Returns false if the launch must end: the findings say why.
    bool run_block(const LaunchShape& shape, std::int64_t block, void (*entry)(void**), void** arguments, const RunOptions& options,
                   StepWatcher& watcher, Findings& findings, FrameWatcher* frames = nullptr);
    /// A lane was so far ahead of its warp with what is done together, such as a large struct's copy, that some values in the log are none:
    /// only in lockstep can they be told.
    bool lost_values() const { return lost_values_; }

    struct Fault { ///< what ended the launch
        Site site;
        ThreadName thread;
    };
    const std::optional<Fault>& fault() const { return fault_; } ///< in the last block; none: it came to its end
    const CallPaths& paths() const { return paths_; }
    const PrintedText& printed() const { return printed_; }
    std::int64_t used() const { return used_; } ///< of budgets, by all blocks so far
    void tell_used(std::int64_t& where) { used_told_ = &where; } ///< while it goes on, to who looks there
    std::int64_t multiply_adds() const { return hooked_.multiply_adds; } ///< by all lanes so far
    MemoryRange stack_range() const { return {stacks_.begin(), stacks_.bytes(), Space::local, 4, "local memory"}; }

    /// Has the system tell the runner of this process when its block has been at work for so many seconds. A loop that touches nothing never comes back to be
    /// asked: it is ended where it is.
    static void limit_time(int seconds);
    static const SimtRuntime& runtime();
    /// From here on hooked kernels of this process tell that one; null for none.
    static void attach(HookedRunner* runner);
    static HookedRunner* attached();

private:
    friend struct HookedCalls;
    struct Lane;
    struct Log;
    struct AddressRow;
    struct WordRow;
    static constexpr std::uint8_t no_range = 255;
    struct Instruction {
        Op op = Op::branch; ///< as which it is logged by the kernel itself (shim/simt_hooks.s); any other is told
        std::uint8_t range = no_range; ///< that its last access fell into
        std::uint16_t bytes = 0;
    };

    // On a lane's stack:
    [[noreturn]] static void body(void* lane);
    void stop_here(bool pending, Op op);
    void stop(bool pending, Op op); ///< the running lane, until it is its turn again
    void make_room(std::uint32_t rows);
    void note_before(Op op, std::uint64_t address, std::uint32_t bytes, std::uint32_t row, bool late);
    void note_after(); ///< of the running lane's last writes, which it has done since
    void settle(Op op);
    void log(Op op, std::uint64_t address, std::uint32_t bytes, std::uint64_t at);
    void log_and_stop(Op op, std::uint64_t address, std::uint32_t bytes);
    bool in_range(Instruction& instruction, std::uint64_t address, std::uint32_t bytes, Op op, Site site);
    void enter(std::uint64_t call, std::uint64_t frame, std::uint64_t at);
    void show_locals(std::uint32_t offset); ///< of the running lane, which comes to something there
    void leave();
    void step_back(std::uint64_t last, std::uint64_t at);
    void logged(Lane& lane) const;
    void is_in(Lane& lane, std::uint32_t path, std::uint64_t frame, std::uint64_t last_block) const;
    std::uint64_t kernel_place() const; ///< where in the kernel's own code the running lane is, when it called the shim
    [[noreturn]] void end_lane(Finding finding);

    // On the scheduler's:
    void reset(const LaunchShape& shape, std::int64_t block);
    void watch_accesses();
    static void fetch(const Lane& lane);
    void run_lane(Lane& lane);
    enum class WarpEnd : std::uint8_t { waits, returned, turn, failed };
    WarpEnd run_warp(std::uint32_t warp);
    void take_together(std::uint32_t warp);
    bool take_first(std::uint32_t warp);
    std::uint32_t gone(const Lane& waits, std::size_t first, std::size_t last) const;
    std::uint32_t meets_with(const Lane& lane, std::size_t first, std::size_t last) const;
    void tell(WarpStep& step); ///< without what stands there of the instruction and the block
    void tell_with_values(WarpStep& step, std::uint32_t row); ///< at which all lanes are
    void tell_heads_with_values(WarpStep& step);
    void meet_done(std::uint32_t warp, std::uint32_t mask);
    bool release_barrier();
    void give_up(Finding finding);
    Finding overdue(Site site, ThreadName thread) const;
    static void time_is_over(int signal, siginfo_t* about, void* context);
    void mismatch(Finding finding);
    Finding never_meets(std::uint32_t warp);
    void gone_by(const Lane& waits);
    ThreadName name(const Lane& lane) const;
    std::uint32_t lanes_of(std::uint32_t warp) const { // those that the block has
        const int count = threads_ - static_cast<int>(warp) * 32;
        return count >= 32 ? ~0u : (1u << count) - 1;
    }

    static constexpr std::uint64_t each_block = ~std::uint64_t{0}; ///< as the last block it makes a step back of every one

    const MemoryMap& memory_;
    std::uint64_t text_, text_bytes_;
    SimtHooked& hooked_;
    SimtNow* nobody_; ///< what it says while no kernel runs
    Lane* running_ = nullptr;
    std::vector<Instruction> instructions_; ///< by offset
    std::uint32_t block_ = 0, log_length_ = 1024;
    bool every_branch_ = false, lost_values_ = false;
    using AllBounds = std::array<MemoryMap::Bounds, no_range + 1>;
    AllBounds bounds_{}; ///< of the memory's ranges, as they are while this block runs
    bool looks_at_each_ = false; ///< no access is the usual one: values are logged, or variables looked at
    FibreStacks stacks_;
    CallPaths paths_;
    std::unique_ptr<Lane[]> lanes_;
    std::vector<std::unique_ptr<Log>> logs_; ///< one, or one for each warp where they take turns
    void* scheduler_ = nullptr; ///< its stack, while a lane runs
    std::int64_t used_ = 0, used_before_ = 0; ///< before this block
    std::int64_t* used_told_ = nullptr;       ///< null: nobody looks
    std::chrono::steady_clock::time_point block_began_;
    int threads_ = 0;
    bool failed_ = false;
    std::optional<Fault> fault_;
    volatile std::sig_atomic_t time_over_ = 0;
    bool mismatched_ = false; ///< in this block: what follows from that is not told
    const Lane* meets_for_all_ = nullptr; ///< while lanes' results are put together, on the scheduler's stack
    const RunOptions* options_ = nullptr;
    StepWatcher* watcher_ = nullptr;
    FrameWatcher* frames_ = nullptr;
    Findings* findings_ = nullptr;
    void (*entry_)(void**) = nullptr;
    void** arguments_ = nullptr;
    std::uint64_t random_ = 0;
    PrintedText printed_;
};

} // namespace gradus::simt
