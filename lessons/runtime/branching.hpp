#pragma once

#include "lessons/experiments/experiment.hpp"

#include <atomic>
#include <stop_token>
#include <string>

namespace gradus {

/// Applies what `run` and its ancestors logged before `iteration`, from the checkpoint's iteration on, computing
/// the iterations between. Afterwards the process stands before `iteration`, with the edits logged there applied
/// where `edits_there` is true. Reports progress from 0 to 1.
void bring_to(Process& process, const Run& run, StepIndex iteration, bool edits_there, const std::stop_token& stop,
              std::atomic<double>* progress = nullptr);

/// What a fork of `parent` before `iteration` says of itself: all that the parent says, and where it left it. It begins
/// with the edits that the parent has been given there by now; later ones are the parent's own.
Manifest fork_manifest(const Run& parent, StepIndex iteration, std::string id);

} // namespace gradus
