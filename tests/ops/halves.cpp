// fp16 and bf16: what is computed in fp32 and rounded once, and casts.
#include "engine/autograd/tape.hpp"
#include "engine/core/error.hpp"
#include "engine/core/half.hpp"
#include "engine/ops/ops.hpp"
#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"

#include <cmath>
#include <limits>

using namespace gradus;
using namespace gradus::test;

namespace {

const std::shared_ptr<BufferPool>& pool() {
    static const auto shared = std::make_shared<BufferPool>();
    return shared;
}

Tensor in(DType dtype, const Tensor& tensor) { return tensor.copy_in(*pool(), dtype); }

/// The same numbers, lying column by column.
Tensor turned(const Tensor& matrix) { return matrix.transposed(0, 1).contiguous_copy(*pool()).transposed(0, 1); }

} // namespace

TEST(halves_are_computed_in_fp32_and_rounded_once) {
    struct {
        const char* op;
        int matrices, outputs;
        std::vector<double> attributes;
    } const rows[] = {{"relu", 1, 1, {}},          {"tanh", 1, 1, {}},         {"gelu", 1, 1, {}},
                      {"gelu_backward", 2, 1, {}}, {"multiply", 2, 1, {}},     {"momentum", 3, 2, {0.1, 0.9}},
                      {"sgd", 2, 1, {0.25}},       {"relu_backward", 2, 1, {}}};
    for (const DType dtype : {DType::f16, DType::bf16})
        for (const auto& [m, n] : std::vector<std::pair<Dim, Dim>>{{1, 1}, {3, 5}, {150, 257}, {0, 4}})
            for (const auto& row : rows)
                for (const std::string& isa : isa_paths()) {
                    const Row named(fmt::format("{} {}×{} {} {}", row.op, m, n, name_of(dtype), isa));
                    std::vector<Tensor> halves, wide, strided;
                    for (int i = 0; i < row.matrices; ++i) {
                        halves.push_back(random_tensor(shape_of({m, n}), dtype, static_cast<std::uint64_t>(40 + i), 2.0));
                        wide.push_back(in(DType::f32, halves.back()));
                        strided.push_back(turned(halves.back()));
                    }
                    const std::vector<std::pair<Shape, DType>> narrow(static_cast<std::size_t>(row.outputs),
                                                                      {shape_of({m, n}), dtype}),
                        full(static_cast<std::size_t>(row.outputs), {shape_of({m, n}), DType::f32});
                    const auto wanted = call_kernel(*cpu(isa), row.op, wide, full, row.attributes);
                    for (const int threads : {1, 3})
                        for (const auto& inputs : {halves, strided}) {
                            const auto got = call_kernel(*cpu(isa, threads), row.op, inputs, narrow, row.attributes);
                            for (std::size_t i = 0; i < got.size(); ++i) CHECK(same_bits(got[i], in(dtype, wanted[i])));
                        }
                }
}

TEST(halves_stand_beside_other_types) {
    for (const DType dtype : {DType::f16, DType::bf16})
        for (const std::string& isa : isa_paths()) {
            const Row named(fmt::format("{} {}", name_of(dtype), isa));
            const Tensor z = random_tensor(shape_of({7, 5}), dtype, 3, 2.0), labels = random_labels(7, 5, 4);
            const std::pair<Shape, DType> p{shape_of({7, 5}), dtype}, loss{Shape{}, dtype};
            const auto got = call_kernel(*cpu(isa), "softmax_cross_entropy", {turned(z), labels}, {p, loss});
            const auto wanted = call_kernel(*cpu(isa), "softmax_cross_entropy", {in(DType::f32, z), labels},
                                            {{p.first, DType::f32}, {Shape{}, DType::f32}});
            for (std::size_t i = 0; i < 2; ++i) CHECK(same_bits(got[i], in(dtype, wanted[i])));
            CHECK_THROWS(call_kernel(*cpu(isa), "softmax_cross_entropy", {z, labels_of({0, 1, 2, 3, 4, 5, 6})}, {p, loss}), Error,
                         "failed"); // what it refuses is refused
            // a loss in fp32 of logits in 16 bits
            const auto kept = call_kernel(*cpu(isa), "mean_squared_error", {z, z}, {{Shape{}, DType::f32}});
            CHECK_EQUAL(kept[0].at(0), 0.0);
        }
}

TEST(halves_say_how_they_are_computed) {
    Tape tape(cpu("baseline"), std::make_shared<BufferPool>());
    const ValueIndex x = tape.input("x", random_tensor(shape_of({3, 2}), DType::bf16, 1), Role::data);
    const ValueIndex w = tape.input("w", random_tensor(shape_of({2, 2}), DType::bf16, 2), Role::data);
    const Node& node = tape.node(tape.apply(ops::matmul(), Phase::forward, "m", {x, w}, {"y"}));
    CHECK_EQUAL(std::string(node.implementation), "baseline in fp32");
    CHECK_EQUAL(node.cost.bytes_read, 2.0 * (6 + 4)); // in memory they are 16 bits
    tape.execute(0);
    CHECK(tape.tensor(node.outputs[0]).dtype() == DType::bf16);
}

TEST(a_backend_says_on_which_types_it_computes) {
    using enum DType;
    const std::vector<DType> floating{f32, f64, f16, bf16};
    const auto with = [&](std::vector<DType> more) {
        std::vector<DType> all = floating;
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    for (const char* op : {"matmul", "relu", "argmax", "one_hot"}) CHECK(cpu()->dtypes_of(op) == floating);
    for (const char* op : {"equal", "less", "greater_equal", "cast", "scatter", "embedding"}) CHECK(cpu()->dtypes_of(op) == with({i32, boolean}));
    CHECK(cpu()->dtypes_of("has_non_finite") == with({boolean}));
    CHECK(cpu()->dtypes_of("gather") == with({i32, u8}));
    for (const char* op : {"contiguous", "concat", "split"}) CHECK(cpu()->dtypes_of(op) == with({i32, i64, u8, boolean}));
    CHECK(cpu()->dtypes_of("count_step") == std::vector{i32});
    CHECK(cpu()->dtypes_of("no such op").empty());
}

TEST(halves_in_an_update_that_writes_what_it_reads) {
    for (const DType dtype : {DType::f16, DType::bf16}) {
        const Row named{std::string(name_of(dtype))};
        Tape tape(cpu(), std::make_shared<BufferPool>());
        const ValueIndex w = tape.input("w", random_tensor(shape_of({40, 9}), dtype, 1), Role::parameter, true);
        const ValueIndex g = tape.input("g", random_tensor(shape_of({40, 9}), dtype, 2), Role::gradient);
        const NodeIndex update = tape.apply_onto(ops::sgd(), Phase::update, "m", {w, g}, {w}, {0.125});
        const Tensor before = tape.tensor(w).contiguous_copy(*pool());
        const void* const buffer = tape.tensor(w).raw();
        tape.execute(update);
        CHECK(tape.tensor(w).raw() == buffer);
        const auto wanted = call_kernel(*cpu(), "sgd", {in(DType::f32, before), in(DType::f32, tape.tensor(g))},
                                        {{shape_of({40, 9}), DType::f32}}, {0.125});
        CHECK(same_bits(tape.tensor(w), in(dtype, wanted[0])));
    }
}

TEST(gather_of_halves_and_into_halves) {
    const std::vector<std::uint8_t> bytes{0, 1, 2, 128, 254, 255};
    const Tensor pixels = Tensor::from<std::uint8_t>(*pool(), shape_of({3, 2}), bytes), index = labels_of({2, 0});
    for (const DType dtype : {DType::f16, DType::bf16}) {
        const Row named{std::string(name_of(dtype))};
        const Tensor x = random_tensor(shape_of({3, 2}), dtype, 7);
        const auto rows = call_kernel(*cpu(), "gather", {x, index}, {{shape_of({2, 2}), dtype}}, {1})[0];
        CHECK_EQUAL(values_of(rows), (std::vector<double>{x.at(4), x.at(5), x.at(0), x.at(1)}));
        const auto numbers = call_kernel(*cpu(), "gather", {pixels, index}, {{shape_of({2, 2}), dtype}}, {1.0 / 255})[0];
        const auto wanted = call_kernel(*cpu(), "gather", {pixels, index}, {{shape_of({2, 2}), DType::f32}}, {1.0 / 255})[0];
        CHECK(same_bits(numbers, in(dtype, wanted)));
        CHECK_THROWS(call_kernel(*cpu(), "gather", {x, labels_of({0, 3})}, {{shape_of({2, 2}), dtype}}, {1}), Error, "gather");
    }
}

TEST(cast_from_every_type_to_every_floating_one) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const std::vector<double> floats{
        0,      -0.0,   1,        -2.5,      0.1,  1.0 / 3,      65504,      65520,     1e-7, 5.9604644775390625e-8,
        3.1e38, -1e300, infinity, -infinity, 2049, 2050.0000001, 1.00390625, 1.00390626};
    const std::vector<double> whole{0, 1, -1, 2049, -65519, 16777217, 2147483647, -2147483648.0}, truths{0, 1, 1, 0};
    for (const DType from : {DType::f32, DType::f64, DType::f16, DType::bf16, DType::i32, DType::boolean})
        for (const DType to : {DType::f32, DType::f64, DType::f16, DType::bf16}) {
            const Row named(fmt::format("{} to {}", name_of(from), name_of(to)));
            const auto& numbers = from == DType::i32 ? whole : from == DType::boolean ? truths : floats;
            const Shape shape = shape_of({2, static_cast<Dim>(numbers.size() / 2)});
            const Tensor x = tensor_of(shape, numbers, from);
            const Tensor wanted = tensor_of(shape, values_of(x), to); // each rounded once from a double, which holds all of them
            CHECK(same_bits(call_kernel(*cpu(), "cast", {x}, {{shape, to}})[0], wanted));
            CHECK(same_bits(call_kernel(*cpu(), "cast", {turned(x)}, {{shape, to}})[0], wanted));
        }
    const std::vector<double> nothing{std::numeric_limits<double>::quiet_NaN()};
    for (const DType to : {DType::f32, DType::f64, DType::f16, DType::bf16})
        CHECK(std::isnan(call_kernel(*cpu(), "cast", {tensor_of(shape_of({1}), nothing)}, {{shape_of({1}), to}})[0].at(0)));
}

TEST(cast_gives_its_gradient_in_the_type_it_came_from) {
    Tape tape(cpu(), std::make_shared<BufferPool>());
    const ValueIndex x = tape.input("x", random_tensor(shape_of({4, 3}), DType::f32, 1), Role::parameter, true);
    const auto cast = [&](ValueIndex value, DType to, const char* name) {
        return tape.node(tape.apply(ops::cast(), Phase::forward, "m", {value}, {name}, {static_cast<double>(to)})).outputs[0];
    };
    const ValueIndex narrow = cast(x, DType::bf16, "narrow"), wide = cast(narrow, DType::f64, "wide");
    const ValueIndex target = tape.input("y", random_tensor(shape_of({4, 3}), DType::f64, 2), Role::data);
    const ValueIndex loss =
        tape.node(tape.apply(ops::mean_squared_error(), Phase::forward, "l", {wide, target}, {"loss"})).outputs[0];
    tape.backward(loss);
    for (NodeIndex node = 0; node < static_cast<NodeIndex>(tape.nodes().size()); ++node) tape.execute(node);
    CHECK(tape.value(tape.value(x).gradient).dtype == DType::f32 && tape.value(tape.value(narrow).gradient).dtype == DType::bf16);
    CHECK(
        same_bits(tape.tensor(tape.value(x).gradient), in(DType::f32, in(DType::bf16, tape.tensor(tape.value(wide).gradient)))));
    const ValueIndex mask = tape.input("mask", tensor_of(shape_of({2}), std::vector<double>{0, 1}, DType::boolean), Role::data);
    const ValueIndex numbers = cast(mask, DType::f32, "numbers");
    tape.execute(tape.value(numbers).producer);
    CHECK_EQUAL(values_of(tape.tensor(numbers)), (std::vector<double>{0, 1}));
    CHECK_THROWS(tape.apply(ops::cast(), Phase::forward, "m", {x}, {"z"}, {static_cast<double>(DType::i32)}), ShapeError, "cast",
                 "x (4, 3) fp32");
    CHECK_THROWS(tape.apply(ops::cast(), Phase::forward, "m", {x}, {"z"}, {0.5}), ShapeError, "cast");
    const ValueIndex long_ones = tape.input("i", tensor_of(shape_of({2}), std::vector<double>{0, 1}, DType::i64), Role::data);
    CHECK_THROWS(tape.apply(ops::cast(), Phase::forward, "m", {long_ones}, {"z"}, {0}), ShapeError, "cast", "int64");
}
