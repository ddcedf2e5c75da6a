// Every op that has a gradient against central differences in float64, away from kinks.
#include "engine/nn/linear.hpp"
#include "engine/core/philox.hpp"
#include "engine/ops/ops.hpp"
#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <set>

using namespace gradus;
using namespace gradus::test;

namespace {

/// A scalar function of some float64 tensors, written on a tape.
struct Problem {
    std::string name;
    std::vector<Tensor> inputs; ///< all differentiated
    std::function<ValueIndex(Tape&, const std::vector<ValueIndex>&)> loss;
};

double forward(Tape& tape, ValueIndex loss) {
    for (NodeIndex node = 0; node < static_cast<NodeIndex>(tape.nodes().size()); ++node)
        if (tape.node(node).phase == Phase::forward) tape.execute(node);
    return tape.scalar(loss);
}

/// (L(x + h·d) - L(x - h·d)) / 2h, leaving x as it was.
double difference(Tape& tape, ValueIndex loss, ValueIndex input, const std::vector<double>& direction) {
    constexpr double h = 1e-5;
    const Tensor before = tape.tensor(input);
    std::vector<double> values = values_of(before);
    const auto moved = [&](double step) {
        std::vector<double> out = values;
        for (std::size_t i = 0; i < out.size(); ++i) out[i] += step * direction[i];
        tape.set(input, tensor_of(before.shape(), out));
        return forward(tape, loss);
    };
    const double slope = (moved(h) - moved(-h)) / (2 * h);
    tape.set(input, before);
    return slope;
}

void check_gradients(const Problem& problem, const std::string& isa) {
    const Row row(problem.name), path(isa);
    Tape tape(cpu(isa), std::make_shared<BufferPool>());
    std::vector<ValueIndex> inputs;
    for (std::size_t i = 0; i < problem.inputs.size(); ++i)
        inputs.push_back(tape.input("x" + std::to_string(i), problem.inputs[i], Role::parameter, true));
    const ValueIndex loss = problem.loss(tape, inputs);
    tape.backward(loss);
    for (NodeIndex node = 0; node < static_cast<NodeIndex>(tape.nodes().size()); ++node) tape.execute(node);
    const double value = tape.scalar(loss);
    CHECK(std::isfinite(value));
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        REQUIRE(tape.value(inputs[i]).gradient != no_value);
        const Tensor gradient = tape.tensor(tape.value(inputs[i]).gradient);
        CHECK(gradient.shape().same_sizes(problem.inputs[i].shape()));
        const std::vector<double> exact = values_of(gradient);
        const Philox random(i, 99);
        std::vector<double> direction(exact.size());
        double error = 0, norm = 0;
        const auto compare = [&](double along) {
            const double slope = difference(tape, loss, inputs[i], direction);
            error += (slope - along) * (slope - along);
            norm += along * along;
        };
        // some entries alone, all of them where they are few, and all of them together in random directions
        for (std::uint64_t k = 0; k < std::min<std::size_t>(exact.size(), 24); ++k) {
            const std::size_t at = exact.size() <= 24 ? k : random.below(k, static_cast<std::uint32_t>(exact.size()));
            std::fill(direction.begin(), direction.end(), 0.0);
            direction[at] = 1;
            compare(exact[at]);
        }
        for (std::uint64_t k = 0; k < 2; ++k) {
            double along = 0;
            for (std::size_t j = 0; j < direction.size(); ++j) {
                direction[j] = random.normal(1000 + k * direction.size() + j) / std::sqrt(direction.size());
                along += direction[j] * exact[j];
            }
            compare(along);
        }
        // the second term is the rounding of L divided by h
        CHECK_ERROR(std::sqrt(error), 1e-6 * std::sqrt(norm) + 1e-9 * std::max(1.0, std::abs(value)),
                    fmt::format("gradient of input {} (norm {:.3g})", i, std::sqrt(norm)));
    }
}

/// 1 to `most`, the same for the same numbers.
Dim drawn(std::uint64_t stream, std::uint64_t index, std::uint32_t most) {
    return 1 + static_cast<Dim>(Philox(2026, stream).block(index)[0] % most);
}

// One element, one row, one column, odd sizes, and more than a block of every path in each direction; then drawn ones.
const std::vector<std::pair<Dim, Dim>> sizes = [] {
    std::vector<std::pair<Dim, Dim>> out{{1, 1},   {1, 7},   {5, 1},   {2, 3},    {3, 129}, {15, 33}, {16, 16},
                                         {17, 31}, {33, 15}, {64, 256}, {1, 257}, {40, 1},  {100, 3}};
    for (std::uint64_t i = 0; i < 12; ++i) out.emplace_back(drawn(1, i, 40), drawn(2, i, 70));
    return out;
}();

ValueIndex mean_square(Tape& tape, ValueIndex y, std::uint64_t seed) {
    const ValueIndex target = tape.input("target", random_tensor(tape.value(y).shape, DType::f64, seed + 1000), Role::data);
    return tape.node(tape.apply(ops::mean_squared_error(), Phase::forward, "loss", {y, target}, {"loss"})).outputs[0];
}

ValueIndex only_output(Tape& tape, const Op& op, std::vector<ValueIndex> inputs, const std::string& name) {
    return tape.node(tape.apply(op, Phase::forward, "m", std::move(inputs), {name})).outputs[0];
}

/// Normal numbers that keep their distance from 0, where relu bends and a step jumps.
Tensor away_from_zero(const Shape& shape, std::uint64_t seed) {
    std::vector<double> values = values_of(random_tensor(shape, DType::f64, seed, 2.0));
    for (double& value : values) value += value < 0 ? -0.05 : 0.05;
    return tensor_of(shape, values);
}

struct OpRows {
    const Op* op;
    std::vector<Problem> problems;
};

std::vector<OpRows> rows_of_ops() {
    std::vector<OpRows> out;
    std::uint64_t seed = 1;
    const auto name_of_row = [](const Op& op, Dim m, Dim n) { return fmt::format("{} {}×{}", op.name, m, n); };
    for (const Op* op : {&ops::relu(), &ops::tanh(), &ops::sigmoid(), &ops::gelu(), &ops::silu(), &ops::step()}) {
        OpRows rows{op, {}};
        for (const auto& [m, n] : sizes) {
            ++seed;
            rows.problems.push_back({name_of_row(*op, m, n), {away_from_zero(shape_of({m, n}), seed)},
                                     [op, seed](Tape& tape, const std::vector<ValueIndex>& x) {
                                         return mean_square(tape, only_output(tape, *op, {x[0]}, "y"), seed);
                                     }});
        }
        out.push_back(std::move(rows));
    }
    OpRows bias{&ops::add_bias(), {}};
    for (const auto& [m, n] : sizes) {
        ++seed;
        bias.problems.push_back({name_of_row(*bias.op, m, n),
                                 {random_tensor(shape_of({m, n}), DType::f64, seed), random_tensor(shape_of({n}), DType::f64, seed + 500)},
                                 [seed](Tape& tape, const std::vector<ValueIndex>& x) {
                                     return mean_square(tape, only_output(tape, ops::add_bias(), {x[0], x[1]}, "y"), seed);
                                 }});
    }
    out.push_back(std::move(bias));
    OpRows product{&ops::matmul(), {}};
    std::vector<std::array<Dim, 3>> products{{1, 1, 1},   {1, 7, 1},   {3, 1, 5},    {15, 33, 7},  {7, 33, 15}, {64, 256, 10}, {1, 300, 1},
                                             {5, 300, 3}, {2, 1, 2},   {16, 16, 16}, {33, 17, 40}, {14, 32, 31}, {29, 257, 33}, {1, 1, 70}};
    for (std::uint64_t i = 0; i < 12; ++i) products.push_back({drawn(3, i, 40), drawn(4, i, 60), drawn(5, i, 40)});
    for (const auto& [m, k, n] : products) {
        ++seed;
        product.problems.push_back({fmt::format("matmul {}×{}×{}", m, k, n),
                                    {random_tensor(shape_of({m, k}), DType::f64, seed, 1 / std::sqrt(k)),
                                     random_tensor(shape_of({k, n}), DType::f64, seed + 500)},
                                    [seed](Tape& tape, const std::vector<ValueIndex>& x) {
                                        return mean_square(tape, only_output(tape, ops::matmul(), {x[0], x[1]}, "y"), seed);
                                    }});
    }
    product.problems.push_back({"matmul of a matrix with itself", // two uses of one value
                                {random_tensor(shape_of({9, 9}), DType::f64, 77)},
                                [](Tape& tape, const std::vector<ValueIndex>& x) {
                                    return mean_square(tape, only_output(tape, ops::matmul(), {x[0], x[0]}, "y"), 77);
                                }});
    out.push_back(std::move(product));
    OpRows cross_entropy{&ops::softmax_cross_entropy(), {}};
    OpRows binary{&ops::binary_cross_entropy(), {}}, square{&ops::mean_squared_error(), {}};
    for (const auto& [m, n] : sizes) {
        ++seed;
        const Dim rows = m, columns = n;
        cross_entropy.problems.push_back(
            {name_of_row(*cross_entropy.op, m, n), {random_tensor(shape_of({m, n}), DType::f64, seed, 2.0)},
             [=](Tape& tape, const std::vector<ValueIndex>& x) {
                 const ValueIndex y =
                     tape.input("y", random_labels(rows, static_cast<std::int32_t>(columns), seed), Role::data);
                 return tape.node(tape.apply(ops::softmax_cross_entropy(), Phase::forward, "loss", {x[0], y}, {"p", "loss"}))
                     .outputs[1];
             }});
        binary.problems.push_back(
            {name_of_row(*binary.op, m, n), {random_tensor(shape_of({m, n}), DType::f64, seed, 2.0)},
             [=](Tape& tape, const std::vector<ValueIndex>& x) {
                 std::vector<double> targets;
                 for (Dim i = 0; i < rows * columns; ++i) // classes, and soft targets between them
                     targets.push_back(Philox(seed, 5).uniform(static_cast<std::uint64_t>(i)) < 0.7 ? static_cast<double>(i % 2) : 0.3);
                 const ValueIndex y = tape.input("y", tensor_of(shape_of({rows, columns}), targets), Role::data);
                 return tape.node(tape.apply(ops::binary_cross_entropy(), Phase::forward, "loss", {x[0], y}, {"p", "loss"}))
                     .outputs[1];
             }});
        square.problems.push_back({name_of_row(*square.op, m, n), {random_tensor(shape_of({m, n}), DType::f64, seed)},
                                   [=](Tape& tape, const std::vector<ValueIndex>& x) { return mean_square(tape, x[0], seed); }});
    }
    OpRows multiply{&ops::multiply(), {}}, quadratic{&ops::quadratic(), {}};
    OpRows softmax{&ops::softmax(), {}}, plain_cross_entropy{&ops::cross_entropy(), {}};
    for (const auto& [m, n] : sizes) {
        ++seed;
        const Dim rows = m, columns = n;
        const Shape shape = shape_of({m, n});
        multiply.problems.push_back({name_of_row(*multiply.op, m, n),
                                     {random_tensor(shape, DType::f64, seed), random_tensor(shape, DType::f64, seed + 500)},
                                     [seed](Tape& tape, const std::vector<ValueIndex>& x) {
                                         return mean_square(tape, only_output(tape, ops::multiply(), {x[0], x[1]}, "y"), seed);
                                     }});
        quadratic.problems.push_back({name_of_row(*quadratic.op, m, n), {random_tensor(shape, DType::f64, seed)},
                                      [=](Tape& tape, const std::vector<ValueIndex>& x) {
                                          const ValueIndex a = tape.input("a", random_tensor(shape, DType::f64, seed + 1), Role::data);
                                          return only_output(tape, ops::quadratic(), {x[0], a}, "loss");
                                      }});
        softmax.problems.push_back({name_of_row(*softmax.op, m, n), {random_tensor(shape, DType::f64, seed, 2.0)},
                                    [seed](Tape& tape, const std::vector<ValueIndex>& x) {
                                        return mean_square(tape, only_output(tape, ops::softmax(), {x[0]}, "p"), seed);
                                    }});
        std::vector<double> shares = values_of(random_tensor(shape, DType::f64, seed));
        for (double& share : shares) share = 0.2 + std::abs(share); // away from 0, where the logarithm ends
        plain_cross_entropy.problems.push_back(
            {name_of_row(*plain_cross_entropy.op, m, n), {tensor_of(shape, shares)},
             [=](Tape& tape, const std::vector<ValueIndex>& x) {
                 const ValueIndex y = tape.input("y", random_labels(rows, static_cast<std::int32_t>(columns), seed), Role::data);
                 return only_output(tape, ops::cross_entropy(), {x[0], y}, "loss");
             }});
    }
    multiply.problems.push_back({"a number times itself", // two uses of one value
                                 {random_tensor(shape_of({4, 4}), DType::f64, 78)},
                                 [](Tape& tape, const std::vector<ValueIndex>& x) {
                                     return mean_square(tape, only_output(tape, ops::multiply(), {x[0], x[0]}, "y"), 78);
                                 }});
    for (OpRows* rows : {&multiply, &quadratic, &softmax, &plain_cross_entropy}) out.push_back(std::move(*rows));
    out.push_back(std::move(cross_entropy));
    out.push_back(std::move(binary));
    out.push_back(std::move(square));
    return out;
}

} // namespace

TEST(gradients_of_every_op) {
    for (const OpRows& rows : rows_of_ops()) {
        CHECK(rows.problems.size() >= 12, std::string(rows.op->name));
        for (const Problem& problem : rows.problems)
            for (const std::string& isa : isa_paths()) check_gradients(problem, isa);
    }
}

TEST(gradients_cover_all_ops) {
    std::set<std::string_view> checked;
    for (const OpRows& rows : rows_of_ops()) checked.insert(rows.op->name);
    for (const Op* op : lesson_ops()) // the others are rows of tests/ops/rows
        if (op->backward) CHECK(checked.contains(op->name), std::string(op->name) + " has no gradient check");
    CHECK(checked.size() >= 9);
}

TEST(gradients_of_whole_nets) {
    const std::vector<std::vector<Dim>> nets{{2, 2, 1}, {3, 5, 4, 3}, {7, 16, 16, 16, 2}};
    std::uint64_t seed = 900;
    for (const auto& widths : nets)
        for (const Op* activation : {&ops::tanh(), &ops::sigmoid(), &ops::gelu(), &ops::silu(), &ops::relu()}) {
            Problem problem{fmt::format("{} layers of {}", widths.size() - 1, activation->name),
                            {random_tensor(shape_of({11, widths[0]}), DType::f64, ++seed)},
                            {}};
            for (std::size_t l = 1; l < widths.size(); ++l) {
                problem.inputs.push_back(random_tensor(shape_of({widths[l - 1], widths[l]}), DType::f64, ++seed, 0.7));
                problem.inputs.push_back(random_tensor(shape_of({widths[l]}), DType::f64, ++seed, 0.3));
            }
            problem.loss = [&, seed](Tape& tape, const std::vector<ValueIndex>& x) {
                ValueIndex a = x[0];
                for (std::size_t l = 1; l < widths.size(); ++l) {
                    a = apply_linear(tape, a, x[2 * l - 1], x[2 * l], static_cast<int>(l)).output;
                    if (l + 1 < widths.size()) a = only_output(tape, *activation, {a}, "a" + std::to_string(l));
                }
                return mean_square(tape, a, seed);
            };
            check_gradients(problem, "");
        }
}
