#include "engine/core/worker_pool.hpp"

#include "engine/core/clock.hpp"
#include "engine/core/error.hpp"

#include <fmt/format.h>

namespace gradus {

namespace {

inline void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

constexpr Ticks spin_ticks = 100'000; // some 30 to 50 µs

} // namespace

WorkerPool::WorkerPool(int threads) {
    if (threads < 1 || threads > 256)
        throw ArgumentError(fmt::format("threads must be 1 to 256, not {}", threads));
    for (int i = 1; i < threads; ++i) workers_.emplace_back([this] { work(); });
}

WorkerPool::~WorkerPool() {
    {
        const std::lock_guard lock(mutex_);
        stop_.store(true);
        job_.fetch_add(1);
    }
    wake_.notify_all();
    for (std::thread& worker : workers_) worker.join();
}

void WorkerPool::parallel(int pieces, Function run, void* context) {
    if (workers_.empty() || pieces < 2) {
        for (int piece = 0; piece < pieces; ++piece) run(context, piece);
        return;
    }
    run_ = run;
    context_ = context;
    pieces_ = pieces;
    next_piece_.store(0, std::memory_order_relaxed);
    busy_.store(static_cast<int>(workers_.size()), std::memory_order_relaxed);
    job_.fetch_add(1); // sequentially consistent, as is sleeping_: either we see the sleeper or it sees the job
    if (sleeping_.load() > 0) {
        const std::lock_guard lock(mutex_);
        wake_.notify_all();
    }
    take_pieces();
    for (int spins = 0; busy_.load(std::memory_order_acquire) > 0;)
        if (++spins < 2000) relax();
        else std::this_thread::yield(); // more threads than cores
}

void WorkerPool::take_pieces() {
    for (int piece; (piece = next_piece_.fetch_add(1, std::memory_order_relaxed)) < pieces_;) run_(context_, piece);
}

void WorkerPool::work() {
    std::uint32_t seen = 0;
    for (;;) {
        const Ticks start = now_ticks();
        while (job_.load(std::memory_order_acquire) == seen && now_ticks() - start < spin_ticks) relax();
        if (job_.load(std::memory_order_acquire) == seen) {
            std::unique_lock lock(mutex_);
            sleeping_.fetch_add(1);
            wake_.wait(lock, [&] { return job_.load() != seen; });
            sleeping_.fetch_sub(1);
        }
        ++seen; // jobs cannot be skipped: the caller waits for every worker
        if (stop_.load()) return;
        take_pieces();
        busy_.fetch_sub(1, std::memory_order_release);
    }
}

} // namespace gradus
