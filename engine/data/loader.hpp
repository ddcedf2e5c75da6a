#pragma once

#include "engine/core/clock.hpp"
#include "engine/data/epoch_sampler.hpp"
#include "engine/data/examples.hpp"
#include "engine/data/staging.hpp"

#include <array>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <stop_token>
#include <thread>

namespace gradus {

/// What is done for a batch, in this order; each has a place on a lane of the Run.
enum class BatchWork : std::uint8_t {
    load,    ///< the samples are loaded, one by one
    collate, ///< they become one batch
    stage,   ///< it is copied into a staging buffer
    wait,    ///< the consumer waits for it
    copy,    ///< it is copied to where it is computed with
};
std::string_view name_of(BatchWork work);

/// One of those works as it was done. Lane 0 is the consumer's thread, 1 to the number of workers are theirs, and the one after
/// those is the stager's.
struct BatchRecord {
    BatchWork work = BatchWork::load;
    std::int32_t lane = 0;
    Ticks start = 0, end = 0;
};

/// A batch in a staging buffer.
struct Batch {
    StepIndex iteration = -1;
    Dim rows = 0;                                   ///< real ones; what comes after them is padding
    std::vector<std::span<const std::byte>> fields; ///< each with room for a whole batch
    std::vector<BatchRecord> records;
};

/// Brings batches one after the other, made ahead by worker threads.
///
///     workers: load + collate  ->  queue of at most `prefetch` batches  ->  stager: copies into one of two staging buffers
///                                                                       ->  next(): the consumer reads it there
///
/// While the consumer works with one staging buffer the next batch is put into the other. Every batch is a pure function of the
/// iteration, so their order and their bits are the same for any number of workers; with 0 workers the consumer does all of it
/// itself, and no thread is started. Used by one thread, which is not one of its own.
class Loader {
public:
    struct Settings {
        int workers = 0;  ///< 0 to 64
        int prefetch = 4; ///< batches that wait for the stager, made or in the making; 1 to 1024
        StagingMaker staging = page_locked_buffer;
    };

    /// `fields` are those of the batches that `collate` makes. Throws ArgumentError for settings out of range.
    Loader(std::shared_ptr<const Examples> examples, const SamplerSettings& order, Collate collate, std::vector<Field> fields,
           Settings settings);
    /// With stacked() as its collation.
    Loader(std::shared_ptr<const Examples> examples, const SamplerSettings& order, Settings settings);
    /// Stops its threads: each ends after the sample that it is at.
    ~Loader();
    Loader(const Loader&) = delete;
    Loader& operator=(const Loader&) = delete;

    /// The next batch is that of this iteration; costs nothing where it is so anyway. What was made ahead for others is
    /// dropped.
    void seek(StepIndex iteration);
    /// The next batch; waits for it. It is valid until the next call of next() or seek(). Null where `stop` was requested while
    /// it waited. Throws Error, whose sentence names the iteration and what a sample, its loading or its collation threw. It is
    /// tried anew after seek(); until then a loader with workers throws the same again.
    const Batch* next(const std::stop_token& stop = {});
    /// Copies a field of a batch that next() gave and adds that to its records.
    void copy(std::size_t field, std::byte* to);
    /// What was done for the batch at hand, in the order of BatchWork.
    std::span<const BatchRecord> records() const { return at_hand_.records; }

    const std::vector<Field>& fields() const { return fields_; } ///< of one row
    int workers() const { return settings_.workers; }
    int lanes() const { return settings_.workers == 0 ? 1 : settings_.workers + 2; }
    Dim batches_per_epoch() const { return sampler_.batches_per_epoch(); }
    /// Of a whole batch: the bytes of its samples as they are loaded, and of its fields as they are collated.
    struct BatchBytes {
        double loaded = 0, made = 0;
    };
    BatchBytes batch_bytes() const;
    /// What the staging buffers are: "page-locked", or why not.
    std::string staging_text() const { return buffers_[0]->text(); }

private:
    /// A batch that a worker has made, in ordinary memory.
    struct Made {
        bool ready = false;
        StepIndex iteration = -1;
        Dim rows = 0;
        std::vector<std::vector<std::byte>> fields;
        std::vector<BatchRecord> records;
        std::exception_ptr error;
    };
    /// A batch in a staging buffer.
    struct Staged {
        Dim rows = 0;
        std::vector<BatchRecord> records;
        std::exception_ptr error;
    };
    /// What a thread makes batches with.
    struct Desk {
        std::vector<std::int32_t> rows;
        std::vector<Sample> samples;
        Made made;
    };

    void work(const std::stop_token& stop, std::int32_t lane);
    void stage_all(const std::stop_token& stop);
    void make(Desk& desk, StepIndex iteration, std::int32_t lane, const std::stop_token& stop) const;
    void stage(Made& made, std::size_t buffer, std::int32_t lane, Staged& staged) const;
    Made& cell(StepIndex iteration) { return cells_[static_cast<std::size_t>(iteration) % cells_.size()]; }
    const Batch* give(Staged& staged, Ticks asked);

    std::shared_ptr<const Examples> examples_;
    Collate collate_;
    std::vector<Field> fields_;
    Settings settings_;
    std::vector<std::size_t> offsets_; ///< of the fields in a staging buffer, bytes
    std::array<std::unique_ptr<StagingBuffer>, 2> buffers_;
    Batch at_hand_;
    StepIndex wanted_ = 0; ///< the iteration that next() gives
    Desk own_desk_;        ///< of the consumer, where there are no workers

    std::mutex mutex_;                    // protects what follows
    std::condition_variable_any changed_; // any of it
    EpochSampler sampler_;
    std::uint64_t generation_ = 0; ///< rises by one per seek: what was begun before is dropped
    StepIndex next_ = 0;           ///< the next that a worker takes
    StepIndex staging_ = 0;        ///< the next that the stager takes
    StepIndex staged_until_ = 0;   ///< those before it are in staging buffers, or have been
    StepIndex released_until_ = 0; ///< those before it are no longer read by the consumer
    std::vector<Made> cells_;      ///< a ring of `prefetch`
    std::array<Staged, 2> staged_;
    std::vector<std::jthread> threads_; // last, so that they end first
};

} // namespace gradus
