#pragma once

#include "engine/trace/derive/finite_difference.hpp"
#include "engine/trace/derive/gradient_flow.hpp"
#include "engine/trace/run.hpp"

#include <memory>
#include <string>
#include <vector>

namespace gradus {

using GradientLayers = std::shared_ptr<const std::vector<GradientLayer>>;

/// What one iteration says about every layer.
struct FlowNumbers {
    GradientLayers layers;
    StepIndex iteration = -1;
    std::vector<LayerFlow> flow; ///< empty where the iteration's tensors are not kept
};
struct FlowWish {
    GradientLayers layers;
    std::shared_ptr<const Run> full;
    StepIndex iteration = -1;
};
std::shared_ptr<const FlowNumbers> flow_numbers(const FlowWish& wish);

/// The norms of one observed iteration.
struct NormSample {
    StepIndex iteration = -1;
    std::vector<GradientNorms> norms; ///< per layer
};

/// The norms of a Run's observed iterations, with its ancestors' before the fork.
struct NormHistory {
    std::shared_ptr<const Run> run;
    std::vector<NormSample> samples; ///< by iteration
};

/// Norms as iterations are observed, each computed once. An iteration whose tensors had given way before anybody looked is
/// left out.
class NormBook {
public:
    std::shared_ptr<const NormHistory> look(const std::shared_ptr<const Run>& run, const std::vector<GradientLayer>& layers);

private:
    struct Page {
        std::weak_ptr<const Run> run; ///< whoever looks at it keeps it
        std::size_t seen = 0;         ///< of its observed iterations
        std::vector<NormSample> samples;
    };
    std::vector<Page> pages_;
};

/// A gradient's entry to be checked; without an index, the largest one.
struct CheckWish {
    std::shared_ptr<const Run> full, origin;
    StepIndex iteration = -1;
    std::string parameter;
    std::vector<Dim> index;
    bool operator==(const CheckWish&) const = default;
};
struct CheckResult {
    CheckWish wish;
    FiniteDifference check;
    std::string refusal; ///< a sentence where there is no result
};
std::shared_ptr<const CheckResult> check_gradient(const CheckWish& wish);

} // namespace gradus
