#pragma once

#include <functional>

namespace gradus {

class MainWindow;

/// Frames until what is asked is computed and shown and no view waits for a worker's numbers, and then `quiet` more, because
/// these are taken a frame or two later. Throws Error with the engine's failure, or where no lesson would take so long.
void settle(MainWindow& window, const std::function<bool()>& done, int quiet = 20);

} // namespace gradus
