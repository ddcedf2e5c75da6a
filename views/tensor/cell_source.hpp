#pragma once

#include "engine/core/tensor.hpp"

#include <vector>

namespace gradus {

/// A part of a matrix: rows [row, row + rows), columns alike.
struct CellWindow {
    Dim row = 0, column = 0, rows = 0, columns = 0;
    bool operator==(const CellWindow&) const = default;
    bool contains(Dim r, Dim c) const { return r >= row && c >= column && r < row + rows && c < column + columns; }
};

/// Values in rows and columns, read where they lie. Whoever holds it keeps the buffer alive.
struct CellSource {
    const std::byte* base = nullptr; ///< of cell (0, 0)
    DType dtype = DType::f32;
    Dim rows = 0, columns = 0;
    Dim row_stride = 0, column_stride = 0; ///< elements

    CellWindow all() const { return {0, 0, rows, columns}; }
    double at(Dim row, Dim column) const;
};

/// A window in at most out_rows × out_columns numbers, row by row: the mean of each block, but the value farthest from 0
/// where its magnitude is beyond `outlier`, and NaN where one is not finite. With no fewer cells than the window has,
/// every value stands alone.
std::vector<double> reduce_cells(const CellSource& source, const CellWindow& window, Dim out_rows, Dim out_columns,
                                double outlier);

} // namespace gradus
