#pragma once

#include "engine/trace/derive/level_lines.hpp"
#include "views/tensor/tensor_model.hpp"

#include <vector>

namespace gradus {

/// A tensor with what is known of all its values: everything a frame needs.
struct TensorShown {
    TensorModel model;
    TensorStatistics statistics;
    std::vector<double> reduced; ///< the whole matrix in fewer cells where it is too large to go over in a frame
    Dim reduced_rows = 0, reduced_columns = 0;
    std::vector<bool> unwritten;   ///< by place in row order: no lane ever wrote it, and it holds no number; empty: there is none, or it is not known
    Dim unwritten_count = 0;
    std::vector<LevelLine> levels; ///< of a grid: where it has one value

    bool is_unwritten(Dim row, Dim column) const;
    bool is_unwritten(const std::vector<Dim>& index) const;
    /// The whole matrix as an overview reads it: itself, or reduced.
    CellSource overview() const;
    /// The whole matrix for so many pixels: reduced only where nothing is lost by it, or where it is huge.
    CellSource whole(Dim rows, Dim columns) const;
};

/// Goes over all values of a tensor.
TensorShown show_tensor(TensorModel model);

} // namespace gradus
