#pragma once
#pragma GCC system_header

// The sum, or what else `op` makes, over the threads of a group; all of them get it.
//
// Order, as CUDA's own headers have it: in a tile each thread combines its value with that of rank ^ size/2, then rank ^ size/4 and so on
// down to 1. In a coalesced group of fewer than 32 threads the last thread's value of an inclusive scan.

#include <cooperative_groups.h>
#include "functional.h"
#include "scan.h"

namespace cooperative_groups {

namespace simt {

template <unsigned Size, class Parent, class T, class Op>
SIMT_SEEN T reduce_lanes(const thread_block_tile<Size, Parent>& group, T value, const Op& op) {
    for (unsigned with = Size / 2; with > 0; with /= 2) value = op(value, group.shfl_xor(value, with));
    return value;
}
template <class T, class Op>
SIMT_SEEN T reduce_lanes(const coalesced_group& group, T value, const Op& op) {
    if (group.size() == 32) return reduce_lanes(thread_block_tile<32, thread_block>{}, value, op);
    return group.shfl(scan_lanes(group, value, op), group.size() - 1);
}

template <class T, class Group, class Op>
SIMT_QUIET uint64_t reduce_bits(const Group& group, uint64_t bits, const Op& op) {
    const T sum = reduce_lanes(group, simt_of_bits<T>(bits), op);
    return SIMT_BITS(sum);
}

} // namespace simt

template <class Group, class T, class Op>
SIMT_SEEN T reduce(const Group& group, T value, const Op& op) {
    return simt_of_bits<T>(simt::reduce_bits<T>(group, SIMT_BITS(value), op));
}

} // namespace cooperative_groups
