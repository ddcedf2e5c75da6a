#pragma once

#include "app/window/former_runs.hpp"
#include "lessons/runtime/session.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace gradus {

/// Keeps the Runs that the window looks at until nobody else does, and frees them on a thread of its own: the last one
/// to let go of a Run frees all that it kept, which takes longer than a frame, so that shall be none of the views.
class LastOwner {
public:
    LastOwner();
    ~LastOwner();
    LastOwner(const LastOwner&) = delete;
    LastOwner& operator=(const LastOwner&) = delete;

    /// Ends a session, and its Runs once nobody looks at them; `former`, if not null, then keeps their outlines. Returns at once.
    void take(std::unique_ptr<Session> session, std::shared_ptr<FormerRuns> former = nullptr);
    /// A Run in no session's list: a scratch fork, or what was computed again. Asking twice is asking once; null is nothing.
    void share(const std::shared_ptr<const Run>& run);

private:
    void work(const std::stop_token& stop);

    std::mutex mutex_; // protects what follows
    std::condition_variable_any wake_;
    struct Given {
        std::unique_ptr<Session> session;
        std::shared_ptr<FormerRuns> former;
    };
    std::vector<Given> sessions_;
    std::vector<std::shared_ptr<const Run>> runs_;
    std::jthread thread_; // last: it looks at all the others
};

} // namespace gradus
