#include "engine/kernels/prefix_scan/ladder.hpp"

#include <string>

namespace gradus::prefix_scan {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

/// Scans so many elements of `from` into `to`, and the blocks' sums in the same way, where there are several.
void add_scan(KernelPlan& plan, const std::string& kernel, Dim3 block, int elements, std::int64_t shared_bytes, const std::string& from,
              const std::string& to, int n, const std::string& level) {
    const int blocks = pieces(n, elements);
    const std::string sums = "block_sums" + level, scanned = "scanned_sums" + level;
    plan.scratch.push_back({.name = sums, .sizes = {blocks}, .fill = KernelBuffer::Fill::garbage});
    plan.steps.push_back({kernel, {blocks}, block, shared_bytes, {from, to, sums, n}});
    if (blocks == 1) return;
    plan.scratch.push_back({.name = scanned, .sizes = {blocks}, .fill = KernelBuffer::Fill::garbage});
    add_scan(plan, kernel, block, elements, shared_bytes, sums, scanned, blocks, level + "_of_sums");
    plan.steps.push_back({kernel + "_add", {pieces(n, block.x)}, block, 0, {to, scanned, n, elements}});
}

KernelPlan scan(const char* kernel, const Problem& problem, Dim3 block, int elements, std::int64_t shared_bytes) {
    KernelPlan plan;
    add_scan(plan, kernel, block, elements, shared_bytes, "x", "y", static_cast<int>(problem.at("n")), "");
    return plan;
}

/// All terms are positive, so that each rounding an element goes through costs at most 2⁻²⁴ of its value. They are the most for the trees
/// and the smallest blocks: 64 elements of 6 levels up and 6 down, one more to be inclusive and one for the blocks on the left; 65,536
/// elements need three such levels of blocks: 42 · 2⁻²⁴ = 2.5e-6.
constexpr double tolerance = 3e-6;

} // namespace

/// Expected counters: with 65,536 elements and 256 for each block the second launch has one block, as full as those of the first.
Ladder ladder() {
    Ladder ladder{.id = "prefix_scan", .title = "Prefix sum", .sizes = {{"n", 65536, {1, 31, 257, 1000, 4099}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t n = problem.at("n");
        return {{.name = "x", .sizes = {n}, .fill = KernelBuffer::Fill::uniform},
                {.name = "y", .sizes = {n}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_hillis_steele", "Twice as far in each step", {{256}, {64}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return scan("prefix_scan_hillis_steele", problem, block, block.x, 4 * block.x); },
         tolerance, 75, {{"x", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 4}, {"y", load, sectors_per_request, 4},
                         {"block_sums", store, sectors_per_request, 1}, {"block_sums", load, sectors_per_request, 4},
                         {"scanned_sums", store, sectors_per_request, 4}, {"scanned_sums", load, sectors_per_request, 1},
                         {"scan", load, wavefronts_per_request, 1}, {"scan", store, wavefronts_per_request, 1}}},
        {"2_blelloch", "Up a tree and down again", {{128}, {32}, {64}, {256}, {1024}},
         [](const Problem& problem, Dim3 block) { return scan("prefix_scan_blelloch", problem, block, 2 * block.x, 8 * block.x); },
         tolerance, 75, {{"x", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 4}, {"y", load, sectors_per_request, 4},
                         {"block_sums", store, sectors_per_request, 1}, {"block_sums", load, sectors_per_request, 4},
                         {"scanned_sums", store, sectors_per_request, 4}, {"scanned_sums", load, sectors_per_request, 1},
                         {"scan", load, wavefronts_per_request, 197.0 / 57}, {"scan", store, wavefronts_per_request, 150.0 / 45}}},
        {"3_padded", "A word of padding after every 32", {{128}, {32}, {64}, {256}, {1024}},
         [](const Problem& problem, Dim3 block) { return scan("prefix_scan_padded", problem, block, 2 * block.x, 8 * block.x + block.x / 4); },
         tolerance, 75, {{"x", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 4}, {"y", load, sectors_per_request, 4},
                         {"block_sums", store, sectors_per_request, 1}, {"block_sums", load, sectors_per_request, 4},
                         {"scanned_sums", store, sectors_per_request, 4}, {"scanned_sums", load, sectors_per_request, 1},
                         {"scan", load, wavefronts_per_request, 1}, {"scan", store, wavefronts_per_request, 1}}},
        {"4_shuffle", "Through registers, by shuffles", {{256}, {64}, {96}, {128}, {1024}},
         [](const Problem& problem, Dim3 block) { return scan("prefix_scan_shuffle", problem, block, block.x, 0); },
         tolerance, 75, {{"x", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 4}, {"y", load, sectors_per_request, 4},
                         {"block_sums", store, sectors_per_request, 1}, {"block_sums", load, sectors_per_request, 4},
                         {"scanned_sums", store, sectors_per_request, 4}, {"scanned_sums", load, sectors_per_request, 1},
                         {"warp_sums", load, wavefronts_per_request, 1}, {"warp_sums", store, wavefronts_per_request, 1}}},
    };
    return ladder;
}

} // namespace gradus::prefix_scan
