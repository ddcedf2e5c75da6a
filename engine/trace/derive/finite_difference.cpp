#include "engine/trace/derive/finite_difference.hpp"

#include "engine/core/error.hpp"
#include "engine/trace/derive/forward_pass.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gradus {

std::vector<Dim> index_of(const Shape& shape, Dim flat) {
    std::vector<Dim> index(static_cast<std::size_t>(shape.rank()));
    for (int axis = shape.rank() - 1; axis >= 0; --axis) {
        index[static_cast<std::size_t>(axis)] = flat % shape[axis];
        flat /= shape[axis];
    }
    return index;
}

Dim flat_of(const Shape& shape, const std::vector<Dim>& index, const std::string& name) {
    bool inside = static_cast<int>(index.size()) == shape.rank();
    Dim flat = 0;
    for (int axis = 0; inside && axis < shape.rank(); ++axis) {
        const Dim at = index[static_cast<std::size_t>(axis)];
        inside = at >= 0 && at < shape[axis];
        flat = flat * shape[axis] + at;
    }
    if (!inside)
        throw ArgumentError(fmt::format("{}[{}] is outside its shape {}", name, fmt::join(index, ", "), shape.text()));
    return flat;
}

FiniteDifference finite_difference(const Run& run, const Run& origin, StepIndex iteration, const std::string& parameter,
                                   const std::vector<Dim>& index) {
    const auto tensors = run.tensors_of(iteration);
    const RecordedTensor* gradient = tensors ? tensors->find("d" + parameter) : nullptr;
    if (!gradient || !gradient->tensor.defined())
        throw UnavailableError(fmt::format("iteration {} kept no gradient of '{}'", iteration, parameter));
    FiniteDifference out;
    out.parameter = parameter;
    out.index = index;
    const Dim flat = flat_of(gradient->tensor.shape(), index, parameter);
    out.gradient = gradient->tensor.at(flat);
    ForwardPass pass(run, forward_inputs(run, origin, iteration), {DType::f64, 0, true});
    out.value = pass.element(parameter, flat);
    int exponent = 0;
    std::frexp(std::isfinite(out.value) ? out.value : 1.0, &exponent);
    out.h = std::ldexp(1.0, std::max(exponent, 0) - 17); // near the cube root of fp64's spacing, the best for central differences
    pass.set_element(parameter, flat, out.value + out.h);
    out.loss_above = pass.run();
    const std::vector<bool> above = pass.gates();
    pass.set_element(parameter, flat, out.value - out.h);
    out.loss_below = pass.run();
    const std::vector<bool> below = pass.gates();
    for (std::size_t i = 0; i < above.size(); ++i) out.flipped += above[i] != below[i];
    out.difference = (out.loss_above - out.loss_below) / (2 * out.h);
    out.rounding = std::ldexp(std::max(std::abs(out.loss_above), std::abs(out.loss_below)), -52) / (2 * out.h);
    const double larger = std::max(std::abs(out.gradient), std::abs(out.difference));
    // Where one of them is not finite neither is what parts them.
    if (!std::isfinite(out.gradient) || !std::isfinite(out.difference)) out.relative = std::nan("");
    else out.relative = larger == 0 ? 0 : std::abs(out.gradient - out.difference) / larger;
    return out;
}

} // namespace gradus
