#pragma once

#include <cstdint>

namespace gradus::cpu {

/// Lines along one axis that one call goes over: rows, one after another (stride 1), or a strip of columns that lie side by side
/// (entry k of column c at k · stride + c).
template <class T> struct SoftmaxLines {
    const T* x = nullptr;                ///< z; of the gradients of softmax and log_softmax the saved output
    const T* upstream = nullptr;         ///< their ∂y
    T* out = nullptr;
    const std::int32_t* label = nullptr; ///< of each line, for cross-entropy
    T* lse = nullptr;                    ///< ln Σ e^z of each line, written by cross_entropy
    const T* saved_lse = nullptr;        ///< read by its gradient
    std::int64_t length = 0, stride = 0, lines = 0; // lines <= strip_columns where they are columns
    double smoothing = 0; ///< ε
    double scale = 0;     ///< ∂L over the number of labels that count
    bool streamed = false; ///< softmax of rows: out is too large to stay in a cache
    bool ignores = false; ///< lines with the label `ignored` do not count
    std::int32_t ignored = 0;
};

/// Columns of a strip; their maxima and sums lie on the stack.
constexpr std::int64_t strip_columns = 64;

/// What one ISA path computes along lines. Sums are made in fp64, in an order that the length alone decides.
template <class T> struct SoftmaxLoops {
    void (*softmax)(const SoftmaxLines<T>&);
    void (*softmax_backward)(const SoftmaxLines<T>&);
    void (*log_softmax)(const SoftmaxLines<T>&);
    void (*log_softmax_backward)(const SoftmaxLines<T>&);
    double (*cross_entropy)(const SoftmaxLines<T>&); ///< sum of the lines' losses; writes lse
    void (*cross_entropy_backward)(const SoftmaxLines<T>&);
};

} // namespace gradus::cpu
