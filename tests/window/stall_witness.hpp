#pragma once

#include <QString>
#include <array>
#include <atomic>
#include <chrono>
#include <pthread.h>
#include <thread>
#include <vector>

namespace gradus {

/// Looks over a thread's shoulder: where it was, every few milliseconds, once something it does has become long.
class StallWitness {
public:
    StallWitness(); ///< for the thread that makes it
    ~StallWitness();
    StallWitness(const StallWitness&) = delete;
    StallWitness& operator=(const StallWitness&) = delete;

    static constexpr int most_looks = 24, most_frames = 40;
    struct Look {
        std::array<void*, most_frames> frames{};
        int depth = 0;
    };

    void begin();
    /// What was seen since begin.
    std::vector<Look> end();
    /// The functions of each look, innermost first, equal looks counted. It takes its time.
    static QString told(const std::vector<Look>& looks);

private:
    static constexpr std::chrono::milliseconds long_after{15}, between{4};

    static void look(int); ///< in the thread that is watched, by a signal

    static StallWitness* only_;
    pthread_t watched_;
    std::atomic<std::chrono::steady_clock::rep> since_{0}; ///< 0: nothing is being done
    std::array<Look, most_looks> looks_;
    std::atomic<int> seen_{0};
    std::jthread watcher_;
};

} // namespace gradus
