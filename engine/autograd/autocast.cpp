#include "engine/autograd/autocast.hpp"

#include <algorithm>

namespace gradus {

namespace {

using enum AutocastRule;

constexpr AutocastEntry table[] = {
    // torch: matmul, mm, bmm, addmm, linear, conv2d, conv_transpose2d, scaled_dot_product_attention
    {"matmul", low},
    {"batched_matmul", low},
    {"grouped_matmul", low},
    {"add_bias", low}, // the rest of addmm; Projection's bias takes its product's type
    {"conv2d", low},
    {"conv2d_direct", low},
    {"conv_transpose2d", low},
    {"flash_attention", low},

    // torch: exp, log, pow, reciprocal, softmax, log_softmax, layer_norm, rms_norm, group_norm, sum, prod, cumsum, var, norm, losses
    {"exp", fp32},
    {"log", fp32},
    {"power", fp32},
    {"power_tensor", fp32},
    {"reciprocal", fp32},
    {"softmax", fp32},
    {"softmax_along", fp32},
    {"log_softmax", fp32},
    {"layer_norm", fp32},
    {"add_layer_norm", fp32},
    {"rms_norm", fp32},
    {"add_rms_norm", fp32},
    {"group_norm", fp32},
    {"sum", fp32},
    {"sum_rows", fp32},
    {"sum_to", fp32},
    {"cumsum", fp32},
    {"prefix_scan", fp32},
    {"var", fp32},
    {"global_norm", fp32},
    {"softmax_cross_entropy", fp32},
    {"cross_entropy_with_logits", fp32},
    {"cross_entropy", fp32},
    {"nll_loss", fp32},
    {"kl_div", fp32},
    {"mean_squared_error", fp32},
    {"l1_loss", fp32},
    {"smooth_l1_loss", fp32},
    {"binary_cross_entropy", fp32},
    {"bce", fp32},
    {"quadratic", fp32},

    // torch: promoted, as its type promotion does it for operands that differ
    {"add", widest},
    {"subtract", widest},
    {"multiply", widest},
    {"divide", widest},
    {"maximum", widest},
    {"minimum", widest},
    {"equal", widest},
    {"not_equal", widest},
    {"less", widest},
    {"less_equal", widest},
    {"greater", widest},
    {"greater_equal", widest},
    {"where", widest},
    {"concat", widest},
    {"scatter", widest},
    {"scatter_add", widest},
    {"bias_relu", widest},
    {"bias_gelu", widest},
    {"bias_gelu_tanh", widest},
    {"accumulate", widest},
    {"one_hot_accuracy", widest},
    {"binary_accuracy", widest},

    // torch: not listed, one floating operand (batch_norm: fp32 weights and statistics beside a 16-bit x)
    {"batch_norm", keep},
    {"batch_norm_inference", keep},
    {"relu", keep},
    {"tanh", keep},
    {"sigmoid", keep},
    {"gelu", keep},
    {"gelu_tanh", keep},
    {"silu", keep},
    {"step", keep},
    {"leaky_relu", keep},
    {"negate", keep},
    {"sqrt", keep},
    {"abs", keep},
    {"clamp", keep},
    {"scale", keep},
    {"causal_mask", keep},
    {"rope", keep},
    {"dropout", keep},
    {"embedding", keep},
    {"mean", keep},
    {"max", keep},
    {"min", keep},
    {"argmax", keep},
    {"argmin", keep},
    {"sort", keep},
    {"top_k", keep},
    {"gather", keep},
    {"gather_along", keep},
    {"index_select", keep},
    {"one_hot", keep},
    {"max_pool2d", keep},
    {"avg_pool2d", keep},
    {"global_avg_pool", keep},
    {"im2col", keep},
    {"col2im", keep},
    {"reshape", keep},
    {"transpose", keep},
    {"permute", keep},
    {"slice", keep},
    {"slice_backward", keep},
    {"expand", keep},
    {"contiguous", keep},
    {"split", keep},
    {"cast", keep},
    {"accuracy", keep},

    // of the update: on fp32 master weights, never under autocast
    {"sgd", keep},
    {"momentum", keep},
    {"momentum_lr", keep},
    {"nesterov", keep},
    {"rmsprop", keep},
    {"adam", keep},
    {"adamw", keep},
    {"count_step", keep},
    {"l2_gradient", keep},
    {"clip_by_norm", keep},
    {"has_non_finite", keep},
    {"unscale", keep},
    {"update_loss_scale", keep},
};

} // namespace

std::string_view name_of(AutocastRule rule) {
    switch (rule) {
    case low: return "low";
    case fp32: return "fp32";
    case widest: return "widest";
    case keep: return "keep";
    }
    return "?";
}

std::span<const AutocastEntry> autocast_table() { return table; }

AutocastRule autocast_rule(std::string_view op) {
    const auto found =
        std::find_if(std::begin(table), std::end(table), [&](const AutocastEntry& entry) { return entry.op == op; });
    return found == std::end(table) ? keep : found->rule;
}

DType wider(DType a, DType b) {
    if (a == b) return a;
    if (a == DType::f64 || b == DType::f64) return DType::f64;
    return DType::f32;
}

DType type_under(AutocastRule rule, DType input, DType low_type, DType widest_type) {
    if (!is_floating(input) || input == DType::f64) return input;
    switch (rule) {
    case low: return low_type;
    case fp32: return DType::f32;
    case widest: return widest_type;
    case keep: return input;
    }
    return input;
}

} // namespace gradus
