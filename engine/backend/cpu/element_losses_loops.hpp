#pragma once

#include <cstdint>

namespace gradus::cpu {

/// A range of an element-wise loss: what is compared with what, and of its gradient ∂L over what the sum is divided by.
template <class T> struct ElementLoss {
    const T* x = nullptr;
    const T* target = nullptr;
    T* out = nullptr;
    std::int64_t count = 0;
    double scale = 0;
    double beta = 0; ///< of smooth_l1_loss
};

/// What one ISA path computes of losses element by element. Sums are made in fp64, in an order that the count alone decides.
template <class T> struct ElementLossLoops {
    double (*bce)(const ElementLoss<T>&);
    void (*bce_backward)(const ElementLoss<T>&);
    void (*bce_target_backward)(const ElementLoss<T>&);
    double (*kl_div)(const ElementLoss<T>&);
    void (*kl_div_backward)(const ElementLoss<T>&);
    void (*kl_div_target_backward)(const ElementLoss<T>&); ///< x is the target here, and target the log-probabilities
    double (*smooth_l1)(const ElementLoss<T>&);
    void (*smooth_l1_backward)(const ElementLoss<T>&);
};

} // namespace gradus::cpu
