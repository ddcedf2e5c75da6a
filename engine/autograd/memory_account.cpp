#include "engine/autograd/memory_account.hpp"

#include <algorithm>
#include <numeric>

namespace gradus {

std::string_view name_of(MemoryUse use) {
    switch (use) {
    case MemoryUse::data: return "data";
    case MemoryUse::parameter: return "parameter";
    case MemoryUse::gradient: return "gradient";
    case MemoryUse::optimizer_state: return "optimizer_state";
    case MemoryUse::saved_activation: return "saved_activation";
    case MemoryUse::temporary: return "temporary";
    }
    return "?";
}

std::size_t total(const BytesByUse& bytes) { return std::accumulate(bytes.begin(), bytes.end(), std::size_t{0}); }

std::vector<MemoryUse> memory_uses_of(const Tape& tape) {
    std::vector<MemoryUse> out(tape.values().size(), MemoryUse::temporary);
    const auto set = [&](ValueIndex value, MemoryUse use) { out[static_cast<std::size_t>(value)] = use; };
    const auto phase_of = [&](const Node& node) { return node.repeats >= 0 ? Phase::forward : node.phase; };
    for (const Node& node : tape.nodes())
        for (const ValueIndex input : node.inputs) {
            const ValueIndex base = tape.base_of(input);
            const NodeIndex producer = tape.value(base).producer;
            if (producer < 0) continue;
            // What is computed again reads what was kept till then, too.
            const bool kept = node.repeats >= 0 ? tape.node(producer).phase == Phase::forward : node.phase == Phase::backward;
            if (kept && phase_of(tape.node(producer)) == Phase::forward) set(base, MemoryUse::saved_activation);
        }
    for (std::size_t i = 0; i < out.size(); ++i) {
        const Value& value = tape.value(static_cast<ValueIndex>(i));
        if (value.role == Role::parameter && value.gradient != no_value) set(tape.base_of(value.gradient), MemoryUse::gradient);
        if (value.producer >= 0) continue;
        if (value.role == Role::parameter) out[i] = MemoryUse::parameter;
        else if (value.role == Role::optimizer_state) out[i] = MemoryUse::optimizer_state;
        else out[i] = value.role == Role::gradient ? MemoryUse::gradient : MemoryUse::data;
    }
    return out;
}

MemoryAccount account_of(const Tape& tape, const Lifetimes& lifetimes, const AllocatorRules& rules) {
    const std::size_t nodes = tape.nodes().size();
    const std::vector<MemoryUse> uses = memory_uses_of(tape);
    MemoryAccount out;
    std::vector<std::vector<ValueIndex>> begun(nodes);
    const auto bytes_of = [&](ValueIndex index) {
        const Value& value = tape.value(index);
        return rules.block(static_cast<std::size_t>(extent_of(value.layout())) * size_of(value.dtype));
    };
    std::vector<const StorageRef*> seen;
    const auto is_new = [&](const StorageRef& storage) {
        if (!storage) return true;
        const bool is = std::none_of(seen.begin(), seen.end(), [&](const StorageRef* other) { return *other == storage; });
        seen.push_back(&storage);
        return is;
    };
    BytesByUse now{};
    for (std::size_t i = 0; i < lifetimes.values.size(); ++i) {
        const auto index = static_cast<ValueIndex>(i);
        const Lifetimes::Span& span = lifetimes.values[i];
        if (span.first > span.last) continue; // a view
        const Value& value = tape.value(index);
        const auto use = static_cast<std::size_t>(uses[i]);
        const bool there = span.first < 0, stays = span.last >= static_cast<NodeIndex>(nodes);
        if (there && !is_new(value.storage)) continue;
        if (there || stays) now[use] += bytes_of(index); // what stays is there from the second step on
        else begun[static_cast<std::size_t>(span.first)].push_back(index);
        out.of_all[use] += bytes_of(index);
    }
    out.at_rest = now;
    for (std::size_t node = 0; node < nodes; ++node) {
        for (const ValueIndex value : begun[node]) now[static_cast<std::size_t>(uses[static_cast<std::size_t>(value)])] += bytes_of(value);
        out.during.push_back(now);
        if (total(now) > out.peak()) out.peak_node = static_cast<NodeIndex>(node);
        for (const ValueIndex value : lifetimes.ended[node])
            now[static_cast<std::size_t>(uses[static_cast<std::size_t>(value)])] -= bytes_of(value);
    }
    return out;
}

StepFlops flops_of(const Tape& tape) {
    StepFlops out;
    for (const Node& node : tape.nodes()) {
        out.all += node.cost.flops;
        if (node.repeats >= 0) out.repeated += node.cost.flops;
    }
    return out;
}

} // namespace gradus
