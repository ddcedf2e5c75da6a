#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace gradus {

class Shape;
class Tensor;
enum class DType : std::uint8_t;

/// XXH3 64-bit hash of bytes: finds damage and difference, not malice.
std::uint64_t hash_bytes(const void* data, std::size_t bytes, std::uint64_t seed = 0);
/// hash_bytes of pieces one after the other, until an empty one comes: each is hashed while it is in the caches of who made it.
std::uint64_t hash_pieces(const std::function<std::span<const std::byte>()>& next, std::uint64_t seed = 0);
inline std::uint64_t hash_text(std::string_view text) { return hash_bytes(text.data(), text.size()); }

/// Hash of dtype, sizes and contents in row-major order; equal for equal tensors whatever their strides.
std::uint64_t hash_tensor(const Tensor& tensor);
/// What the hash of such a tensor's contents begins with.
std::uint64_t hash_seed(DType dtype, const Shape& shape);

/// 16 hexadecimal digits.
std::string hash_hex(std::uint64_t hash);

} // namespace gradus
