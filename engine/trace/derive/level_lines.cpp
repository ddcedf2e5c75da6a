#include "engine/trace/derive/level_lines.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

/// Whether they go in equal steps, up or down.
bool evenly_spaced(const std::vector<double>& values) {
    const double step = (values.back() - values.front()) / static_cast<double>(values.size() - 1);
    if (!std::isfinite(step) || step == 0) return false;
    for (std::size_t i = 1; i < values.size(); ++i)
        if (!(std::abs(values[i] - values[i - 1] - step) <= 1e-3 * std::abs(step))) return false;
    return true;
}

} // namespace

std::vector<double> axis_values(const Run& run, std::string_view axis, Dim size) {
    if (axis.empty() || size < 2) return {};
    for (const Run* each = &run; each; each = each->parent().get()) {
        const auto setup = each->tensors_of(-1);
        const RecordedTensor* found = setup ? setup->find(axis) : nullptr;
        if (!found || !found->tensor.defined()) continue;
        if (found->tensor.elements() != size || !is_floating(found->tensor.dtype())) return {};
        std::vector<double> out;
        for (Dim i = 0; i < size; ++i) out.push_back(found->tensor.at(i));
        return evenly_spaced(out) ? out : std::vector<double>();
    }
    return {};
}

std::vector<double> round_numbers(double from, double until, int most) {
    std::vector<double> out;
    const double span = until - from;
    if (!(span > 0) || !std::isfinite(span) || most < 1) return out;
    const auto first = [&](double step) { return std::ceil(from / step - 1e-9); };
    const auto last = [&](double step) { return std::floor(until / step + 1e-9); };
    double step = std::pow(10.0, std::floor(std::log10(span / most)));
    for (const double times : {2.0, 2.5, 2.0, 2.0}) // 1, 2, 5, 10, 20 of these
        if (last(step) - first(step) + 1 > most) step *= times;
    for (double i = first(step); i <= last(step); ++i) out.push_back(i == 0 ? 0 : i * step);
    return out;
}

std::vector<LevelLine> level_lines(std::span<const double> values, int columns, int rows, int most) {
    double least = INFINITY, greatest = -INFINITY, size = 0;
    for (const double value : values) {
        if (!std::isfinite(value)) continue;
        least = std::min(least, value);
        greatest = std::max(greatest, value);
        size = std::max(size, std::abs(value));
    }
    std::vector<LevelLine> out;
    if (!(greatest - least > 1e-9 * size)) return out; // what differs in rounding alone has no lines
    for (const double level : round_numbers(least, greatest, most)) {
        LevelLine line{level, contour(values, columns, rows, level)};
        if (!line.pieces.empty()) out.push_back(std::move(line));
    }
    return out;
}

} // namespace gradus
