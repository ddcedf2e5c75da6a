#define GRADUS_MATH_NAMESPACE fused_for_test
#include "engine/core/portable_special.hpp"
#include "tests/core/math_table.hpp"

namespace gradus::test {
MathTable fused_math() { return GRADUS_MATH_TABLE(gradus::fused_for_test, "fused"); }
} // namespace gradus::test
