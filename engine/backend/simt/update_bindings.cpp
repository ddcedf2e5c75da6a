// What the optimizers do to a parameter: basic operations alone, so that every bit is the cpu's.
#include "engine/backend/simt/binding_parts.hpp"
#include "engine/core/error.hpp"

#include <cmath>

namespace gradus::simt {

namespace {

std::vector<float> rate(const GradusCall& call) { return {number(call, 0)}; }
std::vector<float> rate_and_momentum(const GradusCall& call) { return {number(call, 0), number(call, 1)}; }

/// base^exponent by squaring, as the cpu has it.
double whole_power(double base, std::int64_t exponent) {
    double out = 1;
    for (; exponent > 0; exponent /= 2, base *= base)
        if (exponent % 2 == 1) out *= base;
    return out;
}

/// Attributes lr, beta1, beta2, eps, and for adamw decay; input 4 is the number of the step. The corrections are made in double precision.
template <bool decays> std::vector<float> moments(const GradusCall& call) {
    const double lr = call.attributes[0], beta1 = call.attributes[1], beta2 = call.attributes[2];
    const std::int64_t step = *static_cast<const std::int32_t*>(call.inputs[4].data);
    if (step < 1) throw ArgumentError("the steps of an optimizer are counted from 1 on");
    const double rate = lr / (1 - whole_power(beta1, step)), root = 1 / std::sqrt(1 - whole_power(beta2, step));
    std::vector<float> out;
    for (const double value :
         {rate, decays ? 1 - lr * call.attributes[4] : 1.0, beta1, 1 - beta1, beta2, 1 - beta2, root, call.attributes[3]})
        out.push_back(static_cast<float>(value));
    return out;
}

Binding update(const char* op, const char* ladder, std::vector<const char*> inputs, std::vector<const char*> outputs,
               std::vector<float> (*numbers)(const GradusCall&)) {
    return {.op = op,
            .ladder = ladder,
            .rung = "2_vectorised",
            .inputs = std::move(inputs),
            .outputs = std::move(outputs),
            .problem = n_of_output,
            .numbers = numbers};
}

} // namespace

std::vector<Binding> update_bindings() {
    return {
        update("sgd", "sgd", {"W", "g"}, {"W_next"}, rate),
        update("momentum", "momentum", {"W", "g", "v"}, {"W_next", "v_next"}, rate_and_momentum),
        update("adam", "adam", {"W", "g", "m", "v", ""}, {"W_next", "m_next", "v_next"}, moments<false>),
        update("adamw", "adam", {"W", "g", "m", "v", ""}, {"W_next", "m_next", "v_next"}, moments<true>),
        {.op = "count_step",
         .ladder = "count_step",
         .rung = "1_naive",
         .inputs = {"t"},
         .outputs = {"t_next"},
         .problem = n_of_output,
         .dtype = DType::i32},
    };
}

} // namespace gradus::simt
