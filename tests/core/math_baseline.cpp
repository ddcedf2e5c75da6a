#include "engine/core/portable_special.hpp"
#include "tests/core/math_table.hpp"

namespace gradus::test {
MathTable baseline_math() { return GRADUS_MATH_TABLE(gradus::portable, "baseline"); }
} // namespace gradus::test
