#include "engine/core/normal_paths.hpp"

#ifdef __AVX512DQ__
#define GRADUS_MATH_NAMESPACE normals_avx512
#include "engine/core/normal_lanes.hpp"

namespace gradus {
NormalPath avx512_normals() { return {"avx512", &normals_avx512::make_normals}; }
} // namespace gradus
#else
namespace gradus {
NormalPath avx512_normals() { return {"avx512", nullptr}; }
} // namespace gradus
#endif
