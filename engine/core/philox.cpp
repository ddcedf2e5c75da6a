#include "engine/core/philox.hpp"

#include "engine/core/normal_paths.hpp"
#include "engine/core/portable_math.hpp"

#include <cmath>
#include <numbers>
#include <tuple>

namespace gradus {

std::pair<double, double> Philox::normal_pair(std::uint64_t i) const {
    // sqrt is exact everywhere; log, sin and cos are ours, so that every machine draws the same points.
    const double radius = std::sqrt(-2.0 * portable::log(1.0 - uniform(2 * i)));
    double sine, cosine;
    portable::sin_cos(2.0 * std::numbers::pi * uniform(2 * i + 1), sine, cosine);
    return {radius * cosine, radius * sine};
}

const std::vector<NormalPath>& normal_paths() {
    static const std::vector<NormalPath> list = [] {
        std::vector<NormalPath> out;
#if defined(__x86_64__)
        __builtin_cpu_init();
        const bool avx2 = __builtin_cpu_supports("avx2");
        if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"))
            out.push_back(avx512_normals());
        if (avx2) out.push_back(avx2_normals());
#endif
        std::erase_if(out, [](const NormalPath& path) { return !path.make; });
        return out;
    }();
    return list;
}

void Philox::normals(std::uint64_t first, std::span<double> out) const {
    std::size_t at = 0;
    if (first % 2 && !out.empty()) out[at++] = normal(first);
    if (!normal_paths().empty())
        for (const NormalPath& widest = normal_paths().front(); out.size() - at >= NormalPath::numbers; at += NormalPath::numbers)
            widest.make(seed_, stream_, (first + at) / 2, out.data() + at);
    for (; at + 1 < out.size(); at += 2) std::tie(out[at], out[at + 1]) = normal_pair((first + at) / 2);
    if (at < out.size()) out[at] = normal(first + at);
}

} // namespace gradus
