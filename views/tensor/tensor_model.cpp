#include "views/tensor/tensor_model.hpp"

#include "engine/core/element_index.hpp"
#include "engine/trace/derive/element_origin.hpp"
#include "engine/trace/derive/level_lines.hpp"
#include "views/derive/settings.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {


Dim square_side(Dim size) {
    const auto side = static_cast<Dim>(std::lround(std::sqrt(static_cast<double>(size))));
    return side >= 4 && side * side == size ? side : 0;
}

/// The name of the axis that a first layer's weight sums over is "in"; that these are pixels stands with the data that
/// the weight is multiplied with. Its gradient has its axes.
bool multiplies_pixels(const Run& run, const IterationTensors& tensors, const std::string& weight) {
    for (const Run* at = &run; at; at = at->parent().get())
        for (std::size_t i = 0; i < at->sites().size(); ++i) {
            const EventSite& site = at->sites()[i];
            if (site.name != "matmul" || site.phase != Phase::forward || site.inputs.size() != 2 ||
                (site.inputs[1].name != weight && 'd' + site.inputs[1].name != weight))
                continue;
            const RecordedTensor* data = tensors.find(site.inputs[0].name);
            return data && data->tensor.defined() && data->tensor.shape().rank() == 2 &&
                   data->tensor.shape().name(1).view() == "pixel";
        }
    return false;
}

void find_pixels(TensorModel& model, const IterationTensors& tensors) {
    const Shape& shape = model.tensor().shape();
    if (shape.rank() != 2) return;
    for (int axis = 0; axis < 2; ++axis)
        if (shape.name(axis).view() == "pixel") model.pixel_axis = axis;
    if (model.pixel_axis < 0 && multiplies_pixels(*model.run, tensors, model.recorded.name)) model.pixel_axis = 0;
    if (model.pixel_axis < 0) return;
    model.side = square_side(shape[model.pixel_axis]);
    if (model.side == 0) model.pixel_axis = -1;
}

void find_labels(TensorModel& model, const IterationTensors& tensors) {
    const RecordedTensor* y = tensors.find("y");
    if (model.recorded.role != Role::data || !y || !y->tensor.defined()) return;
    const Shape& shape = y->tensor.shape();
    if (is_floating(y->tensor.dtype()) || shape.rank() != 1 || shape[0] != model.pictures()) return;
    for (Dim i = 0; i < shape[0]; ++i) model.labels.push_back(static_cast<Dim>(y->tensor.at(i)));
}

Dim stride_of(const Tensor& tensor, int axis) { return axis < 0 ? 0 : tensor.stride(axis); }

} // namespace

const RecordedTensor* tensor_named(const IterationTensors& tensors, std::string_view name) {
    if (name.empty()) {
        for (const RecordedTensor& recorded : tensors.tensors)
            if (recorded.role == Role::parameter && recorded.tensor.defined()) return &recorded;
        return tensors.tensors.empty() ? nullptr : &tensors.tensors.front();
    }
    const RecordedTensor* last = tensors.find(name);
    if (!last || (last->role != Role::parameter && last->role != Role::optimizer_state)) return last;
    const RecordedTensor* before = parameter_in(tensors, name, false);
    return before ? before : last;
}

TensorModel make_tensor_model(std::shared_ptr<const Run> run, const IterationTensors& tensors,
                              const RecordedTensor& recorded, const std::vector<Dim>& slice) {
    TensorModel model;
    model.run = std::move(run);
    model.iteration = tensors.iteration;
    model.recorded = recorded;
    model.before_update = model.is_state();
    model.kernels = tensors.kernels;
    model.origin = site_of(*model.run, recorded.id);
    if (!recorded.tensor.defined()) return model;
    const Shape& shape = recorded.tensor.shape();
    model.slice.assign(static_cast<std::size_t>(shape.rank()), 0);
    for (std::size_t i = 0; i < std::min(slice.size(), model.slice.size()); ++i)
        model.slice[i] = std::clamp(slice[i], Dim{0}, std::max(Dim{0}, shape[static_cast<int>(i)] - 1));
    model.column_axis = shape.rank() - 1;
    model.row_axis = shape.rank() - 2 < 0 ? -1 : shape.rank() - 2;
    find_pixels(model, tensors);
    find_labels(model, tensors);
    return model;
}

void find_grid(TensorModel& model, const Run& origin) {
    if (!model.tensor().defined() || model.rank() != 2) return;
    const Shape& shape = model.tensor().shape();
    model.row_values = axis_values(origin, shape.name(model.row_axis).view(), model.rows());
    model.column_values = axis_values(origin, shape.name(model.column_axis).view(), model.columns());
    if (model.row_values.empty() || model.column_values.empty()) model.row_values = model.column_values = {};
}

std::vector<int> TensorModel::cut_axes() const {
    std::vector<int> out;
    for (int axis = 0; axis < rank(); ++axis)
        if (axis != row_axis && axis != column_axis) out.push_back(axis);
    return out;
}

std::vector<int> TensorModel::chosen_axes() const {
    std::vector<int> out = cut_axes();
    std::erase_if(out, [&](int axis) { return tensor().shape()[axis] < 2; });
    return out;
}

CellSource TensorModel::source() const {
    if (!tensor().defined() || tensor().elements() == 0) return {};
    Dim offset = 0;
    for (const int axis : cut_axes()) offset += slice[static_cast<std::size_t>(axis)] * tensor().stride(axis);
    return {tensor().raw() + static_cast<std::ptrdiff_t>(offset) * static_cast<std::ptrdiff_t>(size_of(tensor().dtype())),
            tensor().dtype(), rows(), columns(), stride_of(tensor(), row_axis), stride_of(tensor(), column_axis)};
}

CellSource TensorModel::picture(Dim number) const {
    const Dim along = tensor().stride(pixel_axis), offset = number * tensor().stride(1 - pixel_axis);
    return {tensor().raw() + static_cast<std::ptrdiff_t>(offset) * static_cast<std::ptrdiff_t>(size_of(tensor().dtype())),
            tensor().dtype(), side, side, side * along, along};
}

std::vector<Dim> TensorModel::index_of(Dim row, Dim column) const {
    std::vector<Dim> index = slice;
    if (row_axis >= 0) index[static_cast<std::size_t>(row_axis)] = row;
    if (column_axis >= 0) index[static_cast<std::size_t>(column_axis)] = column;
    return index;
}

std::vector<Dim> TensorModel::index_of_pixel(Dim number, Dim pixel) const {
    std::vector<Dim> index(2);
    index[static_cast<std::size_t>(pixel_axis)] = pixel;
    index[static_cast<std::size_t>(1 - pixel_axis)] = number;
    return index;
}

bool TensorModel::holds(std::span<const Dim> index) const {
    return tensor().defined() && gradus::place_of(tensor().shape(), index);
}

std::optional<std::pair<Dim, Dim>> TensorModel::place_of(std::span<const Dim> index) const {
    if (!holds(index)) return std::nullopt;
    for (const int axis : cut_axes())
        if (index[static_cast<std::size_t>(axis)] != slice[static_cast<std::size_t>(axis)]) return std::nullopt;
    const auto on = [&](int axis) { return axis < 0 ? Dim{0} : index[static_cast<std::size_t>(axis)]; };
    return std::pair{on(row_axis), on(column_axis)};
}

double TensorModel::value(std::span<const Dim> index) const {
    return tensor().at(*gradus::place_of(tensor().shape(), index));
}

} // namespace gradus
