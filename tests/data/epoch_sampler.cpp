#include "engine/data/epoch_sampler.hpp"

#include "engine/core/error.hpp"
#include "tests/support/check.hpp"

#include <algorithm>
#include <set>

using namespace gradus;
using namespace gradus::test;

namespace {

using Order = SamplerSettings::Order;
using Rows = std::vector<std::int32_t>;

Rows rows_of(EpochSampler& sampler, StepIndex iteration) {
    Rows rows;
    sampler.rows(iteration, rows);
    return rows;
}

} // namespace

TEST(batches_of_every_kind) {
    const struct {
        const char* name;
        SamplerSettings settings;
        Dim per_epoch;
        std::vector<Rows> wanted; ///< of the first iterations, where the order is sequential
    } rows[] = {
        {"whole batches", {.examples = 6, .batch = 2, .order = Order::sequential}, 3, {{0, 1}, {2, 3}, {4, 5}, {0, 1}}},
        {"the rest dropped", {.examples = 7, .batch = 3, .order = Order::sequential}, 2, {{0, 1, 2}, {3, 4, 5}, {0, 1, 2}}},
        {"the rest kept",
         {.examples = 7, .batch = 3, .order = Order::sequential, .drop_last = false},
         3,
         {{0, 1, 2}, {3, 4, 5}, {6}, {0, 1, 2}}},
        {"a batch larger than the set",
         {.examples = 3, .batch = 5, .order = Order::sequential, .drop_last = false},
         1,
         {{0, 1, 2}, {0, 1, 2}}},
        {"one of three shards",
         {.examples = 9, .batch = 2, .order = Order::sequential, .shard = 1, .shards = 3},
         1,
         {{1, 4}, {1, 4}}},
        {"shards that do not divide, dropped",
         {.examples = 8, .batch = 1, .order = Order::sequential, .shard = 2, .shards = 3},
         2,
         {{2}, {5}, {2}}},
        {"shards that do not divide, filled up",
         {.examples = 8, .batch = 2, .order = Order::sequential, .drop_last = false, .shard = 2, .shards = 3},
         2,
         {{2, 5}, {0}, {2, 5}}},
        {"fewer examples than shards",
         {.examples = 2, .batch = 1, .order = Order::sequential, .drop_last = false, .shard = 3, .shards = 4},
         1,
         {{1}}},
        {"one example", {.examples = 1, .batch = 1}, 1, {{0}, {0}}},
    };
    for (const auto& row : rows) {
        const Row named(row.name);
        EpochSampler sampler(row.settings);
        CHECK_EQUAL(sampler.batches_per_epoch(), row.per_epoch);
        for (std::size_t i = 0; i < row.wanted.size(); ++i)
            CHECK_EQUAL(rows_of(sampler, static_cast<StepIndex>(i)), row.wanted[i]);
    }
}

TEST(a_random_order_is_the_batch_samplers) {
    EpochSampler sampler({.examples = 400, .batch = 64, .seed = 9});
    BatchSampler other(400, 64, 9);
    for (const StepIndex i : {0, 5, 6, 29, 3, 1000}) {
        const auto wanted = other.batch(i);
        CHECK(std::ranges::equal(rows_of(sampler, i), wanted), std::to_string(i));
    }
}

TEST(an_iteration_says_everything) { // going on anywhere gives what going through gives
    const SamplerSettings settings{.examples = 53, .batch = 8, .seed = 3, .drop_last = false, .shard = 1, .shards = 2};
    EpochSampler through(settings);
    std::vector<Rows> all;
    for (StepIndex i = 0; i < 40; ++i) all.push_back(rows_of(through, i));
    for (const StepIndex i : {39, 0, 17, 4, 3, 38}) {
        EpochSampler fresh(settings);
        CHECK_EQUAL(rows_of(fresh, i), all[static_cast<std::size_t>(i)]);
        CHECK_EQUAL(rows_of(through, i), all[static_cast<std::size_t>(i)]);
    }
    CHECK(all[0] != all[4]); // the next epoch
}

TEST(shards_part_a_set_among_them) {
    for (const bool drop : {true, false})
        for (const Dim shards : {1, 2, 3, 5}) {
            const Row named(fmt::format("{} shards, drop {}", shards, drop));
            std::vector<int> hits(47);
            Dim batches = -1;
            for (Dim shard = 0; shard < shards; ++shard) {
                EpochSampler sampler(
                    {.examples = 47, .batch = 4, .seed = 2, .drop_last = drop, .shard = shard, .shards = shards});
                if (batches >= 0) CHECK_EQUAL(sampler.batches_per_epoch(), batches); // ranks step together
                batches = sampler.batches_per_epoch();
                for (StepIndex i = 0; i < batches; ++i)
                    for (const std::int32_t example : rows_of(sampler, batches + i)) ++hits[static_cast<std::size_t>(example)];
            }
            const auto once = std::count(hits.begin(), hits.end(), 1), twice = std::count(hits.begin(), hits.end(), 2);
            if (drop) CHECK(twice == 0 && once == batches * 4 * shards);
            else CHECK(once + twice == 47 && twice == (shards - 47 % shards) % shards);
        }
}

TEST(samplers_refuse) {
    CHECK_THROWS(EpochSampler({.examples = 0, .batch = 1}), ArgumentError, "examples", "0");
    CHECK_THROWS(EpochSampler({.examples = 10, .batch = 0}), ArgumentError, "batch", "1 to 10");
    CHECK_THROWS(EpochSampler({.examples = 10, .batch = 11}), ArgumentError, "batch", "11");
    CHECK_THROWS(EpochSampler({.examples = 10, .batch = 6, .shard = 0, .shards = 2}), ArgumentError, "1 to 5");
    CHECK_THROWS(EpochSampler({.examples = 10, .batch = 1, .shard = 2, .shards = 2}), ArgumentError, "shard 2 of 2");
    CHECK_THROWS(EpochSampler({.examples = 10, .batch = 1, .shard = -1, .shards = 2}), ArgumentError, "shard -1");
    EpochSampler sampler({.examples = 10, .batch = 1});
    Rows rows;
    CHECK_THROWS(sampler.rows(-1, rows), ArgumentError, "iteration -1");
}
