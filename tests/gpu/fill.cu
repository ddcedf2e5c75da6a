#include "tests/gpu/fill.hpp"

#include "tests/gpu/cuda_call.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace gradus::gpu {

namespace {

using Fill = KernelBuffer::Fill;

/// Uniform in [0, 1), of 24 bits. Source: the finalizer of SplitMix64, Steele, Lea and Flood 2014.
__device__ float uniform(unsigned long long i) {
    i = (i + 1) * 0x9e3779b97f4a7c15ull;
    i = (i ^ (i >> 30)) * 0xbf58476d1ce4e5b9ull;
    i = (i ^ (i >> 27)) * 0x94d049bb133111ebull;
    return static_cast<float>((i ^ (i >> 31)) >> 40) * 0x1p-24f;
}

template <class T>
__global__ void fill_values(T* x, long long n, Fill fill, float scale) {
    const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
    for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride) {
        float value = scale * uniform(i);
        if (fill == Fill::index) value = truncf(fminf(value, scale - 1));
        if (fill == Fill::normal) value = scale * sqrtf(-2 * logf(1 - uniform(2 * i))) * cospif(2 * uniform(2 * i + 1)); // Box and Muller 1958
        x[i] = static_cast<T>(value);
    }
}

template <class T>
void fill_as(const KernelBuffer& buffer, std::byte* memory) {
    fill_values<<<1024, 256>>>(reinterpret_cast<T*>(memory), buffer.count(), buffer.fill, static_cast<float>(buffer.scale));
    check(cudaGetLastError(), "filling " + buffer.name);
}

} // namespace

void fill(const KernelBuffer& buffer, std::byte* memory) {
    if (buffer.fill == Fill::zero || buffer.fill == Fill::garbage) {
        const std::size_t bytes = static_cast<std::size_t>(buffer.count()) * size_of(buffer.type);
        return check(cudaMemset(memory, buffer.fill == Fill::zero ? 0 : 0xff, bytes), "filling " + buffer.name);
    }
    switch (buffer.type) {
    case ElementType::f32: return fill_as<float>(buffer, memory);
    case ElementType::f16: return fill_as<__half>(buffer, memory);
    case ElementType::bf16: return fill_as<__nv_bfloat16>(buffer, memory);
    case ElementType::f64: return fill_as<double>(buffer, memory);
    case ElementType::i32: return fill_as<int>(buffer, memory);
    case ElementType::u32: return fill_as<unsigned>(buffer, memory);
    case ElementType::i64: return fill_as<long long>(buffer, memory);
    case ElementType::i8: return fill_as<signed char>(buffer, memory);
    case ElementType::u8: return fill_as<unsigned char>(buffer, memory);
    }
}

} // namespace gradus::gpu
