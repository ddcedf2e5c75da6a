#include "engine/kernels/attention_decode/ladder.hpp"

#include <algorithm>
#include <cmath>

namespace gradus::attention_decode {

/// One query for each of BH heads: O = Σ_j softmax_j(q · K[j] / √D) · V[j] over T keys. q (BH, D), K, V (BH, T, D) -> O (BH, D).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t BH = problem.at("BH"), T = problem.at("T"), D = problem.at("D");
    const std::vector<double>&q = values.at("q"), &K = values.at("K"), &V = values.at("V");
    std::vector<double>& O = values.at("O");
    for (std::int64_t head = 0; head < BH; ++head) {
        std::vector<double> p(static_cast<std::size_t>(T));
        for (std::int64_t j = 0; j < T; ++j)
            for (std::int64_t d = 0; d < D; ++d) p[j] += q[head * D + d] * K[(head * T + j) * D + d] / std::sqrt(static_cast<double>(D));
        const double largest = *std::max_element(p.begin(), p.end());
        double sum = 0;
        for (double& each : p) sum += each = std::exp(each - largest);
        for (std::int64_t d = 0; d < D; ++d) {
            double o = 0;
            for (std::int64_t j = 0; j < T; ++j) o += p[j] / sum * V[(head * T + j) * D + d];
            O[head * D + d] = o;
        }
    }
}

} // namespace gradus::attention_decode
