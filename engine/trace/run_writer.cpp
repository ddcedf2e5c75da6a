#include "engine/trace/run_writer.hpp"

#include "engine/trace/kernel/kernel_trace.hpp"

#include <algorithm>
#include <limits>

namespace gradus {

RunWriter::RunWriter(std::shared_ptr<Run> run) : run_(std::move(run)), iteration_(run_->first_iteration()) {}

std::int32_t RunWriter::add_site(EventSite site) {
    run_->sites_.push(std::move(site));
    return static_cast<std::int32_t>(run_->sites_.size() - 1);
}

void RunWriter::begin_iteration(StepIndex iteration, bool observed) {
    iteration_ = iteration;
    observing_ = observed;
    next_ordinal_ = 0;
    iteration_first_event_ = event_length_;
}

EventRecord* RunWriter::next_chunk() {
    evict_events(); // first, so that what it frees is what is allocated
    auto chunk = std::make_shared<Run::EventChunk>();
    chunk->storage = run_->event_pool_->allocate(Run::event_chunk * sizeof(EventRecord));
    chunk->records = static_cast<EventRecord*>(chunk->storage.data());
    cursor_ = chunk->records;
    chunk_end_ = cursor_ + Run::event_chunk;
    auto slot = std::make_shared<SharedSlot<Run::EventChunk>>();
    slot->set(std::move(chunk));
    run_->event_chunks_.push(std::move(slot));
    return cursor_;
}

void RunWriter::evict_events() {
    const std::size_t chunk_bytes = Run::event_chunk * sizeof(EventRecord);
    std::size_t first = run_->first_kept_chunk_.load(std::memory_order_relaxed);
    // With the chunk that is about to come the budget must hold; the one that was last filled stays.
    while ((run_->event_chunks_.size() + 1 - first) * chunk_bytes > run_->budget_.events &&
           first + 1 < run_->event_chunks_.size()) {
        if (recorded_ && recorded_->load(std::memory_order_acquire) < (first + 1) * Run::event_chunk) break;
        run_->event_chunks_[first]->set(nullptr);
        run_->first_kept_chunk_.store(++first, std::memory_order_relaxed);
    }
}

void RunWriter::end_iteration() {
    if (observing_) {
        run_->observed_.push({iteration_, iteration_first_event_,
                              static_cast<std::uint32_t>(event_length_ - iteration_first_event_)});
        observing_ = false;
    }
    if (iteration_ < run_->first_iteration()) return; // setup is no iteration of training
    run_->iteration_ends_.push(now_ticks());
    run_->head_.store(iteration_ + 1, std::memory_order_release);
}

void RunWriter::append_event(const EventRecord& record) {
    if (cursor_ == chunk_end_) next_chunk();
    *cursor_++ = record;
    run_->event_length_.store(++event_length_, std::memory_order_release);
}

void RunWriter::append_iteration_end(Ticks end) {
    run_->iteration_ends_.push(end);
    run_->head_.store(run_->first_iteration() + static_cast<StepIndex>(run_->iteration_ends_.size()),
                      std::memory_order_release);
}

void RunWriter::keep(std::shared_ptr<IterationTensors> tensors) {
    std::vector<const void*> seen;
    tensors->bytes = (tensors->memory ? tensors->memory->bytes() : 0) + (tensors->kernels ? tensors->kernels->bytes() : 0);
    for (const RecordedTensor& recorded : tensors->tensors) {
        if (!recorded.tensor.defined()) continue;
        const void* data = recorded.tensor.storage().data();
        if (std::find(seen.begin(), seen.end(), data) != seen.end()) continue;
        seen.push_back(data);
        const Tensor& tensor = recorded.tensor;
        tensors->bytes += tensor.contiguous() ? tensor.bytes() : tensor.storage().bytes(); // a view holds its base's buffer
    }
    const std::lock_guard lock(run_->kept_mutex_);
    std::size_t bytes = run_->kept_bytes_.load(std::memory_order_relaxed) + tensors->bytes;
    run_->kept_.push_back({tensors->iteration, std::move(tensors)});
    while (bytes > run_->budget_.tensors) {
        std::vector<StepIndex> iterations;
        for (const Run::Kept& kept : run_->kept_) iterations.push_back(kept.iteration);
        const std::ptrdiff_t victim = thinning_victim(iterations, run_->kept_.back().iteration + 1);
        if (victim < 0) break;
        bytes -= run_->kept_[static_cast<std::size_t>(victim)].tensors->bytes;
        run_->kept_.erase(run_->kept_.begin() + victim);
    }
    run_->kept_bytes_.store(bytes, std::memory_order_relaxed);
}

void RunWriter::add_checkpoint(std::shared_ptr<const Checkpoint> checkpoint) {
    const std::lock_guard lock(run_->kept_mutex_);
    std::size_t bytes = run_->checkpoint_bytes_.load(std::memory_order_relaxed) + checkpoint->bytes;
    const StepIndex head = checkpoint->iteration + 1;
    run_->checkpoints_.push_back(std::move(checkpoint));
    constexpr std::size_t most = 512; // so that a tiny net's thinning stays cheap
    while (bytes > run_->budget_.checkpoints || run_->checkpoints_.size() > most) {
        std::vector<StepIndex> iterations;
        for (const auto& kept : run_->checkpoints_) iterations.push_back(kept->iteration);
        const std::ptrdiff_t victim = thinning_victim(iterations, head);
        if (victim < 0) break;
        bytes -= run_->checkpoints_[static_cast<std::size_t>(victim)]->bytes;
        run_->checkpoints_.erase(run_->checkpoints_.begin() + victim);
    }
    run_->checkpoint_bytes_.store(bytes, std::memory_order_relaxed);
}

void RunWriter::finish(RunState state, std::string failure) {
    {
        const std::lock_guard lock(run_->kept_mutex_);
        run_->failure_ = std::move(failure);
    }
    run_->state_.store(state, std::memory_order_release);
}

std::ptrdiff_t thinning_victim(const std::vector<StepIndex>& iterations, StepIndex head) {
    std::ptrdiff_t victim = -1;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 1; i + 1 < iterations.size(); ++i) {
        const double gap = static_cast<double>(iterations[i + 1] - iterations[i - 1]);
        const double age = static_cast<double>(head - iterations[i]);
        if (gap / age < least) {
            least = gap / age;
            victim = static_cast<std::ptrdiff_t>(i);
        }
    }
    return victim;
}

} // namespace gradus
