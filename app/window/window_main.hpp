#pragma once

#include "app/window/read_ahead.hpp"

#include <map>
#include <optional>
#include <string>

namespace gradus {

/// Whether a window could be shown: there is a display, or Qt was told which platform to use.
bool display_available();
/// To be called before the first QApplication of what draws pictures or measures: without a display it does without.
void do_without_display();

/// Opens the window where this user left it, or else on the first card in `language` ("en" or "ko"), and returns when it
/// is closed, with the program's exit code. Throws ArgumentError for an unusable card, and what `lessons` throws.
int run_window(int& argc, char** argv, LessonsReader lessons, const std::string& language);

/// What `gradus shot` draws.
struct ShotOptions {
    std::string card;
    std::optional<StepIndex> step;  ///< the card's last planned step if not given
    std::optional<std::int64_t> part; ///< of the story, from 1
    std::string view;               ///< one view alone; empty: the window
    double scale = 1;               ///< of the text
    std::map<std::string, std::string> parameters; ///< that a learner has chosen: those that are not the card's
    bool presenter = false;         ///< as it stands in front of a class; the parts are then followed by the questions
    std::string size = "1280x800", theme = "light", language = "en", output;
};
/// Draws the window on a card without a display and writes it as PNG, SVG or PDF by the name's ending. Throws
/// ArgumentError for words that cannot be used, FileError where it cannot be written.
void shoot(int& argc, char** argv, Library library, const ShotOptions& options);

} // namespace gradus
