// Kernels, compiled as the interpreter's are: see the flags in tests/CMakeLists.txt.

#undef NDEBUG

#include "tests/simt/shim/lanes.hpp"

#include <assert.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

namespace gradus::shim_test {

#ifdef SIMT_HOOKS
const bool hooked = true;
#else
const bool hooked = false;
#endif

template <class T>
__device__ T shuffled(const Shuffle& by, T value) {
    if (by.kind == 0) return __shfl_sync(by.mask, value, by.distance, by.width);
    if (by.kind == 1) return __shfl_up_sync(by.mask, value, static_cast<unsigned>(by.distance), by.width);
    if (by.kind == 2) return __shfl_down_sync(by.mask, value, static_cast<unsigned>(by.distance), by.width);
    return __shfl_xor_sync(by.mask, value, by.distance, by.width);
}

__global__ void shuffle(void* argument) {
    auto& of = *static_cast<Shuffle*>(argument);
    const int lane = static_cast<int>(threadIdx.x);
    if (!(of.mask >> lane & 1)) return;
    of.out[lane] = shuffled(of, 100 + lane);
    of.wide[lane] = shuffled(of, 100.5 + lane);
    of.halves[lane] = __half2float(shuffled(of, __float2half(static_cast<float>(lane))));
    of.pairs[lane] = __high2float(shuffled(of, __floats2bfloat162_rn(0, static_cast<float>(lane))));
}

__global__ void votes(void* argument) {
    auto& of = *static_cast<Votes*>(argument);
    const unsigned lane = threadIdx.x;
    if (!(of.mask >> lane & 1)) return;
    const int yes = of.yes >> lane & 1;
    of.ballot[lane] = __ballot_sync(of.mask, yes);
    of.any_of[lane] = static_cast<unsigned>(__any_sync(of.mask, yes));
    of.all_of[lane] = static_cast<unsigned>(__all_sync(of.mask, yes));
    of.same_any[lane] = __match_any_sync(of.mask, yes ? 1.5f : -1.5f);
    int predicate = 7;
    of.same_all[lane] = __match_all_sync(of.mask, yes, &predicate);
    assert(predicate == (of.same_all[lane] != 0));
    of.sum[lane] = __reduce_add_sync(of.mask, lane);
    of.least[lane] = __reduce_min_sync(of.mask, lane + 3);
    of.most[lane] = __reduce_max_sync(of.mask, lane + 3);
    of.bits_and[lane] = __reduce_and_sync(of.mask, lane | 0x100);
    of.bits_or[lane] = __reduce_or_sync(of.mask, 1u << lane);
    of.bits_xor[lane] = __reduce_xor_sync(of.mask, lane);
    of.signed_least[lane] = __reduce_min_sync(of.mask, 5 - static_cast<int>(lane));
    __syncwarp(of.mask);
}

__global__ void barriers(void* argument) {
    __shared__ int words[64];
    auto& of = *static_cast<Barriers*>(argument);
    const unsigned rank = threadIdx.x;
    words[rank] = static_cast<int>(rank);
    __syncthreads();
    for (int i = 0; i < 64; ++i) of.shared_sum[rank] += words[i];
    const int yes = rank < of.yes;
    of.count[rank] = __syncthreads_count(yes);
    of.any_of[rank] = __syncthreads_or(yes);
    of.all_of[rank] = __syncthreads_and(yes);
    __threadfence();
}

__global__ void places(void* argument) {
    auto& of = *static_cast<Places*>(argument);
    const unsigned rank = threadIdx.y * blockDim.x + threadIdx.x;
    of.thread_x[rank] = threadIdx.x, of.thread_y[rank] = threadIdx.y;
    const dim3 size = blockDim;
    const uint3 block = blockIdx;
    of.other[0] = block.x, of.other[1] = blockIdx.z, of.other[2] = size.x, of.other[3] = blockDim.y, of.other[4] = gridDim.x, of.other[5] = gridDim.z;
}

__global__ void atomics(void* argument) {
    auto& of = *static_cast<Atomics*>(argument);
    of.old = atomicAdd(&of.i[0], 2);
    atomicSub(&of.i[1], 3);
    atomicExch(&of.i[2], 7);
    atomicMin(&of.i[3], -static_cast<int>(threadIdx.x));
    atomicMax(&of.i[4], static_cast<int>(threadIdx.x));
    atomicAnd(&of.i[5], 12), atomicOr(&of.i[5], 1), atomicXor(&of.i[5], 2);
    atomicCAS(&of.i[6], 0, 5), atomicCAS(&of.i[6], 6, 9);
    atomicInc(&of.u[0], 6);
    atomicDec(&of.u[1], 6);
    atomicMin(&of.u[2], 1u), atomicMax_block(&of.u[3], ~0u);
    atomicAdd_system(&of.l, 1ull << 40);
    atomicAdd(&of.f, 0.5f), atomicAdd(&of.d, 0.25);
    atomicAdd(reinterpret_cast<__half*>(&of.half), __float2half(0.5f));
    atomicAdd(reinterpret_cast<__nv_bfloat16*>(&of.bfloat), __float2bfloat16(2));
    atomicAdd(reinterpret_cast<__half2*>(&of.pair), __floats2half2_rn(1, 2));
}

__global__ void copies(void* argument) {
    auto& of = *static_cast<Copies*>(argument);
    __pipeline_memcpy_async(of.to, of.from, 16);
    __pipeline_commit();
    __pipeline_memcpy_async(of.to + 4, of.from + 4, 8, 4);
    __pipeline_commit();
    of.early = of.to[0];
    __pipeline_wait_prior(1);
    of.late = of.to[4];
    __pipeline_wait_prior(0);
}

__global__ void talks(void*) {
    const __half half = 1.5f;
    printf("%d %f %s %c", -1, 0.5f, "words", 'c');
    printf("plain");
    printf(" %lld %g", 1ll << 40, static_cast<double>(static_cast<float>(half)));
}

__global__ void fails(void*) {
    assert(threadIdx.x < 100 && "is fine");
    assert(threadIdx.x > 0);
}

__global__ void counts_fmas(void* argument) {
    auto* x = static_cast<float*>(argument);
    x[0] = fmaf(x[0], 2.0f, 1.0f);
    x[1] = fma(x[1], 2.0f, 1.0f);
    x[2] = __fmaf_rn(x[2], 2.0f, 1.0f);
    x[3] = std::fma(x[3], 2.0f, 1.0f);
    x[4] = x[4] * 2.0f + 1.0f; // is not joined to one
}

__device__ float4 doubled(float4 v) { return make_float4(2 * v.x, 2 * v.y, 2 * v.z, 2 * v.w); }

__global__ void accesses(void* argument) {
    auto* of = static_cast<Accesses*>(argument);
    float* x = of->x;
    auto* h = reinterpret_cast<__half*>(of->h);
    auto* pair = reinterpret_cast<__half2*>(of->h);
    const auto warp = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
    const int which = of->which;
    if (which == 0) x[1] = x[0] + 1;
    if (which == 1) *reinterpret_cast<float4*>(x + 4) = *reinterpret_cast<float4*>(x);
    if (which == 2) *reinterpret_cast<float4*>(x) = make_float4(x[4], x[5], x[6], x[7]);
    if (which == 3) *reinterpret_cast<float4*>(x) = doubled(*reinterpret_cast<const float4*>(x + 8));
    if (which == 4) x[0] = __ldg(x + 1);
    if (which == 5) h[0] = __hadd(h[1], h[2]);
    if (which == 6) h[0] += h[1];
    if (which == 7) x[0] = h[3];
    if (which == 8) pair[0] = __hfma2(pair[1], pair[2], pair[3]);
    if (which == 9) h[0] = __float2half(x[0]);
    if (which == 10) of->n[0] = atomicAdd(&of->n[1], of->n[2]);
    if (which == 11) x[0] = __shfl_xor_sync(0xffffffffu, x[1], 1);
    if (which == 12) h[0] = __shfl_down_sync(0xffffffffu, h[1], 1);
    if (which == 13) pair[0] = pair[1] + pair[2];
    if (which == 14) x[0] = h[1] < h[2];
    if (which == 15) h[0] = -h[1];
    if (which == 16) atomicAdd(h, h[1]);
    if (which == 17) pair[0] = make_half2(h[2], h[3]);
    if (which == 18) h[0] = warp.shfl_xor(h[1], 1);
    if (which == 19) h[0] = cooperative_groups::reduce(warp, h[1], cooperative_groups::plus<__half>());
    if (which == 20) *reinterpret_cast<float2*>(x) = __half22float2(pair[2]);
    if (which == 21) x[0] = cooperative_groups::reduce(warp, x[1], cooperative_groups::greater<float>());
}

} // namespace gradus::shim_test
