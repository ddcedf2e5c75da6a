#pragma once

#include "lessons/runtime/session.hpp"
#include "tests/support/slowed.hpp"

#include <chrono>

namespace gradus::test {

const Parameters& xor_net();     ///< 2-3-1 on the four corners
const Parameters& batch_net();   ///< momentum on the spirals in batches of 32

RunRequest request_of(const Parameters& parameters, StepIndex steps = 60, StepIndex observe_every = 7, int threads = 1);

/// An experiment's setup on one thread, with what is not given at its default.
Setup setup_of(const std::string& experiment, const Parameters& parameters, StepIndex steps = 100, std::uint64_t seed = 1);
/// What an experiment answers without a Run.
Answer ask(const std::string& experiment, const std::string& question, const Parameters& parameters, const Arguments& arguments = {});

/// Waits until the session has nothing to do; false after `seconds`, where wait() would hang a test for ever.
bool settled(Session& session, double seconds = 60 * slowed);
/// As settled(), and ends the test if it is not.
void settle(Session& session);
/// The iteration in full, waited for.
std::shared_ptr<const Run> detail_of(Session& session, std::size_t run, StepIndex iteration);

/// Losses as bits, from a Run's first iteration or an ancestor's on.
std::vector<std::uint64_t> losses(const Run& run, StepIndex from = 0);
/// Hashes of the training state after the last iteration of a Run that has finished or paused.
std::vector<std::uint64_t> final_state(const Run& run);

/// Everything that manifests and input logs alone give: a new process computes the Run's ancestors up to where it left
/// them, then the Run, bringing every edit in where it was logged.
struct Recomputed {
    std::vector<std::uint64_t> losses, state;
};
Recomputed recomputed(const Run& run);

} // namespace gradus::test
