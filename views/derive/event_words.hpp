#pragma once

#include "engine/trace/derive/step_plan.hpp"

#include <QString>

namespace gradus {

/// A phase as a person says it: "forward".
QString phase_word(Phase phase);
/// A module's name: "layer2" -> "layer 2".
QString module_word(const std::string& module);
/// An event's own name, with what tells it from its siblings: "matmul ∂W₂".
QString event_word(const EventSite& site);
/// Where an event stands, from its phase down: "backward · layer 2 · matmul ∂W₂"; empty for the iteration itself.
QString event_place(const Run& run, const StepPlan& plan, std::int32_t ordinal);

/// What a fork is named by, as a person writes it: "W₂[86, 7] = 3", or where it is a parameter of the lesson, as its control is
/// called: "Slope in x₂ = -2.5". Empty for a Run that starts at its own beginning.
QString written_change(const Run& run);

/// What a person calls a level: run, step, phase, layer, op.
QString level_words(Level level);

} // namespace gradus
