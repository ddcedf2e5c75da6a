#pragma once

#include "engine/trace/kernel/kernel_trace.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gradus {

/// A launch that goes over attention's scores by tiles: rung 3_online of the ladder, where a tile is one key, or 4_flash.
struct AttentionShape {
    std::int64_t heads = 0, length = 0, head_size = 0; ///< BH, T and D; also called N and d
    bool causal = false;
    std::int64_t rows = 0;   ///< queries of a block
    std::int64_t keys = 0;   ///< of a tile: 1 in 3_online
    std::int64_t served = 0; ///< queries that a key is read for at a time: Br; 1 where nothing is shared
    std::int64_t warp_rows = 0; ///< queries of a warp
    bool tiled() const { return keys > 1; }
    std::int64_t row_tiles() const { return (length + rows - 1) / rows; }
    std::int64_t key_tiles() const { return (length + keys - 1) / keys; }
};
/// Of a block by its number in log.blocks; nothing where its launch is none of these, or what `causal` is was not recorded.
std::optional<AttentionShape> attention_shape(const std::shared_ptr<const KernelTrace>& trace, std::size_t block);

/// Whether a block's launch masks keys after their query, as its first lane was given it; nothing where that was not recorded.
std::optional<bool> attention_is_causal(const std::shared_ptr<const KernelTrace>& trace, std::size_t block);

/// The tiles in shared memory that a block touches, in that order.
std::vector<KernelTrace::Variable> attention_memory(const KernelTrace& trace, std::size_t block);

/// Bytes of global memory, by tensor.
struct AttentionTraffic {
    std::int64_t q = 0, k = 0, v = 0, s = 0, p = 0, o = 0, l = 0;
    std::int64_t total() const { return q + k + v + s + p + o + l; }
    std::int64_t* of(const std::string& buffer); ///< by its name in the kernel: "Q"; null for others
    bool operator==(const AttentionTraffic&) const = default;
};
/// What the source asks for, in bytes of fp32, for each head, with N = length, d = head_size and Br = served: Q and O once, N d elements
/// each; K and V once for each of the ⌈N / Br⌉ rows of tiles, of the keys in the tiles that one of its queries sees; L once. Modelled.
/// Source: Dao et al., "FlashAttention", 2022, with the loop over keys inside (FlashAttention-2, 2023).
AttentionTraffic formula_traffic(const AttentionShape& shape);
/// Attention in three launches, each of which reads what it needs once and writes what it makes once: S and P, N² elements each, are written
/// and read; half of them, with the diagonal, where it is causal. Q, K, V and O, N d elements each, once; L once. Modelled.
AttentionTraffic three_launch_traffic(const AttentionShape& shape);
/// What a whole launch's lanes asked for, loads and stores together. Counted. Of whatever launch of the ladder.
AttentionTraffic counted_traffic(const KernelTrace& trace, std::uint32_t launch);
/// Tiles that one of its queries sees, of all row_tiles() · key_tiles() of a head. Modelled.
std::int64_t seen_tiles(const AttentionShape& shape);

/// An element that a lane of a step touches.
struct AttentionTouch {
    std::string name; ///< "Q", "k_tile", …
    std::int64_t head = 0, row = 0, column = 0; ///< of a tile in shared memory: head 0
    int lane = 0;
    bool write = false;
    double value = 0; ///< that it read, or wrote
};
/// In whatever launch of the ladder. Of a step that touches none of attention's matrices and tiles: nothing.
std::vector<AttentionTouch> attention_touches(const KernelTrace& trace, std::size_t step);

} // namespace gradus
