#include "engine/trace/run.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_set>

namespace gradus {

std::string_view name_of(Level level) {
    switch (level) {
    case Level::run: return "run";
    case Level::iteration: return "iteration";
    case Level::phase: return "phase";
    case Level::module: return "module";
    case Level::op: return "op";
    case Level::kernel: return "kernel";
    case Level::block: return "block";
    case Level::warp_instruction: return "warp instruction";
    case Level::lane: return "lane";
    case Level::bits: return "bits";
    }
    return "?";
}

std::string_view name_of(RunState state) {
    switch (state) {
    case RunState::growing: return "growing";
    case RunState::finished: return "finished";
    case RunState::stopped: return "stopped";
    case RunState::failed: return "failed";
    }
    return "?";
}

std::optional<double> Series::value_at(StepIndex iteration) const {
    const std::size_t count = size();
    if (info_.every_iteration) {
        if (iteration < first_ || iteration >= first_ + static_cast<StepIndex>(count)) return std::nullopt;
        return dense_[static_cast<std::size_t>(iteration - first_)];
    }
    std::size_t low = 0, high = count; // points rise in iteration
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if (sparse_[middle].iteration < iteration) low = middle + 1;
        else high = middle;
    }
    if (low < count && sparse_[low].iteration == iteration) return sparse_[low].value;
    return std::nullopt;
}

const RecordedTensor* IterationTensors::find(TensorId id) const {
    for (const RecordedTensor& recorded : tensors)
        if (recorded.id == id) return &recorded;
    return nullptr;
}

const RecordedTensor* IterationTensors::find(std::string_view name) const {
    const RecordedTensor* before = nullptr;
    const RecordedTensor* written = nullptr;
    for (const RecordedTensor& recorded : tensors) {
        if (recorded.name != name) continue;
        (recorded.id.event.iteration == iteration ? written : before) = &recorded;
    }
    return written ? written : before;
}

Run::Run(Manifest manifest, std::vector<SeriesInfo> series, std::shared_ptr<const Run> parent, RunBudget budget)
    : manifest_(std::move(manifest)), parent_(std::move(parent)), budget_(budget) {
    for (SeriesInfo& info : series)
        series_.push_back(std::make_unique<Series>(std::move(info), manifest_.fork_iteration));
    head_.store(manifest_.fork_iteration);
}

Run::~Run() = default;

std::string Run::failure() const {
    const std::lock_guard lock(kept_mutex_);
    return failure_;
}

const Series* Run::find_series(std::string_view name) const {
    for (const auto& series : series_)
        if (series->info().name == name) return series.get();
    return nullptr;
}

std::optional<double> Run::value_at(std::string_view name, StepIndex iteration) const {
    const Run* run = this;
    while (iteration < run->first_iteration() && run->parent_) run = run->parent_.get();
    const Series* series = run->find_series(name);
    return series ? series->value_at(iteration) : std::nullopt;
}

Ticks Run::iteration_end(StepIndex iteration) const {
    if (iteration < first_iteration()) return parent_ ? parent_->iteration_end(iteration) : 0;
    const auto i = static_cast<std::size_t>(iteration - first_iteration());
    return i < iteration_ends_.size() ? iteration_ends_[i] : 0;
}

std::int64_t Run::last_event_unix_ns() const {
    const std::size_t count = iteration_ends_.size();
    return manifest_.clock.unix_ns(count > 0 ? iteration_ends_[count - 1] : manifest_.clock.origin_ticks);
}

std::optional<ObservedIteration> Run::find_observed(StepIndex iteration) const {
    std::size_t low = 0, high = observed_.size();
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if (observed_[middle].iteration < iteration) low = middle + 1;
        else high = middle;
    }
    if (low < observed_.size() && observed_[low].iteration == iteration) return observed_[low];
    return std::nullopt;
}

std::vector<EventRecord> Run::events(std::size_t first, std::size_t count) const {
    std::vector<EventRecord> out;
    const std::size_t end = std::min(first + count, event_count());
    while (first < end) {
        const std::size_t chunk = first / event_chunk, offset = first % event_chunk;
        const std::size_t part = std::min(end - first, event_chunk - offset);
        if (const auto pinned = event_chunks_[chunk]->get())
            out.insert(out.end(), pinned->records + offset, pinned->records + offset + part);
        first += part;
    }
    return out;
}

std::vector<EventRecord> Run::events_of(StepIndex iteration) const {
    if (iteration < first_iteration() && parent_ && iteration >= 0) return parent_->events_of(iteration);
    const auto found = find_observed(iteration);
    return found ? events(found->first_event, found->event_count) : std::vector<EventRecord>{};
}

std::shared_ptr<const IterationTensors> Run::tensors_of(StepIndex iteration) const {
    {
        const std::lock_guard lock(kept_mutex_);
        const auto at = std::lower_bound(kept_.begin(), kept_.end(), iteration,
                                         [](const Kept& kept, StepIndex wanted) { return kept.iteration < wanted; });
        if (at != kept_.end() && at->iteration == iteration) return at->tensors;
    }
    return iteration < first_iteration() && parent_ ? parent_->tensors_of(iteration) : nullptr;
}

TensorAnswer Run::tensor(TensorId id) const {
    // A tensor stands with its own iteration, and state also with the iteration that began with it.
    TensorAnswer answer;
    bool was_kept = false;
    for (const StepIndex iteration : {id.event.iteration, id.event.iteration + 1}) {
        const auto tensors = tensors_of(iteration);
        const RecordedTensor* found = tensors ? tensors->find(id) : nullptr;
        if (found && found->tensor.defined()) {
            answer.state = TensorAnswer::State::present;
            answer.tensor = *found;
            return answer;
        }
        if (found) answer.tensor = *found;
        const Run* owner = this;
        while (iteration < owner->first_iteration() && owner->parent_) owner = owner->parent_.get();
        was_kept |= owner->find_observed(iteration).has_value();
    }
    if (was_kept) {
        answer.state = TensorAnswer::State::evicted;
        answer.reason = fmt::format("the tensors of iteration {} gave way to the memory budget", id.event.iteration);
    } else {
        answer.reason = id.event.iteration >= head()
                            ? fmt::format("iteration {} has not run yet", id.event.iteration)
                            : fmt::format("iteration {} was not observed; only its scalars are kept",
                                          id.event.iteration);
    }
    return answer;
}

std::shared_ptr<const Checkpoint> Run::checkpoint_before(StepIndex iteration) const {
    {
        const std::lock_guard lock(kept_mutex_);
        auto after = std::upper_bound(checkpoints_.begin(), checkpoints_.end(), iteration,
                                      [](StepIndex wanted, const auto& c) { return wanted < c->iteration; });
        if (after != checkpoints_.begin()) return *std::prev(after);
    }
    return parent_ ? parent_->checkpoint_before(std::min(iteration, first_iteration())) : nullptr;
}

std::vector<StepIndex> Run::checkpoint_iterations() const {
    const std::lock_guard lock(kept_mutex_);
    std::vector<StepIndex> out;
    for (const auto& checkpoint : checkpoints_) out.push_back(checkpoint->iteration);
    return out;
}

Run::Memory Run::memory() const {
    Memory memory;
    memory.tensors = kept_bytes_.load(std::memory_order_relaxed);
    memory.checkpoints = checkpoint_bytes_.load(std::memory_order_relaxed);
    memory.events = (event_chunks_.size() - first_kept_chunk_.load(std::memory_order_relaxed)) * event_chunk *
                    sizeof(EventRecord);
    memory.series = iteration_ends_.bytes() + observed_.bytes();
    for (const auto& series : series_) memory.series += series->bytes();
    return memory;
}

} // namespace gradus
