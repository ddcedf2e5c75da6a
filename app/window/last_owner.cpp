#include "app/window/last_owner.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

namespace gradus {

namespace {
constexpr auto pause_between_looks = std::chrono::milliseconds(10); // a view lets go with its next frame
}

LastOwner::LastOwner() : thread_([this](const std::stop_token& stop) { work(stop); }) {}
LastOwner::~LastOwner() = default;

void LastOwner::take(std::unique_ptr<Session> session, std::shared_ptr<FormerRuns> former) {
    {
        const std::lock_guard lock(mutex_);
        sessions_.push_back({std::move(session), std::move(former)});
    }
    wake_.notify_one();
}

void LastOwner::share(const std::shared_ptr<const Run>& run) {
    if (!run) return;
    {
        const std::lock_guard lock(mutex_);
        if (std::find(runs_.begin(), runs_.end(), run) != runs_.end()) return;
        runs_.push_back(run);
    }
    wake_.notify_one();
}

void LastOwner::work(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (wake_.wait(lock, stop, [this] { return !sessions_.empty() || !runs_.empty(); }) && !stop.stop_requested()) {
        for (auto& [session, former] : std::exchange(sessions_, {})) {
            lock.unlock();
            std::vector<std::shared_ptr<const Run>> runs = session->runs();
            session.reset(); // waits for its thread
            if (former) former->keepOutlines();
            lock.lock();
            for (auto& run : runs)
                if (std::find(runs_.begin(), runs_.end(), run) == runs_.end()) runs_.push_back(std::move(run));
        }
        const auto mine = std::partition(runs_.begin(), runs_.end(), [](const auto& run) { return run.use_count() > 1; });
        std::vector<std::shared_ptr<const Run>> over(std::make_move_iterator(mine), std::make_move_iterator(runs_.end()));
        runs_.erase(mine, runs_.end());
        lock.unlock();
        over.clear();
        std::this_thread::sleep_for(pause_between_looks);
        lock.lock();
    }
}

} // namespace gradus
