// train_cnn: the same bits for any number of threads, going on from a checkpoint, mixed precision as seen in a Run, and, slow,
// how well it tells the test images.
#include "engine/core/error.hpp"
#include "engine/core/hash.hpp"
#include "lessons/experiments/train_cnn/process.hpp"
#include "tests/experiments/support.hpp"
#include "tests/support/check.hpp"

#include <bit>
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
    CHECK_THROWS(experiment.start(cnn_setup({{"channels", "2,2,2,2,2"}}, 1)), ArgumentError, "channels", "28");
    const auto process = experiment.start(cnn_setup(small_net(), 4));
    CHECK_THROWS(process->apply(Edit::parse("lr = -1"), 0), ArgumentError, "lr");
    CHECK_THROWS(process->apply(Edit::parse("batch = 3"), 0), ArgumentError, "batch");
    CHECK_THROWS(process->apply(Edit::parse("t[0] = 3"), 0), ArgumentError, "t");
    process->apply(Edit::parse("lr = 0.5"), 0);
}

SLOW_TEST(train_cnn_tells_more_than_91_of_100_test_images_right) {
    const Setup setup = cnn_setup({}, find_experiment("train_cnn").standard_steps(), 2);
    cnn::TrainCnn process(setup);
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t before = std::clock();
    for (StepIndex i = 0; i < setup.steps; ++i) process.replay(i);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const double cpu = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
    const double accuracy = process.test_accuracy();
    CHECK(accuracy > 0.91, fmt::format("{} after {:.1f} s of training", accuracy, seconds));
    if (std::getenv("GRADUS_SHOW_ERRORS"))
        fmt::print("train_cnn: {} of the test set after {:.1f} s ({:.1f} s of processor time)\n", accuracy, seconds, cpu);
}
