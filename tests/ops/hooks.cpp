// Hooks of named modules: what they see, in which order, what they may put in place, and that modules without them are
// untouched.
#include "engine/core/error.hpp"
#include "engine/nn/transformer.hpp"
#include "engine/ops/ops.hpp"
#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

using Inputs = std::span<const Tensor>;
using Call = ModuleHooks::Call;
const auto look = [](const Call&, Inputs, const Tensor&) -> std::optional<Tensor> { return {}; };
const auto look_back = [](const Call&, Inputs, const Tensor&) -> std::vector<Tensor> { return {}; };

struct Net {
    Tape tape{cpu(), std::make_shared<BufferPool>()};
    std::vector<ValueIndex> parameters;
    std::shared_ptr<ModuleHooks> hooks = std::make_shared<ModuleHooks>(tape);
    Module root = Module(tape, "net", DType::f64, 1, parameters).with_hooks(hooks);
    ValueIndex x = tape.input("x", random_tensor(shape_of({4, 6}), DType::f64, 5), Role::data, true), y = no_value;

    /// a: 6 -> 5, gelu, b: 5 -> 3, and L = Σ g · y.
    void write() {
        const ValueIndex hidden = root.apply(ops::gelu(), {Projection(root.part("a"), 6, 5)(x)}, "hidden");
        y = Projection(root.part("b"), 5, 3)(hidden);
        end();
    }
    void end() {
        const ValueIndex g = tape.input("g", random_tensor(tape.value(y).shape, DType::f64, 9), Role::data);
        tape.backward(root.apply(ops::sum(), {root.apply(ops::multiply(), {y, g}, "weighed")}, "loss"));
    }
    void run() {
        for (NodeIndex node = 0; node < static_cast<NodeIndex>(tape.nodes().size()); ++node) tape.execute(node);
    }
    Tensor gradient(const std::string& name) { return tape.tensor(tape.value(tape.find(name)).gradient); }
    std::vector<Tensor> results() {
        std::vector<Tensor> out{tape.tensor(y), gradient("x")};
        for (const ValueIndex parameter : parameters) out.push_back(tape.tensor(tape.value(parameter).gradient));
        return out;
    }
};

bool all_same(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!same_bits(a[i], b.at(i))) return false;
    return a.size() == b.size();
}

Tensor times(const Tensor& tensor, double factor) {
    std::vector<double> values = values_of(tensor);
    for (double& value : values) value *= factor;
    return tensor_of(tensor.shape(), values);
}

std::vector<Tensor> plain() {
    Net net;
    net.write();
    net.run();
    return net.results();
}

} // namespace

TEST(hooks_that_look_change_nothing) {
    const std::vector<Tensor> wanted = plain();
    Net bare;
    bare.write();
    for (const bool watched : {false, true}) {
        Net net;
        int forward = 0, backward = 0;
        if (watched)
            for (const char* name : {"net.a", "net.b"}) {
                net.hooks->on_forward(name, [&](const Call&, Inputs, const Tensor&) -> std::optional<Tensor> {
                    ++forward;
                    return {};
                });
                net.hooks->on_backward(name, [&](const Call&, Inputs, const Tensor&) -> std::vector<Tensor> {
                    ++backward;
                    return {};
                });
            }
        net.write();
        CHECK_EQUAL(net.tape.nodes().size() - bare.tape.nodes().size(),
                    std::size_t{watched ? 8u : 0u}); // forward and backward, in and out
        for (int step = 0; step < 3; ++step) {
            net.run();
            CHECK(all_same(net.results(), wanted));
        }
        CHECK_EQUAL(forward, watched ? 6 : 0);
        CHECK_EQUAL(backward, watched ? 6 : 0);
    }
}

TEST(hooks_see_inputs_outputs_and_gradients) {
    Net net;
    std::vector<std::string> seen;
    Tensor a_in, a_out, b_in, b_out, b_gradient_in, b_gradient_out;
    net.hooks->on_forward("net.a", [&](const Call& call, Inputs in, const Tensor& out) -> std::optional<Tensor> {
        seen.push_back("forward " + call.module);
        a_in = in[0], a_out = out;
        return {};
    });
    net.hooks->on_forward("net.b", [&](const Call& call, Inputs in, const Tensor& out) -> std::optional<Tensor> {
        seen.push_back("forward " + call.module);
        b_in = in[0], b_out = out;
        return {};
    });
    for (const char* name : {"net.a", "net.b"})
        net.hooks->on_backward(name, [&](const Call& call, Inputs in, const Tensor& out) -> std::vector<Tensor> {
            seen.push_back("backward " + call.module);
            if (call.module == "net.b") b_gradient_in = in[0], b_gradient_out = out;
            return {};
        });
    net.write();
    net.run();
    CHECK_EQUAL(seen, (std::vector<std::string>{"forward net.a", "forward net.b", "backward net.b", "backward net.a"}));
    CHECK(same_bits(a_in, net.tape.tensor(net.x)));
    CHECK(same_bits(b_in, net.tape.tensor(net.tape.find("net.hidden"))));
    CHECK(same_bits(b_out, net.tape.tensor(net.y)));
    CHECK(same_bits(b_gradient_out, net.tape.tensor(net.tape.find("g"))));
    CHECK(same_bits(b_gradient_in, net.gradient("net.hidden")));
}

TEST(hooks_run_in_the_order_of_registration_and_end) {
    Net net;
    std::vector<int> ran;
    const auto mark = [&](int number) {
        return [&ran, number](const Call&, Inputs, const Tensor& out) -> std::optional<Tensor> {
            ran.push_back(number);
            return times(out, number); // each sees what the one before left
        };
    };
    net.hooks->on_forward("net.b", mark(2));
    const HookId second = net.hooks->on_forward("net.b", mark(3));
    HookId once = 0;
    once = net.hooks->on_forward("net.b", [&](const Call&, Inputs, const Tensor&) -> std::optional<Tensor> {
        ran.push_back(1);
        net.hooks->remove(once);
        return {};
    });
    net.write();
    const Tensor wanted = plain()[0];
    const auto expect = [&](const std::vector<int>& order, double factor) {
        ran.clear();
        net.run();
        CHECK_EQUAL(ran, order);
        CHECK_ERROR(relative_error(net.tape.tensor(net.y), times(wanted, factor)), 1e-15, "output");
    };
    expect({2, 3, 1}, 6);
    expect({2, 3}, 6);
    net.hooks->remove(second);
    net.hooks->remove(second);
    expect({2}, 2);
    net.hooks->on_forward("net.b", mark(5)); // its places stay
    expect({2, 5}, 10);
}

TEST(a_replaced_output_is_what_others_read) {
    Net net;
    net.hooks->on_forward("net.a", [](const Call&, Inputs, const Tensor& out) { return std::optional(times(out, 0.5)); });
    net.write();
    net.run();
    // The same by hand: what comes after a reads a / 2, and the gradient goes back to a as it is.
    Net hand;
    const ValueIndex a = Projection(hand.root.part("a"), 6, 5)(hand.x);
    hand.run();
    const ValueIndex half = hand.tape.input("half", times(hand.tape.tensor(a), 0.5), Role::data, true);
    hand.y = Projection(hand.root.part("b"), 5, 3)(hand.root.apply(ops::gelu(), {half}, "hidden"));
    hand.end();
    hand.run();
    CHECK(same_bits(net.tape.tensor(net.y), hand.tape.tensor(hand.y)));
    CHECK(same_bits(net.gradient("net.b.weight"), hand.gradient("net.b.weight")));
    std::vector<double> sums(5);
    const std::vector<double> rows = values_of(hand.gradient("half"));
    for (std::size_t i = 0; i < rows.size(); ++i) sums[i % 5] += rows[i];
    CHECK_ERROR(relative_error(net.gradient("net.a.bias"), sums), 1e-14, "∂bias");
}

TEST(a_replaced_gradient_is_what_goes_on) {
    const std::vector<Tensor> wanted = plain(); // y, dx, a.weight, a.bias, b.weight, b.bias
    Net net;
    net.hooks->on_backward("net.b",
                           [](const Call&, Inputs in, const Tensor&) { return std::vector<Tensor>{times(in[0], -2)}; });
    net.write();
    net.run();
    const std::vector<Tensor> got = net.results();
    for (const std::size_t before : {1, 2, 3})
        CHECK_ERROR(relative_error(got[before], times(wanted[before], -2)), 1e-15, std::to_string(before));
    for (const std::size_t own : {0, 4, 5}) CHECK(same_bits(got[own], wanted[own]), std::to_string(own));
}

// y = x + b(x): the hook sees the gradient that b made, not what the sum adds to it, and replaces that alone.
TEST(a_gradient_is_the_modules_own) {
    for (const double factor : {1.0, 0.0}) {
        Net net;
        Tensor part;
        net.hooks->on_backward("net.b", [&](const Call&, Inputs in, const Tensor&) -> std::vector<Tensor> {
            part = in[0];
            if (factor == 1) return {};
            return {times(in[0], factor)};
        });
        net.y = net.root.apply(ops::add(), {net.x, Projection(net.root.part("b"), 6, 6)(net.x)}, "sum");
        net.end();
        net.run();
        std::vector<double> whole = values_of(net.tape.tensor(net.tape.find("g")));
        const std::vector<double> own = values_of(part);
        for (std::size_t i = 0; i < whole.size(); ++i) whole[i] += factor * own[i];
        CHECK_ERROR(relative_error(net.gradient("x"), whole), 1e-15, "dx");
    }
}

TEST(every_call_of_a_module_is_told_apart) {
    Net net;
    std::vector<int> forward, backward;
    net.hooks->on_forward("net.a", [&](const Call& call, Inputs, const Tensor&) -> std::optional<Tensor> {
        forward.push_back(call.number);
        return {};
    });
    net.hooks->on_backward("net.a", [&](const Call& call, Inputs, const Tensor&) -> std::vector<Tensor> {
        backward.push_back(call.number);
        return {};
    });
    const Projection twice(net.root.part("a"), 6, 6);
    net.y = twice(twice(net.x));
    net.end();
    net.run();
    CHECK_EQUAL(forward, (std::vector<int>{0, 1}));
    CHECK_EQUAL(backward, (std::vector<int>{1, 0}));
}

TEST(inputs_without_gradient) {
    Net net;
    const ValueIndex index = net.tape.input("index", labels_of({2, 0, 1}), Role::data);
    Tensor seen;
    int ran = 0;
    net.hooks->on_backward("net.e", [&](const Call&, Inputs in, const Tensor& out) -> std::vector<Tensor> {
        CHECK(in.size() == 1 && !in[0].defined());
        seen = out;
        ++ran;
        return {};
    });
    net.hooks->on_forward("net.e", [&](const Call&, Inputs in, const Tensor&) -> std::optional<Tensor> {
        CHECK(in[0].dtype() == DType::i32);
        return {};
    });
    net.y = Embedding(net.root.part("e"), 4, 6)(index);
    net.end();
    net.run();
    net.run();
    CHECK_EQUAL(ran, 2);
    CHECK(same_bits(seen, net.tape.tensor(net.tape.find("g"))));
}

TEST(whole_blocks_have_hooks) { // every module of a block, by its name, and the block's numbers stay
    const auto block = [](bool watched) {
        Net net;
        int forward = 0, backward = 0;
        if (watched)
            for (const char* name : {"net.block", "net.block.attn", "net.block.attn.q_proj", "net.block.attn.o_proj",
                                     "net.block.mlp", "net.block.mlp.gate_proj", "net.block.attention_norm"}) {
                net.hooks->on_forward(name, [&](const Call&, Inputs, const Tensor&) -> std::optional<Tensor> {
                    ++forward;
                    return {};
                });
                net.hooks->on_backward(name, [&](const Call&, Inputs, const Tensor&) -> std::vector<Tensor> {
                    ++backward;
                    return {};
                });
            }
        const ValueIndex x = net.root.apply(ops::reshape(), {net.x}, "rows", reshape_to({1, 4, 6}));
        net.y = TransformerBlock(net.root.part("block"), {.channels = 6, .heads = 3, .key_heads = 1}, 8,
                                 TransformerBlock::Style::llama)(x);
        net.end();
        net.run();
        CHECK_EQUAL(forward, watched ? 7 : 0);
        CHECK_EQUAL(backward, watched ? 7 : 0);
        return net.results();
    };
    CHECK(all_same(block(false), block(true)));
}

TEST(hooks_refuse) {
    Net net;
    net.hooks->watch("net.b");
    net.write();
    CHECK_THROWS(net.hooks->on_forward("net.a", look), ArgumentError, "net.a", "before it is called");
    CHECK_THROWS(net.hooks->on_backward("net.a", look_back), ArgumentError, "net.a");
    const auto once = [&](HookId id, const auto& check) {
        check();
        net.hooks->remove(id);
    };
    once(net.hooks->on_forward(
             "net.b",
             [](const Call&, Inputs, const Tensor&) { return std::optional(random_tensor(shape_of({2}), DType::f64, 1)); }),
         [&] { CHECK_THROWS(net.run(), ShapeError, "net.b.hook.out", "4×3"); });
    once(net.hooks->on_backward("net.b",
                                [](const Call&, Inputs in, const Tensor&) {
                                    return std::vector<Tensor>{in[0], in[0]};
                                }),
         [&] { CHECK_THROWS(net.run(), ShapeError, "net.b", "2 gradients for 1 inputs"); });
    once(net.hooks->on_forward(
             "net.b", [](const Call&, Inputs, const Tensor&) -> std::optional<Tensor> { throw ArgumentError("enough"); }),
         [&] { CHECK_THROWS(net.run(), ArgumentError, "enough"); });
    net.run();
    CHECK(all_same(net.results(), plain()));
}
