#include "lessons/runtime/reproduce.hpp"

#include "engine/core/error.hpp"
#include "engine/core/hash.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace gradus {

Setup setup_of(const Manifest& manifest, std::shared_ptr<DataStore> data) {
    Setup setup;
    setup.parameters = find_experiment(manifest.experiment).complete(manifest.parameters);
    setup.seed = manifest.seed;
    setup.steps = manifest.planned_steps;
    setup.device = {manifest.device, manifest.isa, 0};
    setup.data = std::move(data);
    return setup;
}

std::vector<Reproduction> reproduce(const std::vector<std::shared_ptr<const Run>>& runs,
                                    const std::function<void(double)>& progress, const std::stop_token& stop) {
    std::vector<Reproduction> out;
    const auto data = std::make_shared<DataStore>();
    std::map<const Run*, std::shared_ptr<const Checkpoint>> fork_starts; ///< the parent's state, its edits there applied
    std::map<const Run*, std::shared_ptr<const Run>> again_of;
    double total = 0, done = 0;
    for (const auto& run : runs) total += static_cast<double>(run->head() - run->first_iteration());
    for (const auto& run : runs) {
        const Manifest& manifest = run->manifest();
        const auto process = find_experiment(manifest.experiment).start(setup_of(manifest, data));
        Manifest described;
        process->describe(described);
        if (described.dataset_hash != manifest.dataset_hash)
            throw UnavailableError(fmt::format("the data set {} is not the one that was recorded (hash {}, recorded {})",
                                               manifest.dataset, described.dataset_hash, manifest.dataset_hash));
        auto again = std::make_shared<Run>(manifest, process->series(),
                                           run->parent() ? again_of[run->parent().get()] : nullptr);
        RunWriter writer(again);
        if (run->parent()) {
            const auto start = fork_starts.find(run.get());
            if (start == fork_starts.end())
                throw FileError(fmt::format("{}: its parent was never where the manifest says it left", manifest.id));
            process->restore(*start->second);
        }
        process->begin(writer, !run->parent());
        const std::vector<LoggedEdit> edits = computing_edits(*run);
        std::size_t next_edit = 0;
        const auto mark_forks = [&](StepIndex iteration) { // those that left here with the edits applied so far
            for (const auto& other : runs)
                if (other->parent() == run && other->first_iteration() == iteration &&
                    other->manifest().parent_edits == static_cast<std::int64_t>(next_edit))
                    fork_starts[other.get()] = process->checkpoint(iteration);
        };
        for (StepIndex iteration = run->first_iteration(); iteration < run->head(); ++iteration) {
            if (stop.stop_requested()) throw Error("stopped");
            mark_forks(iteration);
            while (next_edit < edits.size() && edits[next_edit].iteration <= iteration) {
                process->apply(edits[next_edit].edit, iteration);
                writer.log_edit(edits[next_edit++].edit, iteration);
                mark_forks(iteration);
            }
            process->iterate(writer, iteration, run->find_observed(iteration).has_value());
            done += 1;
            if (progress && (iteration & 63) == 0) progress(done / std::max(1.0, total));
        }
        mark_forks(run->head());
        while (next_edit < edits.size()) { // logged at the head, not yet computed with
            process->apply(edits[next_edit].edit, run->head());
            writer.log_edit(edits[next_edit++].edit, run->head());
            mark_forks(run->head());
        }
        if (!run->parent() && run->state() == RunState::finished) process->finish(writer, stop); // as the session did
        writer.finish(run->state());
        again_of[run.get()] = again;
        out.push_back({run, again, diff_runs(*run, *again)});
    }
    return out;
}

} // namespace gradus
