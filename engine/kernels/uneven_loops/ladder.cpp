#include "engine/kernels/uneven_loops/ladder.hpp"

namespace gradus::uneven_loops {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

constexpr int longest = 64; ///< lengths are below; as in 2_sorted.cu

KernelPlan direct(const Problem& problem, Dim3 block) {
    const int n = static_cast<int>(problem.at("n"));
    return {{}, {{"uneven_loops_direct", {pieces(n, block.x)}, block, 0, {"x", "lengths", "y", n}}}};
}

KernelPlan sorted(const Problem& problem, Dim3 block) {
    const int n = static_cast<int>(problem.at("n"));
    const Dim3 grid{pieces(n, block.x)};
    const auto whole = [](const char* name, std::int64_t count) {
        return KernelBuffer{.name = name, .type = ElementType::i32, .sizes = {count}, .fill = KernelBuffer::Fill::garbage};
    };
    return {{whole("counts", longest), whole("starts", longest), whole("order", n)},
            {{"uneven_loops_sorted_clear", {1}, {longest}, 0, {"counts"}},
             {"uneven_loops_sorted_count", grid, block, 0, {"lengths", "counts", n}},
             {"uneven_loops_sorted_starts", {1}, {1}, 0, {"counts", "starts"}},
             {"uneven_loops_sorted_place", grid, block, 0, {"lengths", "starts", "order", n}},
             {"uneven_loops_sorted", grid, block, 0, {"x", "lengths", "order", "y", n}}}};
}

/// All numbers are positive and grow towards 1. A round's rounding, of at most 2⁻²⁴ of the value, shrinks to 3/4 with each further one:
/// together at most four times 2⁻²⁴.
constexpr double tolerance = 2.5e-7;

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "uneven_loops", .title = "Loops of uneven lengths", .sizes = {{"n", 16384, {1, 31, 257, 1000}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t n = problem.at("n");
        return {{.name = "x", .sizes = {n}, .fill = KernelBuffer::Fill::uniform},
                {.name = "lengths", .type = ElementType::i32, .sizes = {n}, .fill = KernelBuffer::Fill::index, .scale = longest},
                {.name = "y", .sizes = {n}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_direct", "As many rounds as the element takes", {{256}, {32}, {100}, {512}, {1024}}, direct,
         tolerance, 75, {{"x", load, sectors_per_request, 4}, {"lengths", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 4},
                         {"x", load, requests, 512}}},
        {"2_sorted", "Sorted by length", {{256}, {32}, {100}, {512}, {1024}}, sorted,
         tolerance, 75, {{"order", load, sectors_per_request, 4}, {"x", load, requests, 512}, {"y", store, requests, 512},
                         {"counts", atomic, requests, 512}, {"starts", atomic, requests, 512}, {"counts", store, sectors_per_request, 4}}},
    };
    return ladder;
}

} // namespace gradus::uneven_loops
