#pragma once

#include "engine/kernels/ladder.hpp"

#include <cstddef>
#include <string_view>

namespace gradus {

/// CUDA's word for the type: "float", "__half", "signed char".
std::string_view cuda_name_of(ElementType type);
/// The lab's short name: "fp32", "int8".
std::string_view name_of(ElementType type);

/// Writes what stands in a buffer before the first launch, count · size_of(type) bytes: a function of the seed, the buffer's name and the
/// index alone. Several threads make a large one.
void write_initial(const KernelBuffer& buffer, std::uint64_t seed, std::byte* bytes);

/// The number nearest to the value that the type holds (ties to even); integers wrap like a C conversion from int64.
double rounded(ElementType type, double value);

/// Elements in memory as numbers. `bytes` has count · size_of(type).
std::vector<double> load_values(ElementType type, const std::byte* bytes, std::size_t count);

/// The other way; each becomes the nearest that the type holds, as rounded() says.
void store_values(ElementType type, const std::vector<double>& values, std::byte* bytes);

/// ‖a − b‖₂ / ‖b‖₂; the norm of the difference where b is zero; not a number if one of a's is where none of b's is.
double relative_error(const std::vector<double>& a, const std::vector<double>& b);

} // namespace gradus
