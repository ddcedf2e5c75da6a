// Going on where a recorded session ended: the half of Session that computes recorded Runs again.
#include "engine/core/error.hpp"
#include "engine/trace/derive/diff.hpp"
#include "lessons/runtime/session.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <map>

namespace gradus {

RunRequest request_from_past(std::vector<std::shared_ptr<const Run>> runs) {
    if (runs.empty()) throw ArgumentError("there is no run to go on with");
    const Manifest& manifest = runs.front()->manifest();
    RunRequest request;
    request.experiment = manifest.experiment;
    request.parameters = manifest.parameters;
    request.seed = manifest.seed;
    request.steps = manifest.planned_steps;
    request.observe_every = manifest.observe_every;
    request.device.device = manifest.device;
    request.device.isa = manifest.isa;
    request.card = manifest.card;
    request.past = std::move(runs);
    return request;
}

std::vector<std::shared_ptr<const Run>> outlines_of(const std::vector<std::shared_ptr<const Run>>& runs) {
    std::map<const Run*, std::shared_ptr<const Run>> outlines;
    std::vector<std::shared_ptr<const Run>> out;
    for (const auto& run : runs) {
        const Series* loss = run->find_series("loss");
        const auto outline = std::make_shared<Run>(run->manifest(), loss ? std::vector{loss->info()} : std::vector<SeriesInfo>{},
                                                   run->parent() ? outlines[run->parent().get()] : nullptr);
        RunWriter writer(outline);
        for (std::size_t i = 0; loss && i < loss->size(); ++i) writer.push_at(0, loss->at(i).iteration, loss->at(i).value);
        for (std::size_t i = 0; i < run->edits().size(); ++i) writer.log_edit(run->edits()[i].edit, run->edits()[i].iteration);
        for (StepIndex i = run->first_iteration(); i < run->head(); ++i) writer.append_iteration_end(run->iteration_end(i));
        outlines[run.get()] = outline;
        out.push_back(outline);
    }
    return out;
}

/// Every recorded Run from its beginning to where it had come, with the edits it was given; forks leave from the very
/// state their parent had, also where the parent was edited at that iteration afterwards. It stops, and says so, at the
/// first loss that is not the recorded one.
void Session::retrace(const std::stop_token& stop) {
    const std::vector<std::shared_ptr<const Run>> past = std::move(request_.past);
    request_.past.clear();
    {
        const std::lock_guard lock(mutex_);
        status_.loading = false;
        status_.retracing = true;
    }
    std::map<const Run*, std::size_t> place;                        // in branches_
    std::map<const Run*, std::shared_ptr<const Checkpoint>> starts; // of forks: their parent's state where they left
    const auto over = [this] {
        {
            const std::lock_guard lock(mutex_);
            status_.retracing = false;
        }
        idle_.notify_all();
    };
    try {
        const Manifest& now = branches_[0]->run->manifest();
        if (now.dataset_hash != past.front()->manifest().dataset_hash)
            throw UnavailableError(fmt::format("the data set {} is not the one that was recorded", now.dataset));
        for (const auto& recorded : past) {
            if (recorded->parent()) {
                const auto start = starts.find(recorded.get());
                const auto parent = place.find(recorded->parent().get());
                if (start == starts.end() || parent == place.end())
                    throw FileError(fmt::format("{}: its parent was never where the manifest says it left", recorded->manifest().id));
                process_->restore(*start->second);
                start_branch(parent->second, recorded->first_iteration(), &recorded->manifest());
            }
            const std::size_t index = branches_.size() - 1;
            place[recorded.get()] = index;
            process_run_ = index;
            Branch& branch = *branches_[index];
            std::size_t next = 0;
            std::int64_t computing = 0; // edits so far that change what is computed
            const auto mark_forks = [&](StepIndex iteration) {
                for (const auto& other : past)
                    if (other->parent() == recorded && other->first_iteration() == iteration &&
                        other->manifest().parent_edits == computing)
                        starts[other.get()] = process_->checkpoint(iteration);
            };
            const auto edit_until = [&](StepIndex iteration) {
                mark_forks(iteration);
                for (; next < recorded->edits().size() && recorded->edits()[next].iteration <= iteration; ++next) {
                    const LoggedEdit& logged = recorded->edits()[next];
                    if (logged.edit.kind == Edit::Kind::breakpoint) {
                        const std::lock_guard lock(mutex_);
                        change_breakpoints(branch.breakpoints, logged.edit);
                        branch.writer->log_edit(logged.edit, logged.iteration);
                        continue;
                    }
                    apply_now(branch, logged.edit, logged.iteration);
                    ++computing;
                    mark_forks(iteration);
                }
            };
            while (branch.run->head() < recorded->head()) {
                if (stop.stop_requested()) return over();
                const StepIndex iteration = branch.run->head();
                edit_until(iteration);
                const bool observe = iteration % observe_every_ == 0 || iteration + 1 == setup_.steps ||
                                     iteration == branch.run->first_iteration() || iteration + 1 == recorded->head();
                process_->iterate(*branch.writer, iteration, observe);
                const auto was = recorded->value_at("loss", iteration), is = branch.run->value_at("loss", iteration);
                if (was && is && std::bit_cast<std::uint64_t>(*was) != std::bit_cast<std::uint64_t>(*is))
                    throw Error(fmt::format("step {} of '{}' gave the loss {}, but {} was recorded: this build computes otherwise",
                                            iteration, recorded->manifest().id, *is, *was));
                if (now_ticks() - last_checkpoint_ > checkpoint_interval_) add_checkpoint(branch);
            }
            edit_until(recorded->head());
            if (branch.run->head() >= setup_.steps) finish_branch(branch, stop);
            else add_checkpoint(branch);
        }
    } catch (const Error& error) { // what was computed so far stands; one goes on from there
        add_checkpoint(*branches_.back()); // the others have theirs
        refuse(error.what());
    }
    process_run_ = branches_.size(); // the next intent brings the process to where it belongs
    over();
}

} // namespace gradus
