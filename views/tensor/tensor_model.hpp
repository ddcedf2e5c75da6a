#pragma once

#include "engine/trace/derive/tensor_statistics.hpp"
#include "engine/trace/run.hpp"
#include "views/tensor/cell_source.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace gradus {

/// A tensor of a Run laid out as a matrix: which axis lies along the rows of the screen, which along its columns, and
/// at which index every other axis is cut.
struct TensorModel {
    std::shared_ptr<const Run> run; ///< holds the iteration in full
    StepIndex iteration = -1;
    RecordedTensor recorded;
    bool before_update = false; ///< state: shown as the iteration began with it
    int row_axis = -1, column_axis = -1; ///< -1: the matrix has one row (one column)
    std::vector<Dim> slice;              ///< an index per axis; those of the two axes above do not matter
    int pixel_axis = -1;                 ///< of a matrix whose entries along this axis are a square picture
    Dim side = 0;                        ///< of the picture, pixels
    std::vector<Dim> labels;             ///< class of each picture, where the iteration knows it
    std::vector<double> row_values, column_values; ///< where the rows and columns of a grid stand; else both empty
    std::shared_ptr<const KernelTrace> kernels; ///< of the iteration; null where none was run step by step
    const EventSite* origin = nullptr;   ///< of the event that wrote it; null for an edit. Lives as long as the Run

    const Tensor& tensor() const { return recorded.tensor; }
    int rank() const { return tensor().shape().rank(); }
    Dim rows() const { return row_axis < 0 ? 1 : tensor().shape()[row_axis]; }
    Dim columns() const { return column_axis < 0 ? 1 : tensor().shape()[column_axis]; }
    /// Axes that are cut at an index.
    std::vector<int> cut_axes() const;
    /// Those of them that have more than one: there is something to choose.
    std::vector<int> chosen_axes() const;
    /// How many pictures there are.
    Dim pictures() const { return pixel_axis < 0 ? 0 : tensor().shape()[1 - pixel_axis]; }
    /// A function on a grid of points: its axes have numbers of their own.
    bool is_grid() const { return !row_values.empty() && !column_values.empty(); }
    bool is_state() const { return recorded.role == Role::parameter || recorded.role == Role::optimizer_state; }

    CellSource source() const;
    /// One picture, row by row.
    CellSource picture(Dim number) const;
    std::vector<Dim> index_of(Dim row, Dim column) const;
    std::vector<Dim> index_of_pixel(Dim picture, Dim pixel) const;
    /// Whether it is an index of this tensor.
    bool holds(std::span<const Dim> index) const;
    /// Whether the matrix on screen has it, and where.
    std::optional<std::pair<Dim, Dim>> place_of(std::span<const Dim> index) const;
    double value(std::span<const Dim> index) const;
};

/// The tensor of this name in an iteration; state (parameters, velocities) as the iteration began with it. With an empty
/// name the first parameter, else the first tensor. Null if the iteration or the tensor is not kept.
const RecordedTensor* tensor_named(const IterationTensors& tensors, std::string_view name);

/// Lays a tensor out: the last two axes as a matrix, a long one across the screen, the others cut at `slice`.
TensorModel make_tensor_model(std::shared_ptr<const Run> run, const IterationTensors& tensors,
                              const RecordedTensor& recorded, const std::vector<Dim>& slice);

/// Where the rows and columns of the matrix stand, as the constants of `origin`, the Run that was recorded, say.
void find_grid(TensorModel& model, const Run& origin);

} // namespace gradus
