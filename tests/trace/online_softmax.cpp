#include "engine/trace/derive/online_softmax.hpp"

#include "tests/support/check.hpp"

#include <algorithm>
#include <cmath>

using namespace gradus;

namespace {

std::vector<double> whole(const std::vector<double>& scores, const std::vector<double>& values) {
    const std::size_t D = values.size() / scores.size();
    const double largest = *std::max_element(scores.begin(), scores.end());
    std::vector<double> out(D, 0);
    double sum = 0;
    for (const double score : scores) sum += std::exp(score - largest);
    for (std::size_t j = 0; j < scores.size(); ++j)
        for (std::size_t d = 0; d < D; ++d) out[d] += std::exp(scores[j] - largest) / sum * values[j * D + d];
    return out;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
    return most;
}

} // namespace

TEST(blocks_in_any_order_give_the_softmax_of_all_keys) {
    const std::vector<double> scores{1.5, -2, 0.25, 3, 2.5, -1, 0, 0.5, 4, -3, 1, 2}, values{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, -1, 0, 1, 0, 2, 0, -3, 0, 1, 5, 0, 1};
    std::vector<std::int64_t> order{0, 1, 2};
    do CHECK(distance(online_softmax(scores, values, 4, order), whole(scores, values)) <= 1e-14);
    while (std::next_permutation(order.begin(), order.end()));
    const std::vector<std::int64_t> ones{11, 3, 0, 8, 1, 2, 4, 5, 6, 7, 9, 10}, uneven{1, 2, 0};
    CHECK(distance(online_softmax(scores, values, 1, ones), whole(scores, values)) <= 1e-14);
    CHECK(distance(online_softmax(scores, values, 5, uneven), whole(scores, values)) <= 1e-14); // the last is shorter
    CHECK(online_softmax({}, {}, 4, order).empty());
}

/// The blocks' maxima are 3, 2.5 and 4.
TEST(without_the_factor_only_a_falling_maximum_is_right) {
    const std::vector<double> scores{1.5, -2, 0.25, 3, 2.5, -1, 0, 0.5, 4, -3, 1, 2}, values{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    std::vector<std::int64_t> order{0, 1, 2};
    do {
        const double off = distance(online_softmax(scores, values, 4, order, false), whole(scores, values));
        if (order.front() == 2) CHECK(off <= 1e-14); // it never rises
        else CHECK(off > 0.05);
    } while (std::next_permutation(order.begin(), order.end()));
}
