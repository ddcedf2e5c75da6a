#include "engine/autograd/tape.hpp"

#include "engine/core/error.hpp"
#include "engine/nn/linear.hpp"
#include "engine/ops/ops.hpp"
#include "engine/optim/optimizer.hpp"
#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"

#include <cmath>

using namespace gradus;
using namespace gradus::test;

namespace {

Tape new_tape() { return Tape(cpu(), std::make_shared<BufferPool>()); }
void execute_all(Tape& tape) {
    for (NodeIndex node = 0; node < static_cast<NodeIndex>(tape.nodes().size()); ++node) tape.execute(node);
}

} // namespace

TEST(tape_takes_views_as_they_are) {
    Tape tape = new_tape();
    const Tensor whole = random_tensor(shape_of({6, 4}), DType::f64, 1);
    CHECK(same_bits(tape.tensor(tape.input("part", whole.rows(2, 5), Role::data)), whole.rows(2, 5)));
    CHECK(same_bits(tape.tensor(tape.input("flipped", whole.transposed(0, 1), Role::data)), whole.transposed(0, 1)));
    const ValueIndex value = tape.input("x", random_tensor(shape_of({3, 4}), DType::f64, 2), Role::data);
    tape.set(value, whole.rows(1, 4));
    CHECK(same_bits(tape.tensor(value), whole.rows(1, 4)));
    tape.set(value, random_tensor(shape_of({4, 3}), DType::f64, 3).transposed(0, 1));
    CHECK(same_bits(tape.tensor(value), random_tensor(shape_of({4, 3}), DType::f64, 3).transposed(0, 1)));
}

TEST(tape_never_overwrites_what_somebody_holds) {
    Tape tape = new_tape();
    const ValueIndex weight = tape.input("W", random_tensor(shape_of({50, 3}), DType::f32, 1), Role::parameter, true);
    const ValueIndex gradient = tape.input("g", random_tensor(shape_of({50, 3}), DType::f32, 2), Role::gradient);
    const NodeIndex update = tape.apply_onto(ops::sgd(), Phase::update, "m", {weight, gradient}, {weight}, {0.5});
    const NodeIndex relu = tape.apply(ops::relu(), Phase::forward, "m", {weight}, {"y"});
    const ValueIndex y = tape.node(relu).outputs[0];
    std::vector<Tensor> held;
    std::vector<std::vector<double>> wanted;
    for (int step = 0; step < 5; ++step) {
        tape.execute(relu);
        held.push_back(tape.tensor(weight));
        held.push_back(tape.tensor(y));
        wanted.push_back(values_of(held[held.size() - 2]));
        wanted.push_back(values_of(held.back()));
        tape.execute(update);
        CHECK(!same_bits(tape.tensor(weight), held[held.size() - 2]));
    }
    for (std::size_t i = 0; i < held.size(); ++i) CHECK_EQUAL(values_of(held[i]), wanted[i]);
    held.clear();
    const void* const buffer = tape.tensor(weight).raw();
    tape.execute(update);
    CHECK(tape.tensor(weight).raw() == buffer); // nobody holds it: in place, without a copy
    const Tensor snapshot = tape.tensor(weight);
    CHECK(tape.writable(weight) != snapshot.raw());
}

TEST(tape_has_the_buffers_at_hand_that_a_step_takes) {
    AllocatorRules tight = cpu_rules(); // a segment has room for one buffer, so that each one that is missing shows
    tight.small_segment = std::size_t{64} << 10;
    const auto pool = std::make_shared<BufferPool>(tight);
    Tape tape(cpu(), pool);
    const ValueIndex x = tape.input("x", random_tensor(shape_of({32, 40}), DType::f32, 1), Role::data);
    const ValueIndex weight = tape.input("W", random_tensor(shape_of({40, 300}), DType::f32, 2), Role::parameter, true);
    const ValueIndex z = tape.node(tape.apply(ops::matmul(), Phase::forward, "m", {x, weight}, {"z"})).outputs[0];
    const ValueIndex a = tape.node(tape.apply(ops::relu(), Phase::forward, "m", {z}, {"a"})).outputs[0];
    tape.apply_onto(ops::sgd(), Phase::update, "m", {weight, weight}, {weight}, {0.5});
    std::vector<Tensor> held;
    for (int step = 0; step < 4; ++step) {
        held.push_back(tape.tensor(weight)); // what an observed step keeps
        tape.prepare_buffers();
        const std::size_t before = pool->live_bytes() + pool->cached_bytes();
        execute_all(tape);
        CHECK_EQUAL(pool->live_bytes() + pool->cached_bytes(), before);
        for (const ValueIndex value : {z, a}) held.push_back(tape.tensor(value));
    }
    held.clear();
    const std::size_t kept = pool->live_bytes() + pool->cached_bytes();
    tape.prepare_buffers(); // nobody holds anything: nothing is needed
    CHECK_EQUAL(pool->live_bytes() + pool->cached_bytes(), kept);
}

TEST(buffers_that_are_being_prepared_are_given_back_at_a_stop) {
    const auto pool = std::make_shared<BufferPool>();
    Tape tape(cpu(), pool);
    const ValueIndex x = tape.input("x", random_tensor(shape_of({300, 400}), DType::f32, 1), Role::data);
    const ValueIndex y = tape.node(tape.apply(ops::relu(), Phase::forward, "m", {x}, {"y"})).outputs[0];
    std::stop_source source;
    tape.heed(source.get_token());
    const std::size_t held = pool->live_bytes();
    source.request_stop();
    CHECK_THROWS(tape.prepare_buffers(), Interrupted, "interrupted");
    CHECK_EQUAL(pool->live_bytes(), held);
    tape.heed({});
    tape.prepare_buffers(); // and can be had at the next try
    execute_all(tape);
    CHECK(tape.tensor(y).at(0) >= 0);
}

TEST(tape_updates_as_the_formulas_say) {
    const std::vector<double> w{1, -2, 3}, g{0.5, 0.25, -1}, v{0.1, 0.2, 0.3};
    for (const std::string& isa : isa_paths()) {
        const Row row(isa);
        Tape tape(cpu(isa), std::make_shared<BufferPool>());
        const ValueIndex weight = tape.input("W", tensor_of(shape_of({3}), w), Role::parameter, true);
        const ValueIndex gradient = tape.input("dW", tensor_of(shape_of({3}), g), Role::gradient);
        Optimizer optimizer(tape, {Optimizer::Kind::momentum, 0.1, 0.9}, {weight}, {gradient});
        REQUIRE(optimizer.state().size() == 1);
        CHECK_EQUAL(tape.value(optimizer.state()[0]).name, "v_W");
        CHECK_EQUAL(values_of(tape.tensor(optimizer.state()[0])), (std::vector<double>{0, 0, 0}));
        tape.set(optimizer.state()[0], tensor_of(shape_of({3}), v));
        execute_all(tape);
        std::vector<double> velocity, moved;
        for (std::size_t i = 0; i < 3; ++i) {
            velocity.push_back(0.9 * v[i] + g[i]);
            moved.push_back(w[i] - 0.1 * velocity[i]);
        }
        CHECK_ERROR(relative_error(tape.tensor(optimizer.state()[0]), velocity), 2e-16, "velocity");
        CHECK_ERROR(relative_error(tape.tensor(weight), moved), 2e-16, "weight");
        optimizer.set_lr(tape, 0);
        optimizer.set_momentum(tape, 0);
        const Tensor before = tape.tensor(weight);
        execute_all(tape);
        CHECK(same_bits(tape.tensor(weight), before));
        CHECK_EQUAL(values_of(tape.tensor(optimizer.state()[0])), g);
    }
}

TEST(tape_names_gradients_and_saves_no_needless_node) {
    Tape tape = new_tape();
    const ValueIndex x = tape.input("x", random_tensor(shape_of({4, 3}), DType::f64, 1), Role::data);
    const ValueIndex w = tape.input("W1", random_tensor(shape_of({3, 2}), DType::f64, 2), Role::parameter, true);
    const ValueIndex b = tape.input("b1", random_tensor(shape_of({2}), DType::f64, 3), Role::parameter, true);
    const ValueIndex z = apply_linear(tape, x, w, b, 1).output;
    const ValueIndex y = tape.input("y", random_tensor(shape_of({4, 2}), DType::f64, 4), Role::data);
    const NodeIndex loss = tape.apply(ops::mean_squared_error(), Phase::forward, "loss", {z, y}, {"loss"});
    const auto forward = tape.nodes().size();
    tape.backward(tape.node(loss).outputs[0]);
    CHECK_EQUAL(tape.nodes().size() - forward, 3u); // dz, db, dW: x wants none and the bias shares dz
    CHECK_EQUAL(tape.value(tape.value(w).gradient).name, "dW1");
    CHECK_EQUAL(tape.value(tape.value(b).gradient).name, "db1");
    CHECK_EQUAL(tape.value(tape.value(z).gradient).name, "dz1");
    CHECK(tape.value(x).gradient == no_value && tape.value(y).gradient == no_value);
    CHECK(tape.value(tape.find("x·W1")).gradient == tape.value(z).gradient);
    for (std::size_t i = forward; i < tape.nodes().size(); ++i) {
        CHECK(tape.nodes()[i].phase == Phase::backward);
        CHECK(tape.nodes()[i].forward >= 0 && tape.nodes()[i].forward < static_cast<NodeIndex>(forward));
        CHECK(tape.value(tape.nodes()[i].outputs[0]).role == Role::gradient);
    }
    CHECK(tape.value(tape.value(w).gradient).shape == tape.value(w).shape); // axes keep their names
}

TEST(tape_costs_are_counted_from_shapes) {
    Tape tape = new_tape();
    const ValueIndex x = tape.input("x", random_tensor(shape_of({64, 784}), DType::f32, 1), Role::data);
    const ValueIndex w = tape.input("W", random_tensor(shape_of({784, 128}), DType::f32, 2), Role::parameter, true);
    const Cost cost = tape.node(tape.apply(ops::matmul(), Phase::forward, "m", {x, w}, {"z"})).cost;
    CHECK_EQUAL(cost.flops, 2.0 * 64 * 784 * 128);
    CHECK_EQUAL(cost.bytes_read, 4.0 * (64 * 784 + 784 * 128));
    CHECK_EQUAL(cost.bytes_written, 4.0 * 64 * 128);
    const ValueIndex flipped = tape.input("xT", random_tensor(shape_of({784, 64}), DType::f32, 1), Role::data);
    CHECK_EQUAL(tape.node(tape.apply(ops::matmul(), Phase::forward, "m", {flipped, w}, {"z'"}, {1, 0})).cost.flops, cost.flops);
}

TEST(tape_refuses_what_makes_no_sense) {
    Tape tape = new_tape();
    const ValueIndex x = tape.input("x", random_tensor(shape_of({4, 3}), DType::f64, 1), Role::data, true);
    const ValueIndex y = tape.node(tape.apply(ops::relu(), Phase::forward, "m", {x}, {"y"})).outputs[0];
    CHECK_THROWS(tape.backward(y), ShapeError, "scalar", "y", "4×3");
    CHECK_THROWS(tape.set(x, random_tensor(shape_of({3, 4}), DType::f64, 1)), ShapeError, "x", "4×3", "3×4");
    CHECK_THROWS(tape.set(x, random_tensor(shape_of({4, 3}), DType::f32, 1)), ShapeError, "fp64", "fp32");
    CHECK_THROWS(tape.apply(ops::relu(), Phase::forward, "m", {x}, {"a", "b"}), ShapeError, "relu", "1 outputs", "2 names");
    const ValueIndex vector = tape.input("v", random_tensor(shape_of({3}), DType::f64, 1), Role::data);
    CHECK_THROWS(tape.apply_onto(ops::sgd(), Phase::update, "m", {x, x}, {vector}), ShapeError, "sgd", "v", "3");
    CHECK_EQUAL(tape.find("nobody"), no_value);
    CHECK_EQUAL(tape.find("y"), y);
}

TEST(tape_goes_back_from_several_outputs_with_given_gradients) {
    Tape tape = new_tape();
    const ValueIndex x = tape.input("x", random_tensor(shape_of({2, 3}), DType::f64, 1), Role::data, true);
    const auto output_of = [&](const Op& op, const char* name) { return tape.node(tape.apply(op, Phase::forward, "m", {x}, {name})).outputs[0]; };
    const std::vector<ValueIndex> outputs{output_of(ops::negate(), "a"), output_of(ops::relu(), "b")};
    const Tensor ga = random_tensor(shape_of({2, 3}), DType::f64, 2), gb = random_tensor(shape_of({2, 3}), DType::f64, 3);
    const std::vector<ValueIndex> gradients{tape.input("ga", ga, Role::gradient), tape.input("gb", gb, Role::gradient)};
    CHECK_THROWS(tape.backward_from(outputs, {gradients.data(), 1}), ShapeError, "2 values", "1 gradients");
    const std::vector<ValueIndex> wrong{gradients[0], tape.input("gc", random_tensor(shape_of({3, 2}), DType::f64, 3), Role::gradient)};
    CHECK_THROWS(tape.backward_from(outputs, wrong), ShapeError, "b", "3×2", "2×3");
    tape.backward_from(outputs, gradients);
    execute_all(tape);
    const std::vector<double> got = values_of(tape.tensor(tape.value(x).gradient)), at = values_of(tape.tensor(x));
    for (std::size_t i = 0; i < got.size(); ++i)
        CHECK_EQUAL(got[i], (at[i] > 0 ? gb.at(static_cast<Dim>(i)) : 0) - ga.at(static_cast<Dim>(i)));
}
