#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace gradus {

/// softmax(scores) · values of one query, block of keys by block, in fp64, as FlashAttention's paper writes it, with O divided by its sum at
/// each step: m' = max(m, block's maximum), f = e^(m - m'), l' = f l + Σ e^(s - m'), O' = (f l O + Σ e^(s - m') v) / l'. Computed.
///
/// scores (keys), values (keys, head_size) -> (head_size). `order`: numbers of blocks of `keys` keys, each once. Without `rescaled` the factor
/// f is left out on O, though not on l, as it is sometimes printed. Source: Milakov and Gimelshein 2018; Dao et al. 2022, algorithm 1.
std::vector<double> online_softmax(std::span<const double> scores, std::span<const double> values, std::int64_t keys, std::span<const std::int64_t> order,
                                   bool rescaled = true);

} // namespace gradus
