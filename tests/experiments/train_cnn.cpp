// train_cnn: the same bits for any number of threads, going on from a checkpoint, mixed precision as seen in a Run, and, slow,
// how well it tells the test images.
#include "engine/core/error.hpp"
#include "engine/core/hash.hpp"
#include "engine/ops/ops.hpp"
#include "lessons/experiments/train_cnn/process.hpp"
#include "tests/experiments/support.hpp"
#include "tests/support/check.hpp"
#include "tests/support/slowed.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <chrono>
#include <ctime>

using namespace gradus;
using namespace gradus::test;

namespace {

const Parameters& small_net() {
    static const Parameters parameters{{"channels", "3,5"}, {"batch", "16"}, {"warmup", "2"}, {"lr", "0.01"}};
    return parameters;
}

Parameters with(Parameters parameters, const Parameters& more) {
    for (const auto& [name, value] : more) parameters[name] = value;
    return parameters;
}

/// A setup whose data set is shared by all tests. Skips the test where the machine has no Fashion-MNIST.
Setup cnn_setup(const Parameters& parameters, StepIndex steps, int threads = 1) {
    static const auto store = std::make_shared<DataStore>();
    try {
        store->get("fashion-mnist", 1);
    } catch (const UnavailableError& error) {
        skip(error.what());
    }
    Setup setup = setup_of("train_cnn", parameters, steps);
    setup.device.threads = threads;
    setup.data = store;
    return setup;
}

struct Recorded {
    std::shared_ptr<Run> run;
    std::vector<std::uint64_t> losses, state;
};

/// Every second iteration is observed, which changes no number. The planned end, where the test set is told, is not reached.
Recorded run_for(StepIndex steps, const Setup& setup) {
    const auto process = find_experiment("train_cnn").start(setup);
    Manifest manifest;
    process->describe(manifest);
    Recorded out{std::make_shared<Run>(manifest, process->series(), nullptr), {}, {}};
    RunWriter writer(out.run);
    process->begin(writer, true);
    for (StepIndex i = 0; i < steps; ++i) {
        process->iterate(writer, i, i % 2 == 0);
        out.losses.push_back(std::bit_cast<std::uint64_t>(out.run->value_at("loss", i).value_or(-1)));
    }
    const auto last = process->checkpoint(steps);
    for (const auto& [name, tensor] : last->tensors) out.state.push_back(hash_tensor(tensor));
    return out;
}

} // namespace

TEST(train_cnn_gives_the_same_bits_on_one_thread_and_two) {
    for (const char* precision : {"fp32", "fp64", "fp16", "bf16"}) {
        const Row row(precision);
        const Parameters parameters = with(small_net(), {{"precision", precision}});
        const Recorded one = run_for(6, cnn_setup(parameters, 100, 1)), two = run_for(6, cnn_setup(parameters, 100, 2));
        CHECK(one.losses == two.losses && one.state == two.state);
        CHECK(one.run->value_at("loss", 0) != one.run->value_at("loss", 5));
    }
    // of more channels, where products are cut between threads
    const Parameters wide = with(small_net(), {{"channels", "16,32"}, {"batch", "64"}});
    const Recorded one = run_for(2, cnn_setup(wide, 100, 1)), two = run_for(2, cnn_setup(wide, 100, 2));
    CHECK(one.losses == two.losses && one.state == two.state);
    // and of the test set, at the planned end
    const auto told = [](int threads) {
        return run_for(1, cnn_setup(small_net(), 1, threads)).run->value_at("test_accuracy", 0);
    };
    const std::optional<double> alone = told(1);
    CHECK(alone.value_or(0) > 0.02 && alone == told(2));
}

TEST(train_cnn_goes_on_from_a_checkpoint) {
    for (const char* precision : {"fp32", "fp16"}) {
        const Row row(precision);
        const Setup setup = cnn_setup(with(small_net(), {{"precision", precision}, {"growth_interval", "2"}}), 6);
        cnn::TrainCnn whole(setup), second(setup);
        std::shared_ptr<const Checkpoint> middle;
        for (StepIndex i = 0; i < 6; ++i) {
            if (i == 3) middle = whole.checkpoint(i);
            whole.replay(i);
        }
        second.restore(*middle);
        for (StepIndex i = 3; i < 6; ++i) second.replay(i);
        const auto a = whole.checkpoint(6), b = second.checkpoint(6);
        REQUIRE(a->tensors.size() == b->tensors.size());
        for (std::size_t i = 0; i < a->tensors.size(); ++i)
            CHECK_EQUAL(hash_tensor(a->tensors[i].second), hash_tensor(b->tensors[i].second));
    }
}

TEST(train_cnn_shows_its_scale_and_the_steps_it_skips) {
    const Setup setup =
        cnn_setup(with(small_net(), {{"precision", "fp16"}, {"loss_scale", "1e9"}, {"growth_interval", "3"}}), 100);
    const Recorded recorded = run_for(24, setup);
    const Run& run = *recorded.run;
    int skipped = 0, grown = 0;
    for (StepIndex i = 0; i + 1 < 24; ++i) {
        const double scale = run.value_at("loss_scale", i).value(), next = run.value_at("loss_scale", i + 1).value();
        const bool skips = run.value_at("skipped", i).value() != 0;
        skipped += skips;
        grown += next > scale;
        if (skips) CHECK_EQUAL(next, 0.5 * scale);
        else CHECK(next == scale || next == 2 * scale);
    }
    CHECK(skipped >= 3 && skipped < 20, std::to_string(skipped));
    CHECK(grown >= 1, std::to_string(grown));
    CHECK(run.value_at("skipped", 0) == 1.0); // 1e9 overflows at once
    // what is not mixed has no such series
    CHECK(!run_for(1, cnn_setup(small_net(), 100)).run->value_at("loss_scale", 0));
}

TEST(train_cnn_refuses_what_does_not_fit) {
    const Experiment& experiment = find_experiment("train_cnn");
    CHECK_THROWS(experiment.complete({{"channels", "8,x"}}), ArgumentError, "train_cnn", "channels");
    CHECK_THROWS(experiment.complete({{"batch", "1"}}), ArgumentError, "batch");
    CHECK_THROWS(experiment.complete({{"precision", "fp8"}}), ArgumentError, "precision", "bf16");
    CHECK_THROWS(experiment.start(cnn_setup({{"accumulate", "5"}}, 4)), ArgumentError, "train_cnn", "accumulate", "4");
    CHECK_THROWS(experiment.start(cnn_setup({{"channels", "2,2,2,2,2"}}, 1)), ArgumentError, "channels", "28");
    CHECK_THROWS(experiment.start(cnn_setup({{"norm", "group"}, {"channels", "16,20"}}, 1)), ArgumentError, "train_cnn", "20 channels", "8 groups");
    CHECK_THROWS(experiment.complete({{"pool", "least"}}), ArgumentError, "pool", "average");
    const auto process = experiment.start(cnn_setup(small_net(), 4));
    CHECK_THROWS(process->apply(Edit::parse("lr = -1"), 0), ArgumentError, "lr");
    CHECK_THROWS(process->apply(Edit::parse("batch = 3"), 0), ArgumentError, "batch");
    CHECK_THROWS(process->apply(Edit::parse("t[0] = 3"), 0), ArgumentError, "t");
    try { // what is offered can be edited
        process->apply(Edit::parse("batch = 3"), 0);
    } catch (const ArgumentError& error) {
        CHECK(std::string(error.what()).find(" t[…]") == std::string::npos, error.what());
    }
    process->apply(Edit::parse("lr = 0.5"), 0);
}

TEST(train_cnn_trains_with_every_update_rule_and_schedule) {
    for (const char* optimizer : {"sgd", "momentum", "momentum_lr", "nesterov", "rmsprop", "adam", "adamw"}) {
        const Row row(optimizer);
        const Recorded recorded = run_for(12, cnn_setup(with(small_net(), {{"optimizer", optimizer}, {"lr", "0.002"}}), 100));
        const Run& run = *recorded.run;
        CHECK(run.value_at("loss", 11).value() < run.value_at("loss", 0).value());
    }
    const Recorded stepped = run_for(9, cnn_setup(with(small_net(), {{"schedule", "step"}, {"step_size", "3"}, {"gamma", "0.5"}}), 100));
    const double rates[] = {0.005, 0.01, 0.01, 0.01, 0.01, 0.005, 0.005, 0.005, 0.0025}; // two steps of warm-up
    for (StepIndex i = 0; i < 9; ++i) CHECK_EQUAL(stepped.run->value_at("learning_rate", i).value(), rates[i]);
}

TEST(train_cnn_accumulates_what_one_batch_would_give) {
    // Without BatchNorm, whose statistics are each micro-batch's own: two batches of 8 are one of 16 but for rounding.
    const Parameters plain = with(small_net(), {{"norm", "none"}, {"precision", "fp64"}, {"optimizer", "sgd"}, {"weight_decay", "0"},
                                                {"schedule", "constant"}, {"warmup", "0"}});
    cnn::TrainCnn whole(cnn_setup(plain, 100)), halves(cnn_setup(with(plain, {{"batch", "8"}, {"accumulate", "2"}}), 100));
    const auto first = halves.checkpoint(0);
    whole.replay(0);
    halves.replay(0);
    const auto waiting = halves.checkpoint(1);
    for (std::size_t i = 0; i < 4; ++i) // weights and biases of two layers stay
        CHECK_EQUAL(hash_tensor(waiting->tensors[i].second), hash_tensor(first->tensors[i].second));
    halves.replay(1);
    const auto one = whole.checkpoint(1), two = halves.checkpoint(2);
    for (std::size_t i = 0; i < 6; ++i) {
        CHECK_EQUAL(one->tensors[i].first, two->tensors[i].first);
        const Tensor &a = one->tensors[i].second, &b = two->tensors[i].second;
        double difference = 0, norm = 0;
        for (Dim k = 0; k < a.elements(); ++k) difference += std::pow(a.at(k) - b.at(k), 2), norm += std::pow(a.at(k), 2);
        CHECK(std::sqrt(difference) <= 1e-12 * std::sqrt(norm), one->tensors[i].first);
        CHECK(hash_tensor(b) != hash_tensor(first->tensors[i].second), one->tensors[i].first);
    }
}

TEST(train_cnn_accumulates_in_mixed_precision_and_goes_on_in_the_middle) {
    const Parameters mixed = with(small_net(), {{"precision", "fp16"}, {"accumulate", "3"}, {"loss_scale", "1e9"}, {"clip", "1"}});
    const Setup setup = cnn_setup(mixed, 100);
    const Recorded recorded = run_for(30, setup);
    int skipped = 0;
    for (StepIndex i = 0; i + 1 < 30; ++i) {
        const bool last = i % 3 == 2, skips = recorded.run->value_at("skipped", i).value() != 0;
        CHECK(last || !skips); // what waits skips nothing
        CHECK(last || recorded.run->value_at("loss_scale", i) == recorded.run->value_at("loss_scale", i + 1));
        skipped += skips;
    }
    CHECK(skipped >= 2 && skipped < 10, std::to_string(skipped));
    cnn::TrainCnn whole(setup), second(setup);
    std::shared_ptr<const Checkpoint> middle;
    for (StepIndex i = 0; i < 8; ++i) {
        if (i == 4) middle = whole.checkpoint(i);
        whole.replay(i);
    }
    second.restore(*middle);
    for (StepIndex i = 4; i < 8; ++i) second.replay(i);
    const auto a = whole.checkpoint(8), b = second.checkpoint(8);
    for (std::size_t i = 0; i < a->tensors.size(); ++i)
        CHECK_EQUAL(hash_tensor(a->tensors[i].second), hash_tensor(b->tensors[i].second));
}

TEST(train_cnn_clips_and_computes_again_what_it_let_go_of) {
    const Recorded plain = run_for(4, cnn_setup(small_net(), 100));
    const Recorded again = run_for(4, cnn_setup(with(small_net(), {{"checkpointing", "blocks"}}), 100));
    CHECK(plain.losses == again.losses && plain.state == again.state);
    const double saved = ask("train_cnn", "saved_activations", small_net()).number(),
                 less = ask("train_cnn", "saved_activations", with(small_net(), {{"checkpointing", "blocks"}})).number();
    CHECK(less < 0.8 * saved, fmt::format("{} of {} bytes", less, saved));
    CHECK(ask("train_cnn", "step_flops", with(small_net(), {{"checkpointing", "blocks"}})).number() >
          ask("train_cnn", "step_flops", small_net()).number());
    const Recorded wide = run_for(4, cnn_setup(with(small_net(), {{"clip", "1e9"}}), 100)); // no gradient is as long
    CHECK(plain.losses == wide.losses);
    const Recorded narrow = run_for(4, cnn_setup(with(small_net(), {{"clip", "0.001"}, {"optimizer", "sgd"}}), 100));
    const Recorded free = run_for(4, cnn_setup(with(small_net(), {{"optimizer", "sgd"}}), 100));
    CHECK(narrow.losses[0] == free.losses[0] && narrow.losses[1] != free.losses[1]);
}

TEST(train_cnn_has_the_same_bits_with_batches_made_ahead) {
    const Recorded none = run_for(4, cnn_setup(small_net(), 100));
    const Recorded two = run_for(4, cnn_setup(with(small_net(), {{"workers", "2"}}), 100));
    CHECK(none.losses == two.losses && none.state == two.state);
    const auto lanes = [](const Run& run) {
        std::size_t count = 0;
        for (const EventRecord& record : run.events_of(2)) count += run.sites()[static_cast<std::size_t>(record.site)].module == "loader";
        return count;
    };
    CHECK_EQUAL(lanes(*none.run), std::size_t{0});
    CHECK(lanes(*two.run) > 0);
}

TEST(train_cnn_trains_with_every_norm_and_pool) {
    for (const Parameters& choice : {Parameters{{"norm", "group"}, {"groups", "2"}}, {{"norm", "layer"}}, {{"norm", "none"}}, {{"pool", "average"}},
                                     {{"norm", "group"}, {"groups", "2"}, {"pool", "average"}, {"precision", "bf16"}}}) {
        std::string words;
        for (const auto& [name, value] : choice) words += name + " " + value + " ";
        const Row row(words);
        const Parameters parameters = with(with(small_net(), {{"channels", "4,6"}}), choice);
        const Recorded one = run_for(12, cnn_setup(parameters, 100, 1)), two = run_for(12, cnn_setup(parameters, 100, 2));
        CHECK(one.losses == two.losses && one.state == two.state);
        CHECK(one.run->value_at("loss", 11).value() < one.run->value_at("loss", 0).value());
        CHECK(one.losses != run_for(12, cnn_setup(with(small_net(), {{"channels", "4,6"}}), 100)).losses);
    }
    const Parameters group{{"channels", "4,6"}, {"norm", "group"}, {"groups", "2"}};
    for (const auto& [choice, op] : {std::pair(group, "group_norm"), {Parameters{{"pool", "average"}}, "avg_pool2d"}}) {
        cnn::TrainCnn process(cnn_setup(choice, 100));
        const auto& nodes = process.tape().nodes();
        CHECK_EQUAL(std::count_if(nodes.begin(), nodes.end(), [name = op](const Node& node) { return node.op->name == std::string(name); }), 2);
    }
    // what is written is as many numbers as the net has, with a norm or without
    for (const char* norm : {"batch", "group", "layer", "none"}) {
        const Row row(norm);
        const Parameters parameters = with(with(small_net(), {{"channels", "8,16"}}), {{"norm", norm}});
        CHECK_EQUAL(ask("train_cnn", "parameters", parameters).number(),
                    9.0 * 8 + 9.0 * 8 * 16 + (std::string(norm) == "none" ? 1 : 2) * 24 + 16 * 7 * 7 * 10 + 10);
    }
}

TEST(train_cnn_normalises_an_image_by_itself_in_groups) {
    // Two halves accumulate to one batch, as they cannot with statistics of the batch.
    const Parameters plain = with(small_net(), {{"channels", "4,6"}, {"norm", "group"}, {"groups", "2"}, {"precision", "fp64"}, {"optimizer", "sgd"},
                                                {"weight_decay", "0"}, {"schedule", "constant"}, {"warmup", "0"}});
    cnn::TrainCnn whole(cnn_setup(plain, 100)), halves(cnn_setup(with(plain, {{"batch", "8"}, {"accumulate", "2"}}), 100));
    whole.replay(0);
    halves.replay(0);
    halves.replay(1);
    const auto one = whole.checkpoint(1), two = halves.checkpoint(2);
    for (std::size_t i = 0; i < 8; ++i) { // two convolutions' weights, two norms' scales and shifts, the last layer's two
        CHECK_EQUAL(one->tensors[i].first, two->tensors[i].first);
        const Tensor &a = one->tensors[i].second, &b = two->tensors[i].second;
        double difference = 0, norm = 0;
        for (Dim k = 0; k < a.elements(); ++k) difference += std::pow(a.at(k) - b.at(k), 2), norm += std::pow(a.at(k), 2);
        CHECK(std::sqrt(difference) <= 1e-12 * std::sqrt(norm), one->tensors[i].first);
    }
}

SLOW_TEST(train_cnn_tells_more_than_91_of_100_test_images_right) {
    if (slowed > 1) skip("what a net learns is for the program as it is shipped to say; a sanitizer sees its steps in the everyday tests");
    for (const std::uint64_t seed : {1, 2, 5}) { // 2 and 5 are the worst of those that were tried
        const Row row(fmt::format("seed {}", seed));
        Setup setup = cnn_setup({}, find_experiment("train_cnn").standard_steps(), 2);
        setup.seed = seed;
        cnn::TrainCnn process(setup);
        const auto start = std::chrono::steady_clock::now();
        const std::clock_t before = std::clock();
        for (StepIndex i = 0; i < setup.steps; ++i) process.replay(i);
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        const double cpu = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
        const double accuracy = process.test_accuracy();
        CHECK(accuracy > 0.91, fmt::format("{} after {:.1f} s of training", accuracy, seconds));
        if (std::getenv("GRADUS_SHOW_ERRORS"))
            fmt::print("train_cnn, seed {}: {} of the test set after {:.1f} s ({:.1f} s of processor time)\n", seed, accuracy, seconds, cpu);
    }
}
