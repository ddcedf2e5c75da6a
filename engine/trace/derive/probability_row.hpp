#pragma once

#include "engine/trace/run.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace gradus {

/// Row 0 of an iteration's logits and of what softmax and cross-entropy made of them, per class; unitless.
struct ProbabilityRow {
    StepIndex iteration = -1;
    std::vector<double> z;  ///< logits, as the iteration began with them
    std::vector<double> p;  ///< softmax(z)
    std::vector<double> y;  ///< 1 at the right class, else 0; empty where nothing says which is right
    std::vector<double> dz; ///< ∂L/∂z = p - y; empty where the iteration has no backward pass
    std::vector<double> dp; ///< ∂L/∂p = -y/p; the same
    std::vector<double> next_z; ///< the logits as the iteration's update left them; empty where it made none
    std::optional<double> loss; ///< -ln p at the right class, as the Run has it
    EventId made_z, made_p, made_dz, made_next_z; ///< of the events that wrote them
    enum class Missing : std::uint8_t { nothing, kept, row } missing = Missing::nothing; ///< its tensors are not kept; the Run has none

    std::size_t classes() const { return p.size(); }
    int label() const; ///< the right class; -1: unknown
    bool same_numbers(const ProbabilityRow& other) const; ///< NaN equals NaN: what is drawn is the same
};

/// Reads z, p, y (or label), dz and dp of an iteration from the Run that holds it in full.
ProbabilityRow probability_row(const Run& full, StepIndex iteration);

/// One class of softmax as it is computed without overflow: p_i = exp(z_i - max z) / sum_k exp(z_k - max z).
struct SoftmaxTerm {
    double largest = 0; ///< max z
    double above = 0;   ///< exp(z_i - max z)
    double below = 0;   ///< sum_k exp(z_k - max z), at least 1
};
/// Throws nothing; i must be a class.
SoftmaxTerm softmax_term(const std::vector<double>& z, std::size_t i);

/// softmax(z), each class by softmax_term(); empty for no logits.
std::vector<double> softmax_of(const std::vector<double>& z);

/// ‖∂z‖₂ of the row: the length of the arrow from y to p.
double arrow_length(const ProbabilityRow& row);
/// -lr · ∂z per class: what plain gradient descent adds to the logits.
std::vector<double> logit_step(const ProbabilityRow& row, double lr);

/// p of three classes per iteration, from the series p0, p1 and p2, first to last (included) and its ancestors' before a
/// fork; at most `most` of them, evenly spaced, the last one always. Empty where the Run has no such series.
std::vector<std::array<double, 3>> probability_path(const Run& run, StepIndex last, std::size_t most = 400);

} // namespace gradus
