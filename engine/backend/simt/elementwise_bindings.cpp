// What is computed element by element, and what moves elements. Where no function beyond the basic operations is in it, its bits are the
// engine's; the others call the C library's exp, tanh and erfc where the engine has its own.
#include "engine/backend/simt/binding_parts.hpp"

namespace gradus::simt {

namespace {

/// x (B, C) and b (C).
std::optional<Problem> rows_and_vector(const GradusCall& call) {
    return call.inputs[0].rank == 2 && call.inputs[1].rank == 1 ? rows_of_input(call) : std::nullopt;
}

/// The rows that an index names: x (V, …), index (T).
std::optional<Problem> picked_rows(const GradusCall& call) {
    const GradusArray& x = call.inputs[0];
    if (x.rank < 1 || x.sizes[0] < 1) return std::nullopt;
    return of_sizes({{"V", x.sizes[0]}, {"T", elements(call.inputs[1])}, {"C", elements(x) / x.sizes[0]}});
}
/// The entries that an index names: x (V), index (n).
std::optional<Problem> picked_entries(const GradusCall& call) {
    return call.inputs[0].rank == 1 ? of_sizes({{"V", elements(call.inputs[0])}, {"n", elements(call.inputs[1])}}) : std::nullopt;
}
/// y (rows, columns) from an x whose transpose lies in memory row by row, as the ladder's x (columns, rows).
std::optional<Problem> turned(const GradusCall& call) {
    return call.outputs[0].rank == 2 ? of_sizes({{"rows", call.outputs[0].sizes[1]}, {"columns", call.outputs[0].sizes[0]}}) : std::nullopt;
}

/// (∂y, index) -> ∂table (V, C), without a row that is passed over.
std::optional<Problem> rows_to_sum(const GradusCall& call) {
    if (call.attributes[0] != 0 || call.outputs[0].rank != 2) return std::nullopt;
    return of_sizes({{"V", call.outputs[0].sizes[0]}, {"T", elements(call.inputs[1])}, {"C", call.outputs[0].sizes[1]}});
}

/// One shape for all: an operand that is stretched to the others' has fewer elements than its buffer, and is refused.
Binding of_x(const char* op, const char* ladder, const char* rung, double bound = 0) {
    return {.op = op, .ladder = ladder, .rung = rung, .inputs = {"x"}, .outputs = {"y"}, .problem = n_of_output, .bound = bound};
}
/// Gradients, by the names of what they read.
Binding slope(const char* op, const char* ladder, const char* rung, const char* first, const char* second, double bound = 0) {
    return {.op = op, .ladder = ladder, .rung = rung, .inputs = {first, second}, .outputs = {"dx"}, .problem = n_of_output, .bound = bound};
}

std::vector<float> scale(const GradusCall& call) { return {number(call, 0)}; }

} // namespace

std::vector<Binding> elementwise_bindings() {
    return {
        of_x("relu", "activation_relu", "3_vectorised"),
        of_x("step", "activation_step", "2_vectorised"),
        of_x("tanh", "activation_tanh", "1_naive", 3e-7),
        of_x("sigmoid", "activation_sigmoid", "1_naive", 3e-7),
        of_x("silu", "activation_silu", "1_naive", 3e-7),
        of_x("gelu", "activation_gelu", "1_naive", 5e-7),
        of_x("gelu_tanh", "activation_gelu_tanh", "1_naive", 5e-7),
        slope("relu_backward", "activation_relu_backward", "1_naive", "x", "dy"), // y is positive where x is
        slope("step_backward", "activation_step_backward", "2_vectorised", "y", "dy"),
        slope("tanh_backward", "activation_tanh_backward_of_y", "2_vectorised", "y", "dy"),
        slope("sigmoid_backward", "activation_sigmoid_backward_of_y", "2_vectorised", "y", "dy"),
        slope("silu_backward", "activation_silu_backward", "1_naive", "x", "dy", 5e-7),
        slope("gelu_backward", "activation_gelu_backward", "1_naive", "x", "dy", 5e-7),
        slope("gelu_tanh_backward", "activation_gelu_tanh_backward", "1_naive", "dy", "x", 5e-7),
        {.op = "add", .ladder = "vector_add", .rung = "1_naive", .inputs = {"a", "b"}, .outputs = {"c"}, .problem = n_of_output},
        {.op = "multiply",
         .ladder = "vector_multiply",
         .rung = "2_vectorised",
         .inputs = {"a", "b"},
         .outputs = {"c"},
         .problem = n_of_output},
        {.op = "add_bias", .ladder = "bias_add", .rung = "2_many_rows", .inputs = {"x", "b"}, .outputs = {"y"}, .problem = rows_and_vector},
        {.op = "bias_gelu",
         .ladder = "bias_gelu",
         .rung = "2_fused",
         .inputs = {"x", "b"},
         .outputs = {"y"},
         .problem = rows_and_vector,
         .bound = 5e-7},
        {.op = "gather",
         .ladder = "gather_bytes",
         .rung = "1_naive",
         .inputs = {"x", "index"},
         .outputs = {"y"},
         .problem = picked_rows,
         .numbers = scale,
         .index = 1,
         .below = "V"},
        {.op = "gather",
         .ladder = "embedding",
         .rung = "1_naive",
         .inputs = {"table", "index"},
         .outputs = {"y"},
         .problem = picked_rows,
         .index = 1,
         .below = "V"},
        {.op = "gather",
         .ladder = "gather_labels",
         .rung = "1_naive",
         .inputs = {"x", "index"},
         .outputs = {"y"},
         .problem = picked_entries,
         .index = 1,
         .below = "V",
         .dtype = DType::i32},
        {.op = "embedding",
         .ladder = "embedding",
         .rung = "1_naive",
         .inputs = {"table", "index"},
         .outputs = {"y"},
         .problem = picked_rows,
         .index = 1,
         .below = "V"},
        {.op = "embedding_backward",
         .ladder = "embedding_backward",
         .rung = "2_column",
         .inputs = {"dy", "index"},
         .outputs = {"dtable"},
         .problem = rows_to_sum,
         .index = 1,
         .below = "V",
         .bound = 1e-6},
        of_x("contiguous", "copy", "1_naive"),
        {.op = "contiguous",
         .ladder = "transpose",
         .rung = "1_naive",
         .inputs = {"x"},
         .outputs = {"y"},
         .problem = turned,
         .transposes = true},
    };
}

} // namespace gradus::simt
