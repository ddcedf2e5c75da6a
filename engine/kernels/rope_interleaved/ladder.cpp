#include "engine/kernels/rope_interleaved/ladder.hpp"

#include "engine/kernels/legal_size.hpp"

#include <string>

namespace gradus::rope_interleaved {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

struct Shape {
    int T, H, D;
};

Shape shape_of(const Problem& problem) {
    const auto size = [&](const char* name) { return static_cast<int>(problem.at(name)); };
    require_even("rope_interleaved", "D", size("D"));
    return {size("T"), size("H"), size("D")};
}

KernelPlan naive(const Problem& problem, Dim3 block) {
    const auto [T, H, D] = shape_of(problem);
    return {{}, {{"rope_interleaved_naive", {pieces(D / 2, block.x), pieces(T * H, block.y)}, block, 0, {"x", "y", T, H, D, base}}}};
}

/// The kernel, after one of the same name and "_angles" that fills its tables; a thread takes so many pairs.
KernelPlan from_table(const std::string& kernel, const Problem& problem, Dim3 block, int pairs) {
    const auto [T, H, D] = shape_of(problem);
    const auto table = [&, t = T, d = D](const char* name) {
        return KernelBuffer{.name = name, .sizes = {t, d / 2}, .fill = KernelBuffer::Fill::garbage};
    };
    return {{table("cosines"), table("sines")},
            {{kernel + "_angles", {pieces(D / 2, 32), pieces(T, 8)}, {32, 8}, 0, {"cosines", "sines", T, D, base}},
             {kernel, {pieces(D / 2, pairs * block.x), pieces(T * H, block.y)}, block, 0, {"x", "cosines", "sines", "y", T, H, D}}}};
}

/// An angle t · base^(−2i / D) is up to t radians, and off by about 2 · 2⁻²⁴ of itself, or 1.2e-5 for t = 100. Only the second and next few
/// pairs of the last tokens have such angles (that of the first pair, t itself, is exact): over a tensor it comes to a tenth.
constexpr double tolerance = 2e-6;

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "rope_interleaved",
                  .title = "Rotary position embedding, neighbours as pairs",
                  .sizes = {{"T", 64, {1, 7, 33, 100}}, {"H", 4, {1, 3}}, {"D", 64, {2, 6, 10, 128}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t T = problem.at("T"), H = problem.at("H"), D = problem.at("D");
        return {{.name = "x", .sizes = {T, H, D}}, {.name = "y", .sizes = {T, H, D}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "A thread for each pair", {{32, 8}, {16, 16}, {32, 32}, {8, 32}, {64, 4}}, naive,
         tolerance, 75, {{"x", load, sectors_per_request, 8}, {"y", store, sectors_per_request, 8}}},
        {"2_table", "Cosines and sines from a table", {{32, 8}, {16, 16}, {32, 32}, {8, 32}, {64, 4}},
         [](const Problem& problem, Dim3 block) { return from_table("rope_interleaved_table", problem, block, 1); },
         tolerance, 75, {{"x", load, sectors_per_request, 8}, {"y", store, sectors_per_request, 8}, {"cosines", store, sectors_per_request, 4}, {"cosines", load, sectors_per_request, 4},
                         {"sines", store, sectors_per_request, 4}, {"sines", load, sectors_per_request, 4}}},
        {"3_vectorised", "A pair is a float2", {{32, 8}, {16, 16}, {32, 32}, {8, 32}, {64, 4}},
         [](const Problem& problem, Dim3 block) { return from_table("rope_interleaved_vectorised", problem, block, 1); },
         tolerance, 75, {{"x", load, sectors_per_request, 8}, {"y", store, sectors_per_request, 8}, {"cosines", store, sectors_per_request, 4}, {"cosines", load, sectors_per_request, 4},
                         {"sines", store, sectors_per_request, 4}, {"sines", load, sectors_per_request, 4}}},
    };
    return ladder;
}

} // namespace gradus::rope_interleaved
