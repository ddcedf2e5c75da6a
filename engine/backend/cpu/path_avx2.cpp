#define GRADUS_MATH_NAMESPACE path_avx2
#include "engine/backend/cpu/product.hpp"

#include "engine/backend/cpu/elementwise.hpp"

#include "engine/backend/cpu/path_table.hpp"

namespace gradus::cpu {

const Path& avx2_path() {
    static constexpr Path path{"avx2", path_avx2::functions<float>(), path_avx2::functions<double>()};
    return path;
}

} // namespace gradus::cpu
