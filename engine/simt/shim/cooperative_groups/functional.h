#pragma once
#pragma GCC system_header

// What values of a group are combined with.

#include <cuda_runtime.h>

namespace cooperative_groups {

#define SIMT_FUNCTION(name, expression)                                                                                                  \
    template <class T>                                                                                                                   \
    struct name {                                                                                                                        \
        SIMT_SEEN T operator()(T a, T b) const { return expression; }                                                                    \
    };
SIMT_FUNCTION(plus, a + b)
SIMT_FUNCTION(less, b < a ? b : a)
SIMT_FUNCTION(greater, a < b ? b : a)
SIMT_FUNCTION(bit_and, a & b)
SIMT_FUNCTION(bit_or, a | b)
SIMT_FUNCTION(bit_xor, a ^ b)
#undef SIMT_FUNCTION

} // namespace cooperative_groups
