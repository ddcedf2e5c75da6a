#include "engine/trace/derive/finite_difference.hpp"

#include "engine/core/element_index.hpp"
#include "engine/core/error.hpp"
#include "engine/trace/derive/forward_pass.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gradus {

FiniteDifference finite_difference(const Run& run, const Run& origin, StepIndex iteration, const std::string& parameter,
                                   const std::vector<Dim>& index) {
    const auto tensors = run.tensors_of(iteration);
    const RecordedTensor* gradient = tensors ? tensors->find("d" + parameter) : nullptr;
    if (!gradient || !gradient->tensor.defined())
        throw UnavailableError(fmt::format("iteration {} kept no gradient of '{}'", iteration, parameter));
    FiniteDifference out;
    out.parameter = parameter;
    out.index = index;
    const Dim flat = place_of(gradient->tensor.shape(), index, parameter);
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
