#pragma once

#include "engine/core/ids.hpp"
#include "engine/core/shape.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace gradus {

/// Writes the numbers 0 … order.size() - 1 in an order drawn from (seed, epoch). Source: Fisher and Yates.
void shuffle_rows(std::span<std::int32_t> order, std::uint64_t seed, std::int64_t epoch);

/// Which examples a training step sees: every epoch a new order drawn from the seed, cut into batches of equal
/// size (what is left over is dropped). The batch of an iteration is a pure function of (seed, iteration), so a
/// checkpoint needs no sampler state.
class BatchSampler {
public:
    /// Throws ArgumentError unless 1 <= batch <= examples.
    BatchSampler(Dim examples, Dim batch, std::uint64_t seed);

    /// Row numbers of the iteration's batch; valid until the next call.
    std::span<const std::int32_t> batch(StepIndex iteration);
    Dim batches_per_epoch() const { return examples_ / batch_; }

private:
    void shuffle(std::int64_t epoch);

    Dim examples_, batch_;
    std::uint64_t seed_;
    std::int64_t epoch_ = -1;
    std::vector<std::int32_t> order_;
};

} // namespace gradus
