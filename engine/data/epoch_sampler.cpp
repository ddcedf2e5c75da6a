#include "engine/data/epoch_sampler.hpp"

#include "engine/core/error.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <numeric>

namespace gradus {

EpochSampler::EpochSampler(const SamplerSettings& given) : settings_(given) {
    const SamplerSettings& s = settings_;
    if (s.examples < 1 || s.examples > std::numeric_limits<std::int32_t>::max())
        throw ArgumentError(fmt::format("a sampler needs 1 to 2147483647 examples, not {}", s.examples));
    if (s.shards < 1 || s.shard < 0 || s.shard >= s.shards)
        throw ArgumentError(fmt::format("shard {} of {} does not exist: shards count from 0", s.shard, s.shards));
    part_ = s.drop_last ? s.examples / s.shards : (s.examples + s.shards - 1) / s.shards;
    if (s.batch < 1 || (s.drop_last && s.batch > part_))
        throw ArgumentError(fmt::format("batch must be 1 to {} for this data set, not {}", part_, s.batch));
    batches_ = s.drop_last ? part_ / s.batch : (part_ + s.batch - 1) / s.batch;
    order_.resize(static_cast<std::size_t>(s.examples));
    std::iota(order_.begin(), order_.end(), 0);
}

void EpochSampler::rows(StepIndex iteration, std::vector<std::int32_t>& into) {
    if (iteration < 0) throw ArgumentError(fmt::format("there is no batch of iteration {}", iteration));
    const std::int64_t epoch = iteration / batches_;
    if (settings_.order == SamplerSettings::Order::random && epoch != epoch_) {
        shuffle_rows(order_, settings_.seed, epoch);
        epoch_ = epoch;
    }
    const Dim from = iteration % batches_ * settings_.batch, until = std::min(part_, from + settings_.batch);
    into.clear();
    for (Dim i = from; i < until; ++i) {
        const Dim place =
            (i * settings_.shards + settings_.shard) % settings_.examples; // begins again where shards do not divide
        into.push_back(order_[static_cast<std::size_t>(place)]);
    }
}

} // namespace gradus
