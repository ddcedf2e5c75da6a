#include "lessons/experiments/train_gpt/network.hpp"

#include "engine/nn/einsum.hpp"
#include "engine/nn/latent_attention.hpp"
#include "engine/nn/mixture_of_experts.hpp"
#include "engine/nn/transformer.hpp"
#include "engine/ops/ops.hpp"

#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace gradus::gpt {

namespace {

constexpr double balance_weight = 0.01; // Switch Transformer
constexpr double embedding_deviation = 0.02;

ValueIndex integers(Tape& tape, const char* name, const Shape& shape, const std::vector<std::int32_t>& values) {
    return tape.input(name, Tensor::from<std::int32_t>(tape.pool(), shape, values), Role::data);
}

} // namespace

Network::Network(Tape& tape, const Settings& settings, std::uint64_t seed, bool training, Dim batch) {
    const Dim T = settings.task.read(), A = settings.task.answer();
    tokens = integers(tape, "tokens", {{batch, "B"}, {T, "T"}}, std::vector<std::int32_t>(static_cast<std::size_t>(batch * T)));
    answers = integers(tape, "answers", {{batch * A, "B·A"}}, std::vector<std::int32_t>(static_cast<std::size_t>(batch * A)));
    std::vector<std::int32_t> places(static_cast<std::size_t>(T));
    std::iota(places.begin(), places.end(), 0);
    const ValueIndex positions = integers(tape, "positions", {{T, "T"}}, places);
    tape.set_autocast(settings.training.low);
    const Module root(tape, "gpt", settings.training.dtype, seed, parameters);
    const double p = training ? settings.dropout : 0;
    ValueIndex table = no_value;
    ValueIndex x = embedded(root, settings, positions, table);
    for (Dim layer = 1; layer <= settings.layers; ++layer) {
        const auto first = static_cast<NodeIndex>(tape.nodes().size());
        x = block(root.part(fmt::format("block{}", layer)), settings, positions, p, seed)(x);
        if (training && settings.training.checkpointing) tape.checkpoint_from(first);
    }
    x = norm(root.part("norm"), settings)(x);
    add_loss(root, x, table, settings, batch);
    tape.set_autocast({});
}

ValueIndex Network::embedded(const Module& root, const Settings& settings, ValueIndex positions, ValueIndex& table) {
    const Embedding token(root.part("tokens"), settings.task.vocabulary(), settings.channels, embedding_deviation);
    table = token.table;
    const ValueIndex x = token(tokens);
    if (settings.rotary) return x;
    const Embedding place(root.part("positions"), settings.task.read(), settings.channels, embedding_deviation);
    return root.apply(ops::add(), {x, place(positions)}, "x"); // (B, T, C) + (T, C)
}

Layer Network::block(const Module& place, const Settings& settings, ValueIndex positions, double p, std::uint64_t seed) {
    const Layer first_norm = norm(place.part("attention_norm"), settings);
    const Layer attend = with_dropout(place.part("attention_dropout"), attention(place.part("attn"), settings, positions), p, seed);
    if (settings.fusion != Settings::Fusion::all) {
        const Layer then = with_dropout(place.part("mlp_dropout"),
                                        Sequential(place.part("mlp_path"), {norm(place.part("mlp_norm"), settings), mlp(place.part("mlp"), settings)}),
                                        p, seed);
        const Sequential before(place.part("attention_path"), {first_norm, attend});
        return Sequential(place, {Residual(place, before, "middle"), Residual(place, then)});
    }
    // The sum and its norm leave memory together: s = x + attention, y = norm(s).
    const Module norm_place = place.part("mlp_norm");
    const ValueIndex weight = norm_place.constant("weight", {{settings.channels, "C"}}, 1);
    const ValueIndex bias = settings.rms_norm ? no_value : norm_place.constant("bias", {{settings.channels, "C"}}, 0);
    const Layer then = with_dropout(place.part("mlp_dropout"), mlp(place.part("mlp"), settings), p, seed);
    return [=](ValueIndex x) {
        const ValueIndex added = attend(first_norm(x));
        const auto sums = bias == no_value
                              ? norm_place.apply(ops::add_rms_norm(), {x, added, weight}, std::vector<std::string>{"sum", "out", "rstd"}, {1e-6})
                              : norm_place.apply(ops::add_layer_norm(), {x, added, weight, bias},
                                                 std::vector<std::string>{"sum", "out", "mean", "rstd"}, {1e-5});
        return place.apply(ops::add(), {sums[0], then(sums[1])}, "out");
    };
}

Layer Network::norm(const Module& place, const Settings& settings) const {
    if (settings.rms_norm) return RmsNorm(place, settings.channels);
    return LayerNorm(place, settings.channels);
}

Layer Network::attention(const Module& place, const Settings& settings, ValueIndex positions) const {
    if (settings.attention == Attention::latent) {
        const Dim half = settings.head_size() / 2;
        const LatentAttention layer(place, {.channels = settings.channels,
                                            .heads = settings.heads,
                                            .latent = std::max<Dim>(settings.channels / 4, 1),
                                            .content = half,
                                            .rotary = half,
                                            .values = settings.head_size(),
                                            .fused = settings.fused});
        return [layer, positions](ValueIndex x) { return layer(x, positions); };
    }
    AttentionShape shape{.channels = settings.channels, .heads = settings.heads, .key_heads = settings.key_heads(), .fused = settings.fused};
    if (settings.rotary) shape.rope_base = 1e4;
    const SelfAttention layer(place, shape);
    return [layer, positions](ValueIndex x) { return layer(x, positions); };
}

Layer Network::mlp(const Module& place, const Settings& settings) {
    const Dim C = settings.channels;
    switch (settings.mlp) {
    case Mlp::gelu: {
        if (settings.fusion != Settings::Fusion::all) return FeedForward(place, C, 4 * C);
        const Projection up(place.part("up_proj"), C, 4 * C), down(place.part("down_proj"), 4 * C, C);
        return [place, up, down](ValueIndex x) { // the product's bias goes with the activation
            const ValueIndex product = up.module.apply(ops::batched_matmul(), {x, up.weight}, "product");
            return down(place.apply(ops::bias_gelu(), {product, up.bias}, "hidden"));
        };
    }
    case Mlp::swiglu: return SwiGlu(place, C, 8 * C / 3); // as many numbers as the two matrices of 4 · C
    case Mlp::experts: break;
    }
    const MixtureOfExperts layer(place, {.channels = C, .hidden = 4 * C / 3, .experts = settings.experts, .top_k = settings.top_k});
    return [this, layer](ValueIndex x) {
        const MixtureOfExperts::Output out = layer.routed(x);
        balances_.push_back(out.balance_loss);
        return out.y;
    };
}

Layer Network::with_dropout(const Module& place, Layer layer, double p, std::uint64_t seed) {
    if (p == 0) return layer;
    const auto number = static_cast<std::uint32_t>(seed * 1000 + dropouts.size()); // each draws masks of its own
    const auto dropout = dropouts.emplace_back(std::make_shared<Dropout>(place, p, number));
    return [dropout, layer = std::move(layer)](ValueIndex x) { return (*dropout)(layer(x)); };
}

void Network::add_loss(const Module& root, ValueIndex x, ValueIndex table, const Settings& settings, Dim batch) {
    Tape& tape = root.tape();
    const Dim T = settings.task.read(), A = settings.task.answer(), V = settings.task.vocabulary();
    const ValueIndex asked = root.apply(ops::slice(), {x}, "asked", slice_of(1, T - A, T)); // (B, A, C)
    const ValueIndex told = settings.tied ? einsum(tape, "gpt.head", "bac,vc->bav", {asked, table}, "gpt.head.out")
                                          : Projection(root.part("head"), settings.channels, V, false)(asked);
    logits = root.apply(ops::reshape(), {told}, "logits", reshape_to({batch * A, V}));
    const auto add = [&](const Op& op, std::vector<ValueIndex> inputs, std::vector<std::string> names, Attributes attributes = {}) {
        return tape.node(tape.apply(op, Phase::forward, "loss", std::move(inputs), std::move(names), attributes)).outputs[0];
    };
    loss = cross_entropy(root, settings, balances_.empty() ? "loss" : "cross-entropy");
    accuracy = add(ops::accuracy(), {logits, answers}, {"accuracy"});
    if (balances_.empty()) return;
    ValueIndex sum = balances_[0];
    for (std::size_t i = 1; i < balances_.size(); ++i) sum = add(ops::add(), {sum, balances_[i]}, {fmt::format("balance {}", i + 1)});
    balance = add(ops::scale(), {sum}, {"balance"}, {1.0 / static_cast<double>(balances_.size())});
    const ValueIndex weighted = add(ops::scale(), {sum}, {"balance weighted"}, {balance_weight});
    loss = add(ops::add(), {loss, weighted}, {"loss"});
}

ValueIndex Network::cross_entropy(const Module& root, const Settings& settings, const std::string& name) const {
    Tape& tape = root.tape();
    const auto add = [&](const Op& op, std::vector<ValueIndex> inputs, std::vector<std::string> names, Attributes attributes = {}) {
        return tape.node(tape.apply(op, Phase::forward, "loss", std::move(inputs), std::move(names), attributes)).outputs[0];
    };
    if (settings.fusion != Settings::Fusion::none) return add(ops::cross_entropy_with_logits(), {logits, answers}, {name, "lse"});
    return add(ops::nll_loss(), {add(ops::log_softmax(), {logits}, {"log p"}, {1}), answers}, {name});
}

} // namespace gradus::gpt
