// Element-wise ops, losses and optimizers of one ISA path: plain loops that the compiler vectorises.
// Included once per path.
#pragma once

#include "engine/backend/cpu/gelu_rows.hpp"
#include "engine/backend/cpu/path.hpp"
#include "engine/core/portable_math.hpp"
#include "engine/core/portable_special.hpp"

namespace gradus::GRADUS_MATH_NAMESPACE {

using cpu::Range;
using cpu::Rows;

template <class T>
static void add_bias(const T* x, const T* bias, T* out, std::int64_t rows, std::int64_t columns) {
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j) out[i * columns + j] = x[i * columns + j] + bias[j];
}

template <class T> static void sum_rows(const T* x, T* out, std::int64_t rows, std::int64_t columns) {
    for (std::int64_t j = 0; j < columns; ++j) out[j] = T(0);
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j) out[j] += x[i * columns + j];
}

template <class T> static void relu(const Range<T>& r) {
    const T* __restrict x = r.x;
    T* __restrict out = r.out;
    for (std::int64_t i = r.from; i < r.until; ++i) out[i] = x[i] < T(0) ? T(0) : x[i]; // a NaN stays
}
/// dx = dy where y > 0; x is y here.
template <class T> static void relu_backward(const Range<T>& r) {
    const T* __restrict y = r.x;
    const T* __restrict dy = r.y;
    T* __restrict out = r.out;
    for (std::int64_t i = r.from; i < r.until; ++i) out[i] = y[i] <= T(0) ? T(0) : dy[i];
}

template <class T> static void tanh_range(const Range<T>& r) {
    const T* __restrict x = r.x;
    T* __restrict out = r.out;
    for (std::int64_t i = r.from; i < r.until; ++i) out[i] = tanh(x[i]);
}
template <class T> static void tanh_backward(const Range<T>& r) {
    const T* __restrict y = r.x;
    const T* __restrict dy = r.y;
    T* __restrict out = r.out;
    for (std::int64_t i = r.from; i < r.until; ++i) out[i] = dy[i] * (T(1) - y[i] * y[i]);
}

template <class T> static void sigmoid_range(const Range<T>& r) {
    const T* __restrict x = r.x;
    T* __restrict out = r.out;
    for (std::int64_t i = r.from; i < r.until; ++i) out[i] = sigmoid(x[i]);
}
template <class T> static void sigmoid_backward(const Range<T>& r) {
    const T* __restrict y = r.x;
    const T* __restrict dy = r.y;
    T* __restrict out = r.out;
    for (std::int64_t i = r.from; i < r.until; ++i) out[i] = dy[i] * y[i] * (T(1) - y[i]);
}

template <class T> static void gelu(const Range<T>& r) {
    if (!r.streamed) return gelu_row(r.x + r.from, r.out + r.from, r.until - r.from);
    gelu_row_streamed(r.x + r.from, r.out + r.from, r.until - r.from);
    stores_in_order();
}
template <class T> static void gelu_backward(const Range<T>& r) {
    gelu_slope_row(r.x + r.from, r.y + r.from, r.out + r.from, r.until - r.from);
}

template <class T> static void silu(const Range<T>& r) {
    const T* __restrict x = r.x;
    T* __restrict out = r.out;
    for (std::int64_t i = r.from; i < r.until; ++i) out[i] = x[i] * sigmoid(x[i]);
}
/// silu'(x) = σ(x) · (1 + x · (1 - σ(x))); 1 - σ(x) is σ(-x), which keeps its digits where σ(x) is near 1.
template <class T> static void silu_backward(const Range<T>& r) {
    const T* __restrict x = r.x;
    const T* __restrict dy = r.y;
    T* __restrict out = r.out;
    for (std::int64_t i = r.from; i < r.until; ++i)
        out[i] = dy[i] * (sigmoid(x[i]) * (T(1) + x[i] * sigmoid(-x[i])));
}

template <class T> static void step(const Range<T>& r) {
    const T* __restrict x = r.x;
    T* __restrict out = r.out;
    for (std::int64_t i = r.from; i < r.until; ++i) out[i] = x[i] > T(0) ? T(1) : x[i] <= T(0) ? T(0) : x[i]; // a NaN stays
}
/// dx = 0, whatever dy is; x is y here, and a NaN of it stays.
template <class T> static void step_backward(const Range<T>& r) {
    const T* __restrict y = r.x;
    T* __restrict out = r.out;
    for (std::int64_t i = r.from; i < r.until; ++i) out[i] = y[i] == y[i] ? T(0) : y[i];
}

template <class T> static double softmax_cross_entropy(const Rows<T>& r) {
    double loss = 0;
    for (std::int64_t i = 0; i < r.rows; ++i) {
        const T* __restrict z = r.z + i * r.columns;
        T* __restrict p = r.out + i * r.columns;
        T highest = z[0];
        for (std::int64_t j = 1; j < r.columns; ++j) highest = highest < z[j] ? z[j] : highest;
        for (std::int64_t j = 0; j < r.columns; ++j) p[j] = exp(z[j] - highest);
        T sum = T(0);
        for (std::int64_t j = 0; j < r.columns; ++j) sum += p[j];
        for (std::int64_t j = 0; j < r.columns; ++j) p[j] = p[j] / sum;
        loss += static_cast<double>(log(sum) - (z[r.label[i]] - highest));
    }
    return loss;
}
/// dz = (p - y) / rows.
template <class T> static void softmax_cross_entropy_backward(const Rows<T>& r) {
    const T scale = T(1) / static_cast<T>(r.rows);
    for (std::int64_t i = 0; i < r.rows; ++i) {
        const T* __restrict p = r.p + i * r.columns;
        T* __restrict out = r.out + i * r.columns;
        for (std::int64_t j = 0; j < r.columns; ++j) out[j] = p[j] * scale;
        out[r.label[i]] = (p[r.label[i]] - T(1)) * scale;
    }
}

template <class T> static void softmax(const Rows<T>& r) {
    for (std::int64_t i = 0; i < r.rows; ++i) {
        const T* __restrict z = r.z + i * r.columns;
        T* __restrict p = r.out + i * r.columns;
        T highest = z[0];
        for (std::int64_t j = 1; j < r.columns; ++j) highest = highest < z[j] ? z[j] : highest;
        for (std::int64_t j = 0; j < r.columns; ++j) p[j] = exp(z[j] - highest);
        T sum = T(0);
        for (std::int64_t j = 0; j < r.columns; ++j) sum += p[j];
        for (std::int64_t j = 0; j < r.columns; ++j) p[j] = p[j] / sum;
    }
}
/// dz = p · (dp - Σ p · dp); dp is `target`.
template <class T> static void softmax_backward(const Rows<T>& r) {
    for (std::int64_t i = 0; i < r.rows; ++i) {
        const T* __restrict p = r.p + i * r.columns;
        const T* __restrict dp = r.target + i * r.columns;
        T* __restrict out = r.out + i * r.columns;
        T sum = T(0);
        for (std::int64_t j = 0; j < r.columns; ++j) sum = madd(p[j], dp[j], sum);
        for (std::int64_t j = 0; j < r.columns; ++j) out[j] = p[j] * (dp[j] - sum);
    }
}
template <class T> static double cross_entropy(const Rows<T>& r) {
    double loss = 0;
    for (std::int64_t i = 0; i < r.rows; ++i) loss -= static_cast<double>(log(r.p[i * r.columns + r.label[i]]));
    return loss;
}
/// dp = -y / (rows · p).
template <class T> static void cross_entropy_backward(const Rows<T>& r) {
    const T scale = T(-1) / static_cast<T>(r.rows);
    for (std::int64_t i = 0; i < r.rows * r.columns; ++i) r.out[i] = T(0);
    for (std::int64_t i = 0; i < r.rows; ++i) {
        const std::int64_t at = i * r.columns + r.label[i];
        r.out[at] = scale / r.p[at];
    }
}

template <class T> static double binary_cross_entropy(const Rows<T>& r) {
    double loss = 0;
    for (std::int64_t i = 0; i < r.rows * r.columns; ++i) {
        const T z = r.z[i], magnitude = z < T(0) ? -z : z;
        r.out[i] = sigmoid(z);
        loss += static_cast<double>((z < T(0) ? T(0) : z) - z * r.target[i] + log1p_unit(exp(-magnitude)));
    }
    return loss;
}
template <class T> static void binary_cross_entropy_backward(const Rows<T>& r) {
    const std::int64_t count = r.rows * r.columns;
    const T scale = T(1) / static_cast<T>(count);
    for (std::int64_t i = 0; i < count; ++i) r.out[i] = (r.p[i] - r.target[i]) * scale;
}

template <class T> static double mean_squared_error(const Rows<T>& r) {
    double sum = 0;
    for (std::int64_t i = 0; i < r.rows * r.columns; ++i) {
        const double difference = static_cast<double>(r.z[i]) - static_cast<double>(r.target[i]);
        sum += difference * difference;
    }
    return sum;
}
template <class T> static void mean_squared_error_backward(const Rows<T>& r) {
    const std::int64_t count = r.rows * r.columns;
    const T scale = T(2) / static_cast<T>(count);
    for (std::int64_t i = 0; i < count; ++i) r.out[i] = (r.z[i] - r.target[i]) * scale;
}

/// W' = W - lr · g; out may be x.
template <class T> static void sgd(const Range<T>& r) {
    const T rate = -r.scale;
GRADUS_IVDEP
    for (std::int64_t i = r.from; i < r.until; ++i) r.out[i] = madd(rate, r.y[i], r.x[i]);
}
/// v' = mu · v + g, W' = W - lr · v'; out may be x and out2 may be z.
template <class T> static void momentum(const Range<T>& r) {
    const T rate = -r.scale, mu = r.momentum;
GRADUS_IVDEP
    for (std::int64_t i = r.from; i < r.until; ++i) {
        const T velocity = madd(mu, r.z[i], r.y[i]);
        r.out2[i] = velocity;
        r.out[i] = madd(rate, velocity, r.x[i]);
    }
}

template <class T> static void scale_bytes(const std::uint8_t* __restrict x, T* __restrict out, std::int64_t count, T scale) {
    for (std::int64_t i = 0; i < count; ++i) out[i] = static_cast<T>(x[i]) * scale;
}

} // namespace gradus::GRADUS_MATH_NAMESPACE
