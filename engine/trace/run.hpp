#pragma once

#include "engine/core/tensor.hpp"
#include "engine/memory/allocator_state.hpp"
#include "engine/trace/edit.hpp"
#include "engine/trace/event.hpp"
#include "engine/trace/manifest.hpp"
#include "engine/trace/published_log.hpp"

#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace gradus {

/// A number per iteration, or per some iterations.
struct SeriesInfo {
    std::string name; ///< "loss"
    std::string unit; ///< "" for none, "s"
    Provenance provenance = Provenance::computed;
    bool every_iteration = true;
};
struct SeriesPoint {
    StepIndex iteration = 0;
    double value = 0;
};

/// One named series. A series of every iteration keeps values only, from `first` on; another keeps points.
class Series {
public:
    Series(SeriesInfo info, StepIndex first) : info_(std::move(info)), first_(first) {}
    const SeriesInfo& info() const { return info_; }
    StepIndex first() const { return first_; }
    std::size_t size() const { return info_.every_iteration ? dense_.size() : sparse_.size(); }
    SeriesPoint at(std::size_t i) const {
        if (info_.every_iteration) return {first_ + static_cast<StepIndex>(i), dense_[i]};
        return sparse_[i];
    }
    /// Its value at an iteration, if it has one of its own there.
    std::optional<double> value_at(StepIndex iteration) const;
    std::size_t bytes() const { return dense_.bytes() + sparse_.bytes(); }

    void push(StepIndex iteration, double value) { ///< writer only
        if (info_.every_iteration) dense_.push(value);
        else sparse_.push({iteration, value});
    }

private:
    SeriesInfo info_;
    StepIndex first_;
    PublishedLog<double> dense_;
    PublishedLog<SeriesPoint> sparse_;
};

/// A tensor as it stood when an event wrote it.
struct RecordedTensor {
    TensorId id;
    std::string name;
    Role role = Role::activation;
    Tensor tensor;          ///< undefined if only its hash is kept
    std::uint64_t hash = 0; ///< 0 where nobody has computed it yet
};

struct KernelTrace; // engine/trace/kernel/kernel_trace.hpp

/// What an observed iteration kept: every output of its events, and the state it began with.
struct IterationTensors {
    StepIndex iteration = 0;
    std::vector<RecordedTensor> tensors;
    /// What the allocator of these tensors did, from the first op to the last; null for the setup, and in a file of an older format.
    /// An event's ordinal is that of the op under way. One that a reader caused, by dropping a snapshot meanwhile, has it too, so
    /// these are no more reproducible than times are.
    std::shared_ptr<const AllocatorRecord> memory;
    /// What was recorded of the kernels that it ran step by step: the events below them. Null where there were none.
    std::shared_ptr<const KernelTrace> kernels;
    std::size_t bytes = 0; ///< of distinct buffers, of the allocator's record and of the kernels'
    const RecordedTensor* find(TensorId id) const;
    /// The last tensor of this name that the iteration wrote, else the state it began with.
    const RecordedTensor* find(std::string_view name) const;
};

/// Why a tensor is or is not at hand.
struct TensorAnswer {
    enum class State : std::uint8_t { present, evicted, not_kept };
    State state = State::not_kept;
    RecordedTensor tensor;
    std::string reason; ///< empty when present
};

/// The whole training state between two iterations: it holds references, no copies.
struct Checkpoint {
    StepIndex iteration = 0; ///< the next iteration to compute
    std::vector<std::pair<std::string, Tensor>> tensors;
    std::vector<std::pair<std::string, double>> settings; ///< hyperparameters as edited so far
    std::vector<std::pair<std::string, std::string>> texts = {}; ///< those that are texts
    std::size_t bytes = 0;
};

/// How much memory a Run may hold, in bytes.
struct RunBudget {
    std::size_t tensors = std::size_t{192} << 20;
    std::size_t checkpoints = std::size_t{192} << 20;
    std::size_t events = std::size_t{64} << 20;
};

struct ObservedIteration {
    StepIndex iteration = 0;
    std::size_t first_event = 0; ///< position in the event log
    std::uint32_t event_count = 0;
};

/// How an unfinished Run stands, or why it ended.
enum class RunState : std::uint8_t { growing, finished, stopped, failed };
std::string_view name_of(RunState state);

/// The record of one computation: manifest, input log, and what the engine wrote. One thread writes
/// (through RunWriter), any number read. A fork keeps its parent and holds only what comes after.
class Run {
public:
    Run(Manifest manifest, std::vector<SeriesInfo> series, std::shared_ptr<const Run> parent, RunBudget budget = {});
    ~Run();

    const Manifest& manifest() const { return manifest_; }
    const std::shared_ptr<const Run>& parent() const { return parent_; }
    /// First iteration of its own; earlier ones are the parent's.
    StepIndex first_iteration() const { return manifest_.fork_iteration; }
    /// One past the last completed iteration.
    StepIndex head() const { return head_.load(std::memory_order_acquire); }
    RunState state() const { return state_.load(std::memory_order_acquire); }
    std::string failure() const; ///< why it failed, one sentence

    const PublishedLog<LoggedEdit>& edits() const { return edits_; }
    const PublishedLog<EventSite>& sites() const { return sites_; }
    const PublishedLog<ObservedIteration>& observed() const { return observed_; }
    const std::vector<std::unique_ptr<Series>>& series() const { return series_; }
    const Series* find_series(std::string_view name) const;
    /// A series' value at an iteration, asked of the ancestors where it is theirs.
    std::optional<double> value_at(std::string_view series, StepIndex iteration) const;
    /// When iteration i ended; 0 where unknown.
    Ticks iteration_end(StepIndex iteration) const;
    const PublishedLog<Ticks>& iteration_ends() const { return iteration_ends_; }
    std::int64_t last_event_unix_ns() const;

    /// The observed iteration's place in the event log, asked of this Run only.
    std::optional<ObservedIteration> find_observed(StepIndex iteration) const;
    /// Events [first, first + count) of the log, in the order in which they ended; shorter where evicted.
    std::vector<EventRecord> events(std::size_t first, std::size_t count) const;
    std::vector<EventRecord> events_of(StepIndex iteration) const;
    std::size_t event_count() const { return event_length_.load(std::memory_order_acquire); }

    /// The tensors an observed iteration kept, null if it was not observed or they were evicted. Asks ancestors.
    std::shared_ptr<const IterationTensors> tensors_of(StepIndex iteration) const;
    TensorAnswer tensor(TensorId id) const;

    /// The latest checkpoint at or before an iteration, asked of the ancestors too; null if there is none.
    std::shared_ptr<const Checkpoint> checkpoint_before(StepIndex iteration) const;
    std::vector<StepIndex> checkpoint_iterations() const;

    struct Memory {
        std::size_t tensors = 0, checkpoints = 0, events = 0, series = 0;
        std::size_t total() const { return tensors + checkpoints + events + series; }
    };
    Memory memory() const;
    const RunBudget& budget() const { return budget_; }

private:
    friend class RunWriter;
    static constexpr std::size_t event_chunk = 16'384;
    /// Buffers come from a pool: the chunk that is evicted is the next to be written, with its pages in place.
    struct EventChunk {
        StorageRef storage;
        EventRecord* records = nullptr;
    };
    struct Kept {
        StepIndex iteration;
        std::shared_ptr<const IterationTensors> tensors; ///< null once evicted
    };

    Manifest manifest_;
    std::shared_ptr<const Run> parent_;
    RunBudget budget_;
    std::vector<std::unique_ptr<Series>> series_;
    PublishedLog<LoggedEdit> edits_;
    PublishedLog<EventSite> sites_;
    PublishedLog<ObservedIteration> observed_;
    PublishedLog<Ticks> iteration_ends_;

    std::shared_ptr<BufferPool> event_pool_ = std::make_shared<BufferPool>();
    PublishedLog<std::shared_ptr<SharedSlot<EventChunk>>> event_chunks_;
    std::atomic<std::size_t> event_length_{0};
    std::atomic<std::size_t> first_kept_chunk_{0};

    mutable std::mutex kept_mutex_; // protects kept_, checkpoints_, failure_; held for a look-up or one insertion
    std::vector<Kept> kept_;        // by iteration
    std::vector<std::shared_ptr<const Checkpoint>> checkpoints_; // by iteration
    std::string failure_;
    std::atomic<std::size_t> kept_bytes_{0}, checkpoint_bytes_{0};

    std::atomic<StepIndex> head_{0};
    std::atomic<RunState> state_{RunState::growing};
};

} // namespace gradus
