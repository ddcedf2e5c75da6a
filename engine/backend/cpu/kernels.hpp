#pragma once

#include "engine/backend/interface.h"
#include "engine/core/dtype.hpp"

#include <span>
#include <string_view>

namespace gradus::cpu {

inline constexpr DType floating_types[]{DType::f32, DType::f64, DType::f16, DType::bf16};
inline constexpr DType number_types[]{DType::f32, DType::f64, DType::f16, DType::bf16, DType::i32, DType::boolean};

/// What computes one op for one type of its first output. One for fp32 computes fp16 and bf16 too, where there is none for them:
/// it gets inputs widened to fp32, and its outputs are rounded (half_kernels.hpp).
struct Kernel {
    std::string_view op;
    DType dtype;
    GradusKernel run;
    bool any_strides = false; ///< takes inputs as they lie; the others get contiguous ones
    bool any_types = false;   ///< takes fp16 and bf16 inputs as they are, whatever `dtype` says
    bool (*takes)(const GradusCall&) = nullptr; ///< what else it asks of the call's types; null: nothing
    std::span<const DType> reads = {}; ///< of its first input, where they are others than `dtype`
};

/// The kernels of each family. An op's formula stands at the op (engine/ops).
std::span<const Kernel> product_kernels();
std::span<const Kernel> grouped_product_kernels();
std::span<const Kernel> elementwise_kernels();
std::span<const Kernel> plane_kernels();
std::span<const Kernel> comparison_kernels();
std::span<const Kernel> reduce_kernels();
std::span<const Kernel> position_kernels();
std::span<const Kernel> scan_kernels();
std::span<const Kernel> loss_kernels();
std::span<const Kernel> data_kernels();
std::span<const Kernel> layout_kernels();
std::span<const Kernel> cast_kernels();
std::span<const Kernel> attention_kernels();
std::span<const Kernel> update_kernels();
std::span<const Kernel> loss_scale_kernels();
std::span<const Kernel> conv_kernels();
std::span<const Kernel> conv_direct_kernels();
std::span<const Kernel> pool_kernels();
std::span<const Kernel> norm_kernels();
std::span<const Kernel> batch_norm_kernels();
std::span<const Kernel> indexing_kernels();
std::span<const Kernel> embedding_kernels();
std::span<const Kernel> order_kernels();
std::span<const Kernel> softmax_kernels();
std::span<const Kernel> element_loss_kernels();
std::span<const Kernel> dropout_kernels();

} // namespace gradus::cpu
