#pragma once

#include "engine/memory/allocator_state.hpp"

#include <span>

namespace gradus {

/// The state of an allocator after these events, which began in `state`: block by block what CachingAllocator::state() says then,
/// and with the same statistics. Of a state with some of the blocks come those and their successors. Throws ArgumentError where an
/// event does not fit what came before it, naming which.
AllocatorState replayed(AllocatorState state, std::span<const AllocatorEvent> events);

/// Throws ArgumentError unless segments rise in number, their blocks lie in them in order, no two free ones are neighbours (they
/// would have been coalesced), and all of them `whole`: fill the segments, and the statistics are their sums; else no larger.
void check_state(const AllocatorState& state, bool whole = true);

} // namespace gradus
