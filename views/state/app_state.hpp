#pragma once

#include "engine/core/ids.hpp"
#include "engine/core/shape.hpp"
#include "engine/trace/event.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gradus {

enum class ThemeMode : std::uint8_t { light, dark };
enum class Language : std::uint8_t { en, ko };

/// What a node's or a band's size is measured by.
enum class Ruler : std::uint8_t { none, flops, bytes, time };

/// Where one stands in a Run: one event at one level. At the head the cursor moves on with the Run.
struct Cursor {
    StepIndex iteration = 0;
    bool at_head = true;
    Level level = Level::iteration; ///< run, iteration, phase, module or op
    std::int32_t ordinal = -1;      ///< of the event within the iteration; -1: the iteration itself
    bool operator==(const Cursor&) const = default;
};

/// What one has pinned: a tensor by its name in the Run ("W1", "z2", "dW2"), and perhaps one element of it.
struct Selection {
    std::string tensor;         ///< empty: nothing
    std::vector<Dim> element;   ///< empty: the whole tensor
    bool operator==(const Selection&) const = default;
};

/// The only state of the window: a view is a function of the Runs, the cursor and this.
struct AppState {
    int version = 2;
    std::string card;           ///< empty: an experiment without a lesson
    std::size_t card_step = 0;  ///< which part of the story one reads
    std::map<std::string, std::string> parameters; ///< that differ from the card's
    std::uint64_t seed = 0;     ///< 0: the card's
    std::size_t run = 0;        ///< number of the selected Run, as the session counts them
    std::vector<std::size_t> dropped; ///< numbers of Runs that are out of sight; they are as they were
    Cursor cursor;
    Selection selection;
    std::int64_t example = -1;  ///< the example of the test set that one looks at; -1: the one that a view has first
    StepIndex compared = -1;    ///< the iteration that stands beside the cursor's where two are compared; -1: the one that a view has first
    std::string hidden;         ///< a tensor that the learner covers, to work it out before it is seen; empty: none
    Ruler ruler = Ruler::none;
    double speed = 30;          ///< iterations per second while playing; 0: as fast as it goes
    double event_speed = 1;     ///< the same below the iteration: events per second, for reading
    std::vector<std::string> open_modules; ///< of the graph, by name
    std::vector<StepIndex> bookmarks;
    std::vector<std::string> views; ///< on stage in place of the card's; empty: the card's
    std::string front;          ///< the view that comes first where not all have room; empty: the first of them
    bool alone = false;         ///< only that one is shown
    ThemeMode theme = ThemeMode::light;
    Language language = Language::en;
    double text_scale = 1;
    bool reduce_motion = false, high_contrast = false;
    bool paths_open = true, story_open = true;
    bool operator==(const AppState&) const = default;
};

} // namespace gradus
