#pragma once
#pragma GCC system_header

// Prefix sums over the threads of a group, by rank. In step i = 1, 2, 4, … each thread combines the value of rank - i with its own.

#include <cooperative_groups.h>
#include "functional.h"

namespace cooperative_groups {

namespace simt {

template <class Group, class T, class Op>
SIMT_SEEN T scan_lanes(const Group& group, T value, const Op& op) {
    for (unsigned distance = 1; distance < group.size(); distance *= 2) {
        const T before = group.shfl_up(value, distance);
        if (group.thread_rank() >= distance) value = op(before, value);
    }
    return value;
}

template <class T, class Group, class Op>
SIMT_QUIET uint64_t scan_bits(const Group& group, uint64_t bits, const Op& op) {
    const T sum = scan_lanes(group, simt_of_bits<T>(bits), op);
    return SIMT_BITS(sum);
}
template <class T, class Group>
SIMT_QUIET uint64_t scan_before(const Group& group, uint64_t bits) {
    const T before = group.shfl_up(scan_lanes(group, simt_of_bits<T>(bits), plus<T>{}), 1);
    const T none{}, sum = group.thread_rank() == 0 ? none : before;
    return SIMT_BITS(sum);
}

} // namespace simt

template <class Group, class T, class Op>
SIMT_SEEN T inclusive_scan(const Group& group, T value, const Op& op) {
    return simt_of_bits<T>(simt::scan_bits<T>(group, SIMT_BITS(value), op));
}
template <class Group, class T>
SIMT_SEEN T inclusive_scan(const Group& group, T value) {
    return simt_of_bits<T>(simt::scan_bits<T>(group, SIMT_BITS(value), plus<T>{}));
}
/// Sums of the threads before this one; the first gets 0.
template <class Group, class T>
SIMT_SEEN T exclusive_scan(const Group& group, T value) {
    return simt_of_bits<T>(simt::scan_before<T>(group, SIMT_BITS(value)));
}

} // namespace cooperative_groups
