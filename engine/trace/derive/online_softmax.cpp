#include "engine/trace/derive/online_softmax.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gradus {

std::vector<double> online_softmax(std::span<const double> scores, std::span<const double> values, std::int64_t keys, std::span<const std::int64_t> order, bool rescaled) {
    if (scores.empty()) return {};
    const std::size_t D = values.size() / scores.size();
    std::vector<double> output(D, 0);
    double max = -std::numeric_limits<double>::infinity(), sum = 0;
    for (const std::int64_t block : order) {
        const auto first = static_cast<std::size_t>(block * keys), last = std::min(first + static_cast<std::size_t>(keys), scores.size());
        if (first >= last) continue;
        const double larger = std::max(max, *std::max_element(scores.begin() + static_cast<std::ptrdiff_t>(first), scores.begin() + static_cast<std::ptrdiff_t>(last)));
        const double factor = std::exp(max - larger), kept = rescaled || sum == 0 ? factor : 1;
        std::vector<double> added(D, 0);
        double more = 0;
        for (std::size_t key = first; key < last; ++key) {
            const double p = std::exp(scores[key] - larger);
            more += p;
            for (std::size_t d = 0; d < D; ++d) added[d] += p * values[key * D + d];
        }
        const double next = factor * sum + more;
        for (std::size_t d = 0; d < D; ++d) output[d] = (kept * sum * output[d] + added[d]) / next;
        max = larger, sum = next;
    }
    return output;
}

} // namespace gradus
