#define GRADUS_MATH_NAMESPACE path_avx512
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

const Path& avx512_path() {
    static constexpr Path path{"avx512", path_avx512::functions<float>(), path_avx512::functions<double>()};
    return path;
}

} // namespace gradus::cpu
