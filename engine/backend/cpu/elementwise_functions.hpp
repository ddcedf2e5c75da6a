// What element-wise ops do to one element. Included once per path. Formulas stand at the ops (engine/ops/elementwise.hpp).
#pragma once

#include "engine/backend/cpu/plane.hpp"
#include "engine/core/portable_special.hpp"

namespace gradus::GRADUS_MATH_NAMESPACE {

static inline float square_root(float x) { return __builtin_sqrtf(x); }
static inline double square_root(double x) { return __builtin_sqrt(x); }
static inline float magnitude_of(float x) { return __builtin_fabsf(x); }
static inline double magnitude_of(double x) { return __builtin_fabs(x); }

// --- two operands --------------------------------------------------------------------------------------------

template <class T> struct Sum : Plain {
    using Plain::Plain;
    T operator()(T a, T b) const { return a + b; }
};
template <class T> struct Difference : Plain {
    using Plain::Plain;
    T operator()(T a, T b) const { return a - b; }
};
template <class T> struct Product : Plain {
    using Plain::Plain;
    T operator()(T a, T b) const { return a * b; }
};
template <class T> struct Quotient : Plain {
    using Plain::Plain;
    T operator()(T a, T b) const { return a / b; }
};
template <class T> struct Larger : Plain {
    using Plain::Plain;
    T operator()(T a, T b) const { return a > b || a != a ? a : b; } // a NaN of b fails the comparison and is taken
};
template <class T> struct Smaller : Plain {
    using Plain::Plain;
    T operator()(T a, T b) const { return a < b || a != a ? a : b; }
};
template <class T> struct PowerTensor : Plain {
    using Plain::Plain;
    T operator()(T a, T b) const { return static_cast<T>(power(static_cast<double>(a), static_cast<double>(b))); }
};

template <class T> struct QuotientBackward : Plain {
    using Plain::Plain;
    T operator()(T dc, T a, T b) const { // in double precision: terms of a sum that may cancel, where b was stretched
        const auto divisor = static_cast<double>(b);
        return static_cast<T>(-static_cast<double>(dc) * (static_cast<double>(a) / divisor) / divisor);
    }
};
template <class T> struct LargerBackward : Plain {
    using Plain::Plain;
    T operator()(T dc, T a, T b) const { return a < b ? T(0) : a == b ? dc * T(0.5) : dc; }
};
template <class T> struct SmallerBackward : Plain {
    using Plain::Plain;
    T operator()(T dc, T a, T b) const { return a > b ? T(0) : a == b ? dc * T(0.5) : dc; }
};
template <class T> struct PowerBaseBackward : Plain {
    using Plain::Plain;
    T operator()(T dc, T a, T b) const {
        const auto x = static_cast<double>(a), p = static_cast<double>(b);
        const double slope = p * power(x, p - 1.0);
        return static_cast<T>(p == 0.0 ? 0.0 : static_cast<double>(dc) * slope);
    }
};
template <class T> struct PowerExponentBackward : Plain {
    using Plain::Plain;
    T operator()(T dc, T a, T b) const {
        const auto x = static_cast<double>(a), p = static_cast<double>(b);
        const double slope = power(x, p) * log(x);
        return static_cast<T>(x == 0.0 && p >= 0.0 ? 0.0 : static_cast<double>(dc) * slope);
    }
};

// Comparisons: bytes 0 and 1.
template <class T> struct Equal : Plain {
    using Plain::Plain;
    std::uint8_t operator()(T a, T b) const { return a == b ? 1 : 0; }
};
template <class T> struct NotEqual : Plain {
    using Plain::Plain;
    std::uint8_t operator()(T a, T b) const { return a != b ? 1 : 0; }
};
template <class T> struct Less : Plain {
    using Plain::Plain;
    std::uint8_t operator()(T a, T b) const { return a < b ? 1 : 0; }
};
template <class T> struct LessEqual : Plain {
    using Plain::Plain;
    std::uint8_t operator()(T a, T b) const { return a <= b ? 1 : 0; }
};

template <class T> struct Choice : Plain {
    using Plain::Plain;
    T operator()(std::uint8_t m, T a, T b) const { return m != 0 ? a : b; }
};
template <class T> struct ChoiceBackward {
    bool of_second;
    explicit ChoiceBackward(const double* number) : of_second(number[0] != 0) {}
    T operator()(std::uint8_t m, T dc) const { return (m == 0) == of_second ? dc : T(0); }
};

// --- one operand ---------------------------------------------------------------------------------------------

template <class T> struct Same : Plain {
    using Plain::Plain;
    T operator()(T x) const { return x; }
};
template <class T> struct Divided {
    T by;
    explicit Divided(const double* number) : by(static_cast<T>(number[0])) {}
    T operator()(T x) const { return x / by; }
};
template <class T> struct Negative : Plain {
    using Plain::Plain;
    T operator()(T x) const { return -x; }
};
template <class T> struct Exponential : Plain {
    using Plain::Plain;
    T operator()(T x) const { return exp(x); }
};
template <class T> struct Logarithm : Plain {
    using Plain::Plain;
    T operator()(T x) const { return log(x); }
};
template <class T> struct Root : Plain {
    using Plain::Plain;
    T operator()(T x) const { return square_root(x); }
};
template <class T> struct RootBackward : Plain {
    using Plain::Plain;
    T operator()(T dy, T y) const { return dy / (y + y); }
};
template <class T> struct Reciprocal : Plain {
    using Plain::Plain;
    T operator()(T x) const { return T(1) / x; }
};
template <class T> struct ReciprocalBackward : Plain {
    using Plain::Plain;
    T operator()(T dy, T y) const { return -dy * (y * y); }
};
template <class T> struct Magnitude : Plain {
    using Plain::Plain;
    T operator()(T x) const { return magnitude_of(x); }
};
template <class T> struct MagnitudeBackward : Plain {
    using Plain::Plain;
    T operator()(T dy, T x) const { return x > T(0) ? dy : x < T(0) ? -dy : T(0); }
};
template <class T> struct Square : Plain {
    using Plain::Plain;
    T operator()(T x) const { return x * x; }
};
template <class T> struct SquareBackward : Plain {
    using Plain::Plain;
    T operator()(T dy, T x) const { return dy * (x + x); }
};
template <class T> struct Power {
    double p;
    explicit Power(const double* number) : p(number[0]) {}
    T operator()(T x) const { return static_cast<T>(power(static_cast<double>(x), p)); }
};
template <class T> struct PowerBackward {
    double p;
    explicit PowerBackward(const double* number) : p(number[0]) {}
    T operator()(T dy, T x) const {
        const double slope = p * power(static_cast<double>(x), p - 1.0);
        return static_cast<T>(p == 0.0 ? 0.0 : static_cast<double>(dy) * slope);
    }
};
template <class T> struct Clamp {
    T low, high;
    explicit Clamp(const double* number) : low(static_cast<T>(number[0])), high(static_cast<T>(number[1])) {}
    T operator()(T x) const { return clamped(x, low, high); }
};
template <class T> struct ClampBackward {
    T low, high;
    explicit ClampBackward(const double* number) : low(static_cast<T>(number[0])), high(static_cast<T>(number[1])) {}
    T operator()(T dy, T x) const { return x > low && x < high ? dy : T(0); }
};
template <class T> struct LeakyRelu {
    T slope;
    explicit LeakyRelu(const double* number) : slope(static_cast<T>(number[0])) {}
    T operator()(T x) const { return x > T(0) ? x : slope * x; }
};
template <class T> struct LeakyReluBackward {
    T slope;
    explicit LeakyReluBackward(const double* number) : slope(static_cast<T>(number[0])) {}
    T operator()(T dy, T x) const { return x > T(0) ? dy : slope * dy; }
};

// --- activations; those of tanh in double precision: an fp32 x that e is raised to would lose its last digits ------

/// 2u = √(8/π) · (x + 0.044715 x³), and σ(2u) = ½ · (1 + tanh u) without cancellation.
[[gnu::always_inline]] static inline double gelu_tanh_of(double x) {
    return x * sigmoid(1.5957691216057308 * madd(0.044715 * x * x, x, x));
}
/// σ(2u) + x · σ(2u) · σ(-2u) · ∂2u/∂x.
[[gnu::always_inline]] static inline double gelu_tanh_slope(double x) {
    const double twice = 1.5957691216057308 * madd(0.044715 * x * x, x, x);
    const double inner = 1.5957691216057308 * madd(0.134145 * x, x, 1.0);
    const double share = sigmoid(twice), rest = sigmoid(-twice);
    return madd(x * share * rest, inner, share);
}

template <class T> struct GeluTanh : Plain {
    using Plain::Plain;
    T operator()(T x) const { return static_cast<T>(gelu_tanh_of(static_cast<double>(x))); }
};
template <class T> struct GeluTanhBackward : Plain {
    using Plain::Plain;
    T operator()(T dy, T x) const {
        return static_cast<T>(static_cast<double>(dy) * gelu_tanh_slope(static_cast<double>(x)));
    }
};
template <class T> struct BiasRelu : Plain {
    using Plain::Plain;
    T operator()(T x, T b) const { return x + b < T(0) ? T(0) : x + b; } // a NaN stays
};
template <class T> struct BiasGelu : Plain {
    using Plain::Plain;
    void row(const T* x, const T* b, T* out, std::int64_t count) const {
GRADUS_IVDEP
        for (std::int64_t j = 0; j < count; ++j) out[j] = x[j] + b[j];
        gelu_row(out, out, count);
    }
};
template <class T> struct BiasGeluBackward : Plain {
    using Plain::Plain;
    void row(const T* dy, const T* x, const T* b, T* out, std::int64_t count) const {
        alignas(64) T z[plane_block];
        for (std::int64_t from = 0; from < count; from += plane_block) {
            const std::int64_t some = count - from < plane_block ? count - from : plane_block;
            for (std::int64_t j = 0; j < some; ++j) z[j] = x[from + j] + b[from + j];
            gelu_slope_row(z, dy + from, out + from, some);
        }
    }
};
template <class T> struct BiasGeluTanh : Plain {
    using Plain::Plain;
    T operator()(T x, T b) const { return static_cast<T>(gelu_tanh_of(static_cast<double>(x + b))); }
};
template <class T> struct BiasGeluTanhBackward : Plain {
    using Plain::Plain;
    T operator()(T dy, T x, T b) const {
        return static_cast<T>(static_cast<double>(dy) * gelu_tanh_slope(static_cast<double>(x + b)));
    }
};

template <class T> struct Centered : Plain {
    using Plain::Plain;
    T operator()(T x, double mean, double scale) const { return static_cast<T>((static_cast<double>(x) - mean) * scale); }
};

} // namespace gradus::GRADUS_MATH_NAMESPACE
