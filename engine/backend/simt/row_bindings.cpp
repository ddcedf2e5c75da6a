// Sums, softmax, losses, their gradients and shares, and normalisation of rows.
#include "engine/backend/simt/binding_parts.hpp"

namespace gradus::simt {

namespace {

std::optional<Problem> matrix(const GradusCall& call) { return call.inputs[0].rank == 2 ? rows_of_input(call) : std::nullopt; }

/// Along the last axis alone.
std::optional<Problem> along_rows(const GradusCall& call) {
    return call.inputs[0].rank >= 1 && call.attributes[0] == call.inputs[0].rank - 1 ? rows_of_input(call) : std::nullopt;
}

/// One line, from its first element to its last, each sum with its own element.
std::optional<Problem> line(const GradusCall& call) {
    const bool plain = call.attributes[0] == 0 && call.attributes[1] == 0 && call.attributes[2] == 0;
    return call.inputs[0].rank == 1 && plain ? n_of_input(call) : std::nullopt;
}

/// x (N, C, …).
std::optional<Problem> channels(const GradusCall& call) {
    const GradusArray& x = call.inputs[0];
    if (x.rank < 2 || x.sizes[0] < 1 || x.sizes[1] < 1) return std::nullopt;
    return of_sizes({{"N", x.sizes[0]}, {"C", x.sizes[1]}, {"S", elements(x) / x.sizes[0] / x.sizes[1]}});
}

std::vector<float> eps(const GradusCall& call) { return {number(call, 0)}; }

} // namespace

std::vector<Binding> row_bindings() {
    const auto loss = [](const char* op, const char* rung, double bound) {
        return Binding{
            .op = op, .ladder = op, .rung = rung, .inputs = {"z", "y"}, .outputs = {"p", "L"}, .problem = n_of_input, .bound = bound};
    };
    return {
        {.op = "sum_rows", .ladder = "sum_rows", .rung = "1_naive", .inputs = {"x"}, .outputs = {"y"}, .problem = matrix},
        {.op = "softmax", .ladder = "softmax", .rung = "1_naive", .inputs = {"x"}, .outputs = {"y"}, .problem = matrix, .bound = 1e-6},
        {.op = "softmax_along",
         .ladder = "softmax",
         .rung = "1_naive",
         .inputs = {"x"},
         .outputs = {"y"},
         .problem = along_rows,
         .bound = 1e-6},
        {.op = "softmax_cross_entropy",
         .ladder = "softmax_cross_entropy",
         .rung = "1_naive",
         .inputs = {"z", "label"},
         .outputs = {"p", "L"},
         .problem = logits,
         .index = 1,
         .below = "C",
         .bound = 1e-6},
        {.op = "softmax_cross_entropy_backward",
         .ladder = "softmax_cross_entropy_backward",
         .rung = "1_naive",
         .inputs = {"p", "label"},
         .outputs = {"dz"},
         .problem = logits,
         .index = 1,
         .below = "C"},
        loss("binary_cross_entropy", "2_block", 5e-7),
        {.op = "binary_cross_entropy_backward",
         .ladder = "binary_cross_entropy_backward",
         .rung = "2_vectorised",
         .inputs = {"p", "y"},
         .outputs = {"dz"},
         .problem = n_of_input},
        {.op = "mean_squared_error",
         .ladder = "mean_squared_error",
         .rung = "1_naive",
         .inputs = {"z", "y"},
         .outputs = {"L"},
         .problem = n_of_input},
        {.op = "mean_squared_error_backward",
         .ladder = "mean_squared_error_backward",
         .rung = "2_vectorised",
         .inputs = {"z", "y"},
         .outputs = {"dz"},
         .problem = n_of_input},
        {.op = "accuracy",
         .ladder = "accuracy",
         .rung = "2_block",
         .inputs = {"z", "label"},
         .outputs = {"share"},
         .problem = logits,
         .index = 1,
         .below = "C"},
        {.op = "one_hot_accuracy",
         .ladder = "one_hot_accuracy",
         .rung = "1_block",
         .inputs = {"z", "y"},
         .outputs = {"share"},
         .problem = logits},
        {.op = "binary_accuracy",
         .ladder = "binary_accuracy",
         .rung = "1_block",
         .inputs = {"z", "y"},
         .outputs = {"share"},
         .problem = n_of_input,
         .numbers = eps},
        {.op = "layer_norm",
         .ladder = "layernorm",
         .rung = "3_block",
         .inputs = {"x", "gamma", "beta"},
         .outputs = {"y", "mean", "rstd"},
         .problem = rows_of_input,
         .numbers = eps,
         .bound = 1e-6},
        {.op = "rms_norm",
         .ladder = "rmsnorm",
         .rung = "2_warp",
         .inputs = {"x", "gamma"},
         .outputs = {"y", "rrms"},
         .problem = rows_of_input,
         .numbers = eps,
         .bound = 1e-6},
        {.op = "layer_norm_backward",
         .ladder = "layernorm_backward",
         .rung = "1_naive",
         .inputs = {"dy", "x", "gamma", "mean", "rstd"},
         .outputs = {"dx", "dgamma", "dbeta"},
         .problem = rows_of_input,
         .bound = 2e-6},
        {.op = "rms_norm_backward",
         .ladder = "rmsnorm_backward",
         .rung = "1_naive",
         .inputs = {"dy", "x", "gamma", "rrms"},
         .outputs = {"dx", "dgamma"},
         .problem = rows_of_input,
         .bound = 2e-6},
        {.op = "batch_norm_inference",
         .ladder = "batch_norm_inference",
         .rung = "1_naive",
         .inputs = {"x", "gamma", "beta", "mean", "variance"},
         .outputs = {"y"},
         .problem = channels,
         .numbers = eps,
         .bound = 5e-7},
        {.op = "prefix_scan",
         .ladder = "prefix_scan",
         .rung = "4_shuffle",
         .inputs = {"x"},
         .outputs = {"y"},
         .problem = line,
         .bound = 2e-6},
    };
}

} // namespace gradus::simt
