#include "engine/trace/derive/forward_pass.hpp"

#include "engine/core/element_index.hpp"
#include "engine/core/error.hpp"
#include "engine/trace/derive/finite_difference.hpp"
#include "tests/support/check.hpp"
#include "tests/trace/recorded.hpp"

#include <cmath>

using namespace gradus;
using namespace gradus::test;

namespace {

Parameters net(const std::string& data, const std::string& layers, const std::string& activation, const std::string& loss,
               const std::string& dtype, const std::string& batch = "16") {
    return {{"data", data}, {"layers", layers}, {"activation", activation}, {"loss", loss}, {"dtype", dtype}, {"batch", batch}};
}

/// ‖engine's gradient - finite differences‖ / ‖engine's gradient‖ over every entry of a parameter.
double error_of(const Run& run, StepIndex iteration, const std::string& parameter) {
    const Tensor gradient = run.tensors_of(iteration)->find("d" + parameter)->tensor;
    double difference = 0, size = 0;
    for (Dim flat = 0; flat < gradient.elements(); ++flat) {
        const auto check = finite_difference(run, run, iteration, parameter, index_of(gradient.shape(), flat));
        CHECK_EQUAL(check.gradient, gradient.at(flat));
        difference += (check.gradient - check.difference) * (check.gradient - check.difference);
        size += check.gradient * check.gradient;
    }
    return size > 0 ? std::sqrt(difference / size) : std::sqrt(difference);
}

/// The sites of a Run with one op's name replaced, and nothing else.
std::shared_ptr<Run> with_op(const Run& run, const std::string& from, const std::string& to) {
    auto out = std::make_shared<Run>(run.manifest(), std::vector<SeriesInfo>{}, nullptr);
    RunWriter writer(out);
    for (std::size_t i = 0; i < run.sites().size(); ++i) {
        EventSite site = run.sites()[i];
        if (site.name == from && site.phase == Phase::forward) site.name = to;
        writer.add_site(site);
    }
    return out;
}

} // namespace

TEST(loss_computed_again_has_the_bits_of_the_run) {
    const struct {
        const char *data, *layers, *loss;
    } nets[] = {{"blobs", "2,6,5,3", "softmax"}, {"moons", "2,6,1", "bce"}, {"rings", "2,6,1", "mse"}, {"blobs", "2,4,3", "mse"},
                {"spirals", "2,2", "softmax"}};
    for (const auto& row : nets)
        for (const char* activation : {"relu", "tanh", "sigmoid", "gelu", "silu", "step"})
            for (const char* dtype : {"fp32", "fp64"})
                for (const char* batch : {"16", "0"}) {
                    const Row named(fmt::format("{} {} {} {} {} batch {}", row.data, row.layers, row.loss, activation, dtype, batch));
                    Recording r(net(row.data, row.layers, activation, row.loss, dtype, batch));
                    for (int i = 0; i < 4; ++i) r.iterate(true);
                    for (const StepIndex iteration : {0, 3}) {
                        const auto inputs = forward_inputs(*r.run, *r.run, iteration);
                        ForwardPass same(*r.run, inputs, {std::string(dtype) == "fp64" ? DType::f64 : DType::f32});
                        const double recorded = *r.run->value_at("loss", iteration);
                        CHECK_EQUAL(same.run(), recorded);
                        ForwardPass wide(*r.run, inputs, {DType::f64});
                        CHECK_ERROR(std::abs(wide.run() - recorded) / recorded, 1e-5, "in fp64");
                    }
                }
}

TEST(finite_differences_agree_with_the_gradients_of_smooth_nets) {
    const struct {
        const char *data, *layers, *loss;
    } nets[] = {{"blobs", "2,4,3", "softmax"}, {"moons", "2,4,3,1", "bce"}, {"rings", "2,4,1", "mse"}};
    for (const auto& row : nets)
        for (const char* activation : {"tanh", "sigmoid", "gelu", "silu"}) {
            const Row named(fmt::format("{} {} {} {}", row.data, row.layers, row.loss, activation));
            Recording r(net(row.data, row.layers, activation, row.loss, "fp64"));
            for (int i = 0; i < 3; ++i) r.iterate(true);
            for (const char* parameter : {"W1", "b1", "W2", "b2"})
                CHECK_ERROR(error_of(*r.run, 2, parameter), 1e-6, parameter);
        }
}

TEST(a_finite_difference_names_its_numbers) {
    Recording r(net("moons", "2,8,2", "relu", "softmax", "fp32"));
    r.iterate(true);
    r.edit("W1[0, 3] = 2.5");
    r.iterate(true);
    const auto check = finite_difference(*r.run, *r.run, 1, "W1", {0, 3});
    CHECK_EQUAL(check.value, 2.5); // as the iteration began: the edit's, not the update's
    CHECK_EQUAL(check.h, std::ldexp(1.0, 2 - 17));
    CHECK_EQUAL(check.difference, (check.loss_above - check.loss_below) / (2 * check.h));
    CHECK(check.rounding > 0 && check.rounding < 1e-9, std::to_string(check.rounding));
    CHECK_ERROR(check.relative, check.flipped > 0 ? 1.0 : 1e-3, "relative difference in fp32");
    CHECK_THROWS(finite_difference(*r.run, *r.run, 1, "W1", {2, 0}), ArgumentError, "W1[2, 0]", "2×8");
    CHECK_THROWS(finite_difference(*r.run, *r.run, 1, "W1", {0}), ArgumentError, "W1[0]");
    CHECK_THROWS(finite_difference(*r.run, *r.run, 1, "W9", {0, 0}), UnavailableError, "W9");
    CHECK_THROWS(finite_difference(*r.run, *r.run, 7, "W1", {0, 0}), UnavailableError, "7");
}

TEST(a_kink_between_both_sides_is_counted) {
    Recording r(net("xor", "2,2,1", "relu", "mse", "fp64", "0"));
    // z1 = x · W1 + b1 of the point (0, 0) is b1 itself, so nudging b1 = 0 flips its gate there.
    r.edit("b1[0] = 0");
    r.edit("W1[0, 0] = 1");
    r.edit("W1[1, 0] = 1");
    r.iterate(true);
    CHECK_EQUAL(finite_difference(*r.run, *r.run, 0, "b1", {0}).flipped, Dim{1});
    CHECK_EQUAL(finite_difference(*r.run, *r.run, 0, "b2", {0}).flipped, Dim{0});
}

TEST(what_is_not_finite_agrees_with_nothing) {
    Recording r(net("rings", "2,3,1", "relu", "mse", "fp64"));
    r.edit("b2[0] = 1e200"); // its square is no number
    r.iterate(true);
    for (const char* parameter : {"b2", "b1"}) {
        const auto check = finite_difference(*r.run, *r.run, 0, parameter, {0});
        CHECK(!std::isfinite(check.difference) && std::isnan(check.relative), parameter);
    }
}

TEST(ops_that_are_not_known_are_refused_by_name) {
    Recording r(net("blobs", "2,5,3", "relu", "softmax", "fp32"));
    r.iterate(true);
    const auto inputs = forward_inputs(*r.run, *r.run, 0);
    for (const char* name : {"convolve", "gather", "sgd", ""}) {
        const Row named(name);
        const auto other = with_op(*r.run, "relu", name);
        CHECK_THROWS(ForwardPass(*other, inputs, {}), UnavailableError, fmt::format("'{}'", name), "layer1");
    }
    const auto none = std::make_shared<Run>(Manifest{}, std::vector<SeriesInfo>{}, nullptr);
    CHECK_THROWS(forward_inputs(*none, *none, 0), UnavailableError, "forward pass");
    CHECK_THROWS(forward_inputs(*r.run, *r.run, 5), UnavailableError, "iteration 5");
}

TEST(other_examples_go_through_the_same_net) {
    Recording r(net("rings", "2,7,2", "tanh", "softmax", "fp32", "0"));
    r.iterate(true);
    const auto inputs = forward_inputs(*r.run, *r.run, 0);
    const Tensor x = r.run->tensors_of(0)->find("x")->tensor, z = r.run->tensors_of(0)->find("z2")->tensor;
    ForwardPass pass(*r.run, inputs, {DType::f32, 3, false});
    CHECK(std::isnan(pass.run()), "no loss was asked for");
    CHECK_EQUAL(pass.width(), Dim{2});
    std::vector<double> examples;
    for (Dim i = 0; i < 6; ++i) examples.push_back(x.at(30 + i)); // points 15, 16, 17
    pass.run(examples);
    for (Dim i = 0; i < 6; ++i) CHECK_EQUAL(pass.prediction().at(i), z.at(30 + i));
    CHECK_THROWS(pass.run(std::vector<double>(5)), ShapeError, "6", "5");
    CHECK_THROWS(pass.set_element("W7", 0, 1.0), ArgumentError, "W7");
    CHECK_THROWS(pass.set_element("b1", 7, 1.0), ShapeError, "7");
}
