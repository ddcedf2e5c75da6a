// Fills a Path with the functions of one ISA path. Included once per path, after product.hpp and elementwise.hpp.
#pragma once

namespace gradus::GRADUS_MATH_NAMESPACE {

template <class T> static constexpr cpu::PathOf<T> functions() {
    return {
        .product = product<T>,
        .add_bias = add_bias<T>,
        .sum_rows = sum_rows<T>,
        .relu = relu<T>,
        .relu_backward = relu_backward<T>,
        .tanh = tanh_range<T>,
        .tanh_backward = tanh_backward<T>,
        .sigmoid = sigmoid_range<T>,
        .sigmoid_backward = sigmoid_backward<T>,
        .gelu = gelu<T>,
        .gelu_backward = gelu_backward<T>,
        .silu = silu<T>,
        .silu_backward = silu_backward<T>,
        .step = step<T>,
        .step_backward = step_backward<T>,
        .softmax_cross_entropy = softmax_cross_entropy<T>,
        .softmax_cross_entropy_backward = softmax_cross_entropy_backward<T>,
        .binary_cross_entropy = binary_cross_entropy<T>,
        .binary_cross_entropy_backward = binary_cross_entropy_backward<T>,
        .mean_squared_error = mean_squared_error<T>,
        .mean_squared_error_backward = mean_squared_error_backward<T>,
        .softmax = softmax<T>,
        .softmax_backward = softmax_backward<T>,
        .cross_entropy = cross_entropy<T>,
        .cross_entropy_backward = cross_entropy_backward<T>,
        .sgd = sgd<T>,
        .momentum = momentum<T>,
        .stream = stream_copy<T>,
        .scale_bytes = scale_bytes<T>,
        .elementwise = elementwise_loops<T>(),
        .reduce = reduce_functions<T>(),
        .attention = {attention_forward<T>, attention_query_gradient<T>, attention_key_gradient<T>, attention_gradients<T>},
        .update = {momentum_lr<T>, nesterov<T>, rmsprop<T>, adam<T>, add_share<T>, sum_of_squares<T>},
        .norms = norm_loops<T>(),
        .softmax_loops = {softmax_lines<T>, softmax_lines_backward<T>, log_softmax_lines<T>, log_softmax_lines_backward<T>,
                          cross_entropy_lines<T>, cross_entropy_lines_backward<T>},
        .element_loss_loops = {bce<T>, bce_backward<T>, bce_target_backward<T>, kl_div<T>, kl_div_backward<T>,
                               kl_div_target_backward<T>, smooth_l1<T>, smooth_l1_backward<T>},
        .windows = window_loops<T>(),
    };
}

} // namespace gradus::GRADUS_MATH_NAMESPACE
