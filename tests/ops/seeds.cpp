// How a tape is continued backward: the gradient it starts with, nodes with several outputs, and what is added up.
#include "engine/autograd/tape.hpp"

#include "engine/core/error.hpp"
#include "engine/ops/ops.hpp"
#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"

#include <cmath>
#include <set>

using namespace gradus;
using namespace gradus::test;

namespace {

struct Stage {
    Tape tape{cpu(), std::make_shared<BufferPool>()};

    ValueIndex value(const Op& op, std::vector<ValueIndex> inputs, const std::string& name, Attributes attributes = {}) {
        return tape.node(tape.apply(op, Phase::forward, "m", std::move(inputs), {name}, attributes)).outputs[0];
    }
    ValueIndex parameter(const std::string& name, const Shape& shape, DType dtype = DType::f64) {
        return tape.input(name, random_tensor(shape, dtype, 1), Role::parameter, true);
    }
    ValueIndex data(const std::string& name, const Shape& shape) {
        return tape.input(name, random_tensor(shape, DType::f64, 2), Role::data);
    }
    void execute() {
        for (NodeIndex i = 0; i < static_cast<NodeIndex>(tape.nodes().size()); ++i) tape.execute(i);
    }
    std::vector<double> gradient(ValueIndex value) { return values_of(tape.tensor(tape.value(value).gradient)); }
};

/// An op whose rule makes both gradients in one node: y is a and b joined, and its backward op is a split.
void pair_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const auto made =
        tape.on_the_way_back(ops::split(), index, {tape.value(node.outputs[0]).gradient}, {"da", "db"}, split_into(0, {2, 3}));
    tape.share_gradient(node.inputs[0], index, made[0]);
    tape.share_gradient(node.inputs[1], index, made[1]);
}
const Op& pair() {
    static const Op op{"pair", "concat", "y = a, b", ops::concat().infer, ops::concat().cost, pair_backward};
    return op;
}

} // namespace

TEST(backward_of_an_ordinary_scalar_begins_with_a_visible_one) {
    for (const DType dtype : {DType::f32, DType::f64, DType::f16, DType::bf16}) {
        const Row row{std::string(name_of(dtype))};
        Stage s;
        const ValueIndex x = s.parameter("x", shape_of({1, 1}), dtype);
        const ValueIndex y = s.value(ops::tanh(), {x}, "y"); // a scalar in two axes
        s.tape.backward(y);
        const ValueIndex seed = s.tape.find("dL");
        REQUIRE(seed != no_value);
        const Value& value = s.tape.value(seed);
        CHECK(value.producer == -1 && value.role == Role::gradient && value.dtype == dtype && !value.requires_grad);
        CHECK_EQUAL(value.shape.text(), "1×1");
        CHECK_EQUAL(values_of(s.tape.tensor(seed)), (std::vector<double>{1}));
        CHECK_EQUAL(s.tape.value(y).gradient, seed);
        s.execute();
        const double t = s.tape.tensor(y).at(0);
        CHECK(std::abs(s.gradient(x)[0] - (1 - t * t)) < 0.01);
    }
}

TEST(backward_of_the_losses_of_the_lessons_has_no_seed) {
    Stage s;
    const ValueIndex x = s.parameter("x", shape_of({4, 3}));
    const ValueIndex loss = s.value(ops::mean_squared_error(), {x, s.data("y", shape_of({4, 3}))}, "loss");
    const std::size_t values = s.tape.values().size();
    s.tape.backward(loss);
    CHECK_EQUAL(s.tape.find("dL"), no_value);
    CHECK_EQUAL(s.tape.values().size(), values + 1);
    CHECK_EQUAL(s.tape.value(loss).gradient, no_value);
    std::set<std::string> seeded;
    for (const Op* op : all_ops())
        if (op->seeds_itself) seeded.insert(std::string(op->name));
    CHECK_EQUAL(seeded, (std::set<std::string>{"binary_cross_entropy", "cross_entropy", "mean_squared_error", "quadratic",
                                               "softmax_cross_entropy"}));
}

TEST(backward_refuses_a_loss_that_takes_its_gradient_as_given_before_the_end) {
    Stage s;
    const ValueIndex x = s.parameter("x", shape_of({4, 3}));
    const ValueIndex loss = s.value(ops::mean_squared_error(), {x, s.data("y", shape_of({4, 3}))}, "loss");
    const ValueIndex squashed = s.value(ops::tanh(), {loss}, "squashed");
    CHECK_THROWS(s.tape.backward(squashed), Error, "mean_squared_error in m", "to be 1");
}

TEST(backward_of_what_needs_no_gradient_appends_nothing) {
    Stage s;
    const ValueIndex y = s.value(ops::tanh(), {s.data("x", shape_of({1}))}, "y");
    const std::size_t values = s.tape.values().size(), nodes = s.tape.nodes().size();
    s.tape.backward(y);
    CHECK_EQUAL(s.tape.values().size(), values);
    CHECK_EQUAL(s.tape.nodes().size(), nodes);
}

TEST(backward_rules_with_several_outputs) {
    Stage s;
    const ValueIndex a = s.parameter("a", shape_of({2, 3})), b = s.parameter("b", shape_of({3, 3}));
    const ValueIndex y = s.value(pair(), {a, b}, "y", {0});
    const ValueIndex loss = s.value(ops::mean_squared_error(), {y, s.data("t", shape_of({5, 3}))}, "loss");
    s.tape.backward(loss);
    const ValueIndex da = s.tape.value(a).gradient, db = s.tape.value(b).gradient;
    CHECK(s.tape.value(da).name == "da" && s.tape.value(db).name == "db");
    const Node& node = s.tape.node(s.tape.value(da).producer);
    CHECK(node.phase == Phase::backward && node.module == "m" && node.outputs.size() == 2);
    CHECK_EQUAL(node.forward, s.tape.value(y).producer);
    CHECK(s.tape.value(da).role == Role::gradient && s.tape.value(db).role == Role::gradient);
    s.execute();
    std::vector<double> joined = s.gradient(a);
    for (const double value : s.gradient(b)) joined.push_back(value);
    CHECK_EQUAL(joined, s.gradient(y));
    CHECK_THROWS(s.tape.share_gradient(a, 0, db), ShapeError, "gradient of a", "3×3", "2×3");
}

TEST(backward_takes_zeros_for_outputs_that_the_loss_does_not_need) {
    Stage s;
    const ValueIndex x = s.parameter("x", shape_of({2, 5}));
    const NodeIndex split = s.tape.apply(ops::split(), Phase::forward, "m", {x}, {"p", "q"}, split_into(1, {2, 3}));
    const ValueIndex q = s.tape.node(split).outputs[1];
    s.tape.backward(s.value(ops::mean_squared_error(), {q, s.data("t", shape_of({2, 3}))}, "loss"));
    const ValueIndex zeros = s.tape.find("dp");
    REQUIRE(zeros != no_value);
    CHECK_EQUAL(values_of(s.tape.tensor(zeros)), (std::vector<double>(4)));
    s.execute();
    const auto dx = s.gradient(x), dq = s.gradient(q);
    CHECK_EQUAL(dx, (std::vector<double>{0, 0, dq[0], dq[1], dq[2], 0, 0, dq[3], dq[4], dq[5]}));
}

TEST(backward_adds_up_what_views_of_one_value_bring) {
    Stage s;
    const ValueIndex x = s.parameter("x", shape_of({3, 3}));
    const ValueIndex turned = s.value(ops::transpose(), {x}, "t", {0, 1});
    const ValueIndex both = s.value(ops::concat(), {x, turned, x}, "c", {0});
    s.tape.backward(s.value(ops::mean_squared_error(), {both, s.data("y", shape_of({9, 3}))}, "loss"));
    s.execute();
    const auto dc = s.gradient(both), dx = s.gradient(x);
    std::vector<double> wanted;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) wanted.push_back(dc[3 * i + j] + dc[18 + 3 * i + j] + dc[9 + 3 * j + i]);
    CHECK_ERROR(relative_error(s.tape.tensor(s.tape.value(x).gradient), wanted), 1e-15, "dx");
    std::set<std::string> names; // an event's path contains its label, so no two may be alike
    for (const Node& node : s.tape.nodes())
        CHECK(names.insert(fmt::format("{} {} {}", static_cast<int>(node.phase), node.op->name, node.label)).second, node.label);
}
