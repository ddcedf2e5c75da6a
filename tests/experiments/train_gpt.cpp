// train_gpt: every kind of block trains, its forms give the same numbers, and it learns to sort, reverse and add.
#include "engine/core/error.hpp"
#include "engine/core/hash.hpp"
#include "lessons/experiments/train_gpt/process.hpp"
#include "tests/experiments/support.hpp"
#include "tests/support/check.hpp"
#include "tests/support/slowed.hpp"

#include <cmath>
#include <map>

using namespace gradus;
using namespace gradus::test;

namespace {

Parameters small(const Parameters& more) {
    Parameters parameters{{"length", "4"}, {"layers", "2"}, {"channels", "16"}, {"heads", "2"}, {"batch", "16"}, {"warmup", "2"}};
    for (const auto& [name, value] : more) parameters[name] = value;
    return parameters;
}

Setup gpt_setup(const Parameters& parameters, StepIndex steps, int threads = 1) {
    Setup setup = setup_of("train_gpt", parameters, steps);
    setup.device.threads = threads;
    return setup;
}

std::vector<double> losses_of(const Parameters& parameters, StepIndex steps, int threads = 1) {
    gpt::TrainGpt process(gpt_setup(parameters, 100, threads));
    std::vector<double> out;
    for (StepIndex i = 0; i < steps; ++i) {
        process.replay(i);
        out.push_back(process.loss());
    }
    return out;
}

} // namespace

TEST(train_gpt_trains_every_kind_of_block) {
    const Parameters rows[] = {
        {},
        {{"attention", "grouped-query"}},
        {{"attention", "multi-query"}},
        {{"attention", "latent"}},
        {{"attention", "latent"}, {"attention_form", "fused"}, {"norm", "rms"}},
        {{"attention_form", "fused"}, {"positions", "rotary"}},
        {{"mlp", "swiglu"}, {"norm", "rms"}, {"positions", "rotary"}, {"head", "tied"}},
        {{"mlp", "experts"}},
        {{"mlp", "experts"}, {"top_k", "1"}, {"checkpointing", "blocks"}},
        {{"dropout", "0.1"}, {"checkpointing", "blocks"}, {"clip", "1"}, {"accumulate", "2"}},
        {{"task", "add"}, {"length", "2"}},
        {{"task", "reverse"}},
        {{"optimizer", "nesterov"}, {"lr", "0.5"}},
        {{"precision", "bf16"}},
        {{"precision", "fp16"}, {"mlp", "experts"}},
    };
    for (const Parameters& given : rows) {
        std::string words;
        for (const auto& [name, value] : given) words += name + "=" + value + " ";
        const Row row(words);
        const std::vector<double> one = losses_of(small(given), 24);
        CHECK(one.back() < 0.97 * one.front(), fmt::format("{} to {}", one.front(), one.back()));
        CHECK(one == losses_of(small(given), 24, 2)); // the same bits on two threads
    }
}

TEST(train_gpt_has_forms_that_give_the_same_numbers) {
    const auto apart = [](const Parameters& a, const Parameters& b) {
        const std::vector<double> one = losses_of(small(a), 6), two = losses_of(small(b), 6);
        double worst = 0;
        for (std::size_t i = 0; i < one.size(); ++i) worst = std::max(worst, std::abs(one[i] - two[i]) / one[i]);
        return one.back() == one.back() && two.back() == two.back() ? worst : NAN;
    };
    const Parameters fp64{{"precision", "fp64"}};
    CHECK(apart(fp64, {{"precision", "fp64"}, {"attention_form", "fused"}}) <= 1e-10);
    CHECK(apart({{"precision", "fp64"}, {"attention", "latent"}}, {{"precision", "fp64"}, {"attention", "latent"}, {"attention_form", "fused"}}) <= 1e-10);
    CHECK_EQUAL(apart(fp64, {{"precision", "fp64"}, {"checkpointing", "blocks"}}), 0.0);
    for (const Parameters& kind : {Parameters{}, Parameters{{"norm", "rms"}, {"mlp", "swiglu"}}}) {
        Parameters none = fp64, all = fp64;
        for (const auto& [name, value] : kind) none[name] = all[name] = value;
        none["fusion"] = "none", all["fusion"] = "all";
        CHECK(apart(none, all) <= 1e-10);
        const double least = kind.empty() ? 0.95 : 1; // without an activation that has a bias there is less to save
        CHECK(ask("train_gpt", "step_bytes", small(all)).number() < least * ask("train_gpt", "step_bytes", small(none)).number());
    }
    CHECK(apart(fp64, {}) <= 1e-4);
    CHECK(apart({}, {{"head", "tied"}}) > 1e-3); // another net
}

TEST(train_gpt_goes_on_from_a_checkpoint) {
    const Setup setup = gpt_setup(small({{"mlp", "experts"}, {"dropout", "0.2"}}), 8);
    gpt::TrainGpt whole(setup), second(setup);
    std::shared_ptr<const Checkpoint> middle;
    for (StepIndex i = 0; i < 8; ++i) {
        if (i == 5) middle = whole.checkpoint(i);
        whole.replay(i);
    }
    second.restore(*middle);
    for (StepIndex i = 5; i < 8; ++i) second.replay(i);
    const auto a = whole.checkpoint(8), b = second.checkpoint(8);
    REQUIRE(a->tensors.size() == b->tensors.size());
    for (std::size_t i = 0; i < a->tensors.size(); ++i)
        CHECK_EQUAL(hash_tensor(a->tensors[i].second), hash_tensor(b->tensors[i].second));
}

TEST(train_gpt_counts_what_it_is_made_of) {
    const auto number = [](const char* question, const Parameters& parameters) { return ask("train_gpt", question, small(parameters)).number(); };
    // V·C + T·C, two blocks of 2·2·C (norms), 4·C² (attention) and 8·C² + 4·C + C (MLP), the last norm, C·V
    const double C = 16, T = 7, V = 10;
    CHECK_EQUAL(number("parameters", {}), V * C + T * C + 2 * (4 * C + 4 * C * C + 8 * C * C + 5 * C) + 2 * C + C * V);
    CHECK_EQUAL(number("parameters", {{"head", "tied"}}), number("parameters", {}) - C * V);
    CHECK_EQUAL(number("cached_per_token", {}), 2 * 2 * C);
    CHECK_EQUAL(number("cached_per_token", {{"attention", "multi-query"}}), 2 * 2 * C / 2);
    CHECK_EQUAL(number("cached_per_token", {{"attention", "latent"}}), 2 * (C / 4 + C / 2 / 2));
    CHECK(number("saved_activations", {{"checkpointing", "blocks"}}) < 0.6 * number("saved_activations", {}));
    const Parameters longer{{"length", "32"}}, fused{{"length", "32"}, {"attention_form", "fused"}}; // T² numbers a head, or T
    CHECK(number("saved_activations", fused) < 0.8 * number("saved_activations", longer));
}

TEST(train_gpt_refuses_what_does_not_fit) {
    const Experiment& experiment = find_experiment("train_gpt");
    const auto start = [&](const Parameters& parameters) { return experiment.start(gpt_setup(small(parameters), 10)); };
    CHECK_THROWS(start({{"channels", "18"}, {"heads", "4"}}), ArgumentError, "train_gpt", "18 channels", "4 heads");
    CHECK_THROWS(start({{"channels", "15"}, {"heads", "3"}, {"attention", "grouped-query"}}), ArgumentError, "train_gpt", "3 is odd");
    CHECK_THROWS(start({{"channels", "12"}, {"heads", "4"}, {"positions", "rotary"}}), ArgumentError, "train_gpt", "rotary", "3 is odd");
    CHECK_THROWS(start({{"channels", "12"}, {"heads", "2"}, {"attention", "latent"}}), ArgumentError, "train_gpt", "latent", "6 is no multiple of 4");
    CHECK_THROWS(start({{"mlp", "experts"}, {"top_k", "5"}}), ArgumentError, "train_gpt", "5 of 4");
    CHECK_THROWS(start({{"task", "add"}, {"length", "17"}}), ArgumentError, "train_gpt", "1 to 16");
    CHECK_THROWS(experiment.complete({{"attention", "linear"}}), ArgumentError, "latent");
}

SLOW_TEST(train_gpt_learns_its_tasks) {
    if (slowed > 1) skip("what a net learns is for the program as it is shipped to say; a sanitizer sees its steps in the everyday tests");
    for (const char* task : {"sort", "reverse"}) {
        const Row row(task);
        const Setup setup = gpt_setup({{"task", task}}, find_experiment("train_gpt").standard_steps(), 2);
        gpt::TrainGpt process(setup);
        CHECK(process.test_accuracy() <= 0.01);
        for (StepIndex i = 0; i < setup.steps; ++i) process.replay(i);
        CHECK(process.test_accuracy() >= 0.95, std::to_string(process.test_accuracy()));
    }
}
