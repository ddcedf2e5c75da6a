#pragma once

#include "engine/trace/derive/decision_field.hpp"
#include "engine/trace/run.hpp"

namespace gradus {

/// Where each index of an axis stands: the numbers of the constant that has the axis's name and its length, as a Run's setup
/// wrote it, evenly spaced. Empty where there is no such constant.
std::vector<double> axis_values(const Run& run, std::string_view axis, Dim size);

/// Round numbers, 1, 2 or 5 times a power of ten apart, from `from` to `until` and at most so many.
std::vector<double> round_numbers(double from, double until, int most);

/// The lines on which a grid of values has one round value.
struct LevelLine {
    double level = 0;
    std::vector<ContourPiece> pieces; ///< in columns and rows of the grid
};

/// At most so many levels between the least and the greatest value, row by row. None where they are all the same.
std::vector<LevelLine> level_lines(std::span<const double> values, int columns, int rows, int most);

} // namespace gradus
