#pragma once

#include <cstdint>

namespace gradus::cpu {

/// Elements [from, until) of a parameter's update: the parameter w, its gradient g and up to two states, read and written.
template <class T> struct Update {
    const T* w = nullptr;
    const T* g = nullptr;
    const T* state = nullptr;
    const T* state2 = nullptr;
    T* out_w = nullptr; ///< may be w, and so with the states
    T* out_state = nullptr;
    T* out_state2 = nullptr;
    std::int64_t from = 0, until = 0;
    T rate = 0, keep = 1, beta = 0, beta2 = 0, eps = 0, root = 1; ///< as the loop says
    T rest = 0, rest2 = 0;                                        ///< 1 - beta and 1 - beta2, rounded once
};

/// What one ISA path computes for the optimizers. Formulas stand at the ops (engine/ops/update.hpp).
template <class T> struct UpdateLoops {
    void (*momentum_lr)(const Update<T>&); ///< rate, beta = mu
    void (*nesterov)(const Update<T>&);    ///< rate, beta = mu
    void (*rmsprop)(const Update<T>&);     ///< rate, beta = alpha, eps
    void (*adam)(const Update<T>&);        ///< rate = lr / (1 - beta1^t), keep = 1 - lr · decay, root = 1 / √(1 - beta2^t), eps
    void (*add_share)(const Update<T>&);   ///< out_w = keep · w + rate · g
    double (*sum_of_squares)(const T* x, std::int64_t count);
};

} // namespace gradus::cpu
