// Op parity is data: op, shape, seed, dtype, ISA path, tolerance on ‖a − b‖₂ ⁄ ‖b‖₂. The reference is written
// plainly in double precision; other backends run the same rows. Products have a file of their own.
#include "engine/autograd/tape.hpp"
#include "engine/nn/linear.hpp"
#include "engine/ops/ops.hpp"
#include "tests/ops/parity_rows.hpp"
#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <set>

using namespace gradus;
using namespace gradus::test;

namespace {

template <class F> auto each(F f) {
    return [f](const Inputs& in, Size) {
        Numbers out;
        for (std::size_t i = 0; i < in[0].size(); ++i) {
            if constexpr (std::is_invocable_v<F, double, double>) out.push_back(f(in[0][i], in[1][i]));
            else out.push_back(f(in[0][i]));
        }
        return std::vector<Numbers>{out};
    };
}

double normal_cdf(double x) { return 0.5 * std::erfc(-x * std::numbers::sqrt2 / 2); }
double normal_density(double x) { return std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi); }
double logistic(double x) { return 1 / (1 + std::exp(-x)); }

std::vector<Numbers> softmax_cross_entropy(const Inputs& in, Size s) {
    Numbers p;
    double loss = 0;
    for (Dim i = 0; i < s.rows; ++i) {
        double highest = -INFINITY, sum = 0;
        const double* z = in[0].data() + i * s.columns;
        for (Dim j = 0; j < s.columns; ++j) highest = std::max(highest, z[j]);
        for (Dim j = 0; j < s.columns; ++j) sum += std::exp(z[j] - highest);
        for (Dim j = 0; j < s.columns; ++j) p.push_back(std::exp(z[j] - highest) / sum);
        loss -= z[static_cast<Dim>(in[1][static_cast<std::size_t>(i)])] - highest - std::log(sum);
    }
    return {p, {loss / static_cast<double>(s.rows)}};
}

} // namespace

std::span<const Size> gradus::test::parity_sizes() {
    static constexpr Size sizes[] = {{1, 1}, {1, 7}, {5, 1}, {3, 129}, {15, 33}, {64, 256}, {200, 171}, {1, 40'000}};
    return sizes;
}

std::vector<ParityRow> gradus::test::parity_rows() {
    using enum Operand;
    const auto n = [](Size s) { return static_cast<double>(s.rows * s.columns); };
    std::vector<ParityRow> rows{
        {"relu", {matrix}, {Result::matrix}, {}, 0, 0, each([](double x) { return std::max(0.0, x); })},
        {"tanh", {matrix}, {Result::matrix}, {}, 1.5e-7, 3e-16, each([](double x) { return std::tanh(x); })},
        {"sigmoid", {matrix}, {Result::matrix}, {}, 1.5e-7, 3e-16, each(logistic)},
        {"gelu", {matrix}, {Result::matrix}, {}, 1e-7, 5e-16, each([](double x) { return x * normal_cdf(x); })},
        {"silu", {matrix}, {Result::matrix}, {}, 1.5e-7, 3e-16, each([](double x) { return x * logistic(x); })},
        {"step", {matrix}, {Result::matrix}, {}, 0, 0, each([](double x) { return x > 0 ? 1.0 : 0.0; })},
        {"relu_backward", {matrix, matrix}, {Result::matrix}, {}, 0, 0, each([](double y, double d) { return y > 0 ? d : 0; })},
        {"tanh_backward", {unit_matrix, matrix}, {Result::matrix}, {}, 2e-7, 3e-16, each([](double y, double d) { return d * (1 - y * y); })},
        {"sigmoid_backward", {unit_matrix, matrix}, {Result::matrix}, {}, 2e-7, 3e-16, each([](double y, double d) { return d * y * (1 - y); })},
        {"gelu_backward", {matrix, matrix}, {Result::matrix}, {}, 1e-7, 5e-16,
         each([](double x, double d) { return d * (normal_cdf(x) + x * normal_density(x)); })},
        {"silu_backward", {matrix, matrix}, {Result::matrix}, {}, 2e-7, 4e-16,
         each([](double x, double d) { return d * logistic(x) * (1 + x * logistic(-x)); })},
        {"step_backward", {unit_matrix, matrix}, {Result::matrix}, {}, 0, 0, each([](double, double) { return 0.0; })},
        {"add", {matrix, matrix}, {Result::matrix}, {}, 1e-7, 2e-16, each([](double a, double b) { return a + b; })},
        {"sgd", {matrix, matrix}, {Result::matrix}, {0.25}, 1.5e-7, 2.5e-16, each([](double w, double g) { return w - 0.25 * g; })},
        {"momentum", {matrix, matrix, matrix}, {Result::matrix, Result::matrix}, {0.25, 0.875}, 2e-7, 1e-15,
         [](const Inputs& in, Size) {
             Numbers w, v;
             for (std::size_t i = 0; i < in[0].size(); ++i) {
                 v.push_back(0.875 * in[2][i] + in[1][i]);
                 w.push_back(in[0][i] - 0.25 * v.back());
             }
             return std::vector<Numbers>{w, v};
         }},
        {"add_bias", {matrix, column_vector}, {Result::matrix}, {}, 1e-7, 2e-16,
         [](const Inputs& in, Size s) {
             Numbers out;
             for (std::size_t i = 0; i < in[0].size(); ++i) out.push_back(in[0][i] + in[1][i % static_cast<std::size_t>(s.columns)]);
             return std::vector<Numbers>{out};
         }},
        {"sum_rows", {matrix}, {Result::column_vector}, {}, 6e-7, 1e-15,
         [](const Inputs& in, Size s) {
             Numbers out(static_cast<std::size_t>(s.columns));
             for (std::size_t i = 0; i < in[0].size(); ++i) out[i % static_cast<std::size_t>(s.columns)] += in[0][i];
             return std::vector<Numbers>{out};
         }},
        {"softmax_cross_entropy", {matrix, row_labels}, {Result::matrix, Result::scalar}, {}, 1e-6, 1e-15, softmax_cross_entropy},
        {"softmax_cross_entropy_backward", {unit_matrix, row_labels}, {Result::matrix}, {}, 2e-7, 4e-16,
         [](const Inputs& in, Size s) {
             Numbers out = in[0];
             for (Dim i = 0; i < s.rows; ++i) out[static_cast<std::size_t>(i * s.columns) + static_cast<std::size_t>(in[1][static_cast<std::size_t>(i)])] -= 1;
             for (double& value : out) value /= static_cast<double>(s.rows);
             return std::vector<Numbers>{out};
         }},
        {"binary_cross_entropy", {matrix, positive}, {Result::matrix, Result::scalar}, {}, 2e-7, 2e-15,
         [n](const Inputs& in, Size s) {
             Numbers p;
             double loss = 0;
             for (std::size_t i = 0; i < in[0].size(); ++i) {
                 p.push_back(logistic(in[0][i]));
                 loss += std::max(in[0][i], 0.0) - in[0][i] * in[1][i] + std::log1p(std::exp(-std::abs(in[0][i])));
             }
             return std::vector<Numbers>{p, {loss / n(s)}};
         }},
        {"binary_cross_entropy_backward", {unit_matrix, unit_matrix}, {Result::matrix}, {}, 2e-7, 4e-16,
         [n](const Inputs& in, Size s) {
             Numbers out;
             for (std::size_t i = 0; i < in[0].size(); ++i) out.push_back((in[0][i] - in[1][i]) / n(s));
             return std::vector<Numbers>{out};
         }},
        {"mean_squared_error", {matrix, matrix}, {Result::scalar}, {}, 1e-7, 1e-14,
         [n](const Inputs& in, Size s) {
             long double sum = 0;
             for (std::size_t i = 0; i < in[0].size(); ++i) sum += (in[0][i] - in[1][i]) * (in[0][i] - in[1][i]);
             return std::vector<Numbers>{{static_cast<double>(sum) / n(s)}};
         }},
        {"mean_squared_error_backward", {matrix, matrix}, {Result::matrix}, {}, 2e-7, 4e-16,
         [n](const Inputs& in, Size s) {
             Numbers out;
             for (std::size_t i = 0; i < in[0].size(); ++i) out.push_back(2 * (in[0][i] - in[1][i]) / n(s));
             return std::vector<Numbers>{out};
         }},
        {"multiply", {matrix, matrix}, {Result::matrix}, {}, 1e-7, 2e-16, each([](double a, double b) { return a * b; })},
        {"quadratic", {matrix, matrix}, {Result::scalar}, {}, 2e-7, 1e-13,
         [](const Inputs& in, Size) {
             long double sum = 0;
             for (std::size_t i = 0; i < in[0].size(); ++i) sum += in[1][i] * in[0][i] * in[0][i];
             return std::vector<Numbers>{{static_cast<double>(sum / 2)}};
         }},
        {"softmax", {matrix}, {Result::matrix}, {}, 1e-6, 1e-15,
         [](const Inputs& in, Size s) {
             const Numbers first(static_cast<std::size_t>(s.rows)); // labels do not matter to p
             return std::vector<Numbers>{softmax_cross_entropy({in[0], first}, s)[0]};
         }},
        {"softmax_backward", {unit_matrix, matrix}, {Result::matrix}, {}, 1e-5, 2e-14,
         [](const Inputs& in, Size s) {
             Numbers out = in[0];
             for (Dim i = 0; i < s.rows; ++i) {
                 const auto from = static_cast<std::size_t>(i * s.columns), until = from + static_cast<std::size_t>(s.columns);
                 long double sum = 0;
                 for (std::size_t k = from; k < until; ++k) sum += static_cast<long double>(in[0][k]) * in[1][k];
                 for (std::size_t k = from; k < until; ++k) out[k] = static_cast<double>(in[0][k] * (in[1][k] - sum));
             }
             return std::vector<Numbers>{out};
         }},
        {"cross_entropy", {unit_matrix, row_labels}, {Result::scalar}, {}, 4e-7, 1e-15,
         [](const Inputs& in, Size s) {
             double loss = 0;
             for (Dim i = 0; i < s.rows; ++i)
                 loss -= std::log(in[0][static_cast<std::size_t>(i * s.columns) + static_cast<std::size_t>(in[1][static_cast<std::size_t>(i)])]);
             return std::vector<Numbers>{{loss / static_cast<double>(s.rows)}};
         }},
        {"cross_entropy_backward", {unit_matrix, row_labels}, {Result::matrix}, {}, 2e-7, 4e-16,
         [](const Inputs& in, Size s) {
             Numbers out(in[0].size());
             for (Dim i = 0; i < s.rows; ++i) {
                 const std::size_t at = static_cast<std::size_t>(i * s.columns) + static_cast<std::size_t>(in[1][static_cast<std::size_t>(i)]);
                 out[at] = -1 / (static_cast<double>(s.rows) * in[0][at]);
             }
             return std::vector<Numbers>{out};
         }},
        {"accuracy", {matrix, row_labels}, {Result::scalar}, {}, 1e-7, 1e-15,
         [](const Inputs& in, Size s) {
             double right = 0;
             for (Dim i = 0; i < s.rows; ++i) {
                 const auto begin = in[0].begin() + i * s.columns;
                 right += std::max_element(begin, begin + s.columns) - begin == static_cast<Dim>(in[1][static_cast<std::size_t>(i)]);
             }
             return std::vector<Numbers>{{right / static_cast<double>(s.rows)}};
         }},
        {"one_hot_accuracy", {matrix, matrix}, {Result::scalar}, {}, 1e-7, 1e-15, // the largest of a row stands for its 1
         [](const Inputs& in, Size s) {
             double right = 0;
             for (Dim i = 0; i < s.rows; ++i) {
                 const auto largest = [&](const Numbers& numbers) {
                     const auto begin = numbers.begin() + i * s.columns;
                     return std::max_element(begin, begin + s.columns) - begin;
                 };
                 right += largest(in[0]) == largest(in[1]);
             }
             return std::vector<Numbers>{{right / static_cast<double>(s.rows)}};
         }},
        {"binary_accuracy", {matrix, positive}, {Result::scalar}, {0.5}, 1e-7, 1e-15,
         [n](const Inputs& in, Size s) {
             double right = 0;
             for (std::size_t i = 0; i < in[0].size(); ++i) right += (in[0][i] > 0.5) == (in[1][i] > 0.5);
             return std::vector<Numbers>{{right / n(s)}};
         }},
    };
    return rows;
}

Tensor gradus::test::operand(Operand kind, Size s, DType dtype, std::uint64_t seed) {
    const Shape whole = shape_of({s.rows, s.columns});
    switch (kind) {
    case Operand::matrix: return random_tensor(whole, dtype, seed, 2.0);
    case Operand::column_vector: return random_tensor(shape_of({s.columns}), dtype, seed);
    case Operand::row_labels: return random_labels(s.rows, static_cast<std::int32_t>(s.columns), seed);
    case Operand::unit_matrix:
    case Operand::positive: {
        Numbers values = values_of(random_tensor(whole, DType::f64, seed));
        for (double& value : values) value = kind == Operand::positive ? (value > 0 ? 1.0 : 0.0) : logistic(value);
        return tensor_of(whole, values, dtype);
    }
    }
    return {};
}

std::vector<Tensor> gradus::test::run_row(const ParityRow& row, const Device& device, const std::vector<Tensor>& inputs, Size s, DType dtype) {
    std::vector<std::pair<Shape, DType>> outputs;
    for (const Result result : row.results)
        outputs.emplace_back(result == Result::matrix          ? shape_of({s.rows, s.columns})
                             : result == Result::column_vector ? shape_of({s.columns})
                                                               : Shape{},
                             dtype);
    return call_kernel(device, row.kernel, inputs, outputs, row.attributes);
}

TEST(parity_with_a_plain_reference) {
    std::uint64_t seed = 40;
    for (const ParityRow& row : parity_rows()) {
        double worst[2] = {0, 0};
        for (const Size s : parity_sizes())
            for (const DType dtype : {DType::f32, DType::f64}) {
                ++seed;
                std::vector<Tensor> inputs;
                Inputs numbers;
                for (const Operand kind : row.operands) {
                    inputs.push_back(operand(kind, s, dtype, seed * 10 + inputs.size()));
                    numbers.push_back(values_of(inputs.back()));
                }
                const std::vector<Numbers> wanted = row.reference(numbers, s);
                double tolerance = dtype == DType::f32 ? row.tolerance_f32 : row.tolerance_f64;
                if (s.columns > 1000) tolerance *= 20; // a softmax sums a row in one chain
                for (const std::string& isa : isa_paths()) {
                    const Row named(fmt::format("{} {}×{} seed {} {} {}", row.kernel, s.rows, s.columns, seed, name_of(dtype), isa));
                    const std::vector<Tensor> alone = run_row(row, *cpu(isa, 1), inputs, s, dtype);
                    REQUIRE(alone.size() == wanted.size());
                    for (std::size_t i = 0; i < alone.size(); ++i) {
                        const double error = relative_error(alone[i], wanted[i]);
                        worst[dtype == DType::f64] = std::max(worst[dtype == DType::f64], error);
                        CHECK_ERROR(error, tolerance, fmt::format("output {}", i));
                    }
                    for (const int threads : {2, 3}) {
                        const std::vector<Tensor> together = run_row(row, *cpu(isa, threads), inputs, s, dtype);
                        for (std::size_t i = 0; i < alone.size(); ++i)
                            CHECK(same_bits(together[i], alone[i]), fmt::format("{} threads", threads));
                    }
                }
            }
        if (std::getenv("GRADUS_SHOW_ERRORS")) fmt::print("{}: {:.3g} {:.3g}\n", row.kernel, worst[0], worst[1]);
    }
}

TEST(parity_of_gather) {
    const auto pool = std::make_shared<BufferPool>();
    for (const std::string& isa : isa_paths())
        for (const Size s : parity_sizes()) {
            const Row named(fmt::format("{} {}×{}", isa, s.rows, s.columns));
            const Tensor index = random_labels(9, static_cast<std::int32_t>(s.rows), 3);
            const Shape shape = shape_of({9, s.columns});
            for (const DType dtype : {DType::f32, DType::f64}) {
                const Tensor x = random_tensor(shape_of({s.rows, s.columns}), dtype, 1);
                const Tensor rows = call_kernel(*cpu(isa), "gather", {x, index}, {{shape, dtype}}, {1})[0];
                std::vector<std::uint8_t> bytes(static_cast<std::size_t>(s.rows * s.columns));
                for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 37);
                const Tensor pixels = Tensor::from<std::uint8_t>(*pool, x.shape(), bytes);
                const Tensor numbers = call_kernel(*cpu(isa), "gather", {pixels, index}, {{shape, dtype}}, {1.0 / 255})[0];
                bool right = true;
                double worst = 0;
                for (Dim i = 0; i < 9; ++i)
                    for (Dim j = 0; j < s.columns; ++j) {
                        const auto from = static_cast<Dim>(index.at(i));
                        right &= rows.at(i, j) == x.at(from, j);
                        worst = std::max(worst, std::abs(numbers.at(i, j) - pixels.at(from, j) / 255));
                    }
                CHECK(right);
                CHECK_ERROR(worst, dtype == DType::f32 ? 1.2e-7 : 2.3e-16, "bytes over 255");
            }
            const Tensor labels = random_labels(s.rows, 1000, 5);
            const Tensor some = call_kernel(*cpu(isa), "gather", {labels, index}, {{shape_of({9}), DType::i32}}, {1})[0];
            for (Dim i = 0; i < 9; ++i) CHECK_EQUAL(some.at(i), labels.at(static_cast<Dim>(index.at(i))));
        }
}

TEST(parity_covers_every_kernel) {
    std::set<std::string> covered{"matmul", "gather"}; // products.cpp and above
    for (const ParityRow& row : parity_rows()) covered.insert(row.kernel);
    for (const Op* op : lesson_ops()) CHECK(covered.contains(op->kernel), op->kernel);
    // and those that only backward() calls: one net with every activation and loss
    for (const Op* activation : {&ops::relu(), &ops::tanh(), &ops::sigmoid(), &ops::gelu(), &ops::silu(), &ops::step()})
        for (const Op* loss : {&ops::softmax_cross_entropy(), &ops::binary_cross_entropy(), &ops::mean_squared_error()}) {
            Tape tape(cpu(), std::make_shared<BufferPool>());
            const auto input = [&](const char* name, const Tensor& tensor) { return tape.input(name, tensor, Role::parameter, true); };
            const ValueIndex z = apply_linear(tape, input("x", random_tensor(shape_of({4, 3}), DType::f64, 1)),
                                              input("W1", random_tensor(shape_of({3, 2}), DType::f64, 2)),
                                              input("b1", random_tensor(shape_of({2}), DType::f64, 3)), 1).output;
            const ValueIndex a = tape.node(tape.apply(*activation, Phase::forward, "layer1", {z}, {"a"})).outputs[0];
            const bool classes = loss == &ops::softmax_cross_entropy();
            const ValueIndex y = tape.input("y", classes ? random_labels(4, 2, 1) : random_tensor(shape_of({4, 2}), DType::f64, 4), Role::data);
            const bool two = loss != &ops::mean_squared_error();
            const NodeIndex end = tape.apply(*loss, Phase::forward, "loss", {a, y}, two ? std::vector<std::string>{"p", "loss"} : std::vector<std::string>{"loss"});
            tape.backward(tape.node(end).outputs.back());
            for (const Node& node : tape.nodes()) CHECK(covered.contains(node.op->kernel), node.op->kernel);
        }
    Tape tape(cpu(), std::make_shared<BufferPool>()); // and one of the losses in single steps
    const ValueIndex z = tape.input("z", random_tensor(shape_of({2, 3}), DType::f64, 1), Role::parameter, true);
    const ValueIndex p = tape.node(tape.apply(ops::softmax(), Phase::forward, "softmax", {z}, {"p"})).outputs[0];
    const ValueIndex y = tape.input("y", random_labels(2, 3, 1), Role::data);
    tape.backward(tape.node(tape.apply(ops::cross_entropy(), Phase::forward, "loss", {p, y}, {"loss"})).outputs[0]);
    CHECK_EQUAL(tape.nodes().size(), 4u);
    for (const Node& node : tape.nodes()) CHECK(covered.contains(node.op->kernel), node.op->kernel);
}
