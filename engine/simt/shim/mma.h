#pragma once
#pragma GCC system_header

// nvcuda::wmma: the 32 lanes of a warp multiply small matrices together, each holding its part of them in fragments.
//
// Which lane holds what, CUDA leaves open. Here a matrix is cut into pieces of 8 × 8, and with g = lane / 4 and t = lane % 4 a lane holds two
// neighbours of each: of A, C and D elements (g, 2t) and (g, 2t + 1); of B elements (2t, g) and (2t + 1, g). The pieces follow each other down
// the columns of the matrix: x[2 q] and x[2 q + 1] lie in piece (q % p, q / p), where p is the number of pieces that lie above each other.
// For 16 × 16 × 16 that is the PTX ISA's layout of two mma.m16n8k16 side by side. No element is held twice, so num_elements is rows · columns / 32.
//
// Loads and stores are the lanes' own accesses: two neighbours at once where they are neighbours in memory, else one element at a time.
//
// D = A · B + C: operands are widened to fp32 (tf32: cut to 19 bits first), each element starts from C and adds the products in the order of k,
// rounding each product (of halves and bf16 it is exact) and each sum. With D of halves the sum is rounded once more, at the end. A GPU's order
// of sums and its rounding on the way are its own. Integers are exact.
//
// Source: CUDA C++ Programming Guide, "Warp Matrix Functions"; PTX ISA, "Matrix Fragments for mma.m16n8k16".

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "simt_matrix.h"

namespace nvcuda::wmma {

struct row_major {};
struct col_major {};
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32 {};
} // namespace precision

namespace simt {

template <class T>
struct Storage {
    using type = T;
};
template <>
struct Storage<precision::tf32> {
    using type = float;
};

/// What elements are computed in.
template <class T>
using Wide = std::conditional_t<std::is_integral_v<T>, int, float>;

template <class T>
SIMT_QUIET Wide<T> wide(const typename Storage<T>::type& element) {
    if constexpr (std::is_same_v<T, precision::tf32>) return __builtin_bit_cast(float, __builtin_bit_cast(unsigned, element) & ~0x1fffu);
    else if constexpr (std::is_same_v<T, __half>) return simt_half_to_float(element.__x);
    else if constexpr (std::is_same_v<T, __nv_bfloat16>) return simt_bfloat_to_float(element.__x);
    else return element;
}

template <int m, int n, int k, class T>
constexpr bool legal_shape = std::is_same_v<T, precision::tf32> ? m == 16 && n == 16 && k == 8
                                                                : k == 16 && ((m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32));

} // namespace simt

template <class Use, int m, int n, int k, class T, class Layout = void>
struct fragment {
    static constexpr bool is_b = std::is_same_v<Use, matrix_b>;
    static constexpr int rows = is_b ? k : m, columns = std::is_same_v<Use, matrix_a> ? k : n;
    static constexpr int num_elements = rows * columns / 32, num_storage_elements = num_elements;
    using Element = T;
    using element_type = typename simt::Storage<T>::type;
    using storage_element_type = element_type;
    element_type x[num_elements];

    SIMT_QUIET static unsigned row(unsigned element, unsigned lane) {
        const unsigned piece = element / 2 % (rows / 8);
        return 8 * piece + (is_b ? 2 * (lane % 4) + element % 2 : lane / 4);
    }
    SIMT_QUIET static unsigned column(unsigned element, unsigned lane) {
        const unsigned piece = element / 2 / (rows / 8);
        return 8 * piece + (is_b ? lane / 4 : 2 * (lane % 4) + element % 2);
    }
    SIMT_QUIET static size_t place(unsigned element, size_t row_step, size_t column_step) {
        const unsigned lane = simt_lane();
        return row(element, lane) * row_step + column(element, lane) * column_step;
    }
};

namespace simt {

/// In memory the rows lie `step` apart (by_rows), or the columns. Two neighbours of a fragment are neighbours in memory if the one that goes
/// along a row lies in rows, and of B the other way round.
template <class Fragment, class T>
SIMT_SEEN void load(Fragment& to, const T* from, unsigned step, bool by_rows) {
    using One = SimtAliased<sizeof(T)>;
    using Two = SimtAliased<2 * sizeof(T)>;
    simt_whole_warp("load_matrix_sync");
    if (by_rows != Fragment::is_b)
        for (unsigned i = 0; i < Fragment::num_elements; i += 2)
            simt_put<Two>(to.x + i, *reinterpret_cast<const Two*>(from + Fragment::place(i, by_rows ? step : 1, by_rows ? 1 : step)));
    else
        for (unsigned i = 0; i < Fragment::num_elements; ++i)
            simt_put<One>(to.x + i, *reinterpret_cast<const One*>(from + Fragment::place(i, by_rows ? step : 1, by_rows ? 1 : step)));
}

template <class Fragment, class T>
SIMT_SEEN void store(T* to, const Fragment& from, unsigned step, bool by_rows) {
    using One = SimtAliased<sizeof(T)>;
    using Two = SimtAliased<2 * sizeof(T)>;
    simt_whole_warp("store_matrix_sync");
    if (by_rows)
        for (unsigned i = 0; i < Fragment::num_elements; i += 2)
            *reinterpret_cast<Two*>(to + Fragment::place(i, step, 1)) = simt_get<Two>(from.x + i);
    else
        for (unsigned i = 0; i < Fragment::num_elements; ++i)
            *reinterpret_cast<One*>(to + Fragment::place(i, 1, step)) = simt_get<One>(from.x + i);
}

struct Operands {
    void* d;
    const void *a, *b, *c;
    bool saturated;
};

/// One lane's part, into its places in the whole matrix.
template <class Fragment, class W>
SIMT_QUIET void gather(W* whole, const void* elements, unsigned lane) {
    const auto* x = static_cast<const typename Fragment::element_type*>(elements);
    for (unsigned i = 0; i < Fragment::num_elements; ++i)
        whole[Fragment::row(i, lane) * Fragment::columns + Fragment::column(i, lane)] = wide<typename Fragment::Element>(x[i]);
}

template <class D, class A, class B, class C>
SIMT_QUIET void multiply(void* const* mine, uint32_t) {
    constexpr int m = A::rows, n = B::columns, k = A::columns;
    using W = Wide<typename C::Element>;
    W a[m * k], b[k * n];
    std::conditional_t<std::is_integral_v<W>, int64_t, float> sums[m * n];
    for (unsigned lane = 0; lane < 32; ++lane) {
        if (!mine[lane]) return simt_runtime->trap("mma_sync wants all 32 lanes of a warp");
        const auto& operands = *static_cast<const Operands*>(mine[lane]);
        gather<A>(a, operands.a, lane);
        gather<B>(b, operands.b, lane);
        gather<C>(sums, operands.c, lane);
    }
    simt_product(sums, a, b, m, n, k);
    for (unsigned lane = 0; lane < 32; ++lane) {
        auto* x = static_cast<typename D::element_type*>(static_cast<const Operands*>(mine[lane])->d);
        for (unsigned i = 0; i < D::num_elements; ++i) {
            auto sum = sums[D::row(i, lane) * n + D::column(i, lane)];
            if constexpr (std::is_same_v<typename D::Element, __half>) x[i].__x = SimtHalf::rounded(static_cast<double>(sum));
            else if constexpr (std::is_integral_v<W>) x[i] = simt_sum_of_integers(sum, static_cast<const Operands*>(mine[lane])->saturated);
            else x[i] = sum;
        }
    }
}

template <class D, class A, class B, class C>
SIMT_QUIET void multiply_together(D& d, const A& a, const B& b, const C& c, bool saturated) {
    Operands mine = {d.x, a.x, b.x, c.x, saturated};
    simt_runtime->meet(0xffffffffu, multiply<D, A, B, C>, &mine, 0, "mma_sync");
}

} // namespace simt

/// All lanes' elements become `value`.
template <class Use, int m, int n, int k, class T, class Layout>
SIMT_SEEN void fill_fragment(fragment<Use, m, n, k, T, Layout>& f, std::type_identity_t<typename simt::Storage<T>::type> value) {
    simt_fill<fragment<Use, m, n, k, T, Layout>::num_elements, SimtAliased<sizeof value>>(f.x, SIMT_BITS(value));
}

/// `step`: the distance in memory between rows (row_major) or columns, in elements; a multiple of 16 bytes.
template <class Use, int m, int n, int k, class T, class Layout>
SIMT_SEEN void load_matrix_sync(fragment<Use, m, n, k, T, Layout>& f, const typename simt::Storage<T>::type* from, unsigned step) {
    static_assert(simt::legal_shape<m, n, k, T>, "no such shape of fragments");
    simt::load(f, from, step, std::is_same_v<Layout, row_major>);
}
template <int m, int n, int k, class T>
SIMT_SEEN void load_matrix_sync(fragment<accumulator, m, n, k, T>& f, const T* from, unsigned step, layout_t layout) {
    simt::load(f, from, step, layout == mem_row_major);
}
template <int m, int n, int k, class T>
SIMT_SEEN void store_matrix_sync(T* to, const fragment<accumulator, m, n, k, T>& f, unsigned step, layout_t layout) {
    simt::store(to, f, step, layout == mem_row_major);
}

/// D = A · B + C. D may be C.
template <int m, int n, int k, class D, class T, class LayoutA, class LayoutB, class C>
SIMT_SEEN void mma_sync(fragment<accumulator, m, n, k, D>& d, const fragment<matrix_a, m, n, k, T, LayoutA>& a,
                        const fragment<matrix_b, m, n, k, T, LayoutB>& b, const fragment<accumulator, m, n, k, C>& c, bool saturated = false) {
    static_assert(simt::legal_shape<m, n, k, T>, "no such shape of fragments");
    simt::multiply_together(d, a, b, c, saturated);
}

/// To tf32's 10 bits of fraction; ties away from zero, as the GPU's cvt.rna.
SIMT_QUIET float __float_to_tf32(float x) {
    return __builtin_isfinite(x) ? __builtin_bit_cast(float, (__builtin_bit_cast(unsigned, x) + 0x1000u) & ~0x1fffu) : x;
}

} // namespace nvcuda::wmma
