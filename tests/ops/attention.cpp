// Attention: its steps and flash_attention against each other, the same bits for any threads, and what rotary positions promise.
// The rows of tests/golden/op_rows/attention.py compare the ops with PyTorch.
#include "engine/nn/attention.hpp"

#include "engine/core/error.hpp"
#include "engine/ops/ops.hpp"
#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"

#include <cmath>
#include <limits>

using namespace gradus;
using namespace gradus::test;

namespace {

struct Sizes {
    Dim batches, heads, key_heads, queries, keys, size;
};
const Sizes sizes[] = {{1, 1, 1, 1, 1, 1},  {2, 2, 2, 5, 5, 4},    {1, 4, 2, 7, 7, 6},
                       {2, 6, 1, 9, 13, 8}, {1, 3, 3, 70, 65, 16}, {1, 2, 1, 65, 130, 24}};

/// o, dq, dk, dv of L = Σ g · o, and the log-sum-exp where it is made.
struct Computed {
    Tensor o;
    std::vector<Tensor> gradients;
    std::size_t forward_nodes = 0;
};

Computed computed(const Sizes& s, DType dtype, AttentionSettings settings, bool fused, const std::string& isa, int threads = 1,
                  Dim tile_rows = 0, Dim tile_columns = 0) {
    Tape tape(cpu(isa, threads), std::make_shared<BufferPool>());
    const auto input = [&](const char* name, Dim heads, Dim rows, std::uint64_t seed) {
        return tape.input(name, random_tensor(shape_of({s.batches, heads, rows, s.size}), dtype, seed), Role::parameter, true);
    };
    const ValueIndex q = input("q", s.heads, s.queries, 1), k = input("k", s.key_heads, s.keys, 2),
                     v = input("v", s.key_heads, s.keys, 3);
    ValueIndex o = no_value;
    if (!fused) o = attention_in_steps(tape, "attention", q, k, v, settings).output;
    else if (tile_rows == 0) o = fused_attention(tape, "attention", q, k, v, settings);
    else
        o = tape.node(tape.apply(ops::flash_attention(), Phase::forward, "attention", {q, k, v}, {"o", "lse"},
                                 {settings.causal ? 1.0 : 0.0, settings.scale, static_cast<double>(tile_rows),
                                  static_cast<double>(tile_columns)}))
                .outputs[0];
    Computed out;
    out.forward_nodes = tape.nodes().size();
    const ValueIndex g = tape.input("g", random_tensor(tape.value(o).shape, dtype, 4), Role::data);
    const ValueIndex og = tape.node(tape.apply(ops::multiply(), Phase::forward, "loss", {o, g}, {"og"})).outputs[0];
    tape.backward(tape.node(tape.apply(ops::sum(), Phase::forward, "loss", {og}, {"loss"})).outputs[0]);
    for (NodeIndex node = 0; node < static_cast<NodeIndex>(tape.nodes().size()); ++node) tape.execute(node);
    out.o = tape.tensor(o);
    for (const ValueIndex operand : {q, k, v}) out.gradients.push_back(tape.tensor(tape.value(operand).gradient));
    return out;
}

/// ‖a − b‖₂ against ‖b‖₂ + 1e-3: of one key the gradients of q and k are 0 but for rounding.
double error_of(const Tensor& a, const Tensor& b) {
    double difference = 0, norm = 0;
    const std::vector<double> x = values_of(a), y = values_of(b);
    for (std::size_t i = 0; i < x.size(); ++i) difference += (x[i] - y[i]) * (x[i] - y[i]), norm += y[i] * y[i];
    return std::sqrt(difference) / (std::sqrt(norm) + 1e-3);
}

void compare(const Computed& a, const Computed& b, double tolerance) {
    CHECK_ERROR(error_of(a.o, b.o), tolerance, "o");
    const char* names[] = {"dq", "dk", "dv"};
    for (std::size_t i = 0; i < 3; ++i) CHECK_ERROR(error_of(a.gradients[i], b.gradients[i]), tolerance, names[i]);
}

} // namespace

TEST(flash_attention_is_attention_in_steps) {
    for (const std::string& isa : isa_paths())
        for (const Sizes& s : sizes)
            for (const bool causal : {false, true})
                for (const double scale : {0.0, 0.7}) {
                    const Row row(fmt::format("({}, {}/{}, {}×{}, {}) causal {} scale {} {}", s.batches, s.heads, s.key_heads,
                                              s.queries, s.keys, s.size, causal, scale, isa));
                    const Computed steps = computed(s, DType::f64, {causal, scale}, false, isa);
                    compare(computed(s, DType::f64, {causal, scale}, true, isa), steps, 1e-13);
                    compare(computed(s, DType::f32, {causal, scale}, true, isa), steps, 2e-6);
                    CHECK_EQUAL(steps.forward_nodes, (causal ? 5u : 4u) + (s.heads == s.key_heads ? 0u : 4u));
                }
}

TEST(tiles_of_flash_attention) {
    const Sizes s{1, 2, 1, 37, 41, 12};
    for (const bool causal : {false, true}) {
        const Computed steps = computed(s, DType::f64, {causal, 0}, false, "");
        for (const Dim rows : {1, 3, 16, 37, 256})
            for (const Dim columns : {1, 5, 16, 41, 256}) {
                const Row row(fmt::format("tiles {}×{} causal {}", rows, columns, causal));
                compare(computed(s, DType::f64, {causal, 0}, true, "", 1, rows, columns), steps, 1e-13);
            }
    }
}

TEST(attention_has_the_same_bits_for_any_threads) {
    const Sizes s{2, 4, 2, 130, 150, 32};
    for (const std::string& isa : isa_paths())
        for (const DType dtype : {DType::f32, DType::f64})
            for (const bool fused : {false, true}) {
                const Row row(fmt::format("{} {} {}", isa, name_of(dtype), fused ? "fused" : "in steps"));
                const Computed one = computed(s, dtype, {true, 0}, fused, isa);
                for (const int threads : {2, 3, 7}) {
                    const Computed more = computed(s, dtype, {true, 0}, fused, isa, threads);
                    CHECK(same_bits(one.o, more.o), fmt::format("o, {} threads", threads));
                    for (std::size_t i = 0; i < 3; ++i)
                        CHECK(same_bits(one.gradients[i], more.gradients[i]), fmt::format("gradient {}, {} threads", i, threads));
                }
                if (isa == "avx512") {
                    const Computed other = computed(s, dtype, {true, 0}, fused, "avx2");
                    CHECK(same_bits(one.o, other.o));
                    for (std::size_t i = 0; i < 3; ++i)
                        CHECK(same_bits(one.gradients[i], other.gradients[i]), fmt::format("gradient {}", i));
                }
            }
}

// A causal query does not depend on later keys and values, not even where they are no numbers of use.
TEST(causal_queries_do_not_see_later_keys) {
    const Shape shape = shape_of({1, 1, 6, 4});
    const Tensor q = random_tensor(shape, DType::f64, 1), k = random_tensor(shape, DType::f64, 2),
                 v = random_tensor(shape, DType::f64, 3);
    std::vector<double> later = values_of(k);
    for (std::size_t i = 20; i < 24; ++i) later[i] = 1e3;
    const std::vector<std::pair<Shape, DType>> outputs{{shape, DType::f64}, {shape_of({1, 1, 6}), DType::f64}};
    for (const double tile : {0.0, 2.0}) {
        const auto before = call_kernel(*cpu(), "flash_attention", {q, k, v}, outputs, {1, 0, tile, tile});
        const auto after = call_kernel(*cpu(), "flash_attention", {q, tensor_of(shape, later), v}, outputs, {1, 0, tile, tile});
        for (Dim i = 0; i < 24; ++i) CHECK_EQUAL(before[0].at(i) == after[0].at(i), i < 20);
        for (Dim i = 0; i < 4; ++i) CHECK_EQUAL(before[0].at(i), v.at(i)); // the first row sees one key
    }
}

TEST(steep_scores_of_flash_attention) {
    const Shape shape = shape_of({1, 1, 3, 1});
    const Tensor q = tensor_of(shape, std::vector{1e4, -1e4, 0.0}), k = tensor_of(shape, std::vector{1.0, 0.0, -1.0}),
                 v = tensor_of(shape, std::vector{1.0, 2.0, 4.0});
    for (const double tile : {1.0, 2.0, 3.0}) {
        const auto out = call_kernel(*cpu(), "flash_attention", {q, k, v},
                                     {{shape, DType::f64}, {shape_of({1, 1, 3}), DType::f64}}, {0, 1, tile, tile});
        CHECK_EQUAL(out[0].at(0), 1.0);
        CHECK_EQUAL(out[0].at(1), 4.0);
        CHECK_ERROR(std::abs(out[0].at(2) - 7.0 / 3), 1e-15, "equal scores");
        CHECK_EQUAL(out[1].at(0), 1e4);
    }
}

// Turned queries and keys meet in a product that depends on the difference of their positions alone, and keep their length.
TEST(rope_depends_on_distance_only) {
    for (const double pairs : {0.0, 1.0}) {
        const Shape shape = shape_of({1, 1, 4, 16});
        const Tensor q = random_tensor(shape, DType::f64, 1), k = random_tensor(shape, DType::f64, 2);
        const auto turned = [&](const Tensor& x, std::int32_t first) {
            const Tensor positions = labels_of({first, first + 3, first + 10, first + 500});
            return call_kernel(*cpu(), "rope", {x, positions}, {{shape, DType::f64}}, {0, pairs})[0];
        };
        const auto product = [&](const Tensor& a, const Tensor& b, Dim row) {
            double sum = 0;
            for (Dim d = 0; d < 16; ++d) sum += a.at(row * 16 + d) * b.at(row * 16 + d);
            return sum;
        };
        for (Dim row = 0; row < 4; ++row) {
            const Row named(fmt::format("pairs {} row {}", pairs, row));
            CHECK_ERROR(std::abs(product(turned(q, 7), turned(k, 2), row) - product(turned(q, 105), turned(k, 100), row)), 1e-11,
                        "product");
            CHECK_ERROR(std::abs(product(turned(q, 7), turned(q, 7), row) - product(q, q, row)), 1e-13, "length");
        }
    }
}

TEST(attention_refuses) {
    Tape tape(cpu(), std::make_shared<BufferPool>());
    const auto input = [&](std::initializer_list<Dim> shape) {
        return tape.input("x", random_tensor(shape_of(shape), DType::f32, 1), Role::data);
    };
    const auto flash = [&](ValueIndex q, ValueIndex k, ValueIndex v, Attributes attributes = {}) {
        return tape.apply(ops::flash_attention(), Phase::forward, "m", {q, k, v}, {"o", "lse"}, attributes);
    };
    const ValueIndex q = input({1, 4, 3, 2}), three = input({1, 3, 3, 2}), none = input({1, 4, 0, 2}), wide = input({1, 4, 3, 4});
    CHECK_THROWS(flash(q, three, three), ShapeError, "multiple of the key heads");
    CHECK_THROWS(flash(q, none, none), ShapeError, "at least one key");
    CHECK_THROWS(flash(q, wide, wide), ShapeError, "(B, G, S, D)");
    CHECK_THROWS(flash(q, q, q, {0, 0, 257, 0}), ShapeError, "at most 256");
    CHECK_THROWS(attention_in_steps(tape, "m", q, three, three), ShapeError, "H a multiple of G");
    const ValueIndex position = tape.input("m", labels_of({0, 1, 2}), Role::data), odd = input({1, 1, 3, 5});
    CHECK_THROWS(tape.apply(ops::rope(), Phase::forward, "m", {odd, position}, {"y"}), ShapeError, "even size");
    CHECK_THROWS(tape.apply(ops::rope(), Phase::forward, "m", {q, position}, {"y"}, {0, 2}), ShapeError, "pairs 0 or 1");
}
