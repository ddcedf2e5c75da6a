#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gradus {

class Tensor;

/// XXH3 64-bit hash of bytes: finds damage and difference, not malice.
std::uint64_t hash_bytes(const void* data, std::size_t bytes, std::uint64_t seed = 0);
inline std::uint64_t hash_text(std::string_view text) { return hash_bytes(text.data(), text.size()); }

/// Hash of dtype, sizes and contents in row-major order; equal for equal tensors whatever their strides.
std::uint64_t hash_tensor(const Tensor& tensor);

/// 16 hexadecimal digits.
std::string hash_hex(std::uint64_t hash);

} // namespace gradus
