#define GRADUS_MATH_NAMESPACE path_baseline
#include "engine/backend/cpu/product.hpp"

#include "engine/backend/cpu/elementwise.hpp"

#include "engine/backend/cpu/path_table.hpp"

namespace gradus::cpu {

const Path& baseline_path() {
    static constexpr Path path{"baseline", path_baseline::functions<float>(), path_baseline::functions<double>()};
    return path;
}

} // namespace gradus::cpu
