#define GRADUS_MATH_NAMESPACE path_avx2
#include "engine/backend/cpu/product.hpp"

#include "engine/backend/cpu/elementwise.hpp"

#include "engine/backend/cpu/elementwise_table.hpp"

#include "engine/backend/cpu/reduce.hpp"

#include "engine/backend/cpu/attention.hpp"
#include "engine/backend/cpu/update.hpp"

#include "engine/backend/cpu/norm.hpp"

#include "engine/backend/cpu/cross_entropy.hpp"
#include "engine/backend/cpu/element_losses.hpp"

#include "engine/backend/cpu/window.hpp"

#include "engine/backend/cpu/path_table.hpp"

namespace gradus::cpu {

const Path& avx2_path() {
    static constexpr Path path{"avx2", path_avx2::functions<float>(), path_avx2::functions<double>()};
    return path;
}

} // namespace gradus::cpu
