#pragma once

#include "engine/backend/interface.h"

#include <cstdint>
#include <cstring>

/// Reading arrays as they lie; for the files of this folder only.
namespace gradus::cpu {

inline bool is_contiguous(const GradusArray& array) {
    std::int64_t expected = 1;
    for (int axis = array.rank - 1; axis >= 0; --axis) {
        if (array.sizes[axis] != 1 && array.strides[axis] != expected) return false;
        expected *= array.sizes[axis];
    }
    return true;
}

/// Elements [from, until) of an array in row-major order, as runs along its last axis:
/// run(position, step, flat, count) for `count` elements at position, position + step, … in memory, the first of which is
/// number `flat`. A contiguous array is one run.
template <class Run> void over_runs(const GradusArray& array, std::int64_t from, std::int64_t until, Run&& run) {
    if (from >= until) return;
    if (is_contiguous(array)) return run(from, std::int64_t{1}, from, until - from);
    const int last = array.rank - 1; // what is not contiguous has an axis
    std::int64_t index[GRADUS_MAX_RANK], rest = from;
    for (int axis = last; axis >= 0; --axis) {
        index[axis] = rest % array.sizes[axis];
        rest /= array.sizes[axis];
    }
    for (std::int64_t flat = from; flat < until;) {
        std::int64_t count = array.sizes[last] - index[last], position = 0;
        if (count > until - flat) count = until - flat;
        for (int axis = 0; axis <= last; ++axis) position += index[axis] * array.strides[axis];
        run(position, array.strides[last], flat, count);
        flat += count;
        index[last] = 0;
        for (int axis = last - 1; axis >= 0 && ++index[axis] == array.sizes[axis]; --axis) index[axis] = 0;
    }
}

/// Copies elements [from, until) of an array in row-major order to a place where they lie one after another.
template <class U> void copy_elements(const GradusArray& array, std::int64_t from, std::int64_t until, U* to) {
    const U* const base = static_cast<const U*>(array.data);
    over_runs(array, from, until, [&](std::int64_t position, std::int64_t step, std::int64_t flat, std::int64_t count) {
        U* const target = to + (flat - from);
        if (step == 1) std::memcpy(target, base + position, static_cast<std::size_t>(count) * sizeof(U));
        else
            for (std::int64_t i = 0; i < count; ++i) target[i] = base[position + i * step];
    });
}

} // namespace gradus::cpu
