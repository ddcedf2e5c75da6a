#include "engine/data/sampler.hpp"

#include "engine/core/error.hpp"
#include "engine/core/philox.hpp"

#include <fmt/format.h>
#include <numeric>
#include <utility>

namespace gradus {

namespace {
constexpr std::uint64_t order_stream = std::uint64_t{3} << 32; // low half: the epoch
}

BatchSampler::BatchSampler(Dim examples, Dim batch, std::uint64_t seed)
    : examples_(examples), batch_(batch), seed_(seed) {
    if (batch < 1 || batch > examples)
        throw ArgumentError(fmt::format("batch must be 1 to {} for this data set, not {}", examples, batch));
    order_.resize(static_cast<std::size_t>(examples));
}

// Every epoch starts from the identity, so no epoch depends on the one before.
void shuffle_rows(std::span<std::int32_t> order, std::uint64_t seed, std::int64_t epoch) {
    std::iota(order.begin(), order.end(), 0);
    const Philox random(seed, order_stream + static_cast<std::uint64_t>(epoch));
    Philox::Block words{};
    for (std::size_t i = order.size() - 1, drawn = 0; i > 0; --i, ++drawn) {
        if (drawn % 4 == 0) words = random.block(drawn / 4);
        const auto j = static_cast<std::size_t>(std::uint64_t{words[drawn % 4]} * (i + 1) >> 32);
        std::swap(order[i], order[j]);
    }
}

void BatchSampler::shuffle(std::int64_t epoch) {
    shuffle_rows(order_, seed_, epoch);
    epoch_ = epoch;
}

std::span<const std::int32_t> BatchSampler::batch(StepIndex iteration) {
    const Dim per_epoch = batches_per_epoch();
    if (iteration / per_epoch != epoch_) shuffle(iteration / per_epoch);
    return std::span(order_).subspan(static_cast<std::size_t>(iteration % per_epoch * batch_),
                                     static_cast<std::size_t>(batch_));
}

} // namespace gradus
