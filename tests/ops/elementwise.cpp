// Element-wise ops and reductions where the golden rows have no numbers: infinities and NaN, ties, nothing at all, axes' names,
// writing in place, fused against unfused, refusals, and sizes that are cut among threads.
#include "engine/core/error.hpp"
#include "tests/ops/op_runs.hpp"
#include "tests/support/check.hpp"

#include <cmath>
#include <limits>

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity(), NaN = std::numeric_limits<double>::quiet_NaN();

/// One op on vectors of doubles, and what comes out; a NaN equals a NaN.
struct Special {
    const Op* op;
    std::vector<std::vector<double>> inputs;
    std::vector<double> wanted;
    Attributes attributes{};
};

bool same(const std::vector<double>& got, const std::vector<double>& wanted) {
    bool equal = got.size() == wanted.size();
    for (std::size_t i = 0; equal && i < got.size(); ++i)
        equal = got[i] == wanted[i] || (std::isnan(got[i]) && std::isnan(wanted[i]));
    return equal;
}

Tensor vector_of(const std::vector<double>& values, DType dtype) {
    return tensor_of(shape_of({static_cast<Dim>(values.size())}), values, dtype);
}

std::vector<Tensor> results_of(const Op& op, const std::vector<Tensor>& inputs, const Tensor& upstream,
                               const Attributes& attributes = {}, const std::shared_ptr<Device>& device = cpu()) {
    OpRun run(op, inputs, 1, attributes, device);
    if (upstream.defined()) run.differentiate(upstream);
    run.execute();
    return run.results();
}

} // namespace

TEST(elementwise_special_values) {
    const std::vector<Special> rows{
        {&ops::maximum(), {{1, NaN, 2, NaN, -infinity}, {NaN, 1, 3, NaN, infinity}}, {NaN, NaN, 3, NaN, infinity}},
        {&ops::minimum(), {{1, NaN, 2, NaN, -infinity}, {NaN, 1, 3, NaN, infinity}}, {NaN, NaN, 2, NaN, -infinity}},
        {&ops::divide(), {{1, -1, 0, NaN}, {0, 0, 0, 1}}, {infinity, -infinity, NaN, NaN}},
        {&ops::equal(), {{1, NaN, 0, infinity}, {1, NaN, -0.0, infinity}}, {1, 0, 1, 1}},
        {&ops::not_equal(), {{1, NaN, 0, infinity}, {1, NaN, -0.0, infinity}}, {0, 1, 0, 0}},
        {&ops::less(), {{1, NaN, -infinity, 0}, {1, 1, 0, NaN}}, {0, 0, 1, 0}},
        {&ops::less_equal(), {{1, NaN, -infinity, 0}, {1, 1, 0, NaN}}, {1, 0, 1, 0}},
        {&ops::greater(), {{1, NaN, infinity, 0}, {1, 1, 0, NaN}}, {0, 0, 1, 0}},
        {&ops::greater_equal(), {{1, NaN, infinity, 0}, {1, 1, 0, NaN}}, {1, 0, 1, 0}},
        {&ops::exp(), {{0, -infinity, infinity, NaN}}, {1, 0, infinity, NaN}},
        {&ops::log(), {{1, 0, -1, infinity, NaN}}, {0, -infinity, NaN, infinity, NaN}},
        {&ops::sqrt(), {{4, 0, -1, infinity, NaN}}, {2, 0, NaN, infinity, NaN}},
        {&ops::reciprocal(), {{4, 0, infinity, NaN}}, {0.25, infinity, 0, NaN}},
        {&ops::abs(), {{-2, -0.0, -infinity, NaN}}, {2, 0, infinity, NaN}},
        {&ops::clamp(), {{-2, 0, 2, NaN, infinity}}, {-1, 0, 1, NaN, 1}, {-1, 1}},
        {&ops::clamp(), {{-2, 5}}, {1, 1}, {2, 1}}, // the upper bound has the last word, as in PyTorch
        {&ops::clamp(), {{-2, 5}}, {0, 5}, {0, infinity}},
        {&ops::leaky_relu(), {{-2, 2, NaN}}, {-0.5, 2, NaN}, {0.25}},
        {&ops::gelu(), {{0, -infinity, infinity, NaN}}, {0, 0, infinity, NaN}},
        {&ops::silu(), {{0, -infinity, infinity, NaN}}, {0, NaN, infinity, NaN}},
        {&ops::sigmoid(), {{0, -infinity, infinity, NaN}}, {0.5, 0, 1, NaN}},
        {&ops::tanh(), {{0, -infinity, infinity, NaN}}, {0, -1, 1, NaN}},
        {&ops::power(), {{3, -3, 0, NaN}}, {9, 9, 0, NaN}, {2}},
        {&ops::power(), {{3, -3, 0, NaN}}, {1, 1, 1, 1}, {0}},
        {&ops::power(), {{4, -4, 0}}, {2, NaN, 0}, {0.5}},
        {&ops::power(), {{2, -2, 0}}, {0.125, -0.125, infinity}, {-3}},
        {&ops::power_tensor(), {{2, -2, 0, 0, 1}, {3, 3, 0, -1, NaN}}, {8, -8, 1, infinity, 1}},
        {&ops::max(), {{1, NaN, 3}}, {NaN}},
        {&ops::max(), {{-infinity, -infinity}}, {-infinity}},
        {&ops::min(), {{1, NaN, -3}}, {NaN}},
        {&ops::min(), {{infinity, infinity}}, {infinity}},
        {&ops::argmax(), {{1, 3, 3, 2}}, {1}},
        {&ops::argmax(), {{1, NaN, 3, NaN}}, {1}},
        {&ops::argmin(), {{2, 1, 1}}, {1}},
        {&ops::argmin(), {{2, 1, NaN}}, {2}},
        {&ops::sum(), {{}}, {0}},
        {&ops::mean(), {{}}, {NaN}},
        {&ops::var(), {{}}, {NaN}},
        {&ops::var(), {{5}}, {NaN}, reduce_over({}, false, 1)},
        {&ops::var(), {{5}}, {0}},
        {&ops::sum(), {{infinity, -infinity}}, {NaN}},
        {&ops::prefix_scan(), {{1, 2, 3}}, {0, 1, 3}, {0, 1}},
        {&ops::prefix_scan(), {{1, 2, 3}}, {5, 3, 0}, {0, 1, 1}},
    };
    for (const std::string& isa : isa_paths())
        for (const DType dtype : {DType::f32, DType::f64, DType::f16, DType::bf16})
            for (const Special& row : rows) {
                const Row named(fmt::format("{} {} {}", row.op->name, name_of(dtype), isa));
                for (const std::size_t copies : {std::size_t{1}, std::size_t{19}}) { // alone and in whole vectors
                    const bool reduces = row.wanted.size() != (row.inputs[0].empty() ? 0 : row.inputs[0].size()) ||
                                         row.inputs[0].size() == 1;
                    if (copies > 1 && (reduces || row.op == &ops::prefix_scan())) continue;
                    std::vector<Tensor> inputs;
                    std::vector<double> wanted;
                    for (const std::vector<double>& input : row.inputs) {
                        std::vector<double> many;
                        for (std::size_t i = 0; i < copies; ++i) many.insert(many.end(), input.begin(), input.end());
                        inputs.push_back(vector_of(many, dtype));
                    }
                    for (std::size_t i = 0; i < copies; ++i) wanted.insert(wanted.end(), row.wanted.begin(), row.wanted.end());
                    const std::vector<double> got = values_of(results_of(*row.op, inputs, {}, row.attributes, cpu(isa))[0]);
                    CHECK(same(got, wanted),
                          fmt::format("{} of {}", shown(got),
                                      shown(inputs.empty() ? std::vector<double>{} : values_of(inputs[0]))));
                }
            }
}

TEST(the_slope_of_gelu_has_its_limits_on_every_path) {
    for (const std::string& isa : isa_paths())
        for (const DType dtype : {DType::f32, DType::f64, DType::f16, DType::bf16})
            for (const std::size_t copies : {std::size_t{1}, std::size_t{19}}) {
                std::vector<double> x, dy, wanted;
                for (std::size_t i = 0; i < copies; ++i)
                    for (const auto& [at, slope] : {std::pair{-infinity, 0.0}, {infinity, 1.0}, {-60.0, 0.0}, {60.0, 1.0}, {0.0, 0.5}, {NaN, NaN}}) x.push_back(at), dy.push_back(4), wanted.push_back(4 * slope);
                const std::vector<double> got = values_of(results_of(ops::gelu(), {vector_of(x, dtype)}, vector_of(dy, dtype), {}, cpu(isa))[1]);
                CHECK(same(got, wanted), fmt::format("{} {}: {}", name_of(dtype), isa, shown(got)));
            }
}

TEST(elementwise_gradients_at_ties_and_bounds) {
    // as PyTorch has them
    const std::vector<std::tuple<const Op*, std::vector<std::vector<double>>, std::vector<std::vector<double>>, Attributes>> rows{
        {&ops::maximum(), {{1, 2, 3}, {2, 2, 2}}, {{0, 2, 4}, {4, 2, 0}}, {}},
        {&ops::minimum(), {{1, 2, 3}, {2, 2, 2}}, {{4, 2, 0}, {0, 2, 4}}, {}},
        {&ops::abs(), {{-1, 0, 1}}, {{-4, 0, 4}}, {}},
        {&ops::clamp(), {{-1, -2, 0.5, 1}}, {{0, 0, 4, 0}}, {-1, 1}}, // 0 at the bounds, as PyTorch 2.15
        {&ops::leaky_relu(), {{-1, 0, 1}}, {{2, 2, 4}}, {0.5}},
        {&ops::power(), {{0, 2}}, {{0, 0}}, {0}},
        {&ops::power_tensor(), {{0, 0, 0, 2}, {0, 2, 1, 0}}, {{0, 0, 4, 0}, {0, 0, 0, 4 * std::log(2.0)}}, {}},
    };
    for (const auto& [op, inputs, wanted, attributes] : rows) {
        const Row named(std::string(op->name));
        std::vector<Tensor> tensors;
        for (const auto& input : inputs) tensors.push_back(vector_of(input, DType::f64));
        const std::vector<double> upstream(inputs[0].size(), 4.0);
        const std::vector<Tensor> got = results_of(*op, tensors, vector_of(upstream, DType::f64), attributes);
        REQUIRE(got.size() == 1 + wanted.size());
        for (std::size_t i = 0; i < wanted.size(); ++i)
            CHECK_ERROR(relative_error(got[1 + i], wanted[i]), 1e-15, shown(values_of(got[1 + i])));
    }
    const double four[] = {4};
    const std::vector<Tensor> shared = results_of(ops::max(), {vector_of({1, 3, 3, 2, 3}, DType::f64)}, tensor_of(Shape{}, four));
    CHECK(same(values_of(shared[1]), {0, 4.0 / 3, 4.0 / 3, 0, 4.0 / 3}), shown(values_of(shared[1])));
}

TEST(fused_bias_and_activation_are_those_in_steps) {
    const std::pair<const Op*, const Op*> pairs[] = {
        {&ops::bias_relu(), &ops::relu()}, {&ops::bias_gelu(), &ops::gelu()}, {&ops::bias_gelu_tanh(), &ops::gelu_tanh()}};
    for (const std::string& isa : isa_paths())
        for (const DType dtype : {DType::f32, DType::f64})
            for (const auto& [fused, activation] : pairs)
                for (const Shape& shape : {shape_of({1, 1}), shape_of({3, 5, 33}), shape_of({400, 96})}) {
                    const Row named(fmt::format("{} {} {} {}", fused->name, shape.text(), name_of(dtype), isa));
                    CHECK(!fused->fused_from.empty());
                    const Tensor x = random_tensor(shape, dtype, 1, 2),
                                 b = random_tensor(shape_of({shape[shape.rank() - 1]}), dtype, 2);
                    const Tensor upstream = random_tensor(shape, dtype, 3);
                    const std::vector<Tensor> at_once = results_of(*fused, {x, b}, upstream, {}, cpu(isa, 2));
                    OpRun run(ops::add(), {x, b}, 1, {}, cpu(isa));
                    const ValueIndex y =
                        run.tape.node(run.tape.apply(*activation, Phase::forward, "part", {run.outputs[0]}, {"y"}))
                            .outputs[0];
                    run.tape.backward_from(std::vector{y}, std::vector{run.tape.input("dy", upstream, Role::gradient)});
                    run.execute();
                    CHECK(same_bits(at_once[0], run.tape.tensor(y)));
                    REQUIRE(at_once.size() == 3);
                    for (std::size_t i = 0; i < 2; ++i)
                        CHECK(same_bits(at_once[1 + i], run.gradient(i)), fmt::format("gradient {}", i));
                }
}

TEST(large_stretched_operands_and_reductions_are_cut_alike_for_any_threads) {
    const Shape big = shape_of({300, 7, 41}), tall = shape_of({70'000, 2}), wide = shape_of({2, 70'000});
    const std::vector<std::tuple<const Op*, std::vector<Shape>, Attributes>> rows{
        {&ops::multiply(), {big, shape_of({7, 1})}, {}},
        {&ops::multiply(), {tall, shape_of({2})}, {}},
        {&ops::divide(), {shape_of({2, 1}), wide}, {}},
        {&ops::subtract(), {Shape{}, wide}, {}},
        {&ops::maximum(), {shape_of({300, 1, 41}), big}, {}},
        {&ops::sum(), {wide}, {}},
        {&ops::sum(), {tall}, reduce_over({0})},
        {&ops::mean(), {big}, reduce_over({0, 2}, true)},
        {&ops::var(), {wide}, reduce_over({1}, false, 1)},
        {&ops::var(), {tall}, reduce_over({0}, false, 1)},
        {&ops::max(), {wide}, reduce_over({1})},
        {&ops::min(), {tall}, reduce_over({0})},
        {&ops::cumsum(), {tall}, {0}},
        {&ops::cumsum(), {big}, {1}},
        {&ops::sum_to(), {big}, {2, 7, 1}},
    };
    for (const std::string& isa : isa_paths())
        for (const DType dtype : {DType::f32, DType::f64})
            for (const auto& [op, shapes, attributes] : rows) {
                const Row named(fmt::format("{} of {} {} {}", op->name, shapes[0].text(), name_of(dtype), isa));
                std::vector<Tensor> inputs;
                for (const Shape& shape : shapes) inputs.push_back(random_tensor(shape, dtype, 7 + inputs.size()));
                const OpRun made(*op, inputs, 1, attributes);
                const Shape out = made.tape.value(made.outputs[0]).shape;
                const Tensor upstream = random_tensor(out, dtype, 9);
                const std::vector<Tensor> alone = results_of(*op, inputs, upstream, attributes, cpu(isa, 1));
                for (const int threads : {2, 3}) {
                    const std::vector<Tensor> together = results_of(*op, inputs, upstream, attributes, cpu(isa, threads));
                    for (std::size_t i = 0; i < alone.size(); ++i)
                        CHECK(same_bits(alone[i], together[i]), fmt::format("{} threads", threads));
                }
                if (dtype == DType::f64) continue;
                std::vector<Tensor> precise;
                for (const Tensor& input : inputs) precise.push_back(tensor_of(input.shape(), values_of(input)));
                const std::vector<Tensor> wanted =
                    results_of(*op, precise, tensor_of(out, values_of(upstream)), attributes, cpu("baseline"));
                for (std::size_t i = 0; i < alone.size(); ++i)
                    CHECK_ERROR(relative_error(alone[i], wanted[i]), 1e-6, fmt::format("result {}", i));
            }
}

// What is written past the caches is what else is written: 24 MiB and some, in odd rows, beside a few rows alone.
TEST(results_too_large_for_a_cache_have_the_same_bits) {
    constexpr Dim rows = 2100, columns = 3001, few = 3;
    const Tensor all = random_tensor(shape_of({rows, columns}), DType::f32, 4, 3);
    const std::vector<double> values = values_of(all);
    for (const std::string& isa : isa_paths())
        for (const auto& [op, attributes] : {std::pair<const Op*, Attributes>{&ops::gelu(), {}}, {&ops::tanh(), {}}, {&ops::softmax_along(), {1}}}) {
            const std::vector<double> large = values_of(results_of(*op, {all}, {}, attributes, cpu(isa, 2))[0]);
            for (const Dim first : {Dim(0), Dim(1050), rows - few}) {
                const Row named(fmt::format("{} from row {} {}", op->name, first, isa));
                const auto begin = values.begin() + first * columns;
                const Tensor part = tensor_of(shape_of({few, columns}), std::vector(begin, begin + few * columns), DType::f32);
                const std::vector<double> small = values_of(results_of(*op, {part}, {}, attributes, cpu(isa))[0]);
                CHECK(same(std::vector(large.begin() + first * columns, large.begin() + (first + few) * columns), small));
            }
        }
}

TEST(sums_keep_their_digits) {
    // a large number that goes again: what a chain of fp32 additions would lose
    std::vector<double> values(30'000, 0.1);
    values.front() = 1e6;
    values.back() = -1e6;
    const Tensor x = vector_of(values, DType::f32);
    double wanted = 0;
    for (const double value : values_of(x)) wanted += value;
    for (const std::string& isa : isa_paths()) {
        const Row named(isa);
        CHECK_ERROR(std::abs(results_of(ops::sum(), {x}, {}, {}, cpu(isa))[0].at(0) / wanted - 1), 1e-7, "sum");
        const Tensor shifted = vector_of({1e4 + 1, 1e4 + 2, 1e4 + 3, 1e4 + 4}, DType::f32);
        CHECK_ERROR(
            std::abs(results_of(ops::var(), {shifted}, {}, reduce_over({}, false, 1), cpu(isa))[0].at(0) - 5.0 / 3),
            1e-6, "variance far from 0");
    }
}

TEST(add_writes_onto_its_first_operand) {
    for (const std::string& isa : isa_paths())
        for (const Shape& shape : {shape_of({40, 33}), shape_of({33}), shape_of({40, 1})}) {
            const Row named(fmt::format("{} {}", shape.text(), isa));
            Tape tape(cpu(isa), std::make_shared<BufferPool>());
            const Tensor a = random_tensor(shape_of({40, 33}), DType::f32, 1), b = random_tensor(shape, DType::f32, 2);
            const ValueIndex in_a = tape.input("a", a, Role::parameter), in_b = tape.input("b", b, Role::data);
            const ValueIndex c = tape.node(tape.apply(ops::add(), Phase::forward, "m", {in_a, in_b}, {"c"})).outputs[0];
            const NodeIndex in_place = tape.apply_onto(ops::add(), Phase::update, "m", {in_a, in_b}, {in_a});
            for (NodeIndex node = 0; node <= in_place; ++node) tape.execute(node);
            CHECK(same_bits(tape.tensor(in_a), tape.tensor(c)));
        }
}

TEST(axes_keep_their_names) {
    Tape tape(cpu(), std::make_shared<BufferPool>());
    const auto input = [&](const char* name, const Shape& shape) {
        return tape.input(name, random_tensor(shape, DType::f64, 1), Role::data);
    };
    const auto shape_after = [&](const Op& op, std::vector<ValueIndex> inputs, const Attributes& attributes = {}) {
        return tape.value(tape.node(tape.apply(op, Phase::forward, "m", std::move(inputs), {"y"}, attributes)).outputs[0]).shape;
    };
    const ValueIndex x = input("x", {{4, "B"}, {3, "T"}, {5, "C"}}), b = input("b", {{5, "out"}}),
                     t = input("t", {{4, ""}, {1, "one"}, {1, ""}});
    CHECK_EQUAL(shape_after(ops::add(), {x, b}).text_with_names(), tape.value(x).shape.text_with_names());
    CHECK_EQUAL(shape_after(ops::multiply(), {t, x}).text_with_names(), tape.value(x).shape.text_with_names());
    CHECK(shape_after(ops::sum(), {x}, reduce_over({1})) == Shape({{4, "B"}, {5, "C"}}));
    CHECK(shape_after(ops::mean(), {x}, reduce_over({0, 2}, true)) == Shape({{1, "B"}, {3, "T"}, {1, "C"}}));
    CHECK(shape_after(ops::argmax(), {x}, reduce_over({2})) == Shape({{4, "B"}, {3, "T"}}));
}

TEST(elementwise_and_reductions_refuse_with_a_sentence) {
    const auto some = [](std::initializer_list<Dim> sizes, DType dtype = DType::f32) {
        return random_tensor(shape_of(sizes), dtype, 1);
    };
    const std::vector<std::tuple<const Op*, std::vector<Tensor>, Attributes, std::vector<std::string>>> rows{
        {&ops::add(), {some({3, 2}), some({3})}, {}, {"add", "(3, 2)", "(3)"}},
        {&ops::subtract(), {some({2}), some({2}, DType::f64)}, {}, {"subtract", "fp64"}},
        {&ops::divide(), {labels_of({1, 2}), labels_of({1, 2})}, {}, {"divide", "int32"}},
        {&ops::less(), {some({2}), labels_of({1, 2})}, {}, {"less", "int32"}},
        {&ops::where(), {some({2}), some({2}), some({2})}, {}, {"where", "bool"}},
        {&ops::clamp(), {some({2})}, {NaN, 1}, {"clamp", "bounds"}},
        {&ops::exp(), {labels_of({1})}, {}, {"exp", "floating"}},
        {&ops::bias_relu(), {some({3, 2}), some({3})}, {}, {"bias_relu", "(…, C)"}},
        {&ops::sum(), {some({3, 2})}, reduce_over({2}), {"sum", "axis", "2"}},
        {&ops::sum(), {some({3, 2})}, reduce_over({1, 1}), {"sum", "twice"}},
        {&ops::mean(), {some({3, 2})}, {3, 0, 0, 1, 0}, {"mean", "number of axes"}},
        {&ops::max(), {some({0, 2})}, reduce_over({0}), {"max", "not empty", "(0, 2)"}},
        {&ops::argmax(), {some({3, 0})}, reduce_over({1}), {"argmax", "not empty"}},
        {&ops::argmin(), {some({3, 2})}, reduce_over({0, 1}), {"argmin", "one axis"}},
        {&ops::cumsum(), {some({3, 2})}, {2}, {"cumsum", "axis"}},
        {&ops::cumsum(), {some({})}, {0}, {"cumsum", "axes"}},
        {&ops::sum_to(), {some({3, 2})}, {1, 3}, {"sum_to", "(3)", "(3, 2)"}},
    };
    for (const auto& [op, inputs, attributes, says] : rows) {
        const Row named(std::string(op->name));
        check_throws<ShapeError>([&] { OpRun(*op, inputs, 1, attributes); }, "apply", says);
    }
}
