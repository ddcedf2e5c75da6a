#include "engine/data/sampler.hpp"

#include "engine/core/error.hpp"
#include "engine/core/hash.hpp"
#include "tests/support/check.hpp"

#include <algorithm>
#include <cmath>
#include <set>

using namespace gradus;
using namespace gradus::test;

namespace {

std::vector<std::int32_t> batch_of(BatchSampler& sampler, StepIndex iteration) {
    const auto rows = sampler.batch(iteration);
    return {rows.begin(), rows.end()};
}

} // namespace

TEST(sampler_gives_every_example_once_per_epoch) {
    struct {
        Dim examples, batch;
    } const rows[] = {{1, 1}, {4, 4}, {4, 1}, {400, 64}, {400, 400}, {1000, 1}, {90, 9}, {60'000, 64}};
    for (const auto& row : rows) {
        const Row named(fmt::format("{} by {}", row.examples, row.batch));
        BatchSampler sampler(row.examples, row.batch, 5);
        CHECK_EQUAL(sampler.batches_per_epoch(), row.examples / row.batch);
        for (const std::int64_t epoch : {0, 1, 7}) {
            std::vector<int> hits(static_cast<std::size_t>(row.examples));
            for (Dim i = 0; i < sampler.batches_per_epoch(); ++i)
                for (const std::int32_t example : sampler.batch(epoch * sampler.batches_per_epoch() + i))
                    ++hits.at(static_cast<std::size_t>(example));
            const auto once = std::count(hits.begin(), hits.end(), 1), never = std::count(hits.begin(), hits.end(), 0);
            CHECK_EQUAL(once, row.examples / row.batch * row.batch);
            CHECK_EQUAL(once + never, row.examples); // the rest is dropped, nothing twice
        }
    }
}

TEST(sampler_is_a_function_of_the_iteration) {
    BatchSampler forward(400, 64, 9), jumping(400, 64, 9), other(400, 64, 10);
    std::vector<std::vector<std::int32_t>> batches;
    for (StepIndex i = 0; i < 30; ++i) batches.push_back(batch_of(forward, i));
    for (const StepIndex i : {29, 3, 3, 17, 0, 28, 6, 5})
        CHECK(batch_of(jumping, i) == batches[static_cast<std::size_t>(i)], std::to_string(i));
    CHECK(batches[0] != batches[1] && batches[0] != batches[6]); // the next batch, the next epoch
    CHECK(batch_of(other, 0) != batches[0]);
}

TEST(sampler_orders_are_fair) { // each example is first in about one epoch of ten
    std::vector<int> first(10);
    BatchSampler sampler(10, 1, 1);
    for (StepIndex epoch = 0; epoch < 10'000; ++epoch) ++first[static_cast<std::size_t>(sampler.batch(epoch * 10)[0])];
    for (const int hits : first) CHECK_ERROR(std::abs(hits - 1000.0), 150, "epochs"); // five standard deviations
}

TEST(sampler_is_the_same_on_every_machine) {
    BatchSampler sampler(60'000, 64, 1);
    std::uint64_t hash = 0;
    for (const StepIndex i : {0, 1, 936, 937, 5000}) {
        const auto rows = sampler.batch(i);
        hash = hash_bytes(rows.data(), rows.size_bytes(), hash);
    }
    CHECK_EQUAL(hash_hex(hash), "f879879eabb00d48");
}

TEST(sampler_refuses_impossible_batches) {
    CHECK_THROWS(BatchSampler(10, 0, 1), ArgumentError, "batch", "1 to 10", "0");
    CHECK_THROWS(BatchSampler(10, 11, 1), ArgumentError, "batch", "11");
    CHECK_THROWS(BatchSampler(10, -1, 1), ArgumentError, "-1");
    CHECK_THROWS(BatchSampler(0, 1, 1), ArgumentError, "batch");
}
