#pragma once

#include "engine/autograd/lifetimes.hpp"
#include "engine/memory/rules.hpp"

#include <array>
#include <string_view>
#include <vector>

namespace gradus {

/// What the bytes of a training step are for.
enum class MemoryUse : std::uint8_t {
    data,             ///< batches, labels, constants
    parameter,
    gradient,         ///< of parameters
    optimizer_state,  ///< what updates carry from step to step
    saved_activation, ///< written forward, or computed again, and read by a backward node
    temporary         ///< everything else: what only forward nodes read, gradients on their way back
};
constexpr int memory_uses = static_cast<int>(MemoryUse::temporary) + 1;
std::string_view name_of(MemoryUse use);

using BytesByUse = std::array<std::size_t, memory_uses>;
std::size_t total(const BytesByUse& bytes);

/// The bytes that one step of a tape holds, read off the tape: of its values' shapes and lifetimes, with nothing executed. It is
/// what a caching allocator with these rules then calls allocated, to the byte, where nobody else holds a snapshot.
struct MemoryAccount {
    std::vector<BytesByUse> during; ///< by node: while it runs, its outputs included
    BytesByUse at_rest{};           ///< between steps
    NodeIndex peak_node = -1;       ///< the first that holds the most
    BytesByUse of_all{};            ///< every buffer of the step together, as though none were let go of

    const BytesByUse& at_peak() const { return peak_node < 0 ? at_rest : during[static_cast<std::size_t>(peak_node)]; }
    std::size_t peak() const { return total(at_peak()); }
};

/// `lifetimes` are those that execute_step is called with. Inputs that share a buffer are counted once.
MemoryAccount account_of(const Tape& tape, const Lifetimes& lifetimes, const AllocatorRules& rules);
/// What each value is counted as.
std::vector<MemoryUse> memory_uses_of(const Tape& tape);

/// Floating-point operations of a step, and how many of them activation checkpointing adds.
struct StepFlops {
    double all = 0, repeated = 0;
};
StepFlops flops_of(const Tape& tape);

} // namespace gradus
