#include "lessons/runtime/recomputer.hpp"

#include "engine/core/error.hpp"
#include "engine/trace/derive/diff.hpp"

#include <algorithm>
#include <bit>
#include <exception>
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

Recomputer::Recomputer(const Experiment& experiment, Setup setup)
    : experiment_(&experiment), setup_(std::move(setup)),
      thread_([this](const std::stop_token& stop) { work(stop); }) {}

Recomputer::~Recomputer() = default;

Detail Recomputer::get(const std::shared_ptr<const Run>& run, StepIndex iteration) {
    const std::lock_guard lock(mutex_);
    for (auto at = cache_.begin(); at != cache_.end(); ++at) {
        if (at->job.run != run || at->job.iteration != iteration) continue;
        cache_.splice(cache_.begin(), cache_, at);
        return cache_.front().detail;
    }
    Detail detail;
    detail.state = Detail::State::computing;
    if (running_ && running_->run == run && running_->iteration == iteration) {
        detail.progress = progress_.load();
        return detail;
    }
    wanted_ = Job{run, iteration}; // the newest wish replaces an older one: the cursor has moved on
    wake_.notify_one();
    return detail;
}

void Recomputer::work(const std::stop_token& stop) {
    constexpr std::size_t most_cached = 24;
    std::unique_lock lock(mutex_);
    while (wake_.wait(lock, stop, [this] { return wanted_.has_value(); })) {
        const Job job = *wanted_;
        running_ = job;
        wanted_.reset();
        progress_.store(0);
        lock.unlock();
        Detail detail;
        try {
            detail = compute(job, stop);
        } catch (const std::exception& error) {
            detail.state = Detail::State::unavailable;
            detail.reason = error.what();
        }
        lock.lock();
        running_.reset();
        cache_.push_front({job, std::move(detail)});
        if (cache_.size() > most_cached) cache_.pop_back();
    }
}

Detail Recomputer::compute(const Job& job, const std::stop_token& stop) {
    if (!process_) process_ = experiment_->start(setup_);
    // The Run that really computed this iteration; a fork's past is its parent's.
    std::shared_ptr<const Run> owner = job.run;
    while (job.iteration < owner->first_iteration() && owner->parent()) owner = owner->parent();
    bring_to(*process_, *owner, job.iteration, true, stop, &progress_);
    Manifest manifest = owner->manifest();
    manifest.fork_iteration = job.iteration;
    auto cache = std::make_shared<Run>(manifest, process_->series(), owner->parent() ? owner->parent() : nullptr);
    RunWriter writer(cache);
    process_->begin(writer, false);
    process_->iterate(writer, job.iteration, true);
    const auto recorded = owner->value_at("loss", job.iteration), again = cache->value_at("loss", job.iteration);
    if (recorded && again && std::bit_cast<std::uint64_t>(*recorded) != std::bit_cast<std::uint64_t>(*again))
        throw Error(fmt::format("re-computing iteration {} gave the loss {}, but {} was recorded", job.iteration,
                                *again, *recorded));
    Detail detail;
    detail.state = Detail::State::present;
    detail.run = std::move(cache);
    detail.progress = 1;
    return detail;
}

} // namespace gradus
