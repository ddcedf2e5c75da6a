#include "tests/ops/rows/gradcheck.hpp"

#include "engine/core/philox.hpp"
#include "tests/ops/rows/inputs.hpp"
#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"

#include <algorithm>
#include <cmath>

namespace gradus::test {

namespace {

constexpr std::size_t most_entries = 12; // that are moved alone
constexpr std::uint64_t directions = 2;

/// L and Σ |g · y|, which says how far L may be rounded.
struct Objective {
    double value = 0, size = 0;
};

Objective objective(RowTape& row, const std::vector<std::vector<double>>& upstream) {
    execute_forward(row);
    Objective out;
    for (std::size_t i = 0; i < upstream.size(); ++i)
        if (!upstream[i].empty()) {
            const Tensor y = row.tape.tensor(row.outputs[i]);
            for (std::size_t j = 0; j < upstream[i].size(); ++j) {
                const double term = y.at(static_cast<Dim>(j)) * upstream[i][j];
                if (std::isinf(term)) continue; // what is masked away stays so
                out.value += term;
                out.size += std::abs(term);
            }
        }
    return out;
}

} // namespace

void check_gradients(const OpRow& row, RowTape& tape) {
    constexpr double h = 1e-5;
    std::vector<std::vector<double>> upstream;
    for (std::size_t i = 0; i < row.outputs.size(); ++i)
        upstream.push_back(row.outputs[i].grad ? upstream_of(row, i) : std::vector<double>{});
    const Objective here = objective(tape, upstream);
    CHECK(std::isfinite(here.value));
    for (std::size_t input = 0; input < row.inputs.size(); ++input) {
        if (!row.inputs[input].grad) continue;
        if (!CHECK(tape.gradients[input] != no_value)) continue;
        const Tensor before = tape.tape.tensor(tape.inputs[input]);
        const std::vector<double> values = values_of(before),
                                  exact = values_of(tape.tape.tensor(tape.gradients[input]));
        if (!CHECK_EQUAL(values.size(), exact.size()) || values.empty()) continue;
        std::vector<double> direction(values.size());
        const auto moved = [&](double step) {
            std::vector<double> there = values;
            for (std::size_t i = 0; i < there.size(); ++i) there[i] += step * direction[i];
            tape.tape.set(tape.inputs[input], tensor_of(before.shape(), there));
            return objective(tape, upstream).value;
        };
        double error = 0, norm = 0;
        const auto compare = [&] {
            double along = 0;
            for (std::size_t i = 0; i < exact.size(); ++i) along += direction[i] * exact[i];
            const double slope = (moved(h) - moved(-h)) / (2 * h);
            error += (slope - along) * (slope - along);
            norm += along * along;
        };
        const Philox random(row.seed, 200 + input);
        for (std::size_t k = 0; k < std::min(most_entries, values.size()); ++k) {
            std::fill(direction.begin(), direction.end(), 0.0);
            direction[values.size() <= most_entries ? k : random.below(k, static_cast<std::uint32_t>(values.size()))] =
                1;
            compare();
        }
        for (std::uint64_t k = 0; k < directions; ++k) {
            for (std::size_t i = 0; i < direction.size(); ++i)
                direction[i] =
                    random.normal(1000 + k * direction.size() + i) / std::sqrt(static_cast<double>(direction.size()));
            compare();
        }
        tape.tape.set(tape.inputs[input], before);
        // the second term is the rounding of L divided by h
        CHECK_ERROR(
            std::sqrt(error), 1e-6 * std::sqrt(norm) + 1e-9 * std::max(1.0, here.size),
            fmt::format("central differences for input {} (norm {:.3g})", row.inputs[input].name, std::sqrt(norm)));
    }
}

} // namespace gradus::test
