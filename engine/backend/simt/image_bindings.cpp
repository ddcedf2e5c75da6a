// Convolutions and pooling of images, and attention.
#include "engine/backend/simt/binding_parts.hpp"
#include "engine/core/window2d.hpp"

namespace gradus::simt {

namespace {

/// x (N, C, H, W) and y (N, O, H', W') under a square window that moves alike in both directions, without dilation and groups.
std::optional<Problem> convolution(const GradusArray& x, const GradusArray& y, std::int64_t kernel_h, std::int64_t kernel_w,
                                   const GradusCall& call) {
    const Window2d w = Window2d::from(call.attributes);
    const bool square = kernel_h == kernel_w && w.stride_h == w.stride_w && w.padding_h == w.padding_w;
    if (x.rank != 4 || y.rank != 4 || !square || w.dilation_h != 1 || w.dilation_w != 1 || w.groups != 1) return std::nullopt;
    if (!of_sizes({{"N", x.sizes[0]},
                   {"C", x.sizes[1]},
                   {"H", x.sizes[2]},
                   {"W", x.sizes[3]},
                   {"O", y.sizes[1]},
                   {"kernel", kernel_h},
                   {"stride", w.stride_h}}))
        return std::nullopt;
    return Problem{{"N", x.sizes[0]}, {"C", x.sizes[1]},    {"H", x.sizes[2]},      {"W", x.sizes[3]},
                   {"O", y.sizes[1]}, {"kernel", kernel_h}, {"stride", w.stride_h}, {"padding", w.padding_h}};
}

std::optional<Problem> forward(const GradusCall& call) {
    if (call.inputs[1].rank != 4) return std::nullopt;
    return convolution(call.inputs[0], call.outputs[0], call.inputs[1].sizes[2], call.inputs[1].sizes[3], call);
}
/// (∂y, w) -> ∂x.
std::optional<Problem> input_gradient(const GradusCall& call) {
    if (call.inputs[1].rank != 4) return std::nullopt;
    return convolution(call.outputs[0], call.inputs[0], call.inputs[1].sizes[2], call.inputs[1].sizes[3], call);
}
/// (∂y, x) -> ∂w.
std::optional<Problem> weight_gradient(const GradusCall& call) {
    if (call.outputs[0].rank != 4) return std::nullopt;
    return convolution(call.inputs[1], call.inputs[0], call.outputs[0].sizes[2], call.outputs[0].sizes[3], call);
}

/// x (N, C, H, W) under a square window, as its columns.
std::optional<Problem> columns(const GradusCall& call) {
    const Window2d w = Window2d::from(call.attributes);
    const GradusArray& x = call.inputs[0];
    const bool square = w.kernel_h == w.kernel_w && w.stride_h == w.stride_w && w.padding_h == w.padding_w;
    if (x.rank != 4 || !square || w.dilation_h != 1 || w.dilation_w != 1 || elements(call.outputs[0]) == 0) return std::nullopt;
    if (!of_sizes({{"N", x.sizes[0]}, {"C", x.sizes[1]}, {"H", x.sizes[2]}, {"W", x.sizes[3]}, {"kernel", w.kernel_h}, {"stride", w.stride_h}}))
        return std::nullopt;
    return Problem{{"N", x.sizes[0]},      {"C", x.sizes[1]},      {"H", x.sizes[2]},       {"W", x.sizes[3]},
                   {"kernel", w.kernel_h}, {"stride", w.stride_h}, {"padding", w.padding_h}};
}

/// Windows of 2 × 2 side by side.
std::optional<Problem> pairs(const GradusCall& call) {
    const Window2d w = Window2d::from(call.attributes);
    const GradusArray& x = call.inputs[0];
    const bool fits = w.kernel_h == 2 && w.kernel_w == 2 && w.stride_h == 2 && w.stride_w == 2 && w.padding_h == 0 && w.padding_w == 0 &&
                      w.dilation_h == 1 && w.dilation_w == 1;
    if (x.rank != 4 || !fits || x.sizes[2] < 2 || x.sizes[3] < 2) return std::nullopt;
    return of_sizes({{"planes", x.sizes[0] * x.sizes[1]}, {"H", x.sizes[2]}, {"W", x.sizes[3]}});
}

/// q, k, v (B, H, T, D) of one shape, scores divided by √D. The fused rungs are written for two sizes of a head.
std::optional<Problem> attention(const GradusCall& call) {
    const GradusArray &q = call.inputs[0], &k = call.inputs[1];
    if (q.rank != 4 || k.rank != 4 || call.attributes[1] != 0 || (q.sizes[3] != 32 && q.sizes[3] != 64)) return std::nullopt;
    for (int axis = 0; axis < 4; ++axis)
        if (q.sizes[axis] != k.sizes[axis]) return std::nullopt;
    if (!of_sizes({{"BH", q.sizes[0] * q.sizes[1]}, {"T", q.sizes[2]}, {"D", q.sizes[3]}})) return std::nullopt;
    return Problem{{"BH", q.sizes[0] * q.sizes[1]}, {"T", q.sizes[2]}, {"D", q.sizes[3]}, {"causal", call.attributes[0] != 0 ? 1 : 0}};
}

Binding convolution(const char* op, const char* ladder, const char* rung, std::vector<const char*> inputs, const char* output,
                    std::optional<Problem> (*problem)(const GradusCall&), const char* zero = "") {
    return {.op = op, .ladder = ladder, .rung = rung, .inputs = std::move(inputs), .outputs = {output}, .problem = problem, .bound = 2e-6, .zero = zero};
}

} // namespace

std::vector<Binding> image_bindings() {
    return {
        convolution("conv2d", "conv2d", "1_direct", {"x", "weight", "b"}, "y", forward),
        convolution("conv2d", "conv2d", "1_direct", {"x", "weight"}, "y", forward, "b"),
        convolution("conv2d_direct", "conv2d", "1_direct", {"x", "weight", "b"}, "y", forward),
        convolution("conv2d_direct", "conv2d", "1_direct", {"x", "weight"}, "y", forward, "b"),
        convolution("conv2d_backward_input", "conv2d_backward_input", "1_direct", {"dy", "weight"}, "dx", input_gradient),
        convolution("conv2d_direct_backward_input", "conv2d_backward_input", "1_direct", {"dy", "weight"}, "dx", input_gradient),
        convolution("conv2d_backward_weight", "conv2d_backward_weights", "1_direct", {"dy", "x"}, "dweight", weight_gradient),
        convolution("conv2d_direct_backward_weight", "conv2d_backward_weights", "1_direct", {"dy", "x"}, "dweight", weight_gradient),
        {.op = "im2col", .ladder = "im2col", .rung = "1_naive", .inputs = {"x"}, .outputs = {"y"}, .problem = columns},
        {.op = "max_pool2d", .ladder = "max_pool2d", .rung = "1_naive", .inputs = {"x"}, .outputs = {"y", "switches"}, .problem = pairs},
        {.op = "avg_pool2d", .ladder = "avg_pool2d", .rung = "1_naive", .inputs = {"x"}, .outputs = {"y"}, .problem = pairs, .bound = 3e-7},
        {.op = "flash_attention",
         .ladder = "attention",
         .rung = "1_naive",
         .inputs = {"Q", "K", "V"},
         .outputs = {"O", "L"},
         .problem = attention,
         .bound = 1e-6},
        {.op = "flash_attention_backward",
         .ladder = "attention_backward",
         .rung = "1_naive",
         .inputs = {"Q", "K", "V", "", "", "dO"}, // makes o and L anew
         .outputs = {"dQ", "dK", "dV"},
         .problem = attention,
         .bound = 2e-6},
    };
}

} // namespace gradus::simt
