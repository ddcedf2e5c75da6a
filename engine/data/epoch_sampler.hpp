#pragma once

#include "engine/data/sampler.hpp"

#include <vector>

namespace gradus {

/// In which order a set is gone through, and which part of it.
struct SamplerSettings {
    enum class Order : std::uint8_t { sequential, random };
    Dim examples = 0, batch = 1;
    Order order = Order::random;
    std::uint64_t seed = 1;    ///< of a random order, which is another in each epoch
    bool drop_last = true;     ///< what is left of an epoch when no whole batch is left; else it is a shorter batch
    Dim shard = 0, shards = 1; ///< of a set that several ranks go through together, each a part of its own
};

/// Which examples an iteration sees. The answer is a pure function of the settings and the iteration, so that nothing needs to
/// be kept to go on anywhere: at most one epoch's order is made anew.
///
/// Ranks: all draw the same order; shard s gets places s, s + shards, s + 2 · shards, … of it. Where the shards do not divide
/// the set, drop_last leaves out the last places, else the order begins again for those that are missing, so that all shards
/// have as many. One shard in random order with drop_last gives what BatchSampler gives, to the bit. Source:
/// torch.utils.data.DistributedSampler.
class EpochSampler {
public:
    /// Throws ArgumentError where there is no example or no whole batch (with drop_last), or the shard is not one of the
    /// shards.
    explicit EpochSampler(const SamplerSettings& settings);

    const SamplerSettings& settings() const { return settings_; }
    Dim examples_per_epoch() const { return part_; } ///< of this shard
    Dim batches_per_epoch() const { return batches_; }
    /// Row numbers of the iteration's batch: `batch` of them, or fewer at the end of an epoch without drop_last. Iterations go
    /// on from epoch to epoch. Throws ArgumentError for a negative one.
    void rows(StepIndex iteration, std::vector<std::int32_t>& into);

private:
    SamplerSettings settings_;
    Dim part_ = 0, batches_ = 0;
    std::int64_t epoch_ = -1;
    std::vector<std::int32_t> order_; ///< of the epoch, for all shards
};

} // namespace gradus
