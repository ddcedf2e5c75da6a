// Autocast's table and what it puts on a tape; the loss scaler's course, and that a skipped step leaves everything as it is.
#include "engine/autograd/autocast.hpp"
#include "engine/core/error.hpp"
#include "engine/core/hash.hpp"
#include "engine/nn/layers.hpp"
#include "engine/ops/ops.hpp"
#include "engine/optim/loss_scaler.hpp"
#include "engine/optim/optimizer.hpp"
#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"

#include <limits>
#include <set>

using namespace gradus;
using namespace gradus::test;

namespace {

struct Stage {
    explicit Stage(std::optional<DType> low) : tape(cpu(), std::make_shared<BufferPool>()) { tape.set_autocast(low); }
    ValueIndex input(const char* name, const Shape& shape, Role role = Role::activation, DType dtype = DType::f32) {
        return tape.input(name, random_tensor(shape, dtype, 5), role, true);
    }
    ValueIndex apply(const Op& op, std::vector<ValueIndex> inputs, const char* name, Attributes attributes = {}) {
        return tape.node(tape.apply(op, Phase::forward, "m", std::move(inputs), {name}, attributes)).outputs[0];
    }
    DType type(ValueIndex value) const { return tape.value(value).dtype; }
    int casts() const {
        int count = 0;
        for (const Node& node : tape.nodes()) count += node.op == &ops::cast();
        return count;
    }
    void run() {
        for (NodeIndex node = 0; node < static_cast<NodeIndex>(tape.nodes().size()); ++node) tape.execute(node);
    }
    Tape tape;
};

} // namespace

TEST(autocast_has_one_rule_for_every_op) {
    std::set<std::string_view> listed, known;
    for (const AutocastEntry& entry : autocast_table())
        CHECK(listed.insert(entry.op).second, std::string(entry.op) + " is there twice");
    for (const Op* op : all_ops()) {
        known.insert(op->name);
        CHECK(listed.contains(op->name), std::string(op->name) + " has no rule");
    }
    for (const std::string_view name : listed) CHECK(known.contains(name), "there is no op " + std::string(name));
}

TEST(autocast_asks_for_types) {
    using enum AutocastRule;
    const struct {
        AutocastRule rule;
        DType input, widest, wanted;
    } rows[] = {
        {low, DType::f32, DType::f32, DType::f16},          {low, DType::f16, DType::f32, DType::f16},
        {low, DType::f64, DType::f64, DType::f64},          {low, DType::i32, DType::f32, DType::i32},
        {fp32, DType::f16, DType::f16, DType::f32},         {fp32, DType::f32, DType::f32, DType::f32},
        {fp32, DType::f64, DType::f64, DType::f64},         {widest, DType::f16, DType::f32, DType::f32},
        {widest, DType::f16, DType::f16, DType::f16},       {keep, DType::f16, DType::f32, DType::f16},
        {keep, DType::boolean, DType::f32, DType::boolean},
    };
    for (const auto& row : rows) CHECK_EQUAL(type_under(row.rule, row.input, DType::f16, row.widest), row.wanted);
    CHECK_EQUAL(wider(DType::f16, DType::bf16), DType::f32);
    CHECK_EQUAL(wider(DType::bf16, DType::bf16), DType::bf16);
    CHECK_EQUAL(wider(DType::f64, DType::f16), DType::f64);
    Stage stage({});
    CHECK_THROWS(stage.tape.set_autocast(DType::f32), ArgumentError, "fp16 or bf16", "fp32");
}

TEST(autocast_puts_casts_on_the_tape) {
    for (const DType low : {DType::f16, DType::bf16}) {
        const Row row{std::string(name_of(low))};
        Stage s(low);
        const ValueIndex x = s.input("x", shape_of({4, 3})), w = s.input("w", shape_of({3, 3}), Role::parameter);
        const ValueIndex first = s.apply(ops::matmul(), {x, w}, "first");
        CHECK_EQUAL(s.type(first), low);
        CHECK_EQUAL(s.casts(), 2);
        const ValueIndex second = s.apply(ops::matmul(), {x, w}, "second"); // the parameter's copy serves twice, x is cast again
        CHECK_EQUAL(s.casts(), 3);
        const ValueIndex active = s.apply(ops::relu(), {second}, "active");
        CHECK_EQUAL(s.type(active), low);
        const ValueIndex sum = s.apply(ops::add(), {first, x}, "sum"); // 16 bits and fp32: fp32
        CHECK_EQUAL(s.type(sum), DType::f32);
        CHECK_EQUAL(s.casts(), 4);
        CHECK_EQUAL(s.type(s.apply(ops::softmax_along(), {active}, "p", {1})), DType::f32);
        CHECK_EQUAL(s.casts(), 5);
        CHECK_EQUAL(s.type(s.apply(ops::softmax_along(), {sum}, "p2", {1})), DType::f32); // as it is
        CHECK_EQUAL(s.casts(), 5);
        const ValueIndex wide = s.input("wide", shape_of({3, 2}), Role::activation, DType::f64);
        CHECK_EQUAL(
            s.type(s.apply(ops::matmul(), {s.input("wider", shape_of({2, 3}), Role::activation, DType::f64), wide}, "exact")),
            DType::f64);
        CHECK_EQUAL(s.casts(), 5);
        // a layer's bias takes its product's type, as in one op of PyTorch
        std::vector<ValueIndex> parameters;
        const Projection layer(Module(s.tape, "fc", DType::f32, 1, parameters), 3, 2);
        CHECK_EQUAL(s.type(layer(x)), low);
        // weights of a batch norm stay fp32
        BatchNorm norm(Module(s.tape, "norm", DType::f32, 1, parameters), 3);
        CHECK_EQUAL(s.type(norm(active)), low);
        const int before = s.casts();
        s.tape.set_autocast({});
        CHECK_EQUAL(s.type(s.apply(ops::matmul(), {x, w}, "third")), DType::f32);
        CHECK_EQUAL(s.casts(), before);
        s.run();
    }
}

TEST(autocast_gives_gradients_in_the_types_of_the_parameters) {
    Stage s(DType::f16);
    std::vector<ValueIndex> parameters;
    const ValueIndex x = s.tape.input("x", random_tensor(shape_of({4, 3}), DType::f32, 7), Role::data);
    BatchNorm norm(Module(s.tape, "norm", DType::f32, 1, parameters), 5);
    const Projection first(Module(s.tape, "fc1", DType::f32, 1, parameters), 3, 5),
        second(Module(s.tape, "fc2", DType::f32, 1, parameters), 5, 2);
    const ValueIndex logits = second(norm(first(x)));
    const ValueIndex y = s.tape.input("y", labels_of({0, 1, 1, 0}), Role::data);
    const NodeIndex node = s.tape.apply(ops::cross_entropy_with_logits(), Phase::forward, "loss", {logits, y}, {"loss", "lse"});
    const ValueIndex loss = s.tape.node(node).outputs[0];
    CHECK_EQUAL(s.type(loss), DType::f32);
    s.tape.backward(loss);
    s.run();
    for (const ValueIndex parameter : parameters) {
        REQUIRE(s.tape.value(parameter).gradient != no_value, s.tape.value(parameter).name);
        CHECK_EQUAL(s.type(s.tape.value(parameter).gradient), DType::f32);
    }
    CHECK_EQUAL(s.type(s.tape.value(logits).gradient), DType::f16);
}

namespace {

/// One parameter w under the loss Σ w · x, whose gradient is x: what is put into x overflows or does not.
struct ScaledStage : Stage {
    ScaledStage(LossScaler::Settings settings, Optimizer::Settings optimizer, int others = 0)
        : Stage({}), scaler(tape, settings) {
        std::vector<ValueIndex> parameters{input("w", shape_of({3}), Role::parameter)};
        x = tape.input("x", tensor_of(shape_of({3}), std::vector<double>{1, 2, 3}, DType::f32), Role::data);
        ValueIndex loss = apply(ops::sum(), {apply(ops::multiply(), {parameters[0], x}, "wx")}, "loss");
        for (int i = 0; i < others; ++i) {
            parameters.push_back(input(fmt::format("u{}", i).c_str(), shape_of({2}), Role::parameter));
            const ValueIndex part = apply(ops::sum(), {parameters.back()}, fmt::format("sum{}", i).c_str());
            loss = apply(ops::add(), {loss, part}, fmt::format("loss{}", i).c_str());
        }
        tape.backward(scaler.scaled(tape, loss));
        std::vector<ValueIndex> gradients;
        for (const ValueIndex parameter : parameters) gradients.push_back(tape.value(parameter).gradient);
        gradients = scaler.unscaled(tape, gradients);
        tape.skip_where(scaler.overflow());
        made.emplace(tape, optimizer, parameters, gradients);
        tape.skip_where(no_value);
        scaler.follow(tape);
        kept = parameters;
        kept.insert(kept.end(), made->state().begin(), made->state().end());
    }
    void step(double number) {
        tape.set(x, tensor_of(shape_of({3}), std::vector<double>{1, number, 3}, DType::f32));
        run();
    }
    double scale() const { return tape.scalar(scaler.scale()); }
    bool overflow() const { return tape.scalar(scaler.overflow()) != 0; }
    std::vector<std::uint64_t> state() const {
        std::vector<std::uint64_t> out;
        for (const ValueIndex value : kept) out.push_back(hash_tensor(tape.tensor(value)));
        return out;
    }
    LossScaler scaler;
    std::optional<Optimizer> made;
    std::vector<ValueIndex> kept;
    ValueIndex x = no_value;
};

constexpr double inf = std::numeric_limits<double>::infinity(), not_a_number = std::numeric_limits<double>::quiet_NaN();

} // namespace

TEST(loss_scale_grows_and_backs_off) {
    ScaledStage s({.scale = 8, .growth = 2, .backoff = 0.25, .interval = 3}, {.kind = Optimizer::Kind::sgd, .lr = 0.1});
    // what is put in, whether the step is skipped, and the scale after it
    const struct {
        double number, scale;
        bool skipped;
    } rows[] = {{1, 8, false},    {2, 8, false},    {3, 16, false},          {inf, 4, true},
                {1, 4, false},    {1, 4, false},    {not_a_number, 1, true}, {-inf, 0.25, true},
                {1, 0.25, false}, {1, 0.25, false}, {1, 0.5, false},         {1, 0.5, false}};
    int number = 0;
    for (const auto& row : rows) {
        const Row named(fmt::format("step {}", number++));
        const auto before = s.state();
        s.step(row.number);
        CHECK_EQUAL(s.overflow(), row.skipped);
        CHECK_EQUAL(s.scale(), row.scale);
        CHECK_EQUAL(s.state() == before, row.skipped); // a skipped step changes no bit, another one does
    }
    CHECK_THROWS(LossScaler(s.tape, {.scale = 0}), ArgumentError, "above 0");
    LossScaler wrong(s.tape, {.growth = 0.5});
    wrong.unscaled(s.tape, {s.kept[0]});
    CHECK_THROWS(wrong.follow(s.tape), ShapeError, "growth");
    ScaledStage largest({.scale = 0x1p127, .interval = 1}, {.kind = Optimizer::Kind::sgd, .lr = 0});
    largest.step(0.0);
    CHECK_EQUAL(largest.overflow(), true); // 3 · 2^127
    CHECK_EQUAL(largest.scale(), 0x1p126);
}

TEST(skipped_steps_leave_the_optimizer_and_scaled_ones_do_not_change_it) {
    for (const auto kind : {Optimizer::Kind::sgd, Optimizer::Kind::momentum, Optimizer::Kind::adam, Optimizer::Kind::adamw}) {
        const Row row(fmt::format("kind {}", static_cast<int>(kind)));
        const Optimizer::Settings settings{.kind = kind, .lr = 0.1, .weight_decay = 0.01};
        ScaledStage plain({.scale = 1, .interval = 1000}, settings), scaled({.scale = 1024, .interval = 1000}, settings);
        for (const double number : {1.0, 2.0, inf, 0.5, not_a_number, 3.0}) {
            scaled.step(number);
            if (number - number == 0) plain.step(number); // it never sees the steps that the other skips
        }
        CHECK(plain.state() == scaled.state()); // powers of 2 change no digit
        CHECK_EQUAL(scaled.scale(), 256.0);
    }
}

TEST(an_overflow_is_found_among_any_number_of_gradients) {
    for (const int others : {0, 6, 7, 8, 20, 70}) {
        const Row row(fmt::format("{} more", others));
        ScaledStage s({.scale = 2}, {.kind = Optimizer::Kind::sgd, .lr = 0.1}, others);
        s.step(1);
        CHECK(!s.overflow());
        const auto before = s.state();
        s.step(not_a_number);
        CHECK(s.overflow() && s.state() == before);
    }
}
