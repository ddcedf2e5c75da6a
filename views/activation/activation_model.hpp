#pragma once

#include "engine/trace/derive/activation_curve.hpp"
#include "engine/trace/run.hpp"
#include "views/state/app_state.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gradus {

/// Where a Run computes a = f(z).
struct ActivationUse {
    std::size_t op = 0; ///< as activation_ops() counts
    std::string module; ///< "layer1"
    std::string z, a;   ///< tensors: "z1", "a1"
    DType dtype = DType::f32;
};
/// Those of a Run's forward pass, in its order.
std::vector<ActivationUse> activation_uses(const Run& run);

/// What a selection says about the activations of a Run.
struct ActivationChoice {
    std::size_t use = 0;    ///< which one; the first where the selection names no layer
    std::vector<Dim> index; ///< of z and a; empty: no element is chosen
    std::string bare;       ///< the module of a selected tensor that no activation follows; empty: none
};
/// An element of z or a, of what z is the sum of, or of their gradients is itself; of a bias b[i] or a weight W[k, i], the
/// neuron's i with the first example of the batch, row 0.
ActivationChoice activation_choice(const Run& run, const std::vector<ActivationUse>& uses, const Selection& selection);

/// One recorded pair of z and a, with the derivative there by the op's own kernel.
struct ActivationPoint {
    ActivationUse use;
    std::vector<Dim> index;
    double z = 0, a = 0, slope = 0;
};

/// The curves of all six and how the points of a Run get their derivatives: both by the Run's own instruction set.
class ActivationCurves {
public:
    ActivationCurves(const std::string& isa, DType dtype);
    const std::vector<ActivationCurve>& curves() const { return curves_; }
    /// The element as an iteration recorded it; nothing where the iteration kept not both, or for no element.
    std::optional<ActivationPoint> point(const ActivationUse& use, const std::vector<Dim>& index, const IterationTensors& tensors) const;

private:
    std::shared_ptr<Device> device_;
    std::vector<ActivationCurve> curves_; ///< as activation_ops(), over the z axis
};

} // namespace gradus
