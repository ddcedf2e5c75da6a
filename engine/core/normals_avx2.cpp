#include "engine/core/normal_paths.hpp"

#ifdef __AVX2__
#define GRADUS_MATH_NAMESPACE normals_avx2
#include "engine/core/normal_lanes.hpp"

namespace gradus {
NormalPath avx2_normals() { return {"avx2", &normals_avx2::make_normals}; }
} // namespace gradus
#else
namespace gradus {
NormalPath avx2_normals() { return {"avx2", nullptr}; }
} // namespace gradus
#endif
