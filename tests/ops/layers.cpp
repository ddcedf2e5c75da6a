// Layers and Transformer blocks: what they own, how they are called, their gradients by central differences, and that they learn.
#include "engine/core/error.hpp"
#include "engine/core/philox.hpp"
#include "engine/nn/einsum.hpp"
#include "engine/nn/latent_attention.hpp"
#include "engine/nn/mixture_of_experts.hpp"
#include "engine/nn/transformer.hpp"
#include "engine/ops/ops.hpp"
#include "engine/optim/optimizer.hpp"
#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

using namespace gradus;
using namespace gradus::test;

namespace {

struct Net {
    Tape tape{cpu(), std::make_shared<BufferPool>()};
    std::vector<ValueIndex> parameters;
    Module root;
    explicit Net(DType dtype = DType::f64, std::uint64_t seed = 1) : root(tape, "net", dtype, seed, parameters) {}

    Dim count() const {
        Dim sum = 0;
        for (const ValueIndex parameter : parameters) sum += tape.value(parameter).shape.elements();
        return sum;
    }
    void run(std::initializer_list<Phase> phases) {
        for (NodeIndex node = 0; node < static_cast<NodeIndex>(tape.nodes().size()); ++node)
            if (std::find(phases.begin(), phases.end(), tape.node(node).phase) != phases.end()) tape.execute(node);
    }
};

/// L = Σ g · y with a fixed g, its gradients made.
ValueIndex weighed_sum(Net& net, ValueIndex y) {
    const ValueIndex g = net.tape.input("g", random_tensor(net.tape.value(y).shape, DType::f64, 99), Role::data);
    const ValueIndex loss = net.root.apply(ops::sum(), {net.root.apply(ops::multiply(), {y, g}, "weighed")}, "loss");
    net.tape.backward(loss);
    return loss;
}

/// Some entries of every parameter and of x, and all of them at once in one direction.
void check_gradients(Net& net, ValueIndex x, ValueIndex y) {
    const ValueIndex loss = weighed_sum(net, y);
    net.run({Phase::forward, Phase::backward});
    std::vector<ValueIndex> all = net.parameters;
    all.push_back(x);
    for (const ValueIndex value : all) {
        const std::string name = net.tape.value(value).name;
        REQUIRE(net.tape.value(value).gradient != no_value, name);
        const std::vector<double> exact = values_of(net.tape.tensor(net.tape.value(value).gradient));
        const Tensor before = net.tape.tensor(value);
        const auto moved = [&](const std::function<double(std::size_t)>& by) {
            std::vector<double> numbers = values_of(before);
            for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] += by(i);
            net.tape.set(value, tensor_of(before.shape(), numbers));
            net.run({Phase::forward});
            return net.tape.scalar(loss);
        };
        double error = 0, norm = 0;
        const auto compare = [&](const std::function<double(std::size_t)>& direction) {
            constexpr double h = 1e-5;
            const double slope = (moved([&](std::size_t i) { return h * direction(i); }) -
                                  moved([&](std::size_t i) { return -h * direction(i); })) /
                                 (2 * h);
            double along = 0;
            for (std::size_t i = 0; i < exact.size(); ++i) along += exact[i] * direction(i);
            error += (slope - along) * (slope - along);
            norm += along * along;
        };
        for (std::uint32_t k = 0; k < 6; ++k) {
            const std::size_t at = Philox(k, 7).below(0, static_cast<std::uint32_t>(exact.size()));
            compare([at](std::size_t i) { return i == at ? 1.0 : 0.0; });
        }
        compare([](std::size_t i) { return Philox(3, 9).normal(i); });
        net.tape.set(value, before);
        CHECK_ERROR(std::sqrt(error), 1e-6 * std::sqrt(norm) + 1e-8, name);
    }
}

ValueIndex add_input(Net& net, std::initializer_list<Dim> shape) {
    return net.tape.input("x", random_tensor(shape_of(shape), DType::f64, 5), Role::data, true);
}
ValueIndex positions_of(Net& net, std::int32_t count) {
    std::vector<std::int32_t> numbers(static_cast<std::size_t>(count));
    for (std::int32_t i = 0; i < count; ++i) numbers[static_cast<std::size_t>(i)] = i;
    return net.tape.input("positions", Tensor::from<std::int32_t>(net.tape.pool(), shape_of({count}), numbers), Role::data);
}

} // namespace

TEST(gradients_of_layers) {
    using enum TransformerBlock::Style;
    const struct {
        const char* name;
        std::function<std::pair<ValueIndex, ValueIndex>(Net&)> make; ///< x and y
    } rows[] = {
        {"projection of rows",
         [](Net& net) {
             const auto x = add_input(net, {5, 3});
             return std::pair{x, Projection(net.root, 3, 4)(x)};
         }},
        {"projection of sequences",
         [](Net& net) {
             const auto x = add_input(net, {2, 5, 3});
             return std::pair{x, Projection(net.root, 3, 4)(x)};
         }},
        {"convolution",
         [](Net& net) {
             const auto x = add_input(net, {2, 4, 5, 6});
             return std::pair{
                 x, Conv2d(net.root, 4, 6,
                           {.stride_h = 2, .padding_h = 1, .padding_w = 1, .groups = 2, .kernel_h = 3, .kernel_w = 3})(x)};
         }},
        {"batch norm",
         [](Net& net) {
             const auto x = add_input(net, {6, 3, 2});
             return std::pair{x, BatchNorm(net.root, 3)(x)};
         }},
        {"batch norm after training",
         [](Net& net) {
             const auto x = add_input(net, {6, 3, 2});
             return std::pair{x, BatchNorm(net.root, 3).infer(x)};
         }},
        {"layer norm",
         [](Net& net) {
             const auto x = add_input(net, {2, 3, 7});
             return std::pair{x, LayerNorm(net.root, 7)(x)};
         }},
        {"rms norm",
         [](Net& net) {
             const auto x = add_input(net, {2, 3, 7});
             return std::pair{x, RmsNorm(net.root, 7)(x)};
         }},
        {"mlp",
         [](Net& net) {
             const auto x = add_input(net, {2, 3, 4});
             return std::pair{x, FeedForward(net.root, 4, 9)(x)};
         }},
        {"swiglu",
         [](Net& net) {
             const auto x = add_input(net, {2, 3, 4});
             return std::pair{x, SwiGlu(net.root, 4, 9)(x)};
         }},
        {"multi-head",
         [](Net& net) {
             const auto x = add_input(net, {2, 5, 8});
             return std::pair{
                 x, SelfAttention(net.root, {.channels = 8, .heads = 4, .key_heads = 4, .causal = false, .with_bias = true})(x)};
         }},
        {"multi-query",
         [](Net& net) {
             const auto x = add_input(net, {2, 5, 8});
             return std::pair{x, SelfAttention(net.root, {.channels = 8, .heads = 4, .key_heads = 1})(x)};
         }},
        {"grouped-query, fused, turned",
         [](Net& net) {
             const auto x = add_input(net, {2, 5, 8});
             return std::pair{
                 x, SelfAttention(net.root, {.channels = 8, .heads = 4, .key_heads = 2, .fused = true, .rope_base = 1e4})(
                        x, positions_of(net, 5))};
         }},
        {"latent attention",
         [](Net& net) {
             const auto x = add_input(net, {2, 4, 8});
             const LatentAttentionShape shape{
                 .channels = 8, .heads = 2, .latent = 5, .query_latent = 6, .content = 3, .rotary = 4, .values = 3};
             return std::pair{x, LatentAttention(net.root, shape)(x, positions_of(net, 4))};
         }},
        {"mixture of experts and its balance",
         [](Net& net) {
             const auto x = add_input(net, {2, 5, 4});
             const auto out = MixtureOfExperts(net.root, {.channels = 4, .hidden = 6, .experts = 5, .top_k = 2}).routed(x);
             return std::pair{x, net.root.apply(ops::add(), {out.y, out.balance_loss}, "with balance")};
         }},
        {"mixture of small networks",
         [](Net& net) {
             const auto x = add_input(net, {7, 4});
             const auto mlp = MixtureShape::Expert::mlp;
             const MixtureShape shape{.channels = 4, .hidden = 6, .experts = 3, .expert = mlp, .normalise = false};
             return std::pair{x, MixtureOfExperts(net.root, shape)(x)};
         }},
        {"gpt block",
         [](Net& net) {
             const auto x = add_input(net, {2, 4, 6});
             return std::pair{x, TransformerBlock(net.root, {.channels = 6, .heads = 3, .key_heads = 3}, 11, gpt)(x)};
         }},
        {"llama block",
         [](Net& net) {
             const auto x = add_input(net, {2, 4, 8});
             return std::pair{x, TransformerBlock(net.root, {.channels = 8, .heads = 2, .key_heads = 1, .rope_base = 1e4}, 11,
                                                  llama)(x, positions_of(net, 4))};
         }},
    };
    for (const auto& row : rows) {
        const Row named(row.name);
        Net net;
        const auto [x, y] = row.make(net);
        check_gradients(net, x, y);
    }
}

// The lessons' TINY-LM: V = 96, d = 64, two layers, four heads, SwiGLU 176, head tied to the embedding.
TEST(parameters_of_a_small_language_model) {
    for (const auto& [key_heads, wanted] : {std::pair<Dim, Dim>{4, 106'816}, {2, 98'624}}) {
        Net net(DType::f32);
        const Embedding embedding(net.root.part("embedding"), 96, 64);
        for (const char* name : {"block1", "block2"})
            TransformerBlock(net.root.part(name), {.channels = 64, .heads = 4, .key_heads = key_heads, .rope_base = 1e4}, 176,
                             TransformerBlock::Style::llama);
        const RmsNorm last(net.root.part("norm"), 64);
        CHECK_EQUAL(net.count(), wanted);
        CHECK(net.tape.find("net.block2.attn.q_proj.weight") != no_value);
        CHECK(net.tape.find("net.block1.mlp.gate_proj.weight") != no_value);
    }
}

TEST(fused_attention_in_a_block) {
    std::vector<Tensor> outputs;
    for (const bool fused : {false, true}) {
        Net net;
        const ValueIndex x = add_input(net, {2, 9, 16});
        const ValueIndex y =
            TransformerBlock(net.root, {.channels = 16, .heads = 4, .key_heads = 2, .fused = fused, .rope_base = 1e4}, 20,
                             TransformerBlock::Style::llama)(x, positions_of(net, 9));
        net.run({Phase::forward});
        outputs.push_back(net.tape.tensor(y));
    }
    CHECK_ERROR(relative_error(outputs[0], outputs[1]), 1e-13, "fused and in steps");
}

TEST(initial_parameters_come_from_seed_and_name) {
    const auto weight = [](std::uint64_t seed, const char* name) {
        Net net(DType::f32, seed);
        const Projection other(net.root.part("other"), 3, 3);
        return net.tape.tensor(Projection(net.root.part(name), 16, 8).weight);
    };
    const auto alone = [](std::uint64_t seed, const char* name) {
        Net net(DType::f32, seed);
        return net.tape.tensor(Projection(net.root.part(name), 16, 8).weight);
    };
    CHECK(same_bits(weight(1, "a"), alone(1, "a")));
    CHECK(!same_bits(weight(1, "a"), alone(1, "b")));
    CHECK(!same_bits(weight(1, "a"), alone(2, "a")));
    double most = 0;
    for (const double value : values_of(weight(1, "a"))) most = std::max(most, std::abs(value));
    CHECK(most <= 0.25 && most > 0.2);
}

TEST(running_statistics_follow_the_batches) {
    Net net;
    const ValueIndex x = net.tape.input("x", tensor_of(shape_of({4, 1}), std::vector{1.0, 2.0, 3.0, 6.0}), Role::data, true);
    BatchNorm norm(net.root, 1);
    weighed_sum(net, norm(x));
    norm.carry();
    for (int step = 0; step < 2; ++step) net.run({Phase::forward, Phase::backward, Phase::update});
    CHECK_ERROR(std::abs(net.tape.scalar(norm.running_mean) - 3 * (1 - 0.81)), 1e-15, "mean");
    CHECK_ERROR(std::abs(net.tape.scalar(norm.running_var) - (0.81 + 14.0 / 3 * 0.19)), 1e-14, "variance");
}

TEST(dropout_masks_follow_the_step) {
    Net net;
    const ValueIndex x = net.tape.input("x", tensor_of(shape_of({1000}), std::vector<double>(1000, 1.0)), Role::data, true);
    Dropout dropout(net.root, 0.25, 7);
    const ValueIndex y = dropout(x);
    const auto at = [&](std::int64_t step) {
        dropout.set_step(step);
        net.run({Phase::forward});
        return net.tape.tensor(y);
    };
    const Tensor first = at(0), second = at(1);
    CHECK(!same_bits(first, second));
    CHECK(same_bits(first, at(0)));
    double kept = 0;
    for (const double value : values_of(first)) kept += value / (4.0 / 3);
    CHECK(std::abs(kept - 750) < 60);
}

// Two blocks learn to say which letter comes next in a text of period seven.
TEST(a_small_language_model_learns) {
    constexpr Dim batch = 4, time = 12, channels = 16;
    constexpr std::int32_t letters = 7;
    Net net(DType::f32);
    std::vector<std::int32_t> now, next;
    for (Dim b = 0; b < batch; ++b)
        for (Dim t = 0; t < time; ++t) {
            now.push_back(static_cast<std::int32_t>((b * 2 + t) % letters));
            next.push_back(static_cast<std::int32_t>((b * 2 + t + 1) % letters));
        }
    const ValueIndex x =
        net.tape.input("x", Tensor::from<std::int32_t>(net.tape.pool(), shape_of({batch, time}), now), Role::data);
    const ValueIndex y =
        net.tape.input("y", Tensor::from<std::int32_t>(net.tape.pool(), shape_of({batch * time}), next), Role::data);
    const ValueIndex positions = positions_of(net, time);
    const Embedding embedding(net.root.part("embedding"), letters, channels);
    ValueIndex h = embedding(x);
    for (const bool fused : {false, true}) {
        const TransformerBlock block(net.root.part(fused ? "block2" : "block1"),
                                     {.channels = channels, .heads = 4, .key_heads = 2, .fused = fused, .rope_base = 1e4}, 40,
                                     TransformerBlock::Style::llama);
        h = block(h, positions);
    }
    h = RmsNorm(net.root.part("norm"), channels)(h);
    const ValueIndex logits = einsum(net.tape, "head", "btc,vc->btv", {h, embedding.table}, "logits");
    const ValueIndex rows = net.root.apply(ops::reshape(), {logits}, "rows", reshape_to({batch * time, letters}));
    const ValueIndex loss = net.root.apply(ops::softmax_cross_entropy(), {rows, y}, std::vector<std::string>{"p", "loss"})[1];
    net.tape.backward(loss);
    std::vector<ValueIndex> gradients;
    for (const ValueIndex parameter : net.parameters) {
        gradients.push_back(net.tape.value(parameter).gradient);
        REQUIRE(gradients.back() != no_value, net.tape.value(parameter).name);
    }
    const Optimizer optimizer(net.tape, {.kind = Optimizer::Kind::adamw, .lr = 0.01, .weight_decay = 0.01}, net.parameters,
                              gradients);
    net.run({Phase::forward, Phase::backward, Phase::update});
    const double before = net.tape.scalar(loss);
    for (int step = 0; step < 60; ++step) net.run({Phase::forward, Phase::backward, Phase::update});
    CHECK(before > 1);
    CHECK(net.tape.scalar(loss) < 0.05, fmt::format("{} after {}", net.tape.scalar(loss), before));
}

TEST(layers_refuse) {
    Net net;
    CHECK_THROWS(SelfAttention(net.root, {.channels = 8, .heads = 3, .key_heads = 3}), ShapeError, "8 channels", "3 heads");
    CHECK_THROWS(SelfAttention(net.root, {.channels = 8, .heads = 4, .key_heads = 3}), ShapeError, "3 key heads");
    const SelfAttention attention(net.root, {.channels = 8, .heads = 4, .key_heads = 4, .rope_base = 1e4});
    CHECK_THROWS(attention(add_input(net, {2, 3, 8})), ArgumentError, "positions");
    CHECK_THROWS(attention(add_input(net, {3, 8})), ShapeError, "(B, T, C)", "3×8");
}
