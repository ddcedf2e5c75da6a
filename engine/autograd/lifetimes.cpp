#include "engine/autograd/lifetimes.hpp"

#include <algorithm>

namespace gradus {

Lifetimes lifetimes_of(const Tape& tape, std::span<const ValueIndex> kept) {
    const std::size_t values = tape.values().size(), nodes = tape.nodes().size();
    const auto end = static_cast<NodeIndex>(nodes);
    Lifetimes out;
    out.values.resize(values);
    out.ended.resize(nodes);
    const auto span_of = [&](ValueIndex value) -> Lifetimes::Span& {
        return out.values[static_cast<std::size_t>(tape.base_of(value))];
    };
    std::vector<bool> is_read(values, false);
    const auto read = [&](ValueIndex value, NodeIndex node) {
        span_of(value).last = node;
        is_read[static_cast<std::size_t>(tape.base_of(value))] = true;
    };
    for (NodeIndex node = 0; node < end; ++node) {
        for (const ValueIndex input : tape.node(node).inputs) read(input, node);
        if (tape.node(node).skipped_where != no_value) read(tape.node(node).skipped_where, node);
        for (const ValueIndex output : tape.node(node).outputs) {
            Lifetimes::Span& span = span_of(output);
            if (span.first < 0) span.first = node;
            span.last = std::max(span.last, node);
        }
    }
    for (std::size_t i = 0; i < values; ++i) {
        const Value& value = tape.value(static_cast<ValueIndex>(i));
        if (value.producer < 0) out.values[i] = {-1, end};
        if (value.role == Role::loss || value.role == Role::metric) span_of(static_cast<ValueIndex>(i)).last = end;
        if (value.producer >= 0 || value.gradient == no_value || !value.requires_grad) continue;
        const ValueIndex gradient = tape.base_of(value.gradient);
        if (!is_read[static_cast<std::size_t>(gradient)]) out.values[static_cast<std::size_t>(gradient)].last = end;
    }
    for (const ValueIndex value : kept) span_of(value).last = end;
    for (std::size_t i = 0; i < values; ++i) {
        if (tape.value(static_cast<ValueIndex>(i)).view_of != no_value) out.values[i] = {0, -1};
        else if (out.values[i].last < end) out.ended[static_cast<std::size_t>(out.values[i].last)].push_back(static_cast<ValueIndex>(i));
    }
    return out;
}

void execute_step(Tape& tape, const Lifetimes& lifetimes) {
    for (NodeIndex node = 0; node < static_cast<NodeIndex>(tape.nodes().size()); ++node) {
        tape.execute(node);
        for (const ValueIndex value : lifetimes.ended[static_cast<std::size_t>(node)]) tape.release(value);
    }
}

} // namespace gradus
