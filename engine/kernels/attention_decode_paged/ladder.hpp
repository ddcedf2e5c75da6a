#pragma once

#include "engine/kernels/ladder.hpp"

namespace gradus::attention_decode_paged {

constexpr int page_keys = 16; ///< that a page of the cache holds

void reference(const Problem& problem, KernelValues& values); ///< rung 0
Ladder ladder();

} // namespace gradus::attention_decode_paged
