#include "engine/kernels/adamw/ladder.hpp"

#include <cmath>

namespace gradus::adamw {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

struct Shape {
    int inputs, hidden, outputs;
    int elements() const { return inputs * hidden + hidden + hidden * outputs + outputs; }
};

Shape shape_of(const Problem& problem) {
    const auto dim = [&](const char* name) { return static_cast<int>(problem.at(name)); };
    return {dim("inputs"), dim("hidden"), dim("outputs")};
}

/// What a running mean that began at 0 is too small by, after so many steps.
float correction(double beta) { return static_cast<float>(1 / (1 - std::pow(beta, step))); }

KernelPlan per_tensor(const Problem& problem, Dim3 block) {
    const auto [inputs, hidden, outputs] = shape_of(problem);
    KernelPlan plan;
    int first = 0;
    const auto tensor = [&](int n, float shrink) {
        plan.steps.push_back({"adamw_per_tensor", {pieces(n, block.x)}, block, 0,
                              {"W", "g", "m", "v", "W_next", "m_next", "v_next", first, n, lr, shrink, beta1, beta2, epsilon, correction(beta1), correction(beta2)}});
        first += n;
    };
    tensor(inputs * hidden, decay);
    tensor(hidden, 0.0f);
    tensor(hidden * outputs, decay);
    tensor(outputs, 0.0f);
    return plan;
}

KernelPlan multi_tensor(const Problem& problem, Dim3 block) {
    const Shape shape = shape_of(problem);
    constexpr int tensors = 4;
    return {{{.name = "offsets", .type = ElementType::i32, .sizes = {tensors + 1}, .fill = KernelBuffer::Fill::garbage},
             {.name = "decays", .sizes = {tensors}, .fill = KernelBuffer::Fill::garbage}},
            {{"adamw_multi_tensor_table", {1}, {1}, 0, {"offsets", "decays", shape.inputs, shape.hidden, shape.outputs, decay}},
             {"adamw_multi_tensor", {pieces(shape.elements(), block.x)}, block, 0,
              {"W", "g", "m", "v", "W_next", "m_next", "v_next", "offsets", "decays", tensors, lr, beta1, beta2, epsilon, correction(beta1), correction(beta2)}}}};
}

/// Ten roundings of half a unit in the last place at most, 6e-7, where nothing cancels.
constexpr double tolerance = 1e-6;

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "adamw", .title = "AdamW", .sizes = {{"inputs", 64, {1, 7, 100}}, {"hidden", 128, {1, 33}}, {"outputs", 32, {1, 10}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t n = shape_of(problem).elements();
        return {{.name = "W", .sizes = {n}},
                {.name = "g", .sizes = {n}},
                {.name = "m", .sizes = {n}},
                {.name = "v", .sizes = {n}, .fill = KernelBuffer::Fill::uniform},
                {.name = "W_next", .sizes = {n}, .fill = KernelBuffer::Fill::garbage, .output = true},
                {.name = "m_next", .sizes = {n}, .fill = KernelBuffer::Fill::garbage, .output = true},
                {.name = "v_next", .sizes = {n}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_per_tensor", "A launch for each tensor", {{256}, {32}, {100}, {512}, {1024}}, per_tensor,
         tolerance, 75, {{"W", load, sectors_per_request, 4}, {"g", load, sectors_per_request, 4}, {"m", load, sectors_per_request, 4}, {"v", load, sectors_per_request, 4},
                         {"W_next", store, sectors_per_request, 4}, {"m_next", store, sectors_per_request, 4}, {"v_next", store, sectors_per_request, 4}}},
        {"2_multi_tensor", "One launch for all tensors", {{256}, {32}, {100}, {512}, {1024}}, multi_tensor,
         tolerance, 75, {{"W", load, sectors_per_request, 4}, {"g", load, sectors_per_request, 4}, {"m", load, sectors_per_request, 4}, {"v", load, sectors_per_request, 4},
                         {"W_next", store, sectors_per_request, 4}, {"m_next", store, sectors_per_request, 4}, {"v_next", store, sectors_per_request, 4},
                         {"offsets", load, sectors_per_request, 1}, {"offsets", store, sectors_per_request, 1},
                         {"decays", load, sectors_per_request, 1}, {"decays", store, sectors_per_request, 1}}},
    };
    return ladder;
}

} // namespace gradus::adamw
