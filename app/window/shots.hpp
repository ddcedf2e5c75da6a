#pragma once

#include "lessons/runtime/card.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace gradus {

/// Draws every state of every card: each part of the story and the end of the run as a window, and each of the card's
/// views alone at the end, light and dark, English and Korean, at 1280×800 and 1920×1080; then every state of
/// shot_states.hpp. A file is named by what it shows,
/// xor-network_part2_window_dark_ko_1920x1080.png, and index.html shows them all. `card` empty: all there are. `tell` hears
/// a share from 0 to 1 and the card. Returns how many there are. Throws ArgumentError, FileError.
std::size_t shoot_all(int& argc, char** argv, Library library, const std::string& card, const std::filesystem::path& folder,
                      const std::function<void(double, const std::string&)>& tell = nullptr);

/// The window and each view of one card at the end of its run, in a folder that is made. Returns the files.
std::vector<std::filesystem::path> shoot_lesson(int& argc, char** argv, Library library, const std::string& card,
                                                const std::string& language, const std::filesystem::path& folder);

} // namespace gradus
