#include "engine/kernels/layernorm/ladder.hpp"

#include <algorithm>
#include <cmath>

namespace gradus::layernorm {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

int dim(const Problem& problem, const char* name) { return static_cast<int>(problem.at(name)); }

/// A grid of so many rows for each block.
KernelPlan over_rows(const char* kernel, const Problem& problem, Dim3 block, int rows_per_block) {
    const int rows = dim(problem, "rows"), columns = dim(problem, "columns");
    return {{}, {{kernel, {pieces(rows, rows_per_block)}, block, 0, {"x", "gamma", "beta", "y", "mean", "rstd", rows, columns, epsilon}}}};
}

KernelPlan block_per_row(const Problem& problem, Dim3 block) {
    return {{}, {{"layernorm_block", {dim(problem, "rows")}, block, 0, {"x", "gamma", "beta", "y", "mean", "rstd", dim(problem, "columns"), epsilon}}}};
}

/// A chain of 512 roundings adds up like a random walk, to about √512 · 2⁻²⁴ = 1.4e-6 of the sum, as no sum here cancels; quotient, root
/// and the last products add up to a few 2⁻²⁴ more.
constexpr int roundings = 512;
constexpr double tolerance = 2e-6;

/// The elements of a row may be nearly equal, as two of them easily are. Then the roundings of its mean are large beside the distances:
/// |mean| · rstd times as large in y, and in rstd where the mean moves while it is added up. There is one for each column (none of a single
/// one); a few add up to no more than that many, many to √512, as above.
/// ‖|mean| · rstd · factor‖₂ / ‖output‖₂ · min(columns, √512) / √512, with rstd or each column's gamma as the factor, against what it is at
/// the usual sizes: √3, for uniform numbers.
double condition(const Problem& problem, const KernelValues& values, const std::string& output) {
    const std::int64_t rows = problem.at("rows"), columns = problem.at("columns");
    if (output == "mean" || columns == 1) return 1;
    const std::vector<double>&mean = values.at("mean"), &rstd = values.at("rstd"), &gamma = values.at("gamma");
    const auto square = [](double value) { return value * value; };
    double gammas = 0, moved = 0, length = 0;
    for (std::int64_t c = 0; c < columns; ++c) gammas += square(gamma[c]);
    for (std::int64_t r = 0; r < rows; ++r) moved += square(mean[r] * rstd[r]) * (output == "rstd" ? square(rstd[r]) : gammas);
    for (const double value : values.at(output)) length += square(value);
    const double most = std::sqrt(roundings);
    return std::max(1.0, std::sqrt(moved / (3 * length)) * std::min(static_cast<double>(columns), most) / most);
}

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "layernorm", .title = "Layer normalisation", .sizes = {{"rows", 256, {1, 7, 33, 100}}, {"columns", 512, {1, 2, 31, 100, 515}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t rows = problem.at("rows"), columns = problem.at("columns");
        // Not around zero: the elements of a row might nearly cancel in its mean.
        return {{.name = "x", .sizes = {rows, columns}, .fill = KernelBuffer::Fill::uniform, .scale = 4},
                {.name = "gamma", .sizes = {columns}},
                {.name = "beta", .sizes = {columns}},
                {.name = "y", .sizes = {rows, columns}, .fill = KernelBuffer::Fill::garbage, .output = true},
                {.name = "mean", .sizes = {rows}, .fill = KernelBuffer::Fill::garbage, .output = true},
                {.name = "rstd", .sizes = {rows}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.condition = condition;
    const std::vector<Expected> by_warps = {{"x", load, sectors_per_request, 4}, {"gamma", load, sectors_per_request, 4}, {"beta", load, sectors_per_request, 4},
                                            {"y", store, sectors_per_request, 4}, {"mean", store, sectors_per_request, 1}, {"rstd", store, sectors_per_request, 1}};
    std::vector<Expected> by_blocks = by_warps;
    for (const char* parts : {"sums", "squares"})
        for (const Expected::Access access : {load, store}) by_blocks.push_back({parts, access, wavefronts_per_request, 1});
    ladder.rungs = {
        {"1_naive", "A thread for each row, three passes", {{128}, {32}, {64}, {256}, {1024}},
         [](const Problem& problem, Dim3 block) { return over_rows("layernorm_naive", problem, block, block.x); },
         tolerance, 75, {{"x", load, sectors_per_request, 32}, {"gamma", load, sectors_per_request, 1}, {"beta", load, sectors_per_request, 1},
                         {"y", store, sectors_per_request, 32}, {"mean", store, sectors_per_request, 4}, {"rstd", store, sectors_per_request, 4}}},
        {"2_warp", "A warp for each row", {{32, 8}, {32, 1}, {32, 4}, {32, 32}},
         [](const Problem& problem, Dim3 block) { return over_rows("layernorm_warp", problem, block, block.y); },
         tolerance, 75, by_warps},
        {"3_block", "A block for each row, two passes for the variance", {{256}, {32}, {64}, {128}, {96}, {1024}}, block_per_row,
         tolerance, 75, by_blocks},
        {"4_welford", "Mean and variance in one pass", {{32, 8}, {32, 1}, {32, 4}, {32, 32}},
         [](const Problem& problem, Dim3 block) { return over_rows("layernorm_welford", problem, block, block.y); },
         tolerance, 75, by_warps},
    };
    return ladder;
}

} // namespace gradus::layernorm
