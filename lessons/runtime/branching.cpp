#include "lessons/runtime/branching.hpp"

#include "engine/core/error.hpp"
#include "engine/trace/derive/diff.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace gradus {

namespace {

/// Edits that shape the state before iteration `until`, oldest first: a Run's own, and of each ancestor those that it
/// had been given when its child left it.
void collect_edits(const Run& run, std::size_t most, StepIndex until, bool inclusive, std::vector<LoggedEdit>& out) {
    if (run.parent())
        collect_edits(*run.parent(), static_cast<std::size_t>(run.manifest().parent_edits), until, inclusive, out);
    const std::vector<LoggedEdit> own = computing_edits(run);
    for (std::size_t i = 0; i < std::min(most, own.size()); ++i)
        if (own[i].iteration < until || (inclusive && own[i].iteration == until)) out.push_back(own[i]);
}

} // namespace

void bring_to(Process& process, const Run& run, StepIndex iteration, bool edits_there, const std::stop_token& stop,
              std::atomic<double>* progress) {
    const auto checkpoint = run.checkpoint_before(iteration);
    if (!checkpoint) throw Error(fmt::format("there is no checkpoint at or before iteration {}", iteration));
    process.restore(*checkpoint);
    std::vector<LoggedEdit> edits;
    collect_edits(run, std::numeric_limits<std::size_t>::max(), iteration, edits_there, edits);
    // Edits are assignments: those that the checkpoint already holds may be applied again.
    std::size_t next = 0;
    while (next < edits.size() && edits[next].iteration < checkpoint->iteration) ++next;
    const auto distance = static_cast<double>(std::max<StepIndex>(1, iteration - checkpoint->iteration));
    for (StepIndex i = checkpoint->iteration; i <= iteration; ++i) {
        for (; next < edits.size() && edits[next].iteration <= i; ++next) process.apply(edits[next].edit, i);
        if (i == iteration) break;
        process.replay(i);
        if ((i & 63) == 0) {
            if (stop.stop_requested()) throw Error("re-computation was stopped");
            if (progress) progress->store(static_cast<double>(i - checkpoint->iteration) / distance);
        }
    }
}

Manifest fork_manifest(const Run& parent, StepIndex iteration, std::string id) {
    Manifest manifest = parent.manifest();
    manifest.parent = manifest.id;
    manifest.id = std::move(id);
    manifest.fork_iteration = iteration;
    manifest.parent_edits = 0;
    for (const LoggedEdit& edit : computing_edits(parent)) manifest.parent_edits += edit.iteration <= iteration;
    return manifest;
}

} // namespace gradus
