#pragma once

#include "views/folds/fold_geometry.hpp"

#include <optional>

namespace gradus {

constexpr double fold_row_gap = 3;       // pixels between the band of a row and the next
constexpr double most_fold_picture = 16; // lines

/// A matrix with what follows it up to the next one.
struct FoldUnit {
    std::size_t matrix = 0;
    std::vector<std::size_t> after;
};

std::vector<FoldUnit> fold_units(const std::vector<ChainStep>& chain);

/// Into how many rows the matrices of a chain go, and how large each of them is.
struct FoldRows {
    std::size_t rows = 1, per_row = 1;
    double width = 0, height = 0; ///< of a box
    double name = 0;              ///< of the strip over its picture; 0: it has none
    double grow = 1;
    bool ends = true;             ///< what goes in and what comes out have boxes
    double data = 0;              ///< of so much width: that of their shapes, or of their names alone
};

/// The matrices as large as they can be in `width`×`height`, in few rows; `band` is what each row needs below itself. With `beside`, so
/// much of a box's height is taken a second time. `ends`: what goes in and what comes out stand there, too. None where there is no room.
std::optional<FoldRows> fold_rows(const std::vector<FoldUnit>& units, double width, double height, double band, double beside, bool ends, const FoldSizes& sizes);

/// The least room after a matrix: an arrow, or more with what stands between them.
double fold_gap(const FoldUnit& unit, double grow, const FoldSizes& sizes);
/// How many arrows that are.
int fold_arrows(const FoldUnit& unit, const FoldSizes& sizes);
/// Width of what stands between matrices, without the arrows.
double fold_steps_width(const std::vector<std::size_t>& steps, double grow, const FoldSizes& sizes);
/// Height of so many steps that stand one above the other.
double fold_stack(std::size_t words, double grow, const FoldSizes& sizes);

} // namespace gradus
