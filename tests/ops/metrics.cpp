#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"

#include <cmath>
#include <limits>

using namespace gradus;
using namespace gradus::test;

namespace {
const double not_a_number = std::nan("");
}

TEST(accuracy_counts_ties_and_nan_as_wrong) {
    struct {
        const char* name;
        std::vector<double> z;
        Dim columns;
        std::vector<std::int32_t> label;
        double wanted;
    } const rows[] = {
        {"right", {0, 1, 2}, 3, {2}, 1},
        {"wrong", {0, 1, 2}, 3, {1}, 0},
        {"half", {0, 1, 1, 0}, 2, {1, 1}, 0.5},
        {"tie of two", {1, 1, 0}, 3, {0}, 0},
        {"tie of two, the later", {1, 1, 0}, 3, {1}, 0},
        {"all equal", {0, 0, 0}, 3, {2}, 0},
        {"tie below the largest", {5, 1, 1}, 3, {0}, 1},
        {"not_a_number at the label", {0, not_a_number, -1}, 3, {1}, 0},
        {"not_a_number elsewhere", {9, not_a_number, -1}, 3, {0}, 0},
        {"all nan", {not_a_number, not_a_number}, 2, {0}, 0},
        {"infinite", {1, INFINITY}, 2, {1}, 1},
        {"two infinities", {INFINITY, INFINITY}, 2, {1}, 0},
        {"minus infinity", {-INFINITY, -1}, 2, {1}, 1},
        {"one class", {3}, 1, {0}, 1},
        {"one class, nan", {not_a_number}, 1, {0}, 0},
        {"signed zeros tie", {0.0, -0.0}, 2, {0}, 0},
    };
    for (const auto& row : rows)
        for (const std::string& isa : isa_paths())
            for (const DType dtype : {DType::f32, DType::f64}) {
                const Row named(fmt::format("{} {} {}", row.name, isa, name_of(dtype)));
                const auto count = static_cast<Dim>(row.label.size());
                const auto pool = std::make_shared<BufferPool>();
                const Tensor y = Tensor::from<std::int32_t>(*pool, shape_of({count}), row.label);
                const Tensor share = call_kernel(*cpu(isa), "accuracy", {tensor_of(shape_of({count, row.columns}), row.z, dtype), y},
                                                 {{Shape{}, dtype}})[0];
                CHECK_EQUAL(share.at(0), row.wanted);
                std::vector<double> one_hot(row.z.size(), 0.0); // the same labels written out
                for (std::size_t i = 0; i < row.label.size(); ++i) one_hot[i * static_cast<std::size_t>(row.columns) + static_cast<std::size_t>(row.label[i])] = 1;
                const Shape shape = shape_of({count, row.columns});
                CHECK_EQUAL(call_kernel(*cpu(isa), "one_hot_accuracy", {tensor_of(shape, row.z, dtype), tensor_of(shape, one_hot, dtype)},
                                        {{Shape{}, dtype}})[0].at(0), row.wanted);
            }
}

TEST(binary_accuracy_counts_the_threshold_and_nan_as_wrong) {
    struct {
        const char* name;
        double z, target, threshold, wanted;
    } const rows[] = {
        {"above, 1", 0.1, 1, 0, 1},    {"above, 0", 0.1, 0, 0, 0},  {"below, 0", -0.1, 0, 0, 1},
        {"below, 1", -0.1, 1, 0, 0},   {"at, 1", 0.5, 1, 0.5, 0},   {"at, 0", 0.5, 0, 0.5, 0},
        {"not_a_number, 1", not_a_number, 1, 0, 0},      {"not_a_number, 0", not_a_number, 0, 0, 0},    {"infinite", INFINITY, 1, 0.5, 1},
        {"minus", -INFINITY, 0, 0, 1},
    };
    for (const auto& row : rows)
        for (const DType dtype : {DType::f32, DType::f64}) {
            const Row named(row.name);
            const Tensor share = call_kernel(*cpu(), "binary_accuracy",
                                             {tensor_of(shape_of({1, 1}), std::vector{row.z}, dtype),
                                              tensor_of(shape_of({1, 1}), std::vector{row.target}, dtype)},
                                             {{Shape{}, dtype}}, {row.threshold})[0];
            CHECK_EQUAL(share.at(0), row.wanted);
        }
}

// One NaN among the inputs reaches every output that depends on it, on every path and in every lane of a vector.
TEST(nan_reaches_what_depends_on_it) {
    struct {
        const char* kernel;
        std::size_t input; ///< which operand has the NaN
        std::size_t inputs;
        bool loss; ///< (p, loss) or only a loss comes out
        bool updates_two = false;
    } const rows[] = {
        {"relu", 0, 1, false},          {"tanh", 0, 1, false},            {"sigmoid", 0, 1, false},
        {"gelu", 0, 1, false},          {"relu_backward", 1, 2, false},   {"tanh_backward", 0, 2, false},
        {"tanh_backward", 1, 2, false}, {"sigmoid_backward", 0, 2, false}, {"sigmoid_backward", 1, 2, false},
        {"gelu_backward", 0, 2, false}, {"gelu_backward", 1, 2, false},   {"add", 0, 2, false},
        {"silu", 0, 1, false},          {"silu_backward", 0, 2, false},   {"silu_backward", 1, 2, false},
        {"step", 0, 1, false},          {"step_backward", 0, 2, false},
        {"add", 1, 2, false},    {"sgd", 0, 2, false},             {"sgd", 1, 2, false},
        {"momentum", 1, 3, false, true}, {"momentum", 2, 3, false, true}, {"mean_squared_error", 0, 2, true},
        {"mean_squared_error", 1, 2, true}, {"binary_cross_entropy", 0, 2, true},
        {"binary_cross_entropy", 1, 2, true}, {"mean_squared_error_backward", 0, 2, false},
        {"binary_cross_entropy_backward", 1, 2, false},
    };
    constexpr Dim columns = 37;
    const Shape shape = shape_of({1, columns});
    for (const auto& row : rows)
        for (const std::string& isa : isa_paths())
            for (const DType dtype : {DType::f32, DType::f64})
                for (const Dim at : {Dim{0}, Dim{1}, Dim{15}, Dim{36}})
                    for (const double sign : {1.0, -1.0}) {
                        std::vector<Tensor> inputs;
                        for (std::size_t i = 0; i < row.inputs; ++i) {
                            std::vector<double> values = values_of(random_tensor(shape, dtype, i + 1));
                            for (double& value : values) value = std::abs(value); // relu_backward lets them through
                            if (i == row.input) values[static_cast<std::size_t>(at)] = std::copysign(not_a_number, sign);
                            inputs.push_back(tensor_of(shape, values, dtype));
                        }
                        std::vector<std::pair<Shape, DType>> outputs{{shape, dtype}};
                        if (row.updates_two) outputs.emplace_back(shape, dtype);
                        if (row.loss && std::string_view(row.kernel) == "mean_squared_error") outputs = {{Shape{}, dtype}};
                        else if (row.loss) outputs.emplace_back(Shape{}, dtype);
                        const auto made = call_kernel(*cpu(isa), row.kernel, inputs, outputs, {0.1, 0.9});
                        bool right = true;
                        for (const Tensor& out : made)
                            for (Dim i = 0; i < out.elements(); ++i) {
                                const bool target_only = std::string_view(row.kernel) == "binary_cross_entropy" && row.input == 1 && out.elements() > 1;
                                right &= std::isnan(out.at(i)) == (out.elements() == 1 || (i == at && !target_only));
                            }
                        if (!right) {
                            const Row named(fmt::format("{} input {} at {} {} {}", row.kernel, row.input, at, isa, name_of(dtype)));
                            CHECK(right);
                        }
                        count_check();
                    }
}

// Where a curve jumps or saturates: at ±0, at what is infinite, and where e^-x is no float any more.
TEST(silu_and_step_hold_at_their_edges) {
    const double inf = std::numeric_limits<double>::infinity();
    struct {
        const char* kernel;
        double x, y, slope; ///< slope: dx for dy = 1
    } const rows[] = {
        {"step", 0.0, 0, 0},   {"step", -0.0, 0, 0}, {"step", 1e-30, 1, 0}, {"step", -1e-30, 0, 0}, {"step", inf, 1, 0}, {"step", -inf, 0, 0},
        {"silu", 0.0, 0, 0.5}, {"silu", 200, 200, 1}, {"silu", -200, 0, 0},
    };
    for (const auto& row : rows)
        for (const std::string& isa : isa_paths())
            for (const DType dtype : {DType::f32, DType::f64}) {
                const Row named(fmt::format("{} at {} {} {}", row.kernel, row.x, isa, name_of(dtype)));
                const Shape one = shape_of({1});
                const Tensor x = tensor_of(one, std::vector{row.x}, dtype), ones = tensor_of(one, std::vector{1.0}, dtype);
                const Tensor y = call_kernel(*cpu(isa), row.kernel, {x}, {{one, dtype}})[0];
                CHECK_ERROR(std::abs(y.at(0) - row.y), 1e-80, "y");
                const bool reads_y = std::string_view(row.kernel) == "step";
                const Tensor dx = call_kernel(*cpu(isa), (std::string(row.kernel) + "_backward").c_str(), {reads_y ? y : x, ones}, {{one, dtype}})[0];
                CHECK_ERROR(std::abs(dx.at(0) - row.slope), 1e-80, "dx");
            }
    for (const double dy : {inf, std::nan("")}) { // nothing is learned through a step, not even what is no number
        const Tensor y = tensor_of(shape_of({1}), std::vector{1.0}, DType::f64), d = tensor_of(shape_of({1}), std::vector{dy}, DType::f64);
        CHECK_EQUAL(call_kernel(*cpu(), "step_backward", {y, d}, {{shape_of({1}), DType::f64}})[0].at(0), 0.0);
    }
}

TEST(nan_reaches_the_whole_row_of_a_softmax) {
    for (const std::string& isa : isa_paths())
        for (const DType dtype : {DType::f32, DType::f64})
            for (const Dim at : {Dim{0}, Dim{3}, Dim{36}})
                for (const double bad : {not_a_number, -not_a_number, double{INFINITY}}) {
                    const Row row(fmt::format("{} {} at {} {}", isa, name_of(dtype), at, bad));
                    std::vector<double> values = values_of(random_tensor(shape_of({2, 37}), dtype, 1));
                    values[static_cast<std::size_t>(at)] = bad;
                    const auto out = call_kernel(*cpu(isa), "softmax_cross_entropy",
                                                 {tensor_of(shape_of({2, 37}), values, dtype), labels_of({5, 6})},
                                                 {{shape_of({2, 37}), dtype}, {Shape{}, dtype}});
                    CHECK(std::isnan(out[1].at(0)));
                    bool other_row = true;
                    for (Dim j = 0; j < 37; ++j) other_row &= std::isfinite(out[0].at(1, j));
                    CHECK(other_row);
                    CHECK(std::isnan(out[0].at(0, at)));
                    if (std::isnan(bad)) CHECK(std::isnan(out[0].at(0, (at + 1) % 37)));
                }
}

TEST(softmax_survives_steep_logits) {
    for (const std::string& isa : isa_paths())
        for (const DType dtype : {DType::f32, DType::f64}) {
            const Row row(fmt::format("{} {}", isa, name_of(dtype)));
            const auto out = call_kernel(*cpu(isa), "softmax_cross_entropy",
                                         {tensor_of(shape_of({3, 3}), std::vector<double>{1e4, 0, -1e4, -1e4, -1e4, -1e4, 0, 0, 80}, dtype),
                                          labels_of({0, 1, 0})},
                                         {{shape_of({3, 3}), dtype}, {Shape{}, dtype}});
            CHECK_EQUAL(out[0].at(0, 0), 1.0);
            CHECK_EQUAL(out[0].at(0, 2), 0.0);
            CHECK_ERROR(std::abs(out[0].at(1, 1) - 1.0 / 3), 1e-7, "equal logits");
            CHECK_ERROR(std::abs(out[1].at(0) - (0 + std::log(3.0) + 80) / 3), 1e-5, "loss");
        }
}

TEST(binary_cross_entropy_survives_steep_logits) {
    for (const std::string& isa : isa_paths())
        for (const DType dtype : {DType::f32, DType::f64}) {
            const Row row(fmt::format("{} {}", isa, name_of(dtype)));
            const auto loss = [&](double z, double y) {
                return call_kernel(*cpu(isa), "binary_cross_entropy",
                                   {tensor_of(shape_of({1, 1}), std::vector{z}, dtype), tensor_of(shape_of({1, 1}), std::vector{y}, dtype)},
                                   {{shape_of({1, 1}), dtype}, {Shape{}, dtype}})[1].at(0);
            };
            CHECK_EQUAL(loss(1e4, 1), 0.0);
            CHECK_EQUAL(loss(1e4, 0), 1e4);
            CHECK_EQUAL(loss(-1e4, 0), 0.0);
            CHECK_EQUAL(loss(-1e4, 1), 1e4);
            CHECK_ERROR(std::abs(loss(0, 1) - std::log(2.0)), 1e-7, "undecided");
        }
}
