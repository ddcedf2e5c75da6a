#include "app/cli/bench/op_call.hpp"

#include "engine/core/philox.hpp"

namespace gradus::cli {

Tensor random_tensor(BufferPool& pool, const Shape& shape, unsigned seed) {
    const Philox random(seed, 0);
    std::vector<float> values(static_cast<std::size_t>(shape.elements()));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(2 * random.uniform(i) - 1);
    return Tensor::from<float>(pool, shape, values);
}

} // namespace gradus::cli
