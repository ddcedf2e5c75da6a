#pragma once

#include "lessons/runtime/card.hpp"
#include "views/state/app_state.hpp"

#include <functional>
#include <future>
#include <string>

namespace gradus {

struct Lessons {
    Library library;
    std::string first_card; ///< where a new user begins
};
using LessonsReader = std::function<Lessons()>;

/// Reads the lessons, and then the data set of the card that is about to open, and calibrates the clock, on threads of
/// its own, while Qt starts and the window is made. Its end waits for them.
class ReadAhead {
public:
    /// `state` is where the user left; without a card there, it is the first one that opens.
    ReadAhead(LessonsReader read, AppState state);

    /// Waits for them, and has Qt find its fonts meanwhile. Throws what reading them threw. To be called once, by the
    /// application's thread.
    Lessons lessons();

private:
    std::promise<Lessons> promised_;
    std::future<void> reading_; ///< last, as its end waits for the thread
};

} // namespace gradus
