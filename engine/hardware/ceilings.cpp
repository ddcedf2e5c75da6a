#include "engine/hardware/ceilings.hpp"

#include "engine/core/least_seconds.hpp"
#include "engine/core/worker_pool.hpp"

#include <cstring>
#include <immintrin.h>
#include <vector>

namespace gradus {

namespace {

constexpr int turns = 20'000, chains = 12; // of multiply-adds that do not wait for each other
volatile float sink;

[[gnu::target("avx512f")]] double avx512_work() {
    __m512 sum[chains];
    const __m512 a = _mm512_set1_ps(0.5f), b = _mm512_set1_ps(1.0f);
    for (auto& one : sum) one = a;
    for (int i = 0; i < turns; ++i)
        for (auto& one : sum) one = _mm512_fmadd_ps(one, a, b);
    float out[16];
    for (const auto& one : sum) {
        _mm512_storeu_ps(out, one);
        sink = out[0];
    }
    return 2.0 * 16 * chains * turns;
}
[[gnu::target("avx2,fma")]] double avx2_work() {
    __m256 sum[chains];
    const __m256 a = _mm256_set1_ps(0.5f), b = _mm256_set1_ps(1.0f);
    for (auto& one : sum) one = a;
    for (int i = 0; i < turns; ++i)
        for (auto& one : sum) one = _mm256_fmadd_ps(one, a, b);
    for (const auto& one : sum) sink = _mm256_cvtss_f32(one);
    return 2.0 * 8 * chains * turns;
}
double plain_work() {
    __m128 sum[chains];
    const __m128 a = _mm_set1_ps(0.5f), b = _mm_set1_ps(1.0f);
    for (auto& one : sum) one = a;
    for (int i = 0; i < turns; ++i)
        for (auto& one : sum) one = _mm_add_ps(_mm_mul_ps(one, a), b);
    for (const auto& one : sum) sink = _mm_cvtss_f32(one);
    return 2.0 * 4 * chains * turns;
}

} // namespace

std::string_view name_of(Ceiling ceiling) {
    switch (ceiling) {
    case Ceiling::peak: return "peak_flops";
    case Ceiling::memory: return "memory_bandwidth";
    case Ceiling::cache: return "cache_bandwidth";
    }
    return "";
}

Ceilings measured_ceilings() {
    Ceilings out;
    out.peak_flops = peak_flops(1);
    out.memory_bandwidth = copy_bandwidth(beyond_caches, 1);
    out.cache_bandwidth = copy_bandwidth(in_cache, 1);
    return out;
}

double peak_flops(int threads) {
    const auto work = __builtin_cpu_supports("avx512f") ? avx512_work : __builtin_cpu_supports("fma") ? avx2_work : plain_work;
    WorkerPool pool(threads);
    const double count = work() * threads;
    return count / least_seconds([&] { pool.parallel_for(threads, [&](int) { work(); }); }, 0.1);
}

double copy_bandwidth(std::size_t bytes, int threads) {
    const std::size_t half = bytes / 2 / 4096 * 4096;
    // Whole pages apart: where a copy's target begins 16 bytes further into its page than its source, `rep movsb` of a Zen 3 takes twenty
    // times as long.
    std::vector<char> both(2 * half, 1);
    const char* from = both.data();
    char* to = both.data() + half;
    WorkerPool pool(threads);
    const auto in_pieces = [&](std::size_t pieces) {
        const std::size_t each = half / pieces;
        const double seconds = least_seconds([&] {
            pool.parallel_for(static_cast<int>(pieces), [&](int piece) {
                const auto at = static_cast<std::size_t>(piece) * each;
                std::memcpy(to + at, from + at, each);
            });
        }, 0.2);
        return 2.0 * static_cast<double>(each * pieces) / seconds;
    };
    // One long piece a thread, which memcpy writes past the caches; or short ones, whose lines are read before they are written, but which
    // are shared out evenly.
    const double in_few = in_pieces(static_cast<std::size_t>(threads));
    return threads == 1 ? in_few : std::max(in_few, in_pieces(std::max<std::size_t>(static_cast<std::size_t>(threads), half >> 17)));
}

} // namespace gradus
