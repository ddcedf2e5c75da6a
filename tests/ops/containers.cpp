// Sequential and Residual: what they compute, their gradients, and hooks on them.
#include "engine/nn/containers.hpp"
#include "engine/nn/layers.hpp"
#include "engine/ops/ops.hpp"
#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

struct Net {
    Tape tape{cpu(), std::make_shared<BufferPool>()};
    std::vector<ValueIndex> parameters;
    Module root{tape, "net", DType::f64, 1, parameters};
    ValueIndex x = tape.input("x", random_tensor(shape_of({3, 4}), DType::f64, 5), Role::parameter, true);
    void run() {
        for (NodeIndex node = 0; node < static_cast<NodeIndex>(tape.nodes().size()); ++node) tape.execute(node);
    }
    Layer relu(const std::string& name) const {
        return [place = root, name](ValueIndex in) { return place.apply(ops::relu(), {in}, name); };
    }
};

} // namespace

TEST(sequential_is_its_layers_one_after_the_other) {
    Net a, b;
    Sequential net(a.root, {Projection(a.root.part("0"), 4, 8), a.relu("1")});
    net.append(Projection(a.root.part("2"), 8, 2));
    const ValueIndex y = net(a.x);
    const ValueIndex by_hand = Projection(b.root.part("2"), 8, 2)(b.relu("1")(Projection(b.root.part("0"), 4, 8)(b.x)));
    a.run(), b.run();
    CHECK(a.tape.value(y).shape.same_sizes(shape_of({3, 2})));
    CHECK_EQUAL(a.parameters.size(), std::size_t{4});
    CHECK(same_bits(a.tape.tensor(y), b.tape.tensor(by_hand)));
    CHECK_EQUAL(Sequential(a.root, {})(a.x), a.x);
}

TEST(residual_adds_its_input) {
    Net net;
    const Projection inner(net.root.part("inner"), 4, 4);
    const ValueIndex y = Residual(net.root, inner)(net.x);
    const ValueIndex loss = net.root.apply(ops::sum(), {y}, "loss");
    net.tape.backward(loss);
    net.run();
    const Tensor x = net.tape.tensor(net.x), w = net.tape.tensor(inner.weight), b = net.tape.tensor(inner.bias), out = net.tape.tensor(y);
    const Tensor dx = net.tape.tensor(net.tape.value(net.x).gradient);
    for (Dim i = 0; i < 3; ++i)
        for (Dim j = 0; j < 4; ++j) {
            double f = b.at(j), through = 1; // ∂x_ij of Σ y = 1 + Σ_k w_jk
            for (Dim k = 0; k < 4; ++k) f += x.at(4 * i + k) * w.at(4 * k + j), through += w.at(4 * j + k);
            CHECK(std::abs(out.at(4 * i + j) - (x.at(4 * i + j) + f)) <= 1e-14);
            CHECK(std::abs(dx.at(4 * i + j) - through) <= 1e-14);
        }
}

TEST(hooks_see_a_sequential_whole) {
    Net net;
    auto hooks = std::make_shared<ModuleHooks>(net.tape);
    const Module watched = net.root.with_hooks(hooks);
    int calls = 0;
    hooks->on_forward("net.body", [&](const auto&, std::span<const Tensor> inputs, const Tensor& output) -> std::optional<Tensor> {
        ++calls;
        CHECK(inputs.size() == 1 && inputs[0].shape().same_sizes(shape_of({3, 4})) && output.shape().same_sizes(shape_of({3, 2})));
        return {};
    });
    Sequential(watched.part("body"), {Projection(watched.part("body.0"), 4, 2), net.relu("1")})(net.x);
    net.run();
    CHECK_EQUAL(calls, 1);
}
