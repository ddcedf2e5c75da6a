#include "tests/memory/models.hpp"

#include "engine/nn/transformer.hpp"
#include "engine/ops/ops.hpp"
#include "tests/support/tensors.hpp"

#include <fmt/format.h>
#include <stdexcept>

namespace gradus::test {

namespace {

class Builder {
public:
    explicit Builder(const ModelOptions& options) : options_(options) {
        model_.tape = std::make_unique<Tape>(cpu(), model_.pool);
        root_ = std::make_unique<Module>(*model_.tape, "net", options.dtype, 1, model_.parameters);
    }

    ValueIndex batch(const Shape& shape, std::uint64_t seed) {
        return model_.tape->input("x", random_tensor(shape, options_.dtype, seed).contiguous_copy(*model_.pool), Role::data);
    }
    ValueIndex whole_numbers(const std::string& name, Dim count, std::int32_t until, std::uint64_t seed, const Shape& shape) {
        const Tensor drawn = random_labels(count, until, seed).contiguous_copy(*model_.pool);
        return model_.tape->input(name, Tensor(drawn.storage(), shape, DType::i32), Role::data);
    }

    /// Calls a block; some of them together are a segment where the options say so.
    template <class Block> ValueIndex block(const Module& place, ValueIndex x, const Block& call) {
        const auto first = static_cast<NodeIndex>(model_.tape->nodes().size());
        if (blocks_ == 0) first_of_segment_ = first;
        ValueIndex out = call(x);
        if (options_.dropout > 0) {
            Dropout dropout(place.part("dropout"), options_.dropout, 17);
            out = dropout(out);
            model_.dropouts.insert(model_.dropouts.end(), dropout.nodes.begin(), dropout.nodes.end());
        }
        if (++blocks_ == options_.blocks_per_segment) end_segment();
        return out;
    }

    Model finish(ValueIndex logits, ValueIndex labels) {
        Tape& tape = *model_.tape;
        const auto outputs =
            root_->apply(ops::softmax_cross_entropy(), {logits, labels}, std::vector<std::string>{"p", "loss"});
        return end(tape, outputs[1]);
    }
    Model finish_with_square(ValueIndex y, ValueIndex target) {
        return end(*model_.tape, root_->apply(ops::mean_squared_error(), {y, target}, "loss"));
    }

    Module part(const std::string& name) const { return root_->part(name); }
    ValueIndex apply(const Op& op, std::vector<ValueIndex> inputs, const std::string& name, Attributes attributes = {}) const {
        return root_->apply(op, std::move(inputs), name, attributes);
    }

private:
    void end_segment() {
        model_.tape->checkpoint_from(first_of_segment_);
        blocks_ = 0;
    }

    Model end(Tape& tape, ValueIndex loss) {
        model_.loss = loss;
        tape.backward(loss);
        std::vector<ValueIndex> gradients;
        for (const ValueIndex parameter : model_.parameters) gradients.push_back(tape.value(parameter).gradient);
        model_.optimizer = std::make_unique<Optimizer>(tape, options_.optimizer, model_.parameters, gradients);
        return std::move(model_);
    }

    ModelOptions options_;
    Model model_;
    std::unique_ptr<Module> root_;
    int blocks_ = 0; ///< in the segment that is under way
    NodeIndex first_of_segment_ = 0;
};

Model mlp(const ModelOptions& options) {
    Builder build(options);
    ValueIndex x = build.batch({{128, "B"}, {784, "in"}}, 3);
    Dim width = 784;
    int number = 1;
    for (const Dim next : {512, 256}) {
        const Module place = build.part(fmt::format("layer{}", number++));
        const Projection layer(place, width, next);
        x = build.block(place, x, [&](ValueIndex in) { return place.apply(ops::relu(), {layer(in)}, "a"); });
        width = next;
    }
    const Projection last(build.part("out"), width, 10);
    return build.finish(last(x), build.whole_numbers("y", 128, 10, 4, {{128, "B"}}));
}

Model cnn(const ModelOptions& options) {
    Builder build(options);
    ValueIndex x = build.batch({{64, "N"}, {1, "C"}, {28, "H"}, {28, "W"}}, 3);
    Dim channels = 1;
    for (const Dim next : {16, 32}) {
        const Module place = build.part(fmt::format("conv{}", next));
        Window2d window;
        window.kernel_h = window.kernel_w = 3;
        window.padding_h = window.padding_w = 1;
        const Conv2d layer(place, channels, next, window);
        Window2d pool;
        pool.kernel_h = pool.kernel_w = pool.stride_h = pool.stride_w = 2;
        x = build.block(place, x, [&](ValueIndex in) {
            const ValueIndex a = place.apply(ops::relu(), {layer(in)}, "a");
            return place.apply(ops::max_pool2d(), {a}, std::vector<std::string>{"pooled", "index"}, pool.attributes())[0];
        });
        channels = next;
    }
    const ValueIndex flat = build.apply(ops::reshape(), {x}, "flat", reshape_to({64, 32 * 7 * 7}));
    const Projection last(build.part("out"), 32 * 7 * 7, 10);
    return build.finish(last(flat), build.whole_numbers("y", 64, 10, 4, {{64, "B"}}));
}

Model gpt(const ModelOptions& options, bool fused) {
    constexpr Dim B = 8, T = 64, C = 128, H = 4, V = 512;
    Builder build(options);
    const ValueIndex tokens = build.whole_numbers("tokens", B * T, V, 3, {{B, "B"}, {T, "T"}});
    const ValueIndex places = build.whole_numbers("places", T, T, 5, {{T, "T"}});
    const Embedding token(build.part("token"), V, C, 0.02), place_of(build.part("place"), T, C, 0.02);
    ValueIndex x = build.apply(ops::add(), {token(tokens), place_of(places)}, "x0");
    AttentionShape shape;
    shape.channels = C;
    shape.heads = shape.key_heads = H;
    shape.fused = fused;
    shape.with_bias = true;
    for (int layer = 0; layer < 4; ++layer) {
        const Module place = build.part(fmt::format("block{}", layer));
        const TransformerBlock block(place, shape, 4 * C, TransformerBlock::Style::gpt);
        x = build.block(place, x, [&](ValueIndex in) { return block(in); });
    }
    const LayerNorm norm(build.part("norm"), C);
    const Projection head(build.part("head"), C, V, false);
    const ValueIndex logits = build.apply(ops::reshape(), {head(norm(x))}, "logits", reshape_to({B * T, V}));
    return build.finish(logits, build.whole_numbers("y", B * T, V, 4, {{B * T, "B"}}));
}

Model residual_mlp(const ModelOptions& options) {
    constexpr Dim width = 64, batch = 64;
    Builder build(options);
    ValueIndex x = build.batch({{batch, "B"}, {width, "C"}}, 3);
    for (int number = 0; number < 16; ++number) {
        const Module place = build.part(fmt::format("block{}", number));
        const FeedForward inner(place.part("mlp"), width, 4 * width, &ops::relu(), false);
        x = build.block(place, x, [&](ValueIndex in) { return place.apply(ops::add(), {in, inner(in)}, "out"); });
    }
    return build.finish_with_square(x, build.batch({{batch, "B"}, {width, "C"}}, 4));
}

} // namespace

Model model_named(const std::string& name, const ModelOptions& options) {
    if (name == "mlp") return mlp(options);
    if (name == "cnn") return cnn(options);
    if (name == "gpt") return gpt(options, true);
    if (name == "gpt_in_steps") return gpt(options, false);
    if (name == "residual_mlp") return residual_mlp(options);
    throw std::invalid_argument(name);
}

} // namespace gradus::test
