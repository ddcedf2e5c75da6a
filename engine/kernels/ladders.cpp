#include "engine/kernels/ladder.hpp"

#include "engine/kernels/accuracy/ladder.hpp"
#include "engine/kernels/activation_gelu/ladder.hpp"
#include "engine/kernels/activation_gelu_backward/ladder.hpp"
#include "engine/kernels/activation_gelu_tanh/ladder.hpp"
#include "engine/kernels/activation_gelu_tanh_backward/ladder.hpp"
#include "engine/kernels/activation_relu/ladder.hpp"
#include "engine/kernels/activation_relu_backward/ladder.hpp"
#include "engine/kernels/activation_sigmoid/ladder.hpp"
#include "engine/kernels/activation_sigmoid_backward/ladder.hpp"
#include "engine/kernels/activation_sigmoid_backward_of_y/ladder.hpp"
#include "engine/kernels/activation_silu/ladder.hpp"
#include "engine/kernels/activation_silu_backward/ladder.hpp"
#include "engine/kernels/activation_step/ladder.hpp"
#include "engine/kernels/activation_step_backward/ladder.hpp"
#include "engine/kernels/activation_tanh/ladder.hpp"
#include "engine/kernels/activation_tanh_backward/ladder.hpp"
#include "engine/kernels/activation_tanh_backward_of_y/ladder.hpp"
#include "engine/kernels/adam/ladder.hpp"
#include "engine/kernels/adamw/ladder.hpp"
#include "engine/kernels/attention/ladder.hpp"
#include "engine/kernels/attention_backward/ladder.hpp"
#include "engine/kernels/attention_decode/ladder.hpp"
#include "engine/kernels/attention_decode_paged/ladder.hpp"
#include "engine/kernels/avg_pool2d/ladder.hpp"
#include "engine/kernels/batch_norm/ladder.hpp"
#include "engine/kernels/batch_norm_inference/ladder.hpp"
#include "engine/kernels/batched_matmul/ladder.hpp"
#include "engine/kernels/bias_add/ladder.hpp"
#include "engine/kernels/bias_gelu/ladder.hpp"
#include "engine/kernels/binary_accuracy/ladder.hpp"
#include "engine/kernels/binary_cross_entropy/ladder.hpp"
#include "engine/kernels/binary_cross_entropy_backward/ladder.hpp"
#include "engine/kernels/branch_parity/ladder.hpp"
#include "engine/kernels/branch_switch/ladder.hpp"
#include "engine/kernels/conv2d/ladder.hpp"
#include "engine/kernels/conv2d_backward_input/ladder.hpp"
#include "engine/kernels/conv2d_backward_weights/ladder.hpp"
#include "engine/kernels/copy/ladder.hpp"
#include "engine/kernels/copy_2d/ladder.hpp"
#include "engine/kernels/count_step/ladder.hpp"
#include "engine/kernels/cross_entropy/ladder.hpp"
#include "engine/kernels/cross_entropy_backward/ladder.hpp"
#include "engine/kernels/dequantise_channel/ladder.hpp"
#include "engine/kernels/dequantise_group/ladder.hpp"
#include "engine/kernels/dequantise_tensor/ladder.hpp"
#include "engine/kernels/embedding/ladder.hpp"
#include "engine/kernels/embedding_backward/ladder.hpp"
#include "engine/kernels/fill/ladder.hpp"
#include "engine/kernels/gather_bytes/ladder.hpp"
#include "engine/kernels/gather_labels/ladder.hpp"
#include "engine/kernels/histogram/ladder.hpp"
#include "engine/kernels/im2col/ladder.hpp"
#include "engine/kernels/index_2d/ladder.hpp"
#include "engine/kernels/index_3d/ladder.hpp"
#include "engine/kernels/layernorm/ladder.hpp"
#include "engine/kernels/layernorm_backward/ladder.hpp"
#include "engine/kernels/matmul/ladder.hpp"
#include "engine/kernels/matmul_half/ladder.hpp"
#include "engine/kernels/matmul_int8/ladder.hpp"
#include "engine/kernels/matmul_int8_scaled/ladder.hpp"
#include "engine/kernels/matmul_nt/ladder.hpp"
#include "engine/kernels/matmul_tn/ladder.hpp"
#include "engine/kernels/matvec/ladder.hpp"
#include "engine/kernels/matvec_int4/ladder.hpp"
#include "engine/kernels/max_pool2d/ladder.hpp"
#include "engine/kernels/mean_squared_error/ladder.hpp"
#include "engine/kernels/mean_squared_error_backward/ladder.hpp"
#include "engine/kernels/misaligned_copy/ladder.hpp"
#include "engine/kernels/momentum/ladder.hpp"
#include "engine/kernels/one_hot_accuracy/ladder.hpp"
#include "engine/kernels/one_long_loop/ladder.hpp"
#include "engine/kernels/prefix_scan/ladder.hpp"
#include "engine/kernels/quantise/ladder.hpp"
#include "engine/kernels/reduction/ladder.hpp"
#include "engine/kernels/reverse/ladder.hpp"
#include "engine/kernels/rmsnorm/ladder.hpp"
#include "engine/kernels/rmsnorm_backward/ladder.hpp"
#include "engine/kernels/rope_half_split/ladder.hpp"
#include "engine/kernels/rope_interleaved/ladder.hpp"
#include "engine/kernels/scale_add/ladder.hpp"
#include "engine/kernels/selective_scan/ladder.hpp"
#include "engine/kernels/sgd/ladder.hpp"
#include "engine/kernels/softmax/ladder.hpp"
#include "engine/kernels/softmax_cross_entropy/ladder.hpp"
#include "engine/kernels/softmax_cross_entropy_backward/ladder.hpp"
#include "engine/kernels/stencil/ladder.hpp"
#include "engine/kernels/strided_copy/ladder.hpp"
#include "engine/kernels/strided_read/ladder.hpp"
#include "engine/kernels/struct_layout/ladder.hpp"
#include "engine/kernels/sum_columns/ladder.hpp"
#include "engine/kernels/sum_rows/ladder.hpp"
#include "engine/kernels/transpose/ladder.hpp"
#include "engine/kernels/transpose_padding/ladder.hpp"
#include "engine/kernels/uneven_loops/ladder.hpp"
#include "engine/kernels/vector_add/ladder.hpp"
#include "engine/kernels/vector_multiply/ladder.hpp"

namespace gradus {

const std::vector<Ladder>& all_ladders() {
    static const std::vector<Ladder> ladders{
        vector_add::ladder(),
        vector_multiply::ladder(),
        index_2d::ladder(),
        index_3d::ladder(),
        copy::ladder(),
        copy_2d::ladder(),
        fill::ladder(),
        strided_copy::ladder(),
        misaligned_copy::ladder(),
        strided_read::ladder(),
        struct_layout::ladder(),
        reverse::ladder(),
        transpose::ladder(),
        transpose_padding::ladder(),
        reduction::ladder(),
        sum_columns::ladder(),
        sum_rows::ladder(),
        prefix_scan::ladder(),
        histogram::ladder(),
        stencil::ladder(),
        branch_parity::ladder(),
        branch_switch::ladder(),
        uneven_loops::ladder(),
        one_long_loop::ladder(),
        matmul::ladder(),
        batched_matmul::ladder(),
        matmul_nt::ladder(),
        matmul_tn::ladder(),
        matmul_half::ladder(),
        matvec::ladder(),
        quantise::ladder(),
        dequantise_tensor::ladder(),
        dequantise_channel::ladder(),
        dequantise_group::ladder(),
        matmul_int8::ladder(),
        matmul_int8_scaled::ladder(),
        matvec_int4::ladder(),
        softmax::ladder(),
        layernorm::ladder(),
        layernorm_backward::ladder(),
        rmsnorm::ladder(),
        rmsnorm_backward::ladder(),
        attention::ladder(),
        attention_backward::ladder(),
        attention_decode::ladder(),
        attention_decode_paged::ladder(),
        rope_interleaved::ladder(),
        rope_half_split::ladder(),
        activation_relu::ladder(),
        activation_relu_backward::ladder(),
        activation_step::ladder(),
        activation_step_backward::ladder(),
        activation_sigmoid::ladder(),
        activation_sigmoid_backward::ladder(),
        activation_sigmoid_backward_of_y::ladder(),
        activation_tanh::ladder(),
        activation_tanh_backward::ladder(),
        activation_tanh_backward_of_y::ladder(),
        activation_silu::ladder(),
        activation_silu_backward::ladder(),
        activation_gelu::ladder(),
        activation_gelu_backward::ladder(),
        activation_gelu_tanh::ladder(),
        activation_gelu_tanh_backward::ladder(),
        bias_add::ladder(),
        bias_gelu::ladder(),
        scale_add::ladder(),
        embedding::ladder(),
        embedding_backward::ladder(),
        gather_bytes::ladder(),
        gather_labels::ladder(),
        softmax_cross_entropy::ladder(),
        softmax_cross_entropy_backward::ladder(),
        cross_entropy::ladder(),
        cross_entropy_backward::ladder(),
        binary_cross_entropy::ladder(),
        binary_cross_entropy_backward::ladder(),
        mean_squared_error::ladder(),
        mean_squared_error_backward::ladder(),
        accuracy::ladder(),
        one_hot_accuracy::ladder(),
        binary_accuracy::ladder(),
        sgd::ladder(),
        momentum::ladder(),
        adam::ladder(),
        adamw::ladder(),
        count_step::ladder(),
        im2col::ladder(),
        conv2d::ladder(),
        conv2d_backward_input::ladder(),
        conv2d_backward_weights::ladder(),
        max_pool2d::ladder(),
        avg_pool2d::ladder(),
        batch_norm::ladder(),
        batch_norm_inference::ladder(),
        selective_scan::ladder(),
    };
    return ladders;
}

} // namespace gradus
