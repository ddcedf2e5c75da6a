#pragma once

#include "engine/backend/cpu/attention_loops.hpp"
#include "engine/backend/cpu/elementwise_loops.hpp"
#include "engine/backend/cpu/reduce_loops.hpp"
#include "engine/backend/cpu/norm_loops.hpp"
#include "engine/backend/cpu/element_losses_loops.hpp"
#include "engine/backend/cpu/softmax_loops.hpp"
#include "engine/backend/cpu/update_loops.hpp"
#include "engine/backend/cpu/window_loops.hpp"
#include "engine/backend/interface.h"

#include <cstdint>

namespace gradus::cpu {

/// A matrix product C = A · B over fp32 or fp64 in which element (i, k) of A lies at a[i·a_row + k·a_column] and
/// likewise B; C (m, n) is row-major with rows c_row apart. Computes rows and columns of the piece
/// [row_from, row_until) × [column_from, column_until).
///
/// Every c_ij is one chain of multiply-adds in the order of k, whatever the blocking. So neither the number of
/// threads nor the width of the vectors changes a bit, and a CUDA kernel that loops over k agrees to the bit.
template <class T> struct ProductPiece {
    const T* a = nullptr;
    const T* b = nullptr;
    T* c = nullptr;
    std::int64_t a_row = 0, a_column = 0, b_row = 0, b_column = 0, c_row = 0; // elements
    std::int64_t row_from = 0, row_until = 0, column_from = 0, column_until = 0, depth = 0;
    bool onto = false;           ///< the chains go on from what C holds
    const T* row_bias = nullptr; ///< added to the chains of each row at their end, where it is not null
    /// Where B is not stored as a matrix but read from images (a convolution's columns): element (k, j) lies at
    /// b[b_starts[k] + j / line · line_apart + j % line], and b_row and b_column are not used.
    const std::int64_t* b_starts = nullptr;
    std::int64_t line = 0, line_apart = 0;
};

/// One range [from, until) of an element-wise op. Which pointers are used depends on the op.
template <class T> struct Range {
    const T* x = nullptr;
    const T* y = nullptr;
    const T* z = nullptr;
    T* out = nullptr;
    T* out2 = nullptr;
    T scale = 0, momentum = 0;
    std::int64_t from = 0, until = 0;
    bool streamed = false; ///< gelu: out goes past the caches
};

/// Rows of a loss: logits or predictions z (rows, columns), class or value targets.
template <class T> struct Rows {
    const T* z = nullptr;
    const T* target = nullptr;
    const std::int32_t* label = nullptr;
    const T* p = nullptr;
    T* out = nullptr;
    std::int64_t rows = 0, columns = 0;
};

/// What one ISA path computes for one floating type. Formulas stand at the ops (engine/ops/ops.hpp).
template <class T> struct PathOf {
    void (*product)(const ProductPiece<T>&);
    void (*add_bias)(const T* x, const T* bias, T* out, std::int64_t rows, std::int64_t columns);
    void (*sum_rows)(const T* x, T* out, std::int64_t rows, std::int64_t columns);
    void (*relu)(const Range<T>&);
    void (*relu_backward)(const Range<T>&);
    void (*tanh)(const Range<T>&);
    void (*tanh_backward)(const Range<T>&);
    void (*sigmoid)(const Range<T>&);
    void (*sigmoid_backward)(const Range<T>&);
    void (*gelu)(const Range<T>&);
    void (*gelu_backward)(const Range<T>&);
    void (*silu)(const Range<T>&);
    void (*silu_backward)(const Range<T>&);
    void (*step)(const Range<T>&);
    void (*step_backward)(const Range<T>&);
    double (*softmax_cross_entropy)(const Rows<T>&); // sum of row losses; writes p
    void (*softmax_cross_entropy_backward)(const Rows<T>&);
    double (*binary_cross_entropy)(const Rows<T>&); // sum; writes p
    void (*binary_cross_entropy_backward)(const Rows<T>&);
    double (*mean_squared_error)(const Rows<T>&); // sum of squares
    void (*mean_squared_error_backward)(const Rows<T>&);
    void (*softmax)(const Rows<T>&);
    void (*softmax_backward)(const Rows<T>&); // p, and dp as target
    double (*cross_entropy)(const Rows<T>&);  // sum of row losses of p
    void (*cross_entropy_backward)(const Rows<T>&);
    void (*sgd)(const Range<T>&);
    void (*momentum)(const Range<T>&);
    void (*stream)(const T* from, T* to, std::int64_t count); ///< a copy past the caches; then stores_in_order()
    void (*scale_bytes)(const std::uint8_t* x, T* out, std::int64_t count, T scale);
    ElementwiseLoops<T> elementwise;
    ReduceLoops<T> reduce;
    AttentionLoops<T> attention;
    UpdateLoops<T> update;
    NormLoops<T> norms;
    SoftmaxLoops<T> softmax_loops;
    ElementLossLoops<T> element_loss_loops;
    WindowLoops<T> windows;
};

struct Path {
    const char* name;
    PathOf<float> f32;
    PathOf<double> f64;
};

const Path& baseline_path(); ///< SSE2 only, no fused multiply-add: the same bits on every x86-64 machine
const Path& avx2_path();     ///< AVX2 and FMA
const Path& avx512_path();   ///< AVX-512 F, VL, BW, DQ

} // namespace gradus::cpu
