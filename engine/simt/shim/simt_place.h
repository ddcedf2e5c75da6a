#pragma once
#pragma GCC system_header

// threadIdx, blockIdx, blockDim, gridDim. They are no variables: each use asks for the lane's place. Without hooks a kernel asks once,
// since the answer stays the same as long as the lane runs.

#include "vector_types.h"

#ifdef SIMT_HOOKS
SIMT_INNER const SimtLane* simt_place() { return simt_hooked.now->place; }
#define SIMT_PLACE(name, field, type)                                                                                                    \
    __attribute__((const)) SIMT_QUIET type name() {                                                                                      \
        const uint32_t* at = simt_place()->field;                                                                                         \
        return __builtin_bit_cast(type, uint3{at[0], at[1], at[2]});                                                                     \
    }
#else
__attribute__((const, noinline)) SIMT_HIDDEN inline const SimtLane* simt_place() { return simt_runtime->lane(); }
#define SIMT_PLACE(name, field, type)                                                                                                    \
    SIMT_SEEN type name() {                                                                                                              \
        const uint32_t* at = simt_place()->field;                                                                                        \
        return {at[0], at[1], at[2]};                                                                                                    \
    }
#endif
SIMT_PLACE(simt_thread_index, thread, uint3)
SIMT_PLACE(simt_block_index, block, uint3)
SIMT_PLACE(simt_block_size, block_size, dim3)
SIMT_PLACE(simt_grid_size, grid_size, dim3)
#undef SIMT_PLACE

#define threadIdx simt_thread_index()
#define blockIdx simt_block_index()
#define blockDim simt_block_size()
#define gridDim simt_grid_size()

SIMT_QUIET unsigned simt_lane() { return simt_place()->lane; }
SIMT_QUIET unsigned simt_rank() { return simt_place()->rank; }

const int warpSize = 32;
