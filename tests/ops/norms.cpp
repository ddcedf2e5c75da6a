// Normalisations: what is fused beside what is not, running statistics over iterations, accuracy far from 0, and bits.
#include "engine/core/error.hpp"
#include "engine/ops/ops.hpp"
#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"

#include <cmath>

using namespace gradus;
using namespace gradus::test;

namespace {

/// A tape with x, r (rows, columns), w and b (columns), all differentiated.
struct Rows {
    Tape tape;
    ValueIndex x, r, w, b;
    Rows(const std::shared_ptr<Device>& device, Dim rows, Dim columns, DType dtype)
        : tape(device, std::make_shared<BufferPool>()),
          x(tape.input("x", random_tensor(shape_of({rows, columns}), dtype, 1), Role::data, true)),
          r(tape.input("r", random_tensor(shape_of({rows, columns}), dtype, 2), Role::data, true)),
          w(tape.input("w", random_tensor(shape_of({columns}), dtype, 3), Role::parameter, true)),
          b(tape.input("b", random_tensor(shape_of({columns}), dtype, 4), Role::parameter, true)) {}

    std::vector<ValueIndex> apply(const Op& op, std::vector<ValueIndex> inputs, std::vector<std::string> names,
                                  Attributes attributes = {}) {
        return tape.node(tape.apply(op, Phase::forward, "norm", std::move(inputs), std::move(names), attributes)).outputs;
    }
    /// Goes back from s and y, executes all, and gives s, y and the gradients of x, r, w and, where it has one, b.
    std::vector<Tensor> results(ValueIndex s, ValueIndex y) {
        const ValueIndex from[] = {s, y};
        const ValueIndex gradients[] = {
            tape.input("gs", random_tensor(tape.value(s).shape, tape.value(s).dtype, 5), Role::gradient),
            tape.input("gy", random_tensor(tape.value(y).shape, tape.value(y).dtype, 6), Role::gradient)};
        tape.backward_from(from, gradients);
        for (NodeIndex i = 0; i < static_cast<NodeIndex>(tape.nodes().size()); ++i) tape.execute(i);
        std::vector<Tensor> out{tape.tensor(s), tape.tensor(y)};
        for (const ValueIndex value : {x, r, w, b})
            if (tape.value(value).gradient != no_value) out.push_back(tape.tensor(tape.value(value).gradient));
        return out;
    }
};

std::vector<Tensor> fused(bool centers, const std::shared_ptr<Device>& device, Dim rows, Dim columns, DType dtype) {
    Rows t(device, rows, columns, dtype);
    const auto out = centers ? t.apply(ops::add_layer_norm(), {t.x, t.r, t.w, t.b}, {"s", "y", "mean", "rstd"}, {1e-5})
                             : t.apply(ops::add_rms_norm(), {t.x, t.r, t.w}, {"s", "y", "rstd"}, {1e-5});
    return t.results(out[0], out[1]);
}

std::vector<Tensor> in_steps(bool centers, const std::shared_ptr<Device>& device, Dim rows, Dim columns, DType dtype) {
    Rows t(device, rows, columns, dtype);
    const ValueIndex s = t.apply(ops::add(), {t.x, t.r}, {"s"})[0];
    const auto out = centers ? t.apply(ops::layer_norm(), {s, t.w, t.b}, {"y", "mean", "rstd"}, {1e-5})
                             : t.apply(ops::rms_norm(), {s, t.w}, {"y", "rstd"}, {1e-5});
    return t.results(s, out[0]);
}

} // namespace

TEST(fused_norms_are_those_in_steps) {
    const std::vector<std::pair<Dim, Dim>> sizes{{1, 5}, {3, 33}, {200, 96}, {2, 2000}};
    for (const bool centers : {true, false})
        for (const auto& [rows, columns] : sizes)
            for (const DType dtype : {DType::f32, DType::f64}) {
                std::vector<Tensor> first;
                for (const std::string& isa : isa_paths()) {
                    const Row row(
                        fmt::format("{} {}×{} {} {}", centers ? "layer_norm" : "rms_norm", rows, columns, name_of(dtype), isa));
                    const std::vector<Tensor> one = fused(centers, cpu(isa), rows, columns, dtype);
                    const std::vector<Tensor> steps = in_steps(centers, cpu(isa), rows, columns, dtype);
                    const std::vector<Tensor> threads = fused(centers, cpu(isa, 3), rows, columns, dtype);
                    REQUIRE(one.size() == (centers ? 6u : 5u) && steps.size() == one.size());
                    if (first.empty()) first = one;
                    for (std::size_t i = 0; i < one.size(); ++i) {
                        const bool is_dx = i == 2 || i == 3; // in steps, what comes to s from elsewhere is added to a rounded sum
                        if (is_dx) CHECK_ERROR(relative_error(one[i], steps[i]), dtype == DType::f32 ? 2e-7 : 1e-15, "dx");
                        else CHECK(same_bits(one[i], steps[i]), fmt::format("result {}", i));
                        CHECK(same_bits(one[i], threads[i]), fmt::format("result {} with 3 threads", i));
                        CHECK(same_bits(one[i], first[i]), fmt::format("result {} on the first path", i));
                    }
                }
            }
}

TEST(sums_over_many_rows_are_grouped_by_shape) { // more rows than blocks of 16 Ki elements: several of them in each of the 64
    const std::vector<Tensor> one = fused(true, cpu(), 2000, 600, DType::f64), three = fused(true, cpu("", 3), 2000, 600, DType::f64);
    for (std::size_t i = 0; i < one.size(); ++i) CHECK(same_bits(one[i], three[i]), fmt::format("result {}", i));
}

TEST(norms_keep_their_digits_far_from_zero) {
    std::vector<double> values;
    for (int i = 0; i < 64; ++i) values.push_back(4096 + i % 5); // exact in fp32; Σ x² - n·mean² would lose the variance
    double mean = 0, variance = 0;
    for (const double value : values) mean += value / 64;
    for (const double value : values) variance += (value - mean) * (value - mean) / 64;
    for (const std::string& isa : isa_paths()) {
        Tape tape(cpu(isa), std::make_shared<BufferPool>());
        const ValueIndex x = tape.input("x", tensor_of(shape_of({1, 64}), values, DType::f32), Role::data);
        const ValueIndex w = tape.input("w", tensor_of(shape_of({64}), std::vector<double>(64, 1), DType::f32), Role::parameter);
        const ValueIndex b = tape.input("b", tensor_of(shape_of({64}), std::vector<double>(64, 0), DType::f32), Role::parameter);
        const NodeIndex node = tape.apply(ops::layer_norm(), Phase::forward, "norm", {x, w, b}, {"y", "mean", "rstd"}, {1e-5});
        tape.execute(node);
        std::vector<double> wanted;
        for (const double value : values) wanted.push_back((value - mean) / std::sqrt(variance + 1e-5));
        CHECK_ERROR(relative_error(tape.tensor(tape.node(node).outputs[0]), wanted), 1e-7, isa);
    }
}

TEST(running_statistics_go_from_iteration_to_iteration) {
    for (const DType dtype : {DType::f32, DType::f64, DType::bf16}) {
        const Row row{std::string(name_of(dtype))};
        const DType running = is_half(dtype) ? DType::f32 : dtype;
        Tape tape(cpu(), std::make_shared<BufferPool>());
        const std::vector<double> zero{0, 0}, one{1, 1};
        const ValueIndex x =
            tape.input("x", tensor_of(shape_of({4, 2}), std::vector<double>{1, 0, 2, 0, 3, 4, 6, 4}, dtype), Role::data);
        const ValueIndex w = tape.input("w", tensor_of(shape_of({2}), one, dtype), Role::parameter);
        const ValueIndex b = tape.input("b", tensor_of(shape_of({2}), zero, dtype), Role::parameter);
        const ValueIndex mean = tape.input("running mean", tensor_of(shape_of({2}), zero, running), Role::optimizer_state);
        const ValueIndex variance = tape.input("running var", tensor_of(shape_of({2}), one, running), Role::optimizer_state);
        const NodeIndex node = tape.apply(ops::batch_norm(), Phase::forward, "bn", {x, w, b, mean, variance},
                                          {"y", "mean", "rstd", "running mean'", "running var'"}, {1e-5, 0.25});
        carry_running_statistics(tape, node);
        double wanted_mean[] = {0, 0}, wanted_variance[] = {1, 1};
        for (int iteration = 0; iteration < 5; ++iteration) {
            for (NodeIndex i = 0; i < static_cast<NodeIndex>(tape.nodes().size()); ++i) tape.execute(i);
            const double means[] = {3, 2}, variances[] = {14.0 / 3, 16.0 / 3}; // Σ (x - mean)² / (n - 1)
            for (int c = 0; c < 2; ++c) {
                wanted_mean[c] = 0.75 * wanted_mean[c] + 0.25 * means[c];
                wanted_variance[c] = 0.75 * wanted_variance[c] + 0.25 * variances[c];
            }
            CHECK_ERROR(relative_error(tape.tensor(mean), wanted_mean), running == DType::f32 ? 1e-6 : 1e-14, "mean");
            CHECK_ERROR(relative_error(tape.tensor(variance), wanted_variance), running == DType::f32 ? 1e-6 : 1e-14, "variance");
        }
    }
}

TEST(norms_refuse_with_a_sentence) {
    struct Refusal {
        const Op* op;
        std::vector<Shape> inputs;
        Attributes attributes;
        std::string says;
    };
    const Shape x = shape_of({3, 4}), c = shape_of({4}), wrong = shape_of({3});
    const std::vector<Refusal> rows{
        {&ops::batch_norm(), {shape_of({1, 4}), c, c, c, c}, {1e-5, 0.1}, "more than one value per channel"},
        {&ops::batch_norm(), {x, c, wrong, c, c}, {1e-5, 0.1}, "a weight and a bias per channel"},
        {&ops::batch_norm(), {x, c, c, c, wrong}, {1e-5, 0.1}, "running statistics"},
        {&ops::batch_norm(), {c, c, c, c, c}, {1e-5, 0.1}, "(N, C"},
        {&ops::batch_norm(), {x, c, c}, {1e-5, 0.1}, "running means"},
        {&ops::batch_norm_inference(), {x, wrong, c, c, c}, {1e-5}, "a weight and a bias per channel"},
        {&ops::layer_norm(), {x, c, wrong}, {1e-5}, "as long as a row"},
        {&ops::layer_norm(), {x, c}, {1e-5}, "rows (…, C)"},
        {&ops::layer_norm(), {x, c, c}, {-1}, "eps"},
        {&ops::rms_norm(), {x, wrong}, {1e-5}, "as long as a row"},
        {&ops::add_layer_norm(), {x, c, c, c}, {1e-5}, "x and r of one shape"},
        {&ops::add_rms_norm(), {x, x, wrong}, {1e-5}, "as long as a row"},
        {&ops::group_norm(), {x, c, c}, {1e-5, 3}, "divide into 3 groups"},
        {&ops::group_norm(), {x, c, c}, {1e-5, 0}, "number of groups"},
        {&ops::group_norm(), {shape_of({3, 4, 0}), c, c}, {1e-5, 2}, "not empty"},
    };
    for (const Refusal& refusal : rows) {
        const Row row(fmt::format("{}: {}", refusal.op->name, refusal.says));
        Tape tape(cpu(), std::make_shared<BufferPool>());
        std::vector<ValueIndex> inputs;
        for (const Shape& shape : refusal.inputs)
            inputs.push_back(tape.input("in" + std::to_string(inputs.size()), random_tensor(shape, DType::f32, 1), Role::data));
        CHECK_THROWS(refusal.op->infer(tape, inputs, refusal.attributes), ShapeError, std::string(refusal.op->name),
                     refusal.says);
    }
}

TEST(no_gradient_goes_through_statistics_in_silence) {
    Rows t(cpu(), 3, 5, DType::f64);
    const auto out = t.apply(ops::layer_norm(), {t.x, t.w, t.b}, {"y", "mean", "rstd"}, {1e-5});
    const ValueIndex total = t.apply(ops::sum(), {out[1]}, {"total"}, reduce_over({}))[0];
    CHECK_THROWS(t.tape.backward(total), Error, "layer_norm", "mean");
}
