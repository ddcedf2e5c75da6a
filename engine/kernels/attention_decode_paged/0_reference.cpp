#include "engine/kernels/attention_decode_paged/ladder.hpp"

#include <algorithm>
#include <cmath>

namespace gradus::attention_decode_paged {

/// One query for each of H heads of each of B sequences: O = Σ_j softmax_j(q · K[j] / √D) · V[j] over the keys j <= last[b]. Key j of sequence
/// b is row j % 16 of page block_table[b][j / 16]. q (B, H, D), K_pages, V_pages (pages, 16, H, D), block_table (B, ⌈T / 16⌉), last (B)
/// -> O (B, H, D).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t B = problem.at("B"), H = problem.at("H"), T = problem.at("T"), D = problem.at("D");
    const std::vector<double>&q = values.at("q"), &K = values.at("K_pages"), &V = values.at("V_pages");
    std::vector<double>& O = values.at("O");
    for (std::int64_t b = 0; b < B; ++b)
        for (std::int64_t h = 0; h < H; ++h) {
            const auto element = [&](std::int64_t j, std::int64_t d) {
                const auto page = static_cast<std::int64_t>(values.at("block_table")[b * pieces(T, page_keys) + j / page_keys]);
                return ((page * page_keys + j % page_keys) * H + h) * D + d;
            };
            std::vector<double> p(static_cast<std::size_t>(values.at("last")[b]) + 1);
            for (std::size_t j = 0; j < p.size(); ++j)
                for (std::int64_t d = 0; d < D; ++d) p[j] += q[(b * H + h) * D + d] * K[element(j, d)] / std::sqrt(static_cast<double>(D));
            const double largest = *std::max_element(p.begin(), p.end());
            double sum = 0;
            for (double& each : p) sum += each = std::exp(each - largest);
            for (std::int64_t d = 0; d < D; ++d) {
                double o = 0;
                for (std::size_t j = 0; j < p.size(); ++j) o += p[j] / sum * V[element(j, d)];
                O[(b * H + h) * D + d] = o;
            }
        }
}

} // namespace gradus::attention_decode_paged
