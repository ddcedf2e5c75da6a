// Fills ElementwiseLoops with the functions of one ISA path. Included once per path.
#pragma once

#include "engine/backend/cpu/elementwise_functions.hpp"

namespace gradus::GRADUS_MATH_NAMESPACE {

/// x^p; the powers of the lessons that are one instruction are one here, with the same bits.
template <class T> static void power_plane(const Plane& p) {
    if (p.number[0] == 2.0) plane_of_one<Square<T>, T, T>(p);
    else if (p.number[0] == 1.0) plane_of_one<Same<T>, T, T>(p);
    else if (p.number[0] == 0.5) plane_of_one<Root<T>, T, T>(p);
    else if (p.number[0] == -1.0) plane_of_one<Reciprocal<T>, T, T>(p);
    else plane_of_one<Power<T>, T, T>(p);
}
template <class T> static void power_backward_plane(const Plane& p) {
    if (p.number[0] == 2.0) plane_of_two<SquareBackward<T>, T, T, T>(p);
    else plane_of_two<PowerBackward<T>, T, T, T>(p);
}

template <class T> static constexpr cpu::ElementwiseLoops<T> elementwise_loops() {
    using Byte = std::uint8_t;
    return {
        .add = plane_of_two<Sum<T>, T, T, T>,
        .subtract = plane_of_two<Difference<T>, T, T, T>,
        .multiply = plane_of_two<Product<T>, T, T, T>,
        .divide = plane_of_two<Quotient<T>, T, T, T>,
        .maximum = plane_of_two<Larger<T>, T, T, T>,
        .minimum = plane_of_two<Smaller<T>, T, T, T>,
        .power_tensor = plane_of_two<PowerTensor<T>, T, T, T>,
        .divide_backward = plane_of_three<QuotientBackward<T>, T, T, T, T>,
        .maximum_backward = plane_of_three<LargerBackward<T>, T, T, T, T>,
        .minimum_backward = plane_of_three<SmallerBackward<T>, T, T, T, T>,
        .power_base_backward = plane_of_three<PowerBaseBackward<T>, T, T, T, T>,
        .power_exponent_backward = plane_of_three<PowerExponentBackward<T>, T, T, T, T>,
        .equal = plane_of_two<Equal<T>, Byte, T, T>,
        .not_equal = plane_of_two<NotEqual<T>, Byte, T, T>,
        .less = plane_of_two<Less<T>, Byte, T, T>,
        .less_equal = plane_of_two<LessEqual<T>, Byte, T, T>,
        .where = plane_of_three<Choice<T>, T, Byte, T, T>,
        .where_backward = plane_of_two<ChoiceBackward<T>, T, Byte, T>,
        .copy = plane_of_one<Same<T>, T, T>,
        .divided = plane_of_one<Divided<T>, T, T>,
        .negate = plane_of_one<Negative<T>, T, T>,
        .exp = plane_of_one<Exponential<T>, T, T>,
        .log = plane_of_one<Logarithm<T>, T, T>,
        .sqrt = plane_of_one<Root<T>, T, T>,
        .reciprocal = plane_of_one<Reciprocal<T>, T, T>,
        .abs = plane_of_one<Magnitude<T>, T, T>,
        .power = power_plane<T>,
        .clamp = plane_of_one<Clamp<T>, T, T>,
        .leaky_relu = plane_of_one<LeakyRelu<T>, T, T>,
        .gelu_tanh = plane_of_one<GeluTanh<T>, T, T>,
        .sqrt_backward = plane_of_two<RootBackward<T>, T, T, T>,
        .reciprocal_backward = plane_of_two<ReciprocalBackward<T>, T, T, T>,
        .abs_backward = plane_of_two<MagnitudeBackward<T>, T, T, T>,
        .power_backward = power_backward_plane<T>,
        .clamp_backward = plane_of_two<ClampBackward<T>, T, T, T>,
        .leaky_relu_backward = plane_of_two<LeakyReluBackward<T>, T, T, T>,
        .gelu_tanh_backward = plane_of_two<GeluTanhBackward<T>, T, T, T>,
        .bias_relu = plane_of_two<BiasRelu<T>, T, T, T>,
        .bias_gelu = plane_of_two<BiasGelu<T>, T, T, T>,
        .bias_gelu_tanh = plane_of_two<BiasGeluTanh<T>, T, T, T>,
        .bias_gelu_backward = plane_of_three<BiasGeluBackward<T>, T, T, T, T>,
        .bias_gelu_tanh_backward = plane_of_three<BiasGeluTanhBackward<T>, T, T, T, T>,
        .centered = plane_of_three<Centered<T>, T, T, double, double>,
    };
}

} // namespace gradus::GRADUS_MATH_NAMESPACE
