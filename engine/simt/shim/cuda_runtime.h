#pragma once
#pragma GCC system_header

// Under this header, which bears CUDA's name and is read before all else, g++ compiles CUDA C++ for one lane of a block; many lanes,
// and what they do together, is the business of whoever runs them (engine/simt/simt.h). See simt_base.h for how it is written.
//
// Needed beside the flags that the hooks want: -std=c++20, -ffp-contract=off, and with optimisation -fno-strict-aliasing, since kernels
// read floats as float4 and halves as uint4.

#include "simt_base.h"

#include "host_defines.h"
#include "vector_types.h"
#include "vector_functions.h"
#include "simt_place.h"
#include "simt_warp.h"
#include "simt_block.h"
#include "simt_atomics.h"
#include "simt_loads.h"
#include "simt_math.h"
#include "simt_integers.h"
#include "assert.h"
