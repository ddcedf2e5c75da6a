#pragma once

#include "engine/simt/runtime/fibre.hpp"
#include "engine/simt/runtime/launch.hpp"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace gradus::simt {

/// Runs blocks of a kernel that was compiled without hooks: nothing is recorded or checked, and a lane runs on until it has to wait.
/// One for each thread that runs blocks.
class PlainRunner {
public:
    PlainRunner();
    ~PlainRunner();
    PlainRunner(const PlainRunner&) = delete;
    PlainRunner& operator=(const PlainRunner&) = delete;

    /// A meeting waits for the lanes of its mask but those that have returned and those that the block has not.
    /// Throws Error if lanes wait for others that never come, or the kernel gave up (__trap, a failed assert).
    void run_block(const LaunchShape& shape, std::int64_t block, KernelEntry entry, void** arguments);

    /// What such a kernel is attached to.
    static const SimtRuntime& runtime();

private:
    struct Lane {
        enum class State : std::uint8_t { ready, at_barrier, meeting, returned };
        SimtLane place;
        State state = State::ready;
        void* stack = nullptr;  ///< while it waits
        void* handed = nullptr; ///< to those it meets
        std::uint32_t mask = 0; ///< of those it meets
        SimtTogether together = nullptr;
        const char* name = "";
    };
    friend struct PlainCalls;

    [[noreturn]] static void body(void* runner);
    void run_lanes(); ///< those that have not begun, on the stack that is running
    Lane* next_ready();
    void leave(void** from); ///< to a lane that is ready, or one that has not begun, or out of the block
    void wait(); ///< until the running lane is ready again
    void release_barrier();
    void barrier(SimtAllTogether together, void* mine);
    void meet(std::uint32_t mask, SimtTogether together, void* mine, const char* name);
    bool finish_meeting(const Lane& of);
    [[noreturn]] void end_block(std::string trouble);

    void* next_stack(); ///< one that is not in use, made ready to run body()

    std::vector<std::unique_ptr<FibreStacks>> stacks_; ///< made when lanes first wait, some at a time, and kept
    std::vector<Lane> lanes_;
    Lane* running_ = nullptr;
    int begun_ = 0, alive_ = 0, waiting_ = 0, used_ = 0; ///< lanes; used_: stacks
    SimtAllTogether all_together_ = nullptr;
    KernelEntry entry_ = nullptr;
    void** arguments_ = nullptr;
    void* caller_ = nullptr; ///< the stack of run_block
    std::string trouble_;
};

} // namespace gradus::simt
