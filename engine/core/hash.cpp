#include "engine/core/hash.hpp"

#include "engine/core/tensor.hpp"

#include <fmt/format.h>
#include <memory>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace gradus {

std::uint64_t hash_bytes(const void* data, std::size_t bytes, std::uint64_t seed) {
    return XXH3_64bits_withSeed(data, bytes, seed);
}

std::uint64_t hash_tensor(const Tensor& tensor) {
    std::uint64_t head[Shape::max_rank + 2] = {static_cast<std::uint64_t>(tensor.dtype()),
                                               static_cast<std::uint64_t>(tensor.shape().rank())};
    for (int axis = 0; axis < tensor.shape().rank(); ++axis)
        head[2 + axis] = static_cast<std::uint64_t>(tensor.shape()[axis]);
    const std::uint64_t seed = hash_bytes(head, sizeof head);
    if (tensor.contiguous()) return hash_bytes(tensor.raw(), tensor.bytes(), seed);
    const auto pool = std::make_shared<BufferPool>();
    const Tensor copy = tensor.contiguous_copy(*pool);
    return hash_bytes(copy.raw(), copy.bytes(), seed);
}

std::string hash_hex(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

} // namespace gradus
