#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include "engine/core/give_way.hpp"

namespace gradus {

/// How many wishes, of all there are, wait or are being computed.
inline std::atomic<int> open_wishes{0};

/// Computes what it is asked for on a thread of its own, which gives way; a newer wish replaces one that waits. Nobody
/// waits for it: a reader asks for the latest result once per frame.
template <class Wish, class Result> class NewestWish {
public:
    /// Makes a result of a wish, null to keep the last one. `outdated` becomes true when something newer is wanted, so that
    /// a long computation may give up. It must not throw: a failure is a result too.
    using Compute = std::function<std::shared_ptr<const Result>(const Wish& wish, const std::atomic<bool>& outdated)>;

    explicit NewestWish(Compute compute)
        : compute_(std::move(compute)), thread_([this](const std::stop_token& stop) { work(stop); }) {}
    ~NewestWish() {
        outdated_ = true;
        thread_.request_stop();
        thread_.join();
        if (wish_) --open_wishes; // nobody fulfils it any more
    }
    NewestWish(const NewestWish&) = delete;
    NewestWish& operator=(const NewestWish&) = delete;

    void want(Wish wish) {
        {
            const std::lock_guard lock(mutex_);
            if (!wish_) ++open_wishes;
            wish_ = std::move(wish);
            outdated_ = true;
        }
        wake_.notify_one();
    }
    std::shared_ptr<const Result> latest() const {
        const std::lock_guard lock(mutex_);
        return result_;
    }
    /// Nothing is wanted any more: what waits and what is being computed is given up, and the latest result let go of, with
    /// all that it holds. Returns at once.
    void forget() {
        std::optional<Wish> waiting;
        std::shared_ptr<const Result> last; // both are freed without the lock
        const std::lock_guard lock(mutex_);
        if (wish_) --open_wishes;
        waiting.swap(wish_);
        last.swap(result_);
        forgotten_ = outdated_ = true;
    }

private:
    void work(const std::stop_token& stop) {
        give_way();
        std::unique_lock lock(mutex_);
        while (wake_.wait(lock, stop, [this] { return wish_.has_value(); })) {
            if (stop.stop_requested()) return;
            const Wish wish = std::move(*wish_);
            wish_.reset();
            forgotten_ = outdated_ = false;
            lock.unlock();
            auto result = compute_(wish, outdated_);
            lock.lock();
            if (result && !forgotten_) result_ = std::move(result);
            --open_wishes;
        }
    }

    Compute compute_;
    mutable std::mutex mutex_; // protects wish_, result_, forgotten_
    std::condition_variable_any wake_;
    std::optional<Wish> wish_;
    std::shared_ptr<const Result> result_;
    bool forgotten_ = false; ///< what is being computed is no longer wanted
    std::atomic<bool> outdated_{false};
    std::jthread thread_;
};

} // namespace gradus
