#pragma once

#include "engine/simt/simt.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <ucontext.h>
#include <vector>

namespace gradus::test {

/// A block whose lanes run one after the other, each until it waits for others: the least that the shim's functions need.
class FakeBlock {
public:
    explicit FakeBlock(unsigned threads_x, unsigned threads_y = 1);
    ~FakeBlock();
    FakeBlock(const FakeBlock&) = delete;
    FakeBlock& operator=(const FakeBlock&) = delete;

    /// Runs `kernel(argument)` in every lane. False if some wait for others that never come.
    bool run(void (*kernel)(void*), void* argument);

    struct Access {
        char kind = 'r'; ///< r, w
        unsigned bytes = 0;
        const void* address = nullptr;
        bool operator==(const Access&) const = default;
    };
    std::vector<Access> accesses;       ///< of lane 0, outside its stack, as the compiler's hooks report them
    std::vector<std::string> atomics;   ///< of lane 0: "atomicAdd 4"
    std::vector<std::string> meetings;  ///< of lane 0
    std::string printed, trapped;
    int fmas = 0, fences = 0, on_stack = 0; ///< the last: accesses of lane 0 to its stack

    static void note(char kind, unsigned bytes, const void* address);

private:
    friend struct FakeCalls;
    struct Copy {
        void* to;
        std::vector<char> bytes;
        unsigned batch;
    };
    struct Lane {
        SimtLane place{};
        ucontext_t context{};
        std::unique_ptr<char[]> stack;
        enum class State { ready, meeting, at_barrier, returned } state = State::ready;
        std::uint32_t mask = 0;
        SimtTogether together = nullptr;
        SimtAllTogether all_together = nullptr;
        void* mine = nullptr;
        std::deque<Copy> copies;
        unsigned batch = 0;
    };
    static void start(unsigned low, unsigned high);
    void wait();
    void finish_meeting(Lane& lane);
    bool finish_barrier();

    std::vector<Lane> lanes_;
    Lane* running_ = nullptr;
    ucontext_t scheduler_{};
    void (*kernel_)(void*) = nullptr;
    void* argument_ = nullptr;
};

} // namespace gradus::test
