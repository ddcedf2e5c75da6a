#pragma once

#include <cstdint>

namespace gradus::cpu {

/// Rows and columns of an element-wise op. Element (i, j) of an operand lies at data[i·row + j·column], in elements of the
/// operand's type, so a stride of 0 repeats it; the results lie one after another. `number` are the op's attributes.
struct Plane {
    struct Operand {
        const void* data = nullptr;
        std::int64_t row = 0, column = 0;
    };
    Operand in[3];
    void* out = nullptr;
    std::int64_t rows = 0, columns = 0;
    double number[2] = {0, 0};
};

/// One loop per op, for operands of type T unless it says otherwise. Formulas stand at the ops (engine/ops/elementwise.hpp).
template <class T> struct ElementwiseLoops {
    using Loop = void (*)(const Plane&);
    Loop add, subtract, multiply, divide, maximum, minimum, power_tensor;
    Loop divide_backward;                          // (dc, a, b) -> db
    Loop maximum_backward, minimum_backward;       // (dc, a, b) -> da
    Loop power_base_backward, power_exponent_backward; // (dc, a, b) -> da, db
    Loop equal, not_equal, less, less_equal;       // -> bytes 0 and 1
    Loop where;                                    // (bytes, a, b)
    Loop where_backward;                           // (bytes, dc) -> da, or db where number[0] is 1
    Loop copy, divided;                            // x / number[0]
    Loop negate, exp, log, sqrt, reciprocal, abs, power, clamp, leaky_relu, gelu_tanh;
    Loop sqrt_backward, reciprocal_backward;       // (dy, y) -> dx
    Loop abs_backward, power_backward, clamp_backward, leaky_relu_backward, gelu_tanh_backward; // (dy, x) -> dx
    Loop bias_relu, bias_gelu, bias_gelu_tanh;     // (x, b)
    Loop bias_gelu_backward, bias_gelu_tanh_backward; // (dy, x, b) -> dz
    Loop centered;                                 // (x, mean, scale), the latter fp64 -> (x - mean) · scale
};

} // namespace gradus::cpu
