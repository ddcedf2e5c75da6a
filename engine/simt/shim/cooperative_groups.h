#pragma once
#pragma GCC system_header

// Cooperative groups: a block, tiles of up to 32 neighbouring lanes, the lanes that go the same way. What a group does it does with
// __syncthreads or with the warp's functions and its mask of lanes. Not modelled: groups of several warps other than a block, and a barrier
// of the whole grid.

#include "cuda_runtime.h"

namespace cooperative_groups {

class thread_block {
public:
    SIMT_QUIET static void sync() { __syncthreads(); }
    SIMT_QUIET static unsigned thread_rank() { return simt_rank(); }
    SIMT_QUIET static unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
    SIMT_QUIET static unsigned size() { return num_threads(); }
    SIMT_SEEN static dim3 group_index() { return blockIdx; }
    SIMT_SEEN static dim3 thread_index() { return threadIdx; }
    SIMT_SEEN static dim3 dim_threads() { return blockDim; }
    SIMT_SEEN static dim3 group_dim() { return blockDim; }
};
SIMT_SEEN thread_block this_thread_block() { return {}; }

namespace simt {

/// Mask of the tile of `size` lanes around this one.
SIMT_QUIET unsigned tile_mask(unsigned size) { return size == 32 ? 0xffffffffu : ((1u << size) - 1) << (simt_lane() & ~(size - 1)); }
SIMT_QUIET unsigned rank_in(unsigned mask) { return static_cast<unsigned>(__builtin_popcount(mask & ((1u << simt_lane()) - 1))); }
SIMT_QUIET unsigned count(unsigned mask) { return static_cast<unsigned>(__builtin_popcount(mask)); }
/// The lane of the group's so-many-th thread.
SIMT_QUIET int lane_of(unsigned mask, unsigned rank) {
    for (; rank && mask; --rank) mask &= mask - 1;
    return mask ? __builtin_ctz(mask) : 0;
}
/// Bits of lanes as bits of ranks in the group.
SIMT_QUIET unsigned by_rank(unsigned mask, unsigned lanes) {
    unsigned ranks = 0;
    for (unsigned rank = 0; mask; mask &= mask - 1, ++rank) ranks |= (lanes >> __builtin_ctz(mask) & 1) << rank;
    return ranks;
}
/// Of the group's threads those whose rank, divided by `size`, is the same.
SIMT_QUIET unsigned part_of(unsigned mask, unsigned size) {
    const unsigned mine = rank_in(mask) / size;
    unsigned part = 0, rank = 0;
    for (unsigned rest = mask; rest; rest &= rest - 1, ++rank)
        if (rank / size == mine) part |= rest & -rest;
    return part;
}

/// What tiles and coalesced groups have in common. Group::mask() is the group's lanes.
template <class Group>
class Lanes {
public:
    SIMT_QUIET void sync() const { simt_runtime->meet(mask(), nullptr, nullptr, SIMT_ORDERS, "sync of a group"); }
    SIMT_QUIET unsigned thread_rank() const { return rank_in(mask()); }
    SIMT_QUIET unsigned num_threads() const { return count(mask()); }
    SIMT_QUIET unsigned size() const { return count(mask()); }
    SIMT_QUIET int any(int predicate) const { return __any_sync(mask(), predicate); }
    SIMT_QUIET int all(int predicate) const { return __all_sync(mask(), predicate); }
    SIMT_QUIET unsigned ballot(int predicate) const { return by_rank(mask(), __ballot_sync(mask(), predicate)); }
    template <SimtNumber T>
    SIMT_QUIET unsigned match_any(T value) const {
        return by_rank(mask(), __match_any_sync(mask(), value));
    }
    template <SimtNumber T>
    SIMT_SEEN unsigned match_all(T value, int& predicate) const {
        return by_rank(mask(), __match_all_sync(mask(), value, &predicate));
    }

private:
    SIMT_QUIET unsigned mask() const { return static_cast<const Group*>(this)->mask(); }
};

/// Where a tile stands among its parent's.
template <unsigned size, class Parent>
struct Meta {
    SIMT_QUIET static unsigned meta_group_rank() { return simt_lane() % Parent::tile_size / size; }
    SIMT_QUIET static unsigned meta_group_size() { return Parent::tile_size / size; }
};
template <unsigned size>
struct Meta<size, thread_block> {
    SIMT_QUIET static unsigned meta_group_rank() { return simt_rank() / size; }
    SIMT_QUIET static unsigned meta_group_size() { return (thread_block::size() + size - 1) / size; }
};
template <unsigned size>
struct Meta<size, void> {
    SIMT_QUIET unsigned meta_group_rank() const { return rank; }
    SIMT_QUIET unsigned meta_group_size() const { return groups; }
    unsigned rank, groups;
};

} // namespace simt

template <unsigned Size, class Parent = void>
class thread_block_tile : public simt::Lanes<thread_block_tile<Size, Parent>>, public simt::Meta<Size, Parent> {
    static_assert(Size && Size <= 32 && !(Size & (Size - 1)), "tiles of 1, 2, 4, 8, 16 or 32 threads are modelled");

public:
    static constexpr unsigned tile_size = Size;
    thread_block_tile() = default;
    /// A tile that forgets what it is a part of.
    template <class Other>
        requires(std::is_void_v<Parent> && !std::is_void_v<Other>)
    SIMT_QUIET thread_block_tile(const thread_block_tile<Size, Other>& other)
        : simt::Meta<Size, void>{other.meta_group_rank(), other.meta_group_size()} {}

    SIMT_QUIET static unsigned mask() { return simt::tile_mask(Size); }
    SIMT_QUIET static unsigned thread_rank() { return simt_lane() % Size; }
    SIMT_QUIET static constexpr unsigned num_threads() { return Size; }
    SIMT_QUIET static constexpr unsigned size() { return Size; }
    template <class T>
    SIMT_SEEN T shfl(T value, int rank) const {
        return simt_of_bits<T>(simt_shuffle_index_call(mask(), SIMT_BITS(value), rank, Size, simt_kind<T>));
    }
    template <class T>
    SIMT_SEEN T shfl_up(T value, unsigned delta) const {
        return simt_of_bits<T>(simt_shuffle_up_call(mask(), SIMT_BITS(value), delta, Size, simt_kind<T>));
    }
    template <class T>
    SIMT_SEEN T shfl_down(T value, unsigned delta) const {
        return simt_of_bits<T>(simt_shuffle_down_call(mask(), SIMT_BITS(value), delta, Size, simt_kind<T>));
    }
    template <class T>
    SIMT_SEEN T shfl_xor(T value, unsigned with) const {
        return simt_of_bits<T>(simt_shuffle_xor_call(mask(), SIMT_BITS(value), static_cast<int>(with), Size, simt_kind<T>));
    }
};

class coalesced_group : public simt::Lanes<coalesced_group> {
public:
    SIMT_QUIET explicit coalesced_group(unsigned mask) : mask_(mask) {}
    SIMT_QUIET unsigned mask() const { return mask_; }
    SIMT_QUIET static unsigned meta_group_rank() { return 0; }
    SIMT_QUIET static unsigned meta_group_size() { return 1; }
    template <class T>
    SIMT_SEEN T shfl(T value, unsigned rank) const {
        return simt_of_bits<T>(simt_shuffle_index_call(mask(), SIMT_BITS(value), simt::lane_of(mask(), rank), 32, simt_kind<T>));
    }
    template <class T>
    SIMT_SEEN T shfl_up(T value, unsigned delta) const {
        return simt_of_bits<T>(simt_shuffle_index_call(mask(), SIMT_BITS(value), up(delta), 32, simt_kind<T>));
    }
    template <class T>
    SIMT_SEEN T shfl_down(T value, unsigned delta) const {
        return simt_of_bits<T>(simt_shuffle_index_call(mask(), SIMT_BITS(value), down(delta), 32, simt_kind<T>));
    }

private:
    SIMT_QUIET int up(unsigned delta) const {
        const unsigned rank = thread_rank();
        return simt::lane_of(mask_, rank >= delta ? rank - delta : rank);
    }
    SIMT_QUIET int down(unsigned delta) const {
        const unsigned rank = thread_rank();
        return simt::lane_of(mask_, rank + delta < size() ? rank + delta : rank);
    }
    unsigned mask_;
};
SIMT_QUIET coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

/// Any of the above.
class thread_group {
public:
    SIMT_QUIET thread_group(const thread_block&) : mask_(0) {}
    template <class Group>
    SIMT_QUIET thread_group(const simt::Lanes<Group>& group) : mask_(static_cast<const Group&>(group).mask()) {}
    SIMT_QUIET explicit thread_group(unsigned mask) : mask_(mask) {}
    SIMT_QUIET void sync() const {
        if (mask_) coalesced_group(mask_).sync();
        else __syncthreads();
    }
    SIMT_QUIET unsigned thread_rank() const { return mask_ ? simt::rank_in(mask_) : simt_rank(); }
    SIMT_QUIET unsigned size() const { return mask_ ? simt::count(mask_) : thread_block::size(); }
    SIMT_QUIET unsigned num_threads() const { return size(); }

private:
    unsigned mask_; ///< 0: the block
};

/// Threads of all blocks; they cannot meet.
class grid_group {
public:
    SIMT_QUIET static bool is_valid() { return false; }
    SIMT_QUIET static void sync() { simt_runtime->trap("a grid's sync needs a cooperative launch, which is not modelled"); }
    SIMT_QUIET static unsigned long long block_rank() { return blockIdx.x + static_cast<unsigned long long>(gridDim.x) * (blockIdx.y + gridDim.y * blockIdx.z); }
    SIMT_QUIET static unsigned long long num_blocks() { return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z; }
    SIMT_QUIET static unsigned long long thread_rank() { return block_rank() * thread_block::size() + simt_rank(); }
    SIMT_QUIET static unsigned long long num_threads() { return num_blocks() * thread_block::size(); }
    SIMT_QUIET static unsigned long long size() { return num_threads(); }
    SIMT_SEEN static dim3 block_index() { return blockIdx; }
    SIMT_SEEN static dim3 dim_blocks() { return gridDim; }
    SIMT_SEEN static dim3 group_dim() { return gridDim; }
};
SIMT_SEEN grid_group this_grid() { return {}; }

template <unsigned Size>
SIMT_SEEN thread_block_tile<Size, thread_block> tiled_partition(const thread_block&) {
    return {};
}
template <unsigned Size, unsigned ParentSize, class Grandparent>
    requires(Size <= ParentSize)
SIMT_SEEN thread_block_tile<Size, thread_block_tile<ParentSize, Grandparent>> tiled_partition(const thread_block_tile<ParentSize, Grandparent>&) {
    return {};
}
template <unsigned Size>
SIMT_QUIET coalesced_group tiled_partition(const coalesced_group& group) {
    return coalesced_group(simt::part_of(group.mask(), Size));
}
SIMT_QUIET thread_group tiled_partition(const thread_block&, unsigned size) { return thread_group(simt::tile_mask(size)); }
SIMT_QUIET coalesced_group tiled_partition(const coalesced_group& group, unsigned size) { return coalesced_group(simt::part_of(group.mask(), size)); }

/// Those that say the same.
template <class Group>
SIMT_QUIET coalesced_group binary_partition(const Group& group, bool predicate) {
    const unsigned yes = __ballot_sync(group.mask(), predicate);
    return coalesced_group(predicate ? yes : group.mask() & ~yes);
}
template <class Group, SimtInteger T>
SIMT_QUIET coalesced_group labeled_partition(const Group& group, T label) {
    return coalesced_group(__match_any_sync(group.mask(), label));
}

template <class Group>
SIMT_QUIET void sync(const Group& group) {
    group.sync();
}
template <class Group>
SIMT_QUIET auto thread_rank(const Group& group) {
    return group.thread_rank();
}
template <class Group>
SIMT_QUIET auto group_size(const Group& group) {
    return group.size();
}

} // namespace cooperative_groups
