// Cross-entropy from logits of one ISA path. Included once per path, after softmax.hpp. The formula stands at the op
// (engine/ops/softmax.hpp).
#pragma once

#include "engine/backend/cpu/softmax.hpp"

namespace gradus::GRADUS_MATH_NAMESPACE {

/// Entry k of line c lies at start(c) + k · stride.
template <class T> static std::int64_t line_start(const SoftmaxLines<T>& s, std::int64_t line) {
    return s.stride == 1 ? line * s.length : line;
}

/// (1 - ε) · (lse - z_y) + ε · (lse - mean z), where lse - z = ln Σ + (largest - z), so that a small loss keeps its digits.
template <class T>
static double line_loss(const SoftmaxLines<T>& s, std::int64_t line, double largest, double logarithm, double z_sum) {
    if (s.ignores && s.label[line] == s.ignored) return 0;
    const double z = static_cast<double>(s.x[line_start(s, line) + s.label[line] * s.stride]);
    const double loss = logarithm + (largest - z);
    if (s.smoothing == 0) return loss; // an infinite z of another class would spoil the mean
    const double even = logarithm + (largest - z_sum / static_cast<double>(s.length));
    return (1 - s.smoothing) * loss + s.smoothing * even;
}

template <class T> static double cross_entropy_lines(const SoftmaxLines<T>& s) {
    double loss = 0;
    if (s.stride == 1) {
        for (std::int64_t line = 0; line < s.lines; ++line) {
            const T* x = s.x + line * s.length;
            const T largest = row_largest(x, s.length);
            const double logarithm = log(row_exp_sum(x, s.length, largest));
            s.lse[line] = static_cast<T>(static_cast<double>(largest) + logarithm);
            loss += line_loss(s, line, static_cast<double>(largest), logarithm, s.smoothing == 0 ? 0 : row_sum(x, s.length));
        }
        return loss;
    }
    T most[strip_columns];
    double sum[strip_columns], z_sum[strip_columns] = {};
    strip_sums(s, most, sum);
    if (s.smoothing != 0)
        for (std::int64_t k = 0; k < s.length; ++k)
            for (std::int64_t c = 0; c < s.lines; ++c) z_sum[c] += static_cast<double>(s.x[k * s.stride + c]);
    for (std::int64_t c = 0; c < s.lines; ++c) {
        const double logarithm = log(sum[c]);
        s.lse[c] = static_cast<T>(static_cast<double>(most[c]) + logarithm);
        loss += line_loss(s, c, static_cast<double>(most[c]), logarithm, z_sum[c]);
    }
    return loss;
}

/// dz = scale · (p - ε/C), less (1 - ε) · scale at the label. There p - 1 is made as -Σ of the other classes' p, so that the
/// gradient of an example that is all but learned keeps its digits.
template <class T> static void cross_entropy_lines_backward(const SoftmaxLines<T>& s) {
    const double even = s.smoothing / static_cast<double>(s.length);
    const T scale = static_cast<T>(s.scale), share = static_cast<T>(s.scale * even);
    const auto passed_over = [&](std::int64_t line) { return s.ignores && s.label[line] == s.ignored; };
    const auto at_label = [&](double others) { return static_cast<T>(s.scale * (s.smoothing - even - others)); };
    if (s.stride == 1) {
        for (std::int64_t line = 0; line < s.lines; ++line) {
            T* out = s.out + line * s.length;
            if (passed_over(line)) {
                for (std::int64_t j = 0; j < s.length; ++j) out[j] = T(0);
                continue;
            }
            row_exp(s.x + line * s.length, out, s.length, s.saved_lse[line]);
            const std::int64_t label = s.label[line];
            const double others = row_sum(out, label) + row_sum(out + label + 1, s.length - label - 1);
            for (std::int64_t j = 0; j < s.length; ++j) out[j] = out[j] * scale - share;
            out[label] = at_label(others);
        }
        return;
    }
    double others[strip_columns] = {};
    for (std::int64_t k = 0; k < s.length; ++k) {
        const T* __restrict x = s.x + k * s.stride;
        T* __restrict out = s.out + k * s.stride;
        for (std::int64_t c = 0; c < s.lines; ++c) {
            const T p = exp(x[c] - s.saved_lse[c]);
            others[c] += s.label[c] == k ? 0.0 : static_cast<double>(p);
            out[c] = p * scale - share;
        }
    }
    for (std::int64_t c = 0; c < s.lines; ++c)
        if (passed_over(c))
            for (std::int64_t k = 0; k < s.length; ++k) s.out[c + k * s.stride] = T(0);
        else s.out[c + s.label[c] * s.stride] = at_label(others[c]);
}

} // namespace gradus::GRADUS_MATH_NAMESPACE
