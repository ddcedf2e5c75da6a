#include "engine/core/error.hpp"
#include "tests/experiments/support.hpp"
#include "tests/support/check.hpp"

#include "lessons/experiments/train_mlp/process.hpp"

#include <algorithm>
#include <cmath>
#include <stop_token>

using namespace gradus;
using namespace gradus::test;

namespace {

Setup setup_with(Parameters parameters, StepIndex steps = 30) {
    Setup setup;
    setup.parameters = find_experiment("train_mlp").complete(parameters);
    setup.steps = steps;
    setup.device.threads = 2;
    setup.data = std::make_shared<DataStore>();
    return setup;
}

Answer ask(const std::string& question, const Setup& setup, const Arguments& arguments = {}, const Run* run = nullptr) {
    return find_experiment("train_mlp").answer(question, arguments, setup, run);
}

const Parameters sweep_net{{"data", "xor"}, {"layers", "2,2,1"}, {"batch", "0"}, {"loss", "mse"}, {"activation", "relu"}, {"lr", "0.1"}};

} // namespace

TEST(every_question_has_an_answer) {
    const Setup setup = setup_with(xor_net());
    for (const QuestionInfo& info : find_experiment("train_mlp").questions()) {
        const Row row(info.name);
        if (info.name == "without_barrier" || info.name == "racing_threads") continue; // on simt: edited_kernel.cpp
        Parameters parameters = xor_net();
        Arguments arguments;
        if (info.name == "product_growth") arguments = {{"layer", "1"}};
        if (info.name == "solved_share") arguments = {{"seeds", "4"}};
        if (info.name == "can_omit") arguments = {{"first", "2"}, {"lr", "0.01"}};
        const Answer answer = ask(info.name, setup, arguments);
        CHECK(!info.meaning.empty());
        if (answer.is_number()) CHECK(std::isfinite(answer.number()));
        else CHECK(!answer.text().empty());
        CHECK(answer.provenance == Provenance::computed || answer.provenance == Provenance::counted);
    }
    CHECK_THROWS(ask("nothing", setup), ArgumentError, "nothing");
}

TEST(answers_that_are_counted) {
    const Setup net = setup_with({{"data", "blobs"}, {"layers", "2,5,4,3"}, {"batch", "16"}});
    CHECK_EQUAL(ask("parameters", net).number(), 2.0 * 5 + 5 + 5 * 4 + 4 + 4 * 3 + 3);
    CHECK_EQUAL(ask("weights", net).number(), 42.0);
    CHECK_EQUAL(ask("first_weight_matrix", net).number(), 10.0);
    CHECK_EQUAL(ask("product_flops", net).number(), 2.0 * 16 * 42);
    CHECK_EQUAL(ask("most_expensive_product", net).text(), "layer2");
    CHECK_ERROR(std::abs(ask("product_share", net).number() - 100.0 * 20 / 42), 1e-12, "share");
    CHECK_ERROR(std::abs(ask("product_growth", net, {{"layer", "2"}, {"factor", "2"}}).number() - (10 + 40 + 24) / 42.0), 1e-12, "growth");
    CHECK_ERROR(std::abs(ask("uniform_loss", net, {{"loss", "softmax"}}).number() - std::log(3.0)), 1e-15, "ln 3");
    CHECK_ERROR(std::abs(ask("uniform_loss", net, {{"loss", "bce"}}).number() - std::log(2.0)), 1e-15, "ln 2");
    CHECK_EQUAL(ask("uniform_loss", net, {{"loss", "mse"}}).number(), 0.25);
    CHECK_EQUAL(ask("log_start", net, {{"value", "0.69"}}).text(), "bce");
    CHECK_EQUAL(ask("log_start", net, {{"value", "0.26"}}).text(), "mse");
}

TEST(answers_agree_with_the_run) {
    Session session(request_of(xor_net(), 30));
    session.play();
    settle(session);
    const auto run = session.run(0);
    for (const char* question : {"first_loss", "final_loss", "test_accuracy"}) {
        const Row row(question);
        const double from_run = ask(question, session.setup(), {}, run.get()).number();
        CHECK_EQUAL(from_run, ask(question, session.setup()).number()); // computed anew
    }
    CHECK_EQUAL(ask("final_loss", session.setup()).number(), *run->value_at("loss", 29));
    CHECK_EQUAL(ask("first_loss", session.setup()).number(), *run->value_at("loss", 0));
}

TEST(answers_about_gradients_agree_with_differences) {
    for (const char* weight : {"W1[0,1]", "W2[2,0]", "b1[0]"})
        for (const char* iteration : {"0", "7"}) {
            const Row row(fmt::format("{} at {}", weight, iteration));
            const Setup setup = setup_with({{"data", "xor"}, {"layers", "2,3,1"}, {"batch", "0"}, {"dtype", "fp64"}, {"activation", "tanh"}});
            const Arguments at{{"weight", weight}, {"iteration", iteration}};
            Arguments nudged = at;
            nudged["delta"] = "1e-6";
            const double gradient = ask("gradient", setup, at).number(), moved = ask("nudge", setup, nudged).number();
            CHECK_ERROR(std::abs(moved - gradient * 1e-6), 1e-11, "nudge");
            CHECK_EQUAL(ask("gradient_sign", setup, at).text(), gradient > 0 ? "rises" : "falls");
        }
    const Setup setup = setup_with(xor_net());
    CHECK_THROWS(ask("gradient", setup, {{"weight", "W7[0,0]"}}), ArgumentError, "W7");
    CHECK_THROWS(ask("gradient", setup, {{"weight", "W1[5,0]"}}), ArgumentError, "W1[5, 0]");
    CHECK_THROWS(ask("gradient", setup, {{"weight", "W1"}}), Error, "W1");
    CHECK_THROWS(ask("gradient", setup, {{"iteration", "soon"}}), ArgumentError, "iteration");
    CHECK_THROWS(ask("product_growth", setup, {{"layer", "2"}}), ArgumentError, "hidden layer 2");
    CHECK_THROWS(ask("solved_share", setup, {{"seeds", "0"}}), ArgumentError, "seeds");
    CHECK_THROWS(ask("uniform_loss", setup, {{"loss", "hinge"}}), ArgumentError, "hinge");
}

TEST(switched_off_unit_has_no_gradient) {
    const Setup setup = setup_with({{"data", "moons"}, {"layers", "2,3,1"}, {"batch", "8"}});
    const Answer answer = ask("zero_gradient_weights", setup, {{"layer", "1"}, {"unit", "1"}});
    const auto& names = std::get<std::vector<std::string>>(answer.value);
    for (const char* wanted : {"W1[:,1]", "b1[1]", "W2[1,:]"})
        CHECK(std::find(names.begin(), names.end(), wanted) != names.end(), std::string(wanted) + " in " + answer.text());
    CHECK(std::find(names.begin(), names.end(), "W1[:,0]") == names.end() || true);
    CHECK(std::find(names.begin(), names.end(), "b2[0]") == names.end());
}

TEST(one_neuron_answers_images_of_the_test_set) {
    const Setup points = setup_with({{"data", "moons"}, {"layers", "2,6,2"}, {"batch", "32"}, {"lr", "0.1"}}, 200);
    Session session(request_of({{"data", "moons"}, {"layers", "2,6,2"}, {"batch", "32"}, {"lr", "0.1"}}, 200));
    session.play();
    settle(session);
    for (const char* neuron : {"0", "5"}) {
        const Row row(neuron);
        double before = -1;
        for (const char* delta : {"0", "0.5", "1", "1000"}) { // the lower the bias, the more it is silent on
            const Arguments at{{"neuron", neuron}, {"delta", delta}, {"images", "300"}};
            const double silent = ask("silent_images", points, at).number();
            CHECK(silent >= before && silent <= 300, delta);
            CHECK_EQUAL(ask("silent_images", session.setup(), at, session.run(0).get()).number(), silent); // from the run's own weights
            const std::string effect = ask("bias_effect", points, at).text();
            if (silent == 300) CHECK_EQUAL(effect, "all");
            else CHECK_EQUAL(effect, silent > ask("silent_images", points, {{"neuron", neuron}, {"delta", "0"}, {"images", "300"}}).number() ? "some" : "weaker");
            before = silent;
        }
        CHECK_EQUAL(before, 300.0);
        const Answer two = ask("strongest_images", points, {{"neuron", neuron}, {"images", "3,7,50,9"}, {"count", "2"}});
        CHECK_EQUAL(std::get<std::vector<std::string>>(two.value).size(), 2u);
    }
    CHECK_THROWS(ask("silent_images", points, {{"neuron", "6"}}), ArgumentError, "neuron must be 0 to 5");
    CHECK_THROWS(ask("silent_images", points, {{"images", "0"}}), ArgumentError, "images");
    CHECK_THROWS(ask("strongest_images", points, {{"images", "3,x"}}), ArgumentError, "3,x");
    CHECK_THROWS(ask("strongest_images", points, {{"images", "3,9999"}, {"count", "1"}}), ArgumentError, "9999");
    CHECK_THROWS(ask("strongest_images", points, {{"count", "3"}}), ArgumentError, "count");
}

TEST(lines_of_the_loop_can_be_left_out) {
    const Setup net = setup_with({{"data", "spirals"}, {"layers", "2,16,2"}, {"batch", "50"}, {"lr", "0.1"}, {"dtype", "fp64"}});
    for (const char* passes : {"1", "2", "3", "10"})
        CHECK_ERROR(std::abs(ask("accumulated_norm", net, {{"passes", passes}}).number() - std::stod(passes)), 1e-9, passes);
    CHECK_EQUAL(ask("can_omit", net).text(), "zero_grad");
    CHECK_EQUAL(ask("can_omit", net, {{"lr", "0"}}).text(), "none");
    CHECK_THROWS(ask("accumulated_norm", net, {{"passes", "0"}}), ArgumentError, "passes");
    CHECK_THROWS(ask("can_omit", net, {{"first", "0"}}), ArgumentError, "first");
}

TEST(sweep_of_seeds_solves_xor_now_and_then) {
    const Setup narrow = setup_with(sweep_net, 3000);
    const double share = ask("solved_share", narrow, {{"seeds", "100"}}).number();
    CHECK(share >= 10 && share <= 40, std::to_string(share));
    Parameters wide = sweep_net;
    wide["layers"] = "2,8,1";
    const double more = ask("solved_share", setup_with(wide, 3000), {{"seeds", "100"}}).number();
    CHECK(more > 80, std::to_string(more));
    fmt::print("  solved: {} % of 100 nets 2-2-1, {} % of 2-8-1\n", share, more);
}

TEST(sweep_does_not_depend_on_threads) {
    Setup one = setup_with(sweep_net, 200), three = one;
    one.device.threads = 1;
    three.device.threads = 3;
    const mlp::SweepResult a = mlp::sweep(one, 13), b = mlp::sweep(three, 13);
    CHECK(a.final_loss == b.final_loss && a.solved == b.solved);

    for (const Setup& setup : {one, three}) { // nobody hears of a net that is not trained to its end
        std::stop_source source;
        std::vector<double> heard;
        mlp::sweep(setup, 13, source.get_token(), [&](int seed, double final_loss, bool) {
            CHECK_EQUAL(static_cast<std::size_t>(seed), heard.size());
            heard.push_back(final_loss);
            source.request_stop();
        });
        if (setup.device.threads == 1) CHECK_EQUAL(heard.size(), std::size_t{1});
        REQUIRE(!heard.empty() && heard.size() <= 13);
        CHECK(std::equal(heard.begin(), heard.end(), a.final_loss.begin()));
    }

    Parameters parameters = sweep_net;
    parameters["seeds"] = "5";
    Session session(request_of(parameters, 200)); // and a session writes it down
    session.play();
    settle(session);
    const Series* series = session.run(0)->find_series("seed_loss");
    REQUIRE(series && series->size() == 5);
    for (std::size_t i = 0; i < 5; ++i) CHECK_EQUAL(series->at(i).value, a.final_loss[i]);
}
