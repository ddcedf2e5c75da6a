#pragma once

#include "engine/trace/run.hpp"

namespace gradus {

/// The only way to write a Run, for the engine's thread alone.
///
/// An event is reserved by begin(), which gives its ordinal, and published by end(). Both together cost
/// little more than the two reads of the clock between which the work stands.
class RunWriter {
public:
    explicit RunWriter(std::shared_ptr<Run> run);

    Run& run() const { return *run_; }
    const std::shared_ptr<Run>& shared_run() const { return run_; }

    /// Writes a site down once; records name it by the index returned.
    std::int32_t add_site(EventSite site);

    void begin_iteration(StepIndex iteration, bool observed);
    bool observing() const { return observing_; }

    struct Open {
        std::int32_t ordinal = -1;
        Ticks start = 0;
    };
    /// Starts an event of the current iteration.
    Open begin() { return {next_ordinal_++, now_ticks()}; }
    /// Publishes it.
    void end(Open open, std::int32_t site) {
        EventRecord* record = cursor_;
        if (record == chunk_end_) record = next_chunk();
        record->ordinal = open.ordinal;
        record->site = site;
        record->start = open.start;
        record->end = now_ticks();
        cursor_ = record + 1;
        run_->event_length_.store(++event_length_, std::memory_order_release);
    }

    /// Publishes an event that another thread has measured, with the next ordinal.
    void publish(std::int32_t site, Ticks start, Ticks end) { append_event({next_ordinal_++, site, start, end}); }

    /// Ends the iteration: publishes its events as a whole and moves the head.
    void end_iteration();
    void push(std::size_t series, double value) { run_->series_[series]->push(iteration_, value); }
    void push_at(std::size_t series, StepIndex at, double value) { run_->series_[series]->push(at, value); }

    void keep(std::shared_ptr<IterationTensors> tensors);
    void add_checkpoint(std::shared_ptr<const Checkpoint> checkpoint);
    void log_edit(const Edit& edit, StepIndex iteration) { run_->edits_.push({iteration, edit}); }
    void finish(RunState state, std::string failure = {});

    // For readers of files: records as they were, in order.
    void append_event(const EventRecord& record);
    void append_observed(const ObservedIteration& observed) { run_->observed_.push(observed); }
    void append_iteration_end(Ticks end);

    /// Events a recorder has yet to read are not evicted; it says here how far it has come.
    void protect_events_from(std::shared_ptr<const std::atomic<std::size_t>> recorded) { recorded_ = std::move(recorded); }

private:
    EventRecord* next_chunk();
    void evict_events();

    std::shared_ptr<Run> run_;
    EventRecord* cursor_ = nullptr;
    EventRecord* chunk_end_ = nullptr;
    std::size_t event_length_ = 0, iteration_first_event_ = 0;
    std::int32_t next_ordinal_ = 0;
    StepIndex iteration_ = 0;
    bool observing_ = false;
    std::shared_ptr<const std::atomic<std::size_t>> recorded_; ///< shared: a recorder may end before the Run does
};

/// Which of the sorted iterations to drop so that the rest lie denser the nearer they are to the head: the one
/// whose neighbours' distance is smallest against its age. Never the first, the last, or none at all (-1).
std::ptrdiff_t thinning_victim(const std::vector<StepIndex>& iterations, StepIndex head);

} // namespace gradus
