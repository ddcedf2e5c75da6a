#include "engine/nn/linear.hpp"

#include "engine/core/philox.hpp"
#include "engine/ops/ops.hpp"

#include <cmath>
#include <fmt/format.h>
#include <vector>

namespace gradus {

namespace {

constexpr std::uint64_t weight_stream = std::uint64_t{1} << 32; // low half: the layer, doubled for the bias

Tensor uniform(BufferPool& pool, const Shape& shape, DType dtype, double bound, const Philox& random) {
    std::vector<double> values(static_cast<std::size_t>(shape.elements()));
    random.uniforms(0, values);
    for (double& value : values) value = bound * (2.0 * value - 1.0);
    if (dtype == DType::f64) return Tensor::from<double>(pool, shape, values);
    const std::vector<float> narrow(values.begin(), values.end());
    return Tensor::from<float>(pool, shape, narrow);
}

} // namespace

LinearInit init_linear(BufferPool& pool, Dim in, Dim out, DType dtype, std::uint64_t seed, int layer) {
    const double bound = 1.0 / std::sqrt(static_cast<double>(in)); // sqrt is exact on every machine
    const auto stream = weight_stream + 2 * static_cast<std::uint64_t>(layer);
    return {uniform(pool, {{in, "in"}, {out, "out"}}, dtype, bound, Philox(seed, stream)),
            uniform(pool, {{out, "out"}}, dtype, bound, Philox(seed, stream + 1))};
}

Linear apply_linear(Tape& tape, ValueIndex x, ValueIndex weight, ValueIndex bias, int number) {
    const std::string module = fmt::format("layer{}", number);
    const std::string product_name = fmt::format("{}·W{}", tape.value(x).name, number);
    const NodeIndex product = tape.apply(ops::matmul(), Phase::forward, module, {x, weight}, {product_name});
    const NodeIndex sum = tape.apply(ops::add_bias(), Phase::forward, module, {tape.node(product).outputs[0], bias},
                                     {fmt::format("z{}", number)});
    return {weight, bias, tape.node(sum).outputs[0]};
}

} // namespace gradus
