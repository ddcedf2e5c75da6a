#include "lessons/runtime/recomputer.hpp"

#include "engine/core/error.hpp"
#include "engine/core/give_way.hpp"
#include "lessons/runtime/branching.hpp"

#include <bit>
#include <exception>
#include <fmt/format.h>

namespace gradus {

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
    give_way();
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
    if (!process_) {
        Setup setup = setup_;
        setup.stop = stop;
        process_ = experiment_->start(setup);
    }
    // The Run that really computed this iteration; a fork's past is its parent's.
    std::shared_ptr<const Run> owner = job.run;
    while (job.iteration < owner->first_iteration() && owner->parent()) owner = owner->parent();
    bring_to(*process_, *owner, job.iteration, true, stop, &progress_);
    Manifest manifest = owner->manifest();
    manifest.fork_iteration = job.iteration;
    auto cache = std::make_shared<Run>(manifest, process_->series(), owner->parent() ? owner->parent() : nullptr);
    RunWriter writer(cache);
    for (std::size_t i = 0; i < owner->edits().size(); ++i) // they say where its numbers come from
        if (const LoggedEdit& logged = owner->edits()[i]; logged.iteration <= job.iteration) writer.log_edit(logged.edit, logged.iteration);
    process_->begin(writer, false);
    if (const auto setup = owner->tensors_of(-1); setup && !owner->parent()) writer.keep(std::make_shared<IterationTensors>(*setup)); // constants that it reads
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
