#pragma once

#include <cstdint>

namespace gradus {

/// How a learning rate goes with the steps: a warm-up, then one of three courses. Steps count from 0; factors are unitless.
/// Formulas, errors and sources: factor_at.
struct Schedule {
    enum class Kind : std::uint8_t { constant, step, cosine };
    Kind kind = Kind::constant;
    std::int64_t warmup_steps = 0;     ///< the first of them take lr · (step + 1) / warmup_steps
    std::int64_t step_size = 1;        ///< Kind::step: steps between two drops
    double gamma = 0.1;                ///< Kind::step: the factor of a drop
    std::int64_t total_steps = 1;      ///< Kind::cosine: from here on the rate is lr · final_share
    double final_share = 0;            ///< Kind::cosine: lr_min / lr
};

/// What lr is multiplied by in a step, unitless, a pure function of it; t counts from the end of the warm-up.
///     warm-up    (step + 1) / warmup_steps
///     constant   1
///     step       gamma^⌊t / step_size⌋
///     cosine     final_share + (1 - final_share) · ½ · (1 + cos(π · t / (total_steps - warmup_steps)))
/// The last step of a linear warm-up has factor 1. Throws ArgumentError for a negative step or settings without meaning. Sources:
/// PyTorch's StepLR and CosineAnnealingLR; Loshchilov and Hutter 2017 (cosine); Goyal et al. 2017 (warm-up).
double factor_at(const Schedule& schedule, std::int64_t step);

} // namespace gradus
