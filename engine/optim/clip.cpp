#include "engine/optim/clip.hpp"

#include "engine/core/error.hpp"
#include "engine/ops/ops.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace gradus {

namespace {

void expect_limit(double limit) {
    if (!(limit > 0)) throw ArgumentError(fmt::format("gradients cannot be clipped at {}", limit));
}

ValueIndex clipped(Tape& tape, const Op& op, std::vector<ValueIndex> inputs, Attributes attributes) {
    const std::string name = tape.value(inputs[0]).name + " clipped";
    return tape.node(tape.apply(op, Phase::update, "clipping", std::move(inputs), {name}, attributes)).outputs[0];
}

} // namespace

Clipped clip_by_global_norm(Tape& tape, const std::vector<ValueIndex>& gradients, double limit) {
    expect_limit(limit);
    if (gradients.empty()) throw ArgumentError("there are no gradients to clip");
    Clipped out;
    std::vector<ValueIndex> parts = gradients; // norms of norms, until one is left
    do {
        std::vector<ValueIndex> norms;
        for (std::size_t i = 0; i < parts.size(); i += GRADUS_MAX_ARRAYS) {
            const auto begin = parts.begin() + static_cast<std::ptrdiff_t>(i);
            const auto end =
                parts.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(parts.size(), i + GRADUS_MAX_ARRAYS));
            const std::string name =
                parts.size() <= GRADUS_MAX_ARRAYS ? "gradient norm" : fmt::format("norm of {} to {}", i + 1, end - parts.begin());
            norms.push_back(
                tape.node(tape.apply(ops::global_norm(), Phase::update, "clipping", {begin, end}, {name})).outputs[0]);
        }
        parts = norms;
    } while (parts.size() > 1);
    out.norm = parts[0];
    for (const ValueIndex gradient : gradients)
        out.gradients.push_back(clipped(tape, ops::clip_by_norm(), {gradient, out.norm}, {limit}));
    return out;
}

Clipped clip_by_value(Tape& tape, const std::vector<ValueIndex>& gradients, double limit) {
    expect_limit(limit);
    Clipped out;
    for (const ValueIndex gradient : gradients) out.gradients.push_back(clipped(tape, ops::clamp(), {gradient}, {-limit, limit}));
    return out;
}

} // namespace gradus
