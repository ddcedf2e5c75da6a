#include "engine/kernels/selective_scan/ladder.hpp"

#include <string>

namespace gradus::selective_scan {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

struct Shape {
    int batch, channels, states, T;
};

Shape shape_of(const Problem& problem) {
    const auto dim = [&](const char* name) { return static_cast<int>(problem.at(name)); };
    return {dim("batch"), dim("channels"), dim("states"), dim("T")};
}

KernelPlan naive(const Problem& problem, Dim3 block) {
    const auto [batch, channels, states, T] = shape_of(problem);
    return {{{.name = "h", .sizes = {batch, channels, states}, .fill = KernelBuffer::Fill::garbage}},
            {{"selective_scan_naive", {pieces(batch * channels, block.x)}, block, 0,
              {"x", "delta", "A_log", "B", "C", "skip", "h", "y", batch, channels, states, T}}}};
}

/// So many channels for each block.
KernelPlan over_channels(const std::string& kernel, const Problem& problem, Dim3 block, int channels_per_block) {
    const auto [batch, channels, states, T] = shape_of(problem);
    return {{}, {{kernel + "<" + std::to_string(states) + ">", {pieces(batch * channels, channels_per_block)}, block, 0,
                  {"x", "delta", "A_log", "B", "C", "skip", "y", batch, channels, T}}}};
}

/// Each step rounds a state by half a unit in the last place or two, and steps long ago fade; the decay of one is off by up to |delta · A| · 2⁻²³,
/// up to 1e-6. The output adds up 16 states; the rest is for a y of very few elements, whose terms may nearly cancel.
constexpr double tolerance = 3e-6;

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "selective_scan",
                  .title = "Selective scan (Mamba)",
                  .sizes = {{"batch", 2, {1, 3}}, {"channels", 64, {1, 5, 33}}, {"states", 16, {1, 8}}, {"T", 128, {1, 7, 33, 100}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t batch = problem.at("batch"), channels = problem.at("channels"), states = problem.at("states"), T = problem.at("T");
        return {{.name = "x", .sizes = {batch, channels, T}},
                {.name = "delta", .sizes = {batch, channels, T}, .fill = KernelBuffer::Fill::uniform},
                {.name = "A_log", .sizes = {channels, states}},
                {.name = "B", .sizes = {batch, states, T}},
                {.name = "C", .sizes = {batch, states, T}},
                {.name = "skip", .sizes = {channels}},
                {.name = "y", .sizes = {batch, channels, T}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "A thread for each channel, its state in memory", {{32}, {64}, {100}, {128}, {1024}}, naive,
         tolerance, 75, {{"x", load, sectors_per_request, 32}, {"delta", load, sectors_per_request, 32}, {"A_log", load, sectors_per_request, 32}, {"h", load, sectors_per_request, 32},
                         {"h", store, sectors_per_request, 32}, {"y", store, sectors_per_request, 32}, {"skip", load, sectors_per_request, 4},
                         {"B", load, sectors_per_request, 1}, {"C", load, sectors_per_request, 1}}},
        {"2_registers", "The state in registers", {{32}, {64}, {100}, {128}, {1024}},
         [](const Problem& problem, Dim3 block) { return over_channels("selective_scan_registers", problem, block, block.x); },
         tolerance, 75, {{"x", load, sectors_per_request, 32}, {"delta", load, sectors_per_request, 32}, {"A_log", load, sectors_per_request, 32}, {"y", store, sectors_per_request, 32},
                         {"skip", load, sectors_per_request, 4}, {"B", load, sectors_per_request, 1}, {"C", load, sectors_per_request, 1}}},
        {"3_warp_scan", "32 steps at once", {{32, 4}, {32, 1}, {32, 3}, {32, 32}},
         [](const Problem& problem, Dim3 block) { return over_channels("selective_scan_warp_scan", problem, block, block.y); },
         tolerance, 75, {{"x", load, sectors_per_request, 4}, {"delta", load, sectors_per_request, 4}, {"A_log", load, sectors_per_request, 1}, {"y", store, sectors_per_request, 4},
                         {"skip", load, sectors_per_request, 1}, {"B", load, sectors_per_request, 4}, {"C", load, sectors_per_request, 4}}},
    };
    return ladder;
}

} // namespace gradus::selective_scan
