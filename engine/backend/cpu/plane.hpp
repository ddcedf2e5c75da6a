// Element-wise loops over operands of any strides, of one ISA path. Included once per path.
#pragma once

#include "engine/backend/cpu/elementwise.hpp"

namespace gradus::GRADUS_MATH_NAMESPACE {

using cpu::Plane;

/// Elements of an operand that are laid side by side at a time where they do not lie so: every loop below is one over contiguous
/// numbers, which becomes vectors.
constexpr std::int64_t plane_block = 256;

/// Elements [from, from + count) of a row, side by side: where they lie, or in `room`. What repeats in every row is laid there
/// once.
template <class T>
static inline const T* side_by_side(const Plane::Operand& operand, std::int64_t row, std::int64_t from,
                                    std::int64_t count, T* room) {
    const T* at = static_cast<const T*>(operand.data) + row * operand.row + from * operand.column;
    if (operand.column == 1) return at;
    if (operand.column == 0 && operand.row == 0 && (row > 0 || from > 0)) return room;
    if (operand.column == 0) {
        const T value = *at;
        for (std::int64_t j = 0; j < count; ++j) room[j] = value;
    } else {
        for (std::int64_t j = 0; j < count; ++j) room[j] = at[j * operand.column];
    }
    return room;
}

/// Columns that a loop takes at a time.
static inline std::int64_t columns_at_once(const Plane& plane, int operands) {
    for (int i = 0; i < operands; ++i)
        if (plane.in[i].column != 1) return plane_block;
    return plane.columns;
}

/// out = f(a). The result may lie on the operand.
template <class F, class Out, class A> static void plane_of_one(const Plane& p) {
    alignas(64) A room[plane_block];
    const F f(p.number);
    const std::int64_t step = columns_at_once(p, 1);
    for (std::int64_t row = 0; row < p.rows; ++row)
        for (std::int64_t from = 0; from < p.columns; from += step) {
            const std::int64_t count = p.columns - from < step ? p.columns - from : step;
            const A* a = side_by_side(p.in[0], row, from, count, room);
            Out* out = static_cast<Out*>(p.out) + row * p.columns + from;
GRADUS_IVDEP
            for (std::int64_t j = 0; j < count; ++j) out[j] = f(a[j]);
        }
}

/// out = f(a, b).
template <class F, class Out, class A, class B> static void plane_of_two(const Plane& p) {
    alignas(64) A room_a[plane_block];
    alignas(64) B room_b[plane_block];
    const F f(p.number);
    const std::int64_t step = columns_at_once(p, 2);
    for (std::int64_t row = 0; row < p.rows; ++row)
        for (std::int64_t from = 0; from < p.columns; from += step) {
            const std::int64_t count = p.columns - from < step ? p.columns - from : step;
            const A* a = side_by_side(p.in[0], row, from, count, room_a);
            const B* b = side_by_side(p.in[1], row, from, count, room_b);
            Out* out = static_cast<Out*>(p.out) + row * p.columns + from;
            if constexpr (requires { f.row(a, b, out, count); }) {
                f.row(a, b, out, count);
            } else {
GRADUS_IVDEP
                for (std::int64_t j = 0; j < count; ++j) out[j] = f(a[j], b[j]);
            }
        }
}

/// out = f(a, b, c).
template <class F, class Out, class A, class B, class C> static void plane_of_three(const Plane& p) {
    alignas(64) A room_a[plane_block];
    alignas(64) B room_b[plane_block];
    alignas(64) C room_c[plane_block];
    const F f(p.number);
    const std::int64_t step = columns_at_once(p, 3);
    for (std::int64_t row = 0; row < p.rows; ++row)
        for (std::int64_t from = 0; from < p.columns; from += step) {
            const std::int64_t count = p.columns - from < step ? p.columns - from : step;
            const A* a = side_by_side(p.in[0], row, from, count, room_a);
            const B* b = side_by_side(p.in[1], row, from, count, room_b);
            const C* c = side_by_side(p.in[2], row, from, count, room_c);
            Out* out = static_cast<Out*>(p.out) + row * p.columns + from;
            if constexpr (requires { f.row(a, b, c, out, count); }) {
                f.row(a, b, c, out, count);
            } else {
GRADUS_IVDEP
                for (std::int64_t j = 0; j < count; ++j) out[j] = f(a[j], b[j], c[j]);
            }
        }
}

/// What a loop above applies to its elements, or to a row of them where it has `row`; made of the op's attributes.
struct Plain {
    explicit Plain(const double*) {}
};

} // namespace gradus::GRADUS_MATH_NAMESPACE
