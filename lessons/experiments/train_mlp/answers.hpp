#pragma once

#include "lessons/experiments/asked.hpp"
#include "lessons/experiments/train_mlp/process.hpp"

#include <memory>

namespace gradus::mlp {

const std::vector<QuestionInfo>& questions();

/// See Experiment::answer. An argument that is a parameter overrides it.
Answer answer(const Experiment& experiment, std::string_view question, const Arguments& arguments, const Setup& setup,
              const Run* run);

/// The process brought to the state before `iteration`, its batch in place.
std::unique_ptr<TrainProcess> trained_until(const Asked& asked, StepIndex iteration);
/// Whether the run at hand is of just these parameters, so that its numbers answer.
bool same_run(const Asked& asked);

// What one hidden neuron says to images of the test set (images.cpp).
Answer strongest_images(const Asked& asked);
Answer bias_effect(const Asked& asked);
Answer silent_images(const Asked& asked);

// What becomes of training when a line is left out (loop.cpp).
Answer accumulated_norm(const Asked& asked);
Answer can_omit(const Asked& asked);

// What becomes of it when the kernel of its products loses a barrier (kernel.cpp).
Answer without_barrier(const Asked& asked);
Answer racing_threads(const Asked& asked);

} // namespace gradus::mlp
