#pragma once

#include "engine/backend/cpu/half_kernels.hpp"
#include "engine/backend/cpu/kernels.hpp"
#include "engine/backend/cpu/path.hpp"
#include "engine/core/dtype.hpp"
#include "engine/core/worker_pool.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

/// An opened CPU backend: its ISA path and its threads.
struct GradusContext {
    const gradus::cpu::Path* path;
    gradus::WorkerPool pool;
    std::string device;
    std::string in_fp32; ///< what an implementation is called that computes fp16 and bf16 in fp32: "avx2 in fp32"
    gradus::cpu::WidenedMemory widened;
    GradusContext(const gradus::cpu::Path* chosen, int threads)
        : path(chosen), pool(threads), in_fp32(std::string(chosen->name) + " in fp32") {}
};

/// What the kernels of this folder are made of; for the files of this folder only.
namespace gradus::cpu {

template <class T> const PathOf<T>& path_of(const GradusCall* call) {
    if constexpr (std::is_same_v<T, float>) return call->context->path->f32;
    else return call->context->path->f64;
}

template <class T> T* out(const GradusCall* call, int i) { return static_cast<T*>(call->outputs[i].data); }
template <class T> const T* in(const GradusCall* call, int i) { return static_cast<const T*>(call->inputs[i].data); }

inline std::int64_t elements(const GradusArray& array) {
    std::int64_t product = 1;
    for (int i = 0; i < array.rank; ++i) product *= array.sizes[i];
    return product;
}

/// Elements per piece of a memory-bound op.
constexpr std::int64_t piece_elements = 16'384;

/// Whether output 0 is so large that it will not lie in a cache when it is read: it is written past them then, which spares reading
/// what is overwritten.
template <class T> bool is_streamed(const GradusCall* call) {
    return elements(call->outputs[0]) * static_cast<std::int64_t>(sizeof(T)) >= std::int64_t{24} << 20;
}

/// What was written past the caches is there for others to read.
inline void stores_in_order() { __builtin_ia32_sfence(); }

/// Calls work(from, until) for pieces of [0, count) that hold about `piece_elements` elements, where each of `count` stands for
/// `elements_each`. The pieces depend on the shape alone, never on the number of threads: what a piece sums is the same for any.
template <class Work> void over_pieces(const GradusCall* call, std::int64_t count, std::int64_t elements_each, Work&& work) {
    const std::int64_t each = std::max<std::int64_t>(1, piece_elements / std::max<std::int64_t>(1, elements_each));
    const std::int64_t pieces = (count + each - 1) / each;
    auto run = [&](int piece) { work(piece * each, std::min(count, (piece + 1) * each)); };
    WorkerPool& pool = call->context->pool;
    if (pool.threads() == 1 || pieces < 2)
        for (std::int64_t piece = 0; piece < pieces; ++piece) run(static_cast<int>(piece));
    else
        pool.parallel_for(static_cast<int>(pieces), run);
}

/// As over_pieces, for work that returns a part of a sum: the parts are added up in the order of the pieces.
template <class Work>
double sum_over_pieces(const GradusCall* call, std::int64_t count, std::int64_t elements_each, Work&& work) {
    const std::int64_t each = std::max<std::int64_t>(1, piece_elements / std::max<std::int64_t>(1, elements_each));
    std::vector<double> parts(static_cast<std::size_t>((count + each - 1) / each));
    over_pieces(call, count, elements_each, [&](std::int64_t from, std::int64_t until) {
        parts[static_cast<std::size_t>(from / each)] = work(from, until);
    });
    double sum = 0;
    for (const double part : parts) sum += part;
    return sum;
}

/// The rows of both floating types, one after the other.
template <std::size_t N> constexpr std::array<Kernel, 2 * N> both(const std::array<Kernel, N>& f32, const std::array<Kernel, N>& f64) {
    std::array<Kernel, 2 * N> out{};
    for (std::size_t i = 0; i < N; ++i) out[i] = f32[i], out[N + i] = f64[i];
    return out;
}
/// Any number of lists of rows, one after the other.
template <std::size_t... N> constexpr std::array<Kernel, (N + ...)> joined(const std::array<Kernel, N>&... lists) {
    std::array<Kernel, (N + ...)> out{};
    std::size_t at = 0;
    ((std::copy(lists.begin(), lists.end(), out.begin() + static_cast<std::ptrdiff_t>(at)), at += N), ...);
    return out;
}

} // namespace gradus::cpu
