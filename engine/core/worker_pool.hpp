#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace gradus {

/// The engine's only pool. parallel() cuts work by shape: which thread does a piece never changes a result.
/// Workers spin for some 50 µs after a piece, since a training step brings the next one within that time,
/// and sleep after that. One caller at a time.
class WorkerPool {
public:
    /// `threads` counts the caller; 1 starts none. Throws ArgumentError outside 1 to 256.
    explicit WorkerPool(int threads);
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    int threads() const { return static_cast<int>(workers_.size()) + 1; }

    /// Calls run(context, piece) once for every piece in [0, pieces) and returns when all are done.
    /// `run` must not throw.
    using Function = void (*)(void* context, int piece);
    void parallel(int pieces, Function run, void* context);

    template <class Callable> void parallel_for(int pieces, Callable&& callable) {
        parallel(
            pieces, [](void* context, int piece) { (*static_cast<std::remove_reference_t<Callable>*>(context))(piece); },
            &callable);
    }

private:
    void work();
    void take_pieces();

    std::vector<std::thread> workers_;
    Function run_ = nullptr;
    void* context_ = nullptr;
    int pieces_ = 0;
    std::atomic<int> next_piece_{0};
    std::atomic<int> busy_{0};           // workers that have not finished the current job
    std::atomic<std::uint32_t> job_{0};  // rises by one per job
    std::atomic<bool> stop_{false};
    std::atomic<int> sleeping_{0};
    std::mutex mutex_;                   // protects the wait of sleeping workers
    std::condition_variable wake_;
};

} // namespace gradus
