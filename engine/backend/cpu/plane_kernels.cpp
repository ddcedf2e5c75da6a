// Element-wise ops whose operands may lie anyhow and are stretched to one shape.
#include "engine/backend/cpu/planes.hpp"

namespace gradus::cpu {

namespace {

template <class T, auto Loop> GradusStatus run_planes(const GradusCall* call) {
    over_planes(call, path_of<T>(call).elementwise.*Loop);
    return GRADUS_OK;
}

/// What compares whole numbers and truth values; rare and small, so no ISA path has a loop of its own for them.
template <class U, auto Compare> void compared(const Plane& p) {
    for (std::int64_t i = 0; i < p.rows; ++i)
        for (std::int64_t j = 0; j < p.columns; ++j) {
            const U a = static_cast<const U*>(p.in[0].data)[i * p.in[0].row + j * p.in[0].column];
            const U b = static_cast<const U*>(p.in[1].data)[i * p.in[1].row + j * p.in[1].column];
            static_cast<std::uint8_t*>(p.out)[i * p.columns + j] = Compare(a, b) ? 1 : 0;
        }
}

/// c = a ? b, by the type of the operands. Exchanged: b ? a, so that > is < and >= is <=.
template <auto Float, auto Double, auto Compare, bool Exchanged = false> GradusStatus run_comparison(const GradusCall* call) {
    const GradusArray& out = call->outputs[0];
    std::array<Stretched, 2> operands{stretched(call->inputs[0], out), stretched(call->inputs[1], out)};
    if (Exchanged) std::swap(operands[0], operands[1]);
    switch (static_cast<DType>(call->inputs[0].dtype)) {
    case DType::f32: over_planes(call, out, operands, path_of<float>(call).elementwise.*Float); return GRADUS_OK;
    case DType::f64: over_planes(call, out, operands, path_of<double>(call).elementwise.*Double); return GRADUS_OK;
    case DType::i32: over_planes(call, out, operands, compared<std::int32_t, Compare>); return GRADUS_OK;
    case DType::boolean: over_planes(call, out, operands, compared<std::uint8_t, Compare>); return GRADUS_OK;
    default: return GRADUS_UNSUPPORTED;
    }
}

constexpr auto equal = [](auto a, auto b) { return a == b; };
constexpr auto not_equal = [](auto a, auto b) { return a != b; };
constexpr auto less = [](auto a, auto b) { return a < b; };
constexpr auto less_equal = [](auto a, auto b) { return a <= b; };

using F = ElementwiseLoops<float>;
using D = ElementwiseLoops<double>;
constexpr std::array<Kernel, 6> comparisons{{
    {"equal", DType::boolean, run_comparison<&F::equal, &D::equal, equal>, true, false, nullptr, number_types},
    {"not_equal", DType::boolean, run_comparison<&F::not_equal, &D::not_equal, not_equal>, true, false, nullptr, number_types},
    {"less", DType::boolean, run_comparison<&F::less, &D::less, less>, true, false, nullptr, number_types},
    {"less_equal", DType::boolean, run_comparison<&F::less_equal, &D::less_equal, less_equal>, true, false, nullptr, number_types},
    {"greater", DType::boolean, run_comparison<&F::less, &D::less, less, true>, true, false, nullptr, number_types},
    {"greater_equal", DType::boolean, run_comparison<&F::less_equal, &D::less_equal, less_equal, true>, true, false, nullptr, number_types},
}};

template <class T> constexpr auto typed() {
    using L = ElementwiseLoops<T>;
    constexpr DType t = dtype_of<T>;
    return std::array{
        Kernel{"add", t, run_planes<T, &L::add>, true},
        Kernel{"subtract", t, run_planes<T, &L::subtract>, true},
        Kernel{"multiply", t, run_planes<T, &L::multiply>, true},
        Kernel{"divide", t, run_planes<T, &L::divide>, true},
        Kernel{"maximum", t, run_planes<T, &L::maximum>, true},
        Kernel{"minimum", t, run_planes<T, &L::minimum>, true},
        Kernel{"power_tensor", t, run_planes<T, &L::power_tensor>, true},
        Kernel{"divide_backward", t, run_planes<T, &L::divide_backward>, true},
        Kernel{"maximum_backward", t, run_planes<T, &L::maximum_backward>, true},
        Kernel{"minimum_backward", t, run_planes<T, &L::minimum_backward>, true},
        Kernel{"power_base_backward", t, run_planes<T, &L::power_base_backward>, true},
        Kernel{"power_exponent_backward", t, run_planes<T, &L::power_exponent_backward>, true},
        Kernel{"where", t, run_planes<T, &L::where>, true},
        Kernel{"where_backward", t, run_planes<T, &L::where_backward>, true},
        Kernel{"negate", t, run_planes<T, &L::negate>, true},
        Kernel{"exp", t, run_planes<T, &L::exp>, true},
        Kernel{"log", t, run_planes<T, &L::log>, true},
        Kernel{"sqrt", t, run_planes<T, &L::sqrt>, true},
        Kernel{"reciprocal", t, run_planes<T, &L::reciprocal>, true},
        Kernel{"abs", t, run_planes<T, &L::abs>, true},
        Kernel{"power", t, run_planes<T, &L::power>, true},
        Kernel{"clamp", t, run_planes<T, &L::clamp>, true},
        Kernel{"leaky_relu", t, run_planes<T, &L::leaky_relu>, true},
        Kernel{"gelu_tanh", t, run_planes<T, &L::gelu_tanh>, true},
        Kernel{"sqrt_backward", t, run_planes<T, &L::sqrt_backward>, true},
        Kernel{"reciprocal_backward", t, run_planes<T, &L::reciprocal_backward>, true},
        Kernel{"abs_backward", t, run_planes<T, &L::abs_backward>, true},
        Kernel{"power_backward", t, run_planes<T, &L::power_backward>, true},
        Kernel{"clamp_backward", t, run_planes<T, &L::clamp_backward>, true},
        Kernel{"leaky_relu_backward", t, run_planes<T, &L::leaky_relu_backward>, true},
        Kernel{"gelu_tanh_backward", t, run_planes<T, &L::gelu_tanh_backward>, true},
        Kernel{"bias_relu", t, run_planes<T, &L::bias_relu>, true},
        Kernel{"bias_gelu", t, run_planes<T, &L::bias_gelu>, true},
        Kernel{"bias_gelu_tanh", t, run_planes<T, &L::bias_gelu_tanh>, true},
        Kernel{"bias_gelu_backward", t, run_planes<T, &L::bias_gelu_backward>, true},
        Kernel{"bias_gelu_tanh_backward", t, run_planes<T, &L::bias_gelu_tanh_backward>, true},
    };
}

} // namespace

std::span<const Kernel> plane_kernels() {
    static constexpr auto kernels = both(typed<float>(), typed<double>());
    return kernels;
}
std::span<const Kernel> comparison_kernels() { return comparisons; }

} // namespace gradus::cpu
