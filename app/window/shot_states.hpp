#pragma once

#include "lessons/runtime/card.hpp"

#include <QSize>
#include <functional>
#include <string>
#include <vector>

namespace gradus {

class MainWindow;

/// A state of the window that is worth a picture, beside the parts of the story: how one gets there from the end of the
/// run, when all of it is there, and the way back.
struct WindowState {
    std::string name;
    std::vector<QSize> sizes; ///< it is entered in the first
    std::function<void(MainWindow&)> enter;
    std::function<bool(MainWindow&)> there;
    std::function<void(MainWindow&)> leave;
};

/// For a card: each question asked and answered, a branch, a parameter held, the fan, why, the rulers, an op, the panels,
/// high contrast, larger text, a small window, and every page in front of a class.
std::vector<WindowState> window_states(const Card& card, std::size_t pages);

} // namespace gradus
