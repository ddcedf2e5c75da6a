// The experiments of the first lessons, each against its formula at parameters of its own.
#include "engine/core/error.hpp"
#include "engine/core/text.hpp"
#include "tests/experiments/support.hpp"
#include "tests/support/check.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

using namespace gradus;
using namespace gradus::test;

TEST(lines_are_added_multiplied_and_composed) {
    struct {
        const char* operation;
        std::vector<double> coefficients; // of 1, x, x²
        double degree;
    } const rows[] = {{"sum", {1, 2, 0}, 1}, {"product", {-2, 7, -3}, 2}, {"f_of_g", {5, -3, 0}, 1}, {"g_of_f", {3, -3, 0}, 1}};
    for (const auto& row : rows) {
        const Row named(row.operation);
        const Parameters parameters{{"operation", row.operation}};
        for (int power = 0; power < 3; ++power)
            CHECK_EQUAL(ask("compose_lines", "coefficient", parameters, {{"power", std::to_string(power)}}).number(),
                        row.coefficients[static_cast<std::size_t>(power)] + 0.0);
        CHECK_EQUAL(ask("compose_lines", "degree", parameters).number(), row.degree);
    }
    const Parameters three{{"lines", "3"}}, four{{"lines", "4"}};
    CHECK_EQUAL(ask("compose_lines", "degree", three, {{"operation", "product"}}).number(), 3.0);
    CHECK_EQUAL(ask("compose_lines", "degree", four, {{"operation", "product"}}).number(), 4.0);
    CHECK_EQUAL(ask("compose_lines", "degree", four, {{"operation", "f_of_g"}}).number(), 1.0);
    // f(g(h(k(x)))) with h = x/2 + 1, k = 2x - 1: h(k) = x + 1/2, g = -x + 3/2, f = -3x + 7/2
    CHECK_EQUAL(ask("compose_lines", "slope", four, {{"operation", "f_of_g"}}).number(), -3.0);
    CHECK_EQUAL(ask("compose_lines", "intercept", four, {{"operation", "f_of_g"}}).number(), 3.5);
    CHECK_EQUAL(ask("compose_lines", "degree", {{"slope_f", "0"}, {"intercept_f", "0"}}, {{"operation", "product"}}).number(), 0.0);
    CHECK_THROWS(ask("compose_lines", "coefficient", {}, {{"power", "3"}}), ArgumentError, "0 to 2");
}

TEST(lines_are_written_as_one_writes_them) {
    const auto written = [](const char* question, const Parameters& parameters) { return ask("compose_lines", question, parameters).text(); };
    const std::string space = "\u00a0";
    CHECK_EQUAL(written("written_sum", {}), "2x" + space + "+" + space + "1");
    CHECK_EQUAL(written("written_product", {{"lines", "4"}}), "−3x²" + space + "+" + space + "7x" + space + "−" + space + "2"); // of two alone
    CHECK_EQUAL(written("written_f_of_g", {}), "−3x" + space + "+" + space + "5");
    CHECK_EQUAL(written("written_sum", {{"slope_f", "1"}, {"intercept_f", "-2"}}), std::string("0"));
    CHECK_EQUAL(written("written_product", {{"slope_f", "0"}}), "x" + space + "−" + space + "2"); // −1 · (−x + 2)
}

TEST(a_plane_has_two_slopes_and_an_intercept) {
    for (const auto& [slope1, slope2, intercept] : {std::tuple{2.0, -3.0, 1.0}, {0.0, 0.5, -2.0}}) {
        const Setup setup = setup_of("compose_lines", {{"surface", "plane"}, {"slope_x1", number_text(slope1)}, {"slope_x2", number_text(slope2)}, {"intercept_z", number_text(intercept)}});
        const auto process = find_experiment("compose_lines").start(setup);
        auto record = std::make_shared<Run>(Manifest{}, process->series(), nullptr);
        RunWriter writer(record);
        process->begin(writer, true);
        process->iterate(writer, 0, true);
        const RecordedTensor* plane = record->tensors_of(0)->find("plane");
        REQUIRE(plane != nullptr);
        CHECK_EQUAL(plane->tensor.shape().text_with_names(), std::string("(x2 64, x1 64)"));
        for (Dim i = 0; i < 64; ++i)
            for (Dim j = 0; j < 64; ++j) {
                const double x1 = -4 + 8.0 * static_cast<double>(j) / 63, x2 = 4 - 8.0 * static_cast<double>(i) / 63;
                CHECK_ERROR(std::abs(plane->tensor.at(64 * i + j) - (slope1 * x1 + slope2 * x2 + intercept)), 1e-12, "plane");
            }
    }
    const auto without = find_experiment("compose_lines").start(setup_of("compose_lines", {}));
    auto record = std::make_shared<Run>(Manifest{}, without->series(), nullptr);
    RunWriter writer(record);
    without->begin(writer, true);
    for (std::size_t i = 0; i < record->sites().size(); ++i) CHECK(record->sites()[i].module != "plane", "only where it is asked for");
}

TEST(linear_layers_fold_and_are_counted) {
    const Parameters small{{"width", "16"}, {"inputs", "32"}, {"depth", "3"}, {"dtype", "fp64"}};
    const auto at = [&](const char* question, const Arguments& arguments) { return ask("linear_stack", question, small, arguments).number(); };
    CHECK_EQUAL(at("stack_flops", {}), 3 * 2.0 * 32 * 16 * 16);
    CHECK_EQUAL(at("fold_flops", {}), 2 * 2.0 * 16 * 16 * 16);
    CHECK_EQUAL(at("folded_flops", {}), 2.0 * 32 * 16 * 16);
    CHECK_EQUAL(at("intermediate_bytes", {}), 2.0 * 32 * 16 * 8);
    for (const char* between : {"none", "scale", "shuffle"}) {
        const Row named(between);
        CHECK(at("largest_difference", {{"between", between}}) < 1e-12);
        CHECK_EQUAL(at("matrices_left", {{"between", between}}), 1.0);
        CHECK(at("largest_difference", {{"between", between}, {"after", "2"}, {"bias", "-3"}}) < 1e-12);
    }
    for (const char* between : {"relu", "tanh"}) {
        const Row named(between);
        CHECK(at("largest_difference", {{"between", between}}) > 0.1);
        CHECK_EQUAL(at("matrices_left", {{"between", between}}), 3.0); // one behind each layer but the last
        CHECK_EQUAL(at("matrices_left", {{"between", between}, {"depth", "16"}}), 16.0);
    }
    CHECK(at("largest_difference", {{"between", "relu"}, {"after", "1"}, {"bias", "100"}}) < 1e-10); // clips nothing
    CHECK(at("largest_difference", {{"between", "relu"}, {"after", "1"}, {"bias", "1"}}) > 0.1);
    CHECK_EQUAL(at("matrices_left", {{"between", "relu"}, {"after", "1"}, {"bias", "-100"}}), 2.0); // clips everything
    CHECK_THROWS(ask("linear_stack", "matrices_left", {{"bias", "1"}}), ArgumentError, "after");
    CHECK_THROWS(ask("linear_stack", "matrices_left", {{"after", "3"}}), ArgumentError, "at most 2");
    CHECK_THROWS(ask("linear_stack", "matrices_left", {{"after", "1,3"}}), ArgumentError, "at most 2");
    for (const char* bad : {"", "1,,2", "1;2", "-1", "16", "1.5"}) CHECK_THROWS(ask("linear_stack", "matrices_left", {{"after", bad}}), ArgumentError, "3,5,9", bad);
    // Behind any set of layers: each that changes a number parts the stack, and every linear step is folded where it stands.
    CHECK_EQUAL(at("matrices_left", {{"between", "relu"}, {"depth", "16"}, {"after", "9, 3,5"}}), 4.0);
    CHECK_EQUAL(at("matrices_left", {{"between", "relu"}, {"depth", "16"}, {"after", "5,5"}}), 2.0);
    CHECK_EQUAL(at("matrices_left", {{"between", "relu"}, {"depth", "16"}, {"after", "0"}}), 16.0);
    for (const char* between : {"none", "scale", "shuffle"}) {
        const Row named(between);
        CHECK(at("largest_difference", {{"between", between}, {"depth", "6"}, {"after", "1,3,4"}, {"bias", "2"}}) < 1e-11);
    }
    const Experiment& experiment = find_experiment("linear_stack");
    Parameters parameters = experiment.complete({});
    for (const auto& [name, value] : {std::pair{"bias", "5"}, {"depth", "16"}, {"after", "15"}, {"depth", "2"}, {"depth", "1"}, {"bias", "3"}}) {
        const Row named(std::string(name) + " " + value);
        parameters = experiment.with(parameters, name, value);
        CHECK(experiment.start(setup_of("linear_stack", parameters)) != nullptr);
    }
    parameters = experiment.complete({{"depth", "16"}, {"after", "3,5,9"}, {"bias", "1"}});
    CHECK_EQUAL(experiment.with(parameters, "depth", "7").at("after"), std::string("3,5"));
    CHECK_EQUAL(experiment.with(parameters, "depth", "3").at("after"), std::string("2"));
    CHECK_EQUAL(experiment.with(parameters, "after", "9, 3").at("after"), std::string("3,9"));
    CHECK_THROWS(experiment.with(parameters, "after", "3,16"), ArgumentError, "after");
}

TEST(descent_walks_as_its_formula_says) {
    Session session([] {
        RunRequest request = request_of({{"objective", "parabola"}, {"curvature", "3"}, {"lr", "0.2"}, {"start", "2"}}, 30);
        request.experiment = "descend";
        return request;
    }());
    session.play();
    settle(session);
    const auto run = session.run(0);
    double w = 2;
    for (StepIndex i = 0; i < 30; ++i) {
        CHECK_ERROR(std::abs(*run->value_at("w", i) - w), 1e-14, "w");
        CHECK_ERROR(std::abs(*run->value_at("gradient_w", i) - 3 * w), 1e-13, "f'(w)");
        CHECK_ERROR(std::abs(*run->value_at("loss", i) - 1.5 * w * w), 1e-13, "f(w)");
        w -= 0.2 * 3 * w;
    }
    const auto number = [](const char* question, const Parameters& parameters) { return ask("descend", question, parameters).number(); };
    CHECK_ERROR(std::abs(number("largest_lr", {{"curvature", "4"}}) - 0.5), 1e-9, "2/a");
    CHECK_ERROR(std::abs(number("best_lr", {{"curvature", "4"}}) - 0.25), 1e-9, "1/a");
    CHECK_ERROR(std::abs(number("largest_lr", {{"objective", "bowl"}, {"curvature", "0.5"}, {"curvature2", "5"}, {"start", "0"}}) - 0.4), 1e-6, "2/a of the steep one");
    for (const auto& [factor, verdict] : {std::pair{"0.1", "creeps"}, {"2", "bounces"}, {"2.1", "runs_away"}})
        CHECK_EQUAL(ask("descend", "verdict", {{"curvature", "7"}}, {{"factor", factor}}).text(), verdict);
    CHECK_EQUAL(number("updates_to_thousandth", {{"lr", "0.25"}}), 1.0); // straight to the bottom
    const Setup line = setup_of("descend", {{"objective", "line"}, {"lr", "0.5"}, {"noise", "0"}}, 200);
    const auto process = find_experiment("descend").start(line);
    auto record = std::make_shared<Run>(Manifest{}, process->series(), nullptr);
    RunWriter writer(record);
    process->begin(writer, true);
    for (StepIndex i = 0; i < 200; ++i) process->iterate(writer, i, false);
    CHECK_ERROR(std::abs(*record->value_at("m", 199) - 2), 1e-6, "m");
    CHECK_ERROR(std::abs(*record->value_at("b", 199) + 1), 1e-6, "b");
    CHECK(std::isfinite(number("largest_lr", {{"objective", "line"}})));
    CHECK_THROWS(ask("descend", "verdict", {}, {{"factor", "0"}}), ArgumentError, "factor");
}

TEST(logits_have_both_gradients) {
    const Parameters three{{"classes", "3"}, {"z0", "1"}, {"z1", "-2"}, {"z2", "0.5"}, {"label", "1"}};
    const double e[3] = {std::exp(1.0), std::exp(-2.0), std::exp(0.5)}, sum = e[0] + e[1] + e[2], p = e[1] / sum;
    CHECK_ERROR(std::abs(ask("logits", "start_loss", three).number() + std::log(p)), 1e-14, "-ln p");
    CHECK_ERROR(std::abs(ask("logits", "label_probability", three).number() - p), 1e-15, "p");
    CHECK_ERROR(std::abs(ask("logits", "label_gradient", three).number() - (p - 1)), 1e-14, "p - 1");
    CHECK_ERROR(std::abs(ask("logits", "probability_gradient", three).number() + 1 / p), 1e-12, "-1/p");
    CHECK_ERROR(std::abs(ask("logits", "uniform_loss", three).number() - std::log(3.0)), 1e-15, "ln 3");
    CHECK_EQUAL(ask("logits", "shifted_loss", three, {{"by", "-500"}}).text(), "stays");
    CHECK_THROWS(find_experiment("logits").start(setup_of("logits", {{"classes", "3"}, {"label", "3"}})), ArgumentError, "label");
    CHECK_EQUAL(find_experiment("logits").with(find_experiment("logits").complete({}), "label", "7").at("classes"), "8");

    Session session([&] {
        RunRequest request = request_of(three, 12, 1);
        request.experiment = "logits";
        return request;
    }());
    session.submit(Edit::parse("z[0, 1] = 4"), 0, 6);
    session.play();
    settle(session);
    const auto run = session.run(0);
    for (StepIndex i = 1; i < 12; ++i) CHECK(*run->value_at("loss", i) < *run->value_at("loss", i - 1), "p goes to y");
    const auto tensors = run->tensors_of(6);
    REQUIRE(tensors != nullptr);
    CHECK_EQUAL(tensors->find("z")->tensor.defined(), true);
    const RecordedTensor *dz = tensors->find("dz"), *probabilities = tensors->find("p"), *dp = tensors->find("dp");
    REQUIRE(dz && probabilities && dp);
    for (Dim i = 0; i < 3; ++i) {
        CHECK_ERROR(std::abs(dz->tensor.at(i) - (probabilities->tensor.at(i) - (i == 1 ? 1 : 0))), 1e-14, "p - y");
        CHECK_ERROR(std::abs(dp->tensor.at(i) - (i == 1 ? -1 / probabilities->tensor.at(i) : 0)), 1e-12, "-y/p");
    }
    CHECK(probabilities->tensor.at(1) > 0.9, "the edit took effect");
}

// Every experiment of a lesson is deterministic, forks behind its head, and computes an iteration again to the same bits.
TEST(lessons_experiments_replay_to_the_same_bits) {
    struct {
        const char* experiment;
        Parameters parameters;
        const char* edit;
        const char* series;
        const char* bad;
    } const rows[] = {
        {"compose_lines", {{"operation", "product"}, {"lines", "3"}}, "slope_f[0, 0] = 2", "c1", "slope_f[0, 1] = 2"},
        {"linear_stack", {{"width", "8"}, {"inputs", "5"}, {"between", "relu"}}, "W2[3, 1] = 5", "largest_difference", "W9[0, 0] = 1"},
        {"descend", {{"objective", "bowl"}}, "lr = 0.01", "loss", "lr = -1"},
        {"descend", {{"objective", "line"}}, "m[0, 0] = 9", "loss", "curvature = 3"},
        {"logits", {}, "z[0, 2] = -3", "loss", "point 0 = 1, 1"},
    };
    for (const auto& row : rows) {
        const Row named(std::string(row.experiment) + ": " + row.edit);
        RunRequest request = request_of(row.parameters, 20, 3);
        request.experiment = row.experiment;
        Session session(request);
        session.play();
        settle(session);
        session.submit_fork(Edit::parse(row.bad), 0, 5);
        settle(session);
        CHECK_EQUAL(session.status().refusals, 1u);
        CHECK_EQUAL(session.status().runs, 1u);
        session.submit_fork(Edit::parse(row.edit), 0, 5);
        session.play();
        settle(session);
        REQUIRE(session.status().runs == 2);
        const auto first = session.run(0), fork = session.run(1);
        CHECK_EQUAL(fork->head(), 20);
        bool differs = false;
        for (StepIndex i = 5; i < 20; ++i) differs |= *first->value_at(row.series, i) != *fork->value_at(row.series, i);
        CHECK(differs, "the edit changes something");
        const auto again = detail_of(session, 1, 16); // not kept: computed again
        REQUIRE(again != nullptr);
        CHECK_EQUAL(*again->value_at(row.series, 16), *fork->value_at(row.series, 16));
        // the fork's numbers from its inputs alone
        Setup setup = session.setup();
        const auto process = find_experiment(row.experiment).start(setup);
        auto record = std::make_shared<Run>(Manifest{}, process->series(), nullptr);
        RunWriter writer(record);
        process->begin(writer, true);
        for (StepIndex i = 0; i < 20; ++i) {
            if (i == 5) process->apply(Edit::parse(row.edit), 5);
            process->iterate(writer, i, i % 2 == 0);
        }
        for (StepIndex i = 5; i < 20; ++i) CHECK_EQUAL(*record->value_at(row.series, i), *fork->value_at(row.series, i));
    }
}
