// Activation checkpointing: nodes of a segment come again in backward, gradients keep their bits, memory goes down, FLOPs up.
#include "engine/autograd/memory_account.hpp"
#include "engine/core/error.hpp"
#include "engine/ops/ops.hpp"
#include "tests/memory/models.hpp"
#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"

#include <algorithm>
#include <cmath>

using namespace gradus;
using namespace gradus::test;

namespace {

/// Sixteen blocks x + down(relu(up(x))) of width 64, every k-th block's input kept.
struct Blocks {
    explicit Blocks(int k) {
        ModelOptions options;
        options.optimizer = {Optimizer::Kind::sgd, 1e-3};
        options.blocks_per_segment = k;
        model = model_named("residual_mlp", options);
        account = account_of(*model.tape, lifetimes_of(*model.tape), cpu_rules()); // without the guards of an address checker
    }
    /// The most bytes that activations take which a backward node has yet to read.
    std::size_t saved() const {
        std::size_t most = 0;
        for (const BytesByUse& bytes : account.during) most = std::max(most, bytes[static_cast<std::size_t>(MemoryUse::saved_activation)]);
        return most;
    }
    Model model;
    MemoryAccount account;
};

} // namespace

TEST(checkpointing_shows_what_it_computes_again) {
    ModelOptions options;
    options.blocks_per_segment = 1;
    const Model model = model_named("residual_mlp", options);
    const Tape& tape = *model.tape;
    int repeated = 0;
    for (std::size_t i = 0; i < tape.nodes().size(); ++i) {
        const Node& node = tape.nodes()[i];
        if (node.repeats < 0) continue;
        ++repeated;
        const Node& first = tape.node(node.repeats);
        CHECK(node.phase == Phase::backward && first.phase == Phase::forward && node.op == first.op && node.module == first.module);
        CHECK_EQUAL(first.repeated_by, static_cast<NodeIndex>(i));
        CHECK_EQUAL(node.label, first.label + " again");
        CHECK_EQUAL(node.cost.flops, first.cost.flops);
    }
    CHECK_EQUAL(repeated, 16 * 4);
    for (const ValueIndex parameter : model.parameters) {
        const Value& value = tape.value(parameter);
        CHECK_EQUAL(tape.value(value.gradient).name, "d" + value.name);
    }
    const ValueIndex inside = tape.find("net.block3.mlp.up_proj.out");
    REQUIRE(inside != no_value && tape.value(inside).gradient != no_value);
    CHECK_EQUAL(tape.value(tape.value(inside).gradient).name, "dnet.block3.mlp.up_proj.out");
}

TEST(checkpointing_trades_flops_for_memory) {
    const Blocks plain(0);
    const StepFlops before = flops_of(*plain.model.tape);
    CHECK_EQUAL(before.repeated, 0.0);
    const std::size_t unit = 64 * 64 * 4; // bytes of one block's input
    // Nothing repeated: of each block x and the 4 × wide h stay, 5 units, and the output of the last for the loss; the x of the
    // first is the batch, which is data.
    CHECK_EQUAL(plain.saved(), 16 * 5 * unit);
    for (const int k : {1, 2, 4, 8, 16}) {
        const Row row(std::to_string(k));
        const Blocks blocks(k);
        const StepFlops after = flops_of(*blocks.model.tape);
        // 6 per weight become 8
        CHECK(std::abs(after.repeated / before.all - 1.0 / 3) < 0.02, fmt::format("{}", after.repeated / before.all));
        CHECK_EQUAL(after.all - after.repeated, before.all);
        // 16/k inputs of segments, and in the segment that is computed again k blocks of 5 units, one of them its own input. Of the
        // inputs, the first is data.
        CHECK_EQUAL(static_cast<double>(blocks.saved()) / static_cast<double>(unit) + 1, 16.0 / k + 5.0 * k - 1);
    }
}

TEST(checkpointing_lowers_the_peak_of_a_transformer) {
    ModelOptions options;
    const auto peak = [](const Model& model) {
        return account_of(*model.tape, lifetimes_of(*model.tape), model.pool->allocator().rules()).peak();
    };
    const Model plain = model_named("gpt", options);
    options.blocks_per_segment = 1;
    const Model again = model_named("gpt", options);
    CHECK(peak(again) * 10 < peak(plain) * 8, fmt::format("{} of {} bytes", peak(again), peak(plain)));
    const StepFlops flops = flops_of(*again.tape);
    CHECK(flops.repeated > 0.2 * flops_of(*plain.tape).all && flops.repeated < 0.34 * flops_of(*plain.tape).all);
}

TEST(checkpointing_keeps_every_bit) {
    for (const DType dtype : {DType::f32, DType::f64})
        for (const int k : {1, 3, 16}) {
            const Row row(fmt::format("{} {}", name_of(dtype), k));
            ModelOptions options;
            options.dtype = dtype;
            options.dropout = 0.25;
            Model plain = model_named("residual_mlp", options);
            options.blocks_per_segment = k;
            Model again = model_named("residual_mlp", options);
            const std::vector<ValueIndex> kept_plain = [&] {
                std::vector<ValueIndex> out;
                for (const ValueIndex parameter : plain.parameters) out.push_back(plain.tape->value(parameter).gradient);
                return out;
            }();
            for (int step = 0; step < 2; ++step) {
                for (Model* model : {&plain, &again}) {
                    for (const NodeIndex node : model->dropouts) model->tape->set_attribute(node, 2, step);
                    for (NodeIndex node = 0; node < static_cast<NodeIndex>(model->tape->nodes().size()); ++node)
                        model->tape->execute(node);
                }
                for (std::size_t i = 0; i < kept_plain.size(); ++i) {
                    const ValueIndex other = again.tape->value(again.parameters[i]).gradient;
                    CHECK(same_bits(plain.tape->tensor(kept_plain[i]), again.tape->tensor(other)), plain.tape->value(kept_plain[i]).name);
                }
            }
        }
}

TEST(checkpointing_refuses_what_it_cannot_repeat) {
    Tape tape(cpu(), std::make_shared<BufferPool>());
    const ValueIndex w = tape.input("w", random_tensor(shape_of({4}), DType::f32, 1), Role::parameter, true);
    CHECK_THROWS(tape.checkpoint_from(0), ArgumentError, "activation checkpointing needs forward nodes");
    const ValueIndex a = tape.node(tape.apply(ops::relu(), Phase::forward, "m", {w}, {"a"})).outputs[0];
    CHECK_THROWS(tape.checkpoint_from(-1), ArgumentError, "not those from -1 to 0");
    tape.checkpoint_from(0);
    CHECK_THROWS(tape.checkpoint_from(0), ArgumentError, "the last segment ends before 1");
    tape.apply_onto(ops::relu(), Phase::forward, "m", {a}, {w});
    CHECK_THROWS(tape.checkpoint_from(1), ArgumentError, "write values of their own");
}
