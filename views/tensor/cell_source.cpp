#include "views/tensor/cell_source.hpp"

#include "engine/core/half.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace gradus {

namespace {

template <class T>
void reduce(const CellSource& source, const CellWindow& window, Dim out_rows, Dim out_columns, double outlier,
            double* out, Dim out_row_stride, Dim out_column_stride) {
    const T* first = reinterpret_cast<const T*>(source.base) + window.row * source.row_stride +
                     window.column * source.column_stride;
    for (Dim i = 0; i < out_rows; ++i) {
        const Dim r0 = i * window.rows / out_rows, r1 = (i + 1) * window.rows / out_rows;
        for (Dim k = 0; k < out_columns; ++k) {
            const Dim c0 = k * window.columns / out_columns, c1 = (k + 1) * window.columns / out_columns;
            double sum = 0, farthest = 0;
            for (Dim r = r0; r < r1; ++r) {
                const T* cell = first + r * source.row_stride + c0 * source.column_stride;
                for (Dim c = c0; c < c1; ++c, cell += source.column_stride) {
                    const auto value = static_cast<double>(*cell);
                    sum += value;
                    if (std::abs(value) > std::abs(farthest)) farthest = value;
                }
            }
            double& cell = out[i * out_row_stride + k * out_column_stride];
            if (!std::isfinite(sum)) cell = std::numeric_limits<double>::quiet_NaN(); // one of them spoils the sum
            else if (std::abs(farthest) > outlier) cell = farthest;
            else cell = sum / static_cast<double>((r1 - r0) * (c1 - c0));
        }
    }
}

} // namespace

double CellSource::at(Dim row, Dim column) const {
    const std::byte* cell = base + static_cast<std::size_t>(row * row_stride + column * column_stride) * size_of(dtype);
    const auto read = [cell]<class T>(T value) {
        std::memcpy(&value, cell, sizeof(T));
        return static_cast<double>(value);
    };
    switch (dtype) {
    case DType::f32: return read(float{});
    case DType::f64: return read(double{});
    case DType::i32: return read(std::int32_t{});
    case DType::i64: return read(std::int64_t{});
    case DType::u8:
    case DType::boolean: return read(std::uint8_t{});
    case DType::f16: return read(half{});
    case DType::bf16: return read(bfloat16{});
    }
    return 0;
}

std::vector<double> reduce_cells(const CellSource& source, const CellWindow& window, Dim out_rows, Dim out_columns,
                                double outlier) {
    out_rows = std::min(out_rows, window.rows);
    out_columns = std::min(out_columns, window.columns);
    if (out_rows <= 0 || out_columns <= 0 || !source.base) return {};
    std::vector<double> out(static_cast<std::size_t>(out_rows * out_columns));
    // The inner loop goes along the memory; where that is down a column, rows and columns change places.
    const bool turned = std::abs(source.column_stride) > std::abs(source.row_stride) && source.rows > 1;
    CellSource from = source;
    CellWindow part = window;
    if (turned) {
        std::swap(from.row_stride, from.column_stride);
        part = {window.column, window.row, window.columns, window.rows};
    }
    const auto go = [&]<class T>(T) {
        reduce<T>(from, part, turned ? out_columns : out_rows, turned ? out_rows : out_columns, outlier, out.data(),
                  turned ? 1 : out_columns, turned ? out_columns : 1);
    };
    switch (source.dtype) {
    case DType::f32: go(float{}); break;
    case DType::f64: go(double{}); break;
    case DType::i32: go(std::int32_t{}); break;
    case DType::i64: go(std::int64_t{}); break;
    case DType::u8:
    case DType::boolean: go(std::uint8_t{}); break;
    case DType::f16: go(half{}); break;
    case DType::bf16: go(bfloat16{}); break;
    }
    return out;
}

} // namespace gradus
