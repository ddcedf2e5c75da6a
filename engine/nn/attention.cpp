#include "engine/nn/attention.hpp"

#include "engine/core/error.hpp"
#include "engine/ops/ops.hpp"

#include <cmath>
#include <fmt/format.h>

namespace gradus {

namespace {

ValueIndex applied(Tape& tape, const Op& op, const std::string& module, std::vector<ValueIndex> inputs, std::string name,
                   Attributes attributes = {}) {
    return tape.node(tape.apply(op, Phase::forward, module, std::move(inputs), {std::move(name)}, attributes)).outputs[0];
}

} // namespace

AttentionSteps attention_in_steps(Tape& tape, const std::string& module, ValueIndex q, ValueIndex k, ValueIndex v,
                                  AttentionSettings settings, const std::string& prefix) {
    const Shape queries = tape.value(q).shape, keys = tape.value(k).shape;
    if (queries.rank() != 4 || keys.rank() != 4 || keys[1] == 0 || queries[1] % keys[1] != 0)
        throw ShapeError(
            fmt::format("attention expects queries (B, H, T, D) and keys (B, G, S, D) with H a multiple of G, but got {} and {}",
                        queries.text(), keys.text()));
    const bool grouped = keys[1] != queries[1];
    if (grouped) { // the key heads broadcast over their group of queries
        const Dim group = queries[1] / keys[1];
        q = applied(tape, ops::reshape(), module, {q}, prefix + "q grouped",
                    reshape_to({queries[0], keys[1], group, queries[2], queries[3]}));
        k = applied(tape, ops::reshape(), module, {k}, prefix + "k shared", reshape_to({keys[0], keys[1], 1, keys[2], keys[3]}));
        v = applied(tape, ops::reshape(), module, {v}, prefix + "v shared", reshape_to({keys[0], keys[1], 1, keys[2], keys[3]}));
    }
    AttentionSteps out;
    const double scale = settings.scale != 0 ? settings.scale : 1 / std::sqrt(static_cast<double>(queries[3]));
    const int last = grouped ? 4 : 3;
    out.scores = applied(tape, ops::batched_matmul(), module, {q, k}, prefix + "scores", {0, 1});
    out.scaled = applied(tape, ops::scale(), module, {out.scores}, prefix + "scaled", {scale});
    out.masked = settings.causal ? applied(tape, ops::causal_mask(), module, {out.scaled}, prefix + "masked") : out.scaled;
    out.weights = applied(tape, ops::softmax_along(), module, {out.masked}, prefix + "weights", {static_cast<double>(last)});
    out.output = applied(tape, ops::batched_matmul(), module, {out.weights, v}, prefix + (grouped ? "o grouped" : "o"));
    if (grouped) out.output = applied(tape, ops::reshape(), module, {out.output}, prefix + "o", reshape_to(queries));
    return out;
}

ValueIndex fused_attention(Tape& tape, const std::string& module, ValueIndex q, ValueIndex k, ValueIndex v,
                           AttentionSettings settings, const std::string& prefix) {
    const NodeIndex node = tape.apply(ops::flash_attention(), Phase::forward, module, {q, k, v}, {prefix + "o", prefix + "lse"},
                                      {settings.causal ? 1.0 : 0.0, settings.scale});
    return tape.node(node).outputs[0];
}

} // namespace gradus
