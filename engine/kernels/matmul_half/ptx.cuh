#pragma once

// Two instructions for tensor cores that CUDA C++ has no function for. On a GPU each wrapper is one line of PTX. A compiler without
// PTX gets a host model: the 32 lanes meet, and every lane's results are put together from where, by the PTX documentation's fragment
// layouts, the operands lie in the lanes' registers.
//
// Source: PTX ISA, "Warp Level Matrix Load Instruction: ldmatrix" and "Matrix Fragments for mma.m16n8k16".

#include <cuda_fp16.h>

#if !defined(__CUDACC__)

#include <string.h>

namespace ptx_model {

// SIMT_QUIET: the model's own work is no access of the kernel's. simt_warp_meet calls it once for all lanes; mine[l] is what lane l
// handed in.

struct LdmatrixLane {
    uint4 row;    ///< the eight halves that this lane's address points to
    unsigned* to; ///< [4]
};

struct MmaLane {
    const unsigned *a, *b; ///< [4] and [2], two halves in each
    float* d;              ///< [4]
};

/// Matrix j of four has its rows at the addresses of lanes 8 j … 8 j + 7. Lane l receives its row l / 4, elements 2 (l % 4) and
/// 2 (l % 4) + 1; with .trans, of column l / 4 those rows.
template <bool transposed>
SIMT_QUIET void ldmatrix(void* const* mine, unsigned) {
    for (int matrix = 0; matrix < 4; ++matrix) {
        unsigned short element[8][8];
        for (int row = 0; row < 8; ++row) memcpy(element[row], &static_cast<LdmatrixLane*>(mine[8 * matrix + row])->row, 16);
        for (int lane = 0; lane < 32; ++lane) {
            const int along = lane / 4, pair = 2 * (lane % 4);
            const unsigned low = transposed ? element[pair][along] : element[along][pair];
            const unsigned high = transposed ? element[pair + 1][along] : element[along][pair + 1];
            static_cast<LdmatrixLane*>(mine[lane])->to[matrix] = low | high << 16;
        }
    }
}

/// Half 0 or 1 of a register as a float.
SIMT_QUIET float half_of(unsigned two, int which) {
    const unsigned short bits = static_cast<unsigned short>(two >> 16 * which);
    __half half;
    memcpy(&half, &bits, sizeof half);
    return __half2float(half);
}

/// D[i][j] lies in lane 4 (i % 8) + j / 2, register 2 (i / 8) + j % 2; A[i][k] in lane 4 (i % 8) + k % 8 / 2, register
/// 2 (k / 8) + i / 8, half k % 2; B[k][j] in lane 4 j + k % 8 / 2, register k / 8, half k % 2.
SIMT_QUIET void mma(void* const* mine, unsigned) {
    for (int i = 0; i < 16; ++i)
        for (int j = 0; j < 8; ++j) {
            float& sum = static_cast<MmaLane*>(mine[4 * (i % 8) + j / 2])->d[2 * (i / 8) + j % 2];
            for (int k = 0; k < 16; ++k) {
                const unsigned a = static_cast<MmaLane*>(mine[4 * (i % 8) + k % 8 / 2])->a[2 * (k / 8) + i / 8];
                const unsigned b = static_cast<MmaLane*>(mine[4 * j + k % 8 / 2])->b[k / 8];
                sum += half_of(a, k % 2) * half_of(b, k % 2); // the product is exact in fp32
            }
        }
}

} // namespace ptx_model

#endif

/// Loads four 8 × 8 matrices of halves from shared memory. Lane l gives the address of a row of 16 bytes, at a multiple of 16: row
/// l % 8 of matrix l / 8. It receives of each matrix two neighbours of row l / 4, columns 2 (l % 4) and one more, in one register.
__device__ inline void ldmatrix_x4(unsigned (&to)[4], const __half* row) {
#if defined(__CUDA_ARCH__)
    const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(address)
                 : "memory");
#elif !defined(__CUDACC__)
    ptx_model::LdmatrixLane lane{*reinterpret_cast<const uint4*>(row), to};
    simt_warp_meet(0xffffffffu, ptx_model::ldmatrix<false>, &lane);
#endif
}

/// The same, and every matrix turned: the lane receives of each two neighbours of column l / 4, rows 2 (l % 4) and one more.
__device__ inline void ldmatrix_x4_transposed(unsigned (&to)[4], const __half* row) {
#if defined(__CUDA_ARCH__)
    const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(address)
                 : "memory");
#elif !defined(__CUDACC__)
    ptx_model::LdmatrixLane lane{*reinterpret_cast<const uint4*>(row), to};
    simt_warp_meet(0xffffffffu, ptx_model::ldmatrix<true>, &lane);
#endif
}

/// D += A · B by the 32 lanes of a warp together: A (16, 16) and B (16, 8) of halves, D (16, 8) of floats, each spread over the lanes'
/// registers. With g = lane / 4 and t = lane % 4, register by register and lower half first, a lane holds
///     a: A[g][2t], A[g][2t+1];  A[g+8][2t], A[g+8][2t+1];  A[g][2t+8], A[g][2t+9];  A[g+8][2t+8], A[g+8][2t+9]
///     b: B[2t][g], B[2t+1][g];  B[2t+8][g], B[2t+9][g]
///     d: D[g][2t];  D[g][2t+1];  D[g+8][2t];  D[g+8][2t+1]
/// Products are exact in fp32. The order of the sums, and their rounding on the way, are the GPU's own; the model adds in the order of k.
/// Compute capability 8.0 and up.
__device__ inline void mma_m16n8k16(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
#if defined(__CUDA_ARCH__)
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#elif !defined(__CUDACC__)
    const unsigned b[2] = {b0, b1};
    ptx_model::MmaLane lane{a, b, d};
    simt_warp_meet(0xffffffffu, ptx_model::mma, &lane);
#endif
}
