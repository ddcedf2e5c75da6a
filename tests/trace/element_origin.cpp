#include "engine/trace/derive/element_origin.hpp"

#include "engine/core/element_index.hpp"
#include "engine/trace/tape_trace.hpp"
#include "tests/support/check.hpp"
#include "tests/trace/recorded.hpp"

#include <cmath>
#include <limits>

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr std::size_t everything = std::numeric_limits<std::size_t>::max();

/// Checks every element of every product and sum of an iteration; returns how many tensors that were.
int check_sums(const Run& run, StepIndex iteration) {
    int seen = 0;
    for (const RecordedTensor& recorded : run.tensors_of(iteration)->tensors) {
        if (recorded.id.event.iteration != iteration) continue;
        const EventSite* site = site_of(run, recorded.id);
        if (!site || (site->name != "matmul" && site->name != "sum_rows")) continue;
        ++seen;
        const Shape& shape = recorded.tensor.shape();
        for (Dim i = 0; i < recorded.tensor.elements(); ++i) {
            const std::vector<Dim> index = shape.rank() == 2 ? std::vector<Dim>{i / shape[1], i % shape[1]} : std::vector<Dim>{i};
            const auto sum = sum_behind(run, *site, iteration, index, everything);
            REQUIRE(sum.has_value() && sum->terms > 0, recorded.name);
            double total = 0, size = 0;
            for (const ElementTerm& term : sum->largest) {
                total += term.product();
                size += std::abs(term.product());
            }
            CHECK_EQUAL(static_cast<Dim>(sum->largest.size()), sum->terms);
            CHECK_ERROR(std::abs(total - recorded.tensor.at(i)), 1e-5 * size, recorded.name);
            for (std::size_t k = 1; k < sum->largest.size(); ++k)
                CHECK(std::abs(sum->largest[k - 1].product()) >= std::abs(sum->largest[k].product()));
        }
    }
    return seen;
}

} // namespace

TEST(every_product_is_the_sum_of_its_terms) {
    // Square layers too: there the shapes do not say which operand is transposed.
    for (const char* layers : {"2,5,3", "2,4,4,4,3"}) {
        Recording r({{"data", "blobs"}, {"layers", layers}, {"batch", "4"}});
        for (int i = 0; i < 3; ++i) r.iterate(true);
        r.edit("W1[1, 2] = 0.75"); // what a product reads after an edit is the edited state
        r.iterate(true);
        const int layer_count = layers == std::string("2,5,3") ? 2 : 4;
        for (const StepIndex i : {0, 2, 3}) // per layer z, ∂W, ∂b, and ∂a of all but the first
            CHECK_EQUAL(check_sums(*r.run, i), 4 * layer_count - 1);
    }
}

TEST(a_sum_names_its_operands_and_the_axis_it_goes_over) {
    Recording r({{"data", "blobs"}, {"layers", "2,5,3"}, {"batch", "4"}});
    r.iterate(true);
    const auto tensors = r.run->tensors_of(0);
    const auto sum_of = [&](const char* name, std::vector<Dim> index) {
        const RecordedTensor* recorded = tensors->find(name);
        return sum_behind(*r.run, *site_of(*r.run, recorded->id), 0, index, 2);
    };
    const auto gradient = sum_of("dW2", {3, 1});
    REQUIRE(gradient.has_value());
    CHECK_EQUAL(gradient->left, std::string("a1"));
    CHECK_EQUAL(gradient->right, std::string("dz2"));
    CHECK_EQUAL(gradient->left_index, std::vector<Dim>({-1, 3}));
    CHECK_EQUAL(gradient->right_index, std::vector<Dim>({-1, 1}));
    CHECK_EQUAL(gradient->axis, std::string("B"));
    CHECK_EQUAL(gradient->largest.size(), std::size_t{2});
    const auto back = sum_of("da1", {2, 4});
    REQUIRE(back.has_value());
    CHECK_EQUAL(back->left, std::string("dz2"));
    CHECK_EQUAL(back->left_index, std::vector<Dim>({2, -1}));
    CHECK_EQUAL(back->right, std::string("W2"));
    CHECK_EQUAL(back->right_index, std::vector<Dim>({4, -1}));
    const auto bias = sum_of("db1", {2});
    REQUIRE(bias.has_value());
    CHECK(bias->right.empty() && bias->terms == 4);
    CHECK(!sum_of("a1", {0, 0}).has_value());  // no sum made it
    CHECK(!sum_of("dW2", {5, 0}).has_value()); // no element of it
    CHECK(!sum_of("dW2", {0}).has_value());
}

TEST(an_element_is_what_its_op_makes_of_the_elements_behind_it) {
    int seen = 0;
    // The op's own formula of the operands that are named, in double precision.
    const auto made = [](const std::string& op, const std::vector<double>& x, double rows, double elements, bool velocity) {
        const auto slope = [](double v) { return 0.5 * std::erfc(-v / std::sqrt(2.0)) + v * std::exp(-v * v / 2) / std::sqrt(2 * std::acos(-1.0)); };
        if (op == "add_bias") return x[0] + x[1];
        if (op == "relu") return std::max(0.0, x[0]);
        if (op == "tanh") return std::tanh(x[0]);
        if (op == "sigmoid") return 1 / (1 + std::exp(-x[0]));
        if (op == "silu") return x[0] / (1 + std::exp(-x[0]));
        if (op == "step") return x[0] > 0 ? 1.0 : 0.0;
        if (op == "gelu") return x[0] * 0.5 * std::erfc(-x[0] / std::sqrt(2.0));
        if (op == "relu_backward") return x[0] > 0 ? x[1] : 0;
        if (op == "tanh_backward") return x[1] * (1 - x[0] * x[0]);
        if (op == "sigmoid_backward") return x[1] * x[0] * (1 - x[0]);
        if (op == "gelu_backward") return x[1] * slope(x[0]);
        if (op == "step_backward") return 0.0;
        if (op == "silu_backward") {
            const double s = 1 / (1 + std::exp(-x[0]));
            return x[1] * s * (1 + x[0] * (1 - s));
        }
        if (op == "softmax_cross_entropy_backward") return (x[0] - x[1]) / rows;
        if (op == "binary_cross_entropy_backward") return (x[0] - x[1]) / elements;
        if (op == "mean_squared_error_backward") return 2 * (x[0] - x[1]) / elements;
        if (op == "sgd") return x[0] - 0.1 * x[1];
        if (op == "momentum") return velocity ? 0.9 * x[2] + x[1] : x[0] - 0.1 * (0.9 * x[2] + x[1]);
        return std::nan("");
    };
    for (const char* activation : {"relu", "tanh", "sigmoid", "gelu", "silu", "step"})
        for (const auto& [layers, loss] : {std::pair{"2,5,3", "auto"}, {"2,5,1", "mse"}, {"2,5,1", "bce"}}) {
            const bool wide = std::string(layers) == "2,5,3";
            Recording r({{"data", wide ? "blobs" : "xor"}, {"layers", layers}, {"loss", loss}, {"activation", activation}, {"batch", "4"},
                         {"dtype", "fp64"}, {"optimizer", wide ? "momentum" : "sgd"}, {"lr", "0.1"}});
            for (int i = 0; i < 3; ++i) r.iterate(true);
            for (const RecordedTensor& recorded : r.run->tensors_of(2)->tensors) {
                const EventSite* site = recorded.id.event.iteration == 2 ? site_of(*r.run, recorded.id) : nullptr;
                if (!site) continue;
                const Shape& shape = recorded.tensor.shape();
                for (Dim i = 0; i < shape.elements(); ++i) {
                    const auto operands = operands_behind(*r.run, *site, 2, index_of(shape, i));
                    if (operands.empty()) continue;
                    std::vector<double> x;
                    for (const ElementOperand& operand : operands) {
                        REQUIRE(operand.value.has_value(), recorded.name + " of " + operand.name);
                        x.push_back(*operand.value);
                    }
                    const double rows = shape.rank() ? static_cast<double>(shape[0]) : 1, value = recorded.tensor.at(i);
                    const double other = made(site->name, x, rows, static_cast<double>(shape.elements()), recorded.id.output == 1);
                    CHECK_ERROR(std::abs(value - other), 1e-12 * (1 + std::abs(value)), recorded.name + " by " + site->name);
                    const auto local = local_derivative(site->name, x[0]);
                    CHECK_EQUAL(local.has_value(), site->phase == Phase::backward && site->module != "loss" && site->name != "add");
                    if (local) CHECK_ERROR(std::abs(value - x[1] * *local), 1e-12 * (1 + std::abs(value)), site->name);
                    ++seen;
                }
            }
        }
    CHECK(seen > 500);
}

TEST(an_op_that_reads_more_than_one_element_of_an_input_names_none) {
    Recording r({{"data", "blobs"}, {"layers", "2,5,3"}, {"batch", "4"}});
    r.iterate(true);
    const auto operands_of = [&](const char* name, std::vector<Dim> index) {
        return operands_behind(*r.run, *site_of(*r.run, r.run->tensors_of(0)->find(name)->id), 0, index);
    };
    const auto sum = operands_of("z1", {2, 3});
    REQUIRE(sum.size() == 2);
    CHECK_EQUAL(sum[0].name, std::string("x·W1"));
    CHECK_EQUAL(sum[1].name, std::string("b1"));
    CHECK_EQUAL(sum[1].index, std::vector<Dim>({3}));
    CHECK(operands_of("dW1", {0, 0}).empty());
    CHECK(operands_of("loss", {}).empty());
    CHECK(operands_of("a1", {4, 0}).empty()); // no element of it
    CHECK(operands_of("a1", {0}).empty());
}

TEST(who_wrote_a_tensor_is_found_by_its_id) {
    Recording r({{"data", "blobs"}, {"layers", "2,5,3"}, {"batch", "4"}});
    r.iterate(true);
    r.edit("b2[0] = 2");
    r.iterate(true);
    CHECK_EQUAL(site_of(*r.run, r.run->tensors_of(0)->tensors.front().id)->module, std::string("setup"));
    for (const RecordedTensor& recorded : r.run->tensors_of(1)->tensors) {
        const EventSite* site = site_of(*r.run, recorded.id);
        if (recorded.id.event.ordinal >= first_edit_ordinal) {
            CHECK(!site, recorded.name);
            continue;
        }
        REQUIRE(site != nullptr, recorded.name);
        CHECK_EQUAL(site->outputs[static_cast<std::size_t>(recorded.id.output)].name, recorded.name);
    }
    const std::shared_ptr<Run> parent = r.run;
    r.start(parent, 2); // a fork asks its parent for the setup
    CHECK_EQUAL(site_of(*r.run, {{-1, 0}, 0}), site_of(*parent, {{-1, 0}, 0}));
    CHECK(site_of(*r.run, {{-1, 0}, 0}) != nullptr);
    CHECK(site_of(*r.run, {{0, 9999}, 0}) == nullptr);
}
