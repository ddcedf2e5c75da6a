// Dropout beyond its rows (tests/golden/op_rows/dropout.py, which make the mask anew): that the mask is random, and the same
// again.
#include "engine/core/error.hpp"
#include "tests/ops/op_runs.hpp"
#include "tests/support/check.hpp"

#include <cmath>

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr Dim count = 120'000;

std::vector<double> mask(double p, double seed, double step) {
    OpRun run(ops::dropout(), {random_tensor(shape_of({count}), DType::f32, 1)}, 2, {p, seed, step});
    run.execute();
    return values_of(run.output(1));
}

/// How many standard deviations `hits` of `trials` is away from what a share of `expected` gives.
double deviations(double hits, double trials, double expected) {
    return std::abs(hits - trials * expected) / std::sqrt(trials * expected * (1 - expected));
}

double agreeing(const std::vector<double>& a, const std::vector<double>& b, std::size_t lag = 0) {
    double hits = 0;
    for (std::size_t i = lag; i < a.size(); ++i) hits += a[i] == b[i - lag];
    return hits;
}

} // namespace

TEST(dropout_keeps_the_share_it_says) {
    for (const double p : {0.0, 0.01, 0.1, 0.5, 0.9, 0.999, 1.0})
        for (const double seed : {0.0, 1.0, 2026.0, 9007199254740991.0}) {
            const Row row(fmt::format("p {} seed {}", p, seed));
            double kept = 0;
            for (const double m : mask(p, seed, 3)) {
                REQUIRE(m == 0 || m == 1);
                kept += m;
            }
            if (p == 0 || p == 1) CHECK_EQUAL(kept, (1 - p) * static_cast<double>(count));
            else CHECK_ERROR(deviations(kept, static_cast<double>(count), 1 - p), 4.5, "standard deviations of the kept share");
        }
}

TEST(dropout_masks_are_independent) {
    for (const double p : {0.1, 0.5}) {
        const Row row(fmt::format("p {}", p));
        const std::vector<double> here = mask(p, 7, 5);
        const double alike = p * p + (1 - p) * (1 - p);
        CHECK_EQUAL(here, mask(p, 7, 5)); // the same step again
        for (const auto& [seed, step] :
             {std::pair{7.0, 6.0}, {8.0, 5.0}, {7.0, 5.0 + 4294967296.0}, {7.0 + 4294967296.0, 5.0}, {5.0, 7.0}})
            CHECK_ERROR(deviations(agreeing(here, mask(p, seed, step)), static_cast<double>(count), alike), 4.5,
                        fmt::format("standard deviations from the mask of seed {}, step {}", seed, step));
        for (const std::size_t lag : {1u, 2u, 3u, 4u, 5u, 64u, 1024u}) // pairs share an element each: a wider bound
            CHECK_ERROR(deviations(agreeing(here, here, lag), static_cast<double>(count - static_cast<Dim>(lag)), alike), 6.0,
                        fmt::format("standard deviations at lag {}", lag));
    }
}

TEST(dropout_keeps_the_mean) {
    const Tensor x = tensor_of(shape_of({count}), std::vector<double>(static_cast<std::size_t>(count), 1), DType::f64);
    for (const double p : {0.1, 0.5, 0.9}) {
        OpRun run(ops::dropout(), {x}, 2, {p, 11, 0});
        run.execute();
        double sum = 0;
        for (const double y : values_of(run.output(0))) sum += y;
        const double spread = std::sqrt(p / (1 - p) / static_cast<double>(count)); // of the mean of y
        CHECK_ERROR(std::abs(sum / static_cast<double>(count) - 1), 4.5 * spread, fmt::format("mean with p {}", p));
    }
}

TEST(dropout_is_the_same_for_any_threads_and_path) {
    std::vector<Tensor> first;
    for (const std::string& isa : isa_paths())
        for (const int threads : {1, 2, 3}) {
            OpRun run(ops::dropout(), {random_tensor(shape_of({499, 201}), DType::f32, 1)}, 2, {0.3, 11, 4}, cpu(isa, threads));
            run.differentiate(random_tensor(shape_of({499, 201}), DType::f32, 2));
            run.execute();
            const std::vector<Tensor> now = run.results();
            if (first.empty()) first = now;
            REQUIRE(now.size() == 3);
            for (std::size_t i = 0; i < now.size(); ++i)
                CHECK(same_bits(now[i], first[i]), fmt::format("{} {} {}", i, isa, threads));
        }
}

TEST(dropout_draws_anew_each_step) {
    const Tensor x = random_tensor(shape_of({64, 33}), DType::f64, 1), dy = random_tensor(shape_of({64, 33}), DType::f64, 2);
    OpRun run(ops::dropout(), {x}, 2, {0.25, 3, 0});
    run.differentiate(dy);
    run.execute();
    const std::vector<double> before = values_of(run.output(1));
    run.tape.set_attribute(run.tape.value(run.outputs[0]).producer, 2, 1);
    run.execute();
    const std::vector<double> after = values_of(run.output(1));
    CHECK(before != after);
    for (Dim i = 0; i < x.elements(); ++i) { // forward and backward by the mask of this step
        const double m = after[static_cast<std::size_t>(i)];
        CHECK_EQUAL(run.output(0).at(i), m != 0 ? x.at(i) * (1 / 0.75) : 0.0);
        CHECK_EQUAL(run.gradient(0).at(i), m != 0 ? dy.at(i) * (1 / 0.75) : 0.0);
    }
    run.tape.set_attribute(run.tape.value(run.outputs[0]).producer, 2, -1);
    CHECK_THROWS(run.execute(), Error, "dropout");
}

TEST(dropout_refuses_with_a_sentence) {
    const Tensor x = random_tensor(shape_of({4}), DType::f32, 1);
    const auto refused = [&](Attributes attributes, const char* said) {
        CHECK_THROWS(OpRun(ops::dropout(), {x}, 2, attributes), ShapeError, "dropout", said);
    };
    refused({1.5, 0, 0}, "[0, 1]");
    refused({-0.1, 0, 0}, "[0, 1]");
    refused({NAN, 0, 0}, "[0, 1]");
    refused({0.5, 0.5, 0}, "seed");
    refused({0.5, 9007199254740992.0, 0}, "seed");
    refused({0.5, 0, -1}, "step");
    CHECK_THROWS(OpRun(ops::dropout(), {labels_of({1, 2})}, 2, {0.5, 0, 0}), ShapeError, "dropout", "floating");
}
