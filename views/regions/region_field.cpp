#include "views/regions/region_field.hpp"

#include "engine/core/error.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

constexpr Dim most_neurons = 8; // whose lines can be told apart
constexpr Dim batch = 1024; // rows of the forward pass at a time: their activations stay in the cache

std::span<const double> row_of(const std::vector<double>& outputs, std::size_t row, int width) {
    return std::span(outputs).subspan(row * static_cast<std::size_t>(width), static_cast<std::size_t>(width));
}

/// How far a class is ahead of the best of the others.
std::vector<double> margins(const std::vector<double>& outputs, int classes, int of) {
    std::vector<double> out(outputs.size() / static_cast<std::size_t>(classes));
    for (std::size_t cell = 0; cell < out.size(); ++cell) {
        const auto z = row_of(outputs, cell, classes);
        double other = -INFINITY;
        for (int k = 0; k < classes; ++k)
            if (k != of) other = std::max(other, z[static_cast<std::size_t>(k)]);
        out[cell] = z[static_cast<std::size_t>(of)] - other;
    }
    return out;
}

void fill(RegionField& field, const std::vector<double>& outputs) {
    const DecisionRule& rule = field.rule;
    const auto cells = outputs.size() / static_cast<std::size_t>(rule.outputs);
    for (std::size_t cell = 0; cell < cells; ++cell) {
        const auto z = row_of(outputs, cell, rule.outputs);
        field.classes.push_back(rule.class_of(z));
        const auto wide = static_cast<std::size_t>(field.grid.columns);
        const std::size_t column = cell % wide, row = cell / wide;
        const bool shown = column > 0 && column + 1 < wide && row > 0 && row + 1 < static_cast<std::size_t>(field.grid.rows);
        field.not_finite += shown && field.classes.back() < 0;
        if (rule.one_boundary()) field.scores.push_back(field.classes.back() < 0 ? NAN : rule.score(z));
    }
    if (rule.one_boundary()) {
        // The contour follows the logits, not the probabilities, which are flat far from it.
        std::vector<double> heights(cells);
        for (std::size_t cell = 0; cell < cells; ++cell) {
            const auto z = row_of(outputs, cell, rule.outputs);
            heights[cell] = rule.outputs == 2 ? z[1] - z[0] : z[0] - (rule.kind == DecisionRule::Kind::logit ? 0.0 : 0.5);
        }
        field.boundary = contour(heights, field.grid.columns, field.grid.rows, 0);
        return;
    }
    for (int of = 0; of < rule.outputs; ++of)
        for (const ContourPiece& piece : contour(margins(outputs, rule.outputs, of), field.grid.columns, field.grid.rows, 0))
            field.boundary.push_back(piece);
}

Dim input_width(const std::vector<RecordedTensor>& inputs) {
    for (const RecordedTensor& input : inputs)
        if (input.role == Role::data && is_floating(input.tensor.dtype()) && input.tensor.shape().rank() == 2)
            return input.tensor.shape()[1];
    return 0;
}

} // namespace

PlaneSquare square_of(const std::vector<double>& points) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!std::isfinite(points[i])) continue;
        low[i % 2] = std::min(low[i % 2], points[i]);
        high[i % 2] = std::max(high[i % 2], points[i]);
    }
    if (!(low[0] <= high[0]) || !(low[1] <= high[1])) return {};
    const double extent = std::max({high[0] - low[0], high[1] - low[1], 1e-9});
    PlaneSquare square;
    square.size = extent * 1.3;
    square.left = (low[0] + high[0] - square.size) / 2;
    square.bottom = (low[1] + high[1] - square.size) / 2;
    return square;
}

std::vector<NeuronLine> first_layer_lines(const std::vector<RecordedTensor>& inputs) {
    const Tensor *weight = nullptr, *bias = nullptr;
    std::size_t layers = 0;
    for (const RecordedTensor& input : inputs) {
        if (input.role != Role::parameter || !input.tensor.defined()) continue;
        const Shape shape = input.tensor.shape();
        if (shape.rank() == 2) {
            ++layers;
            if (!weight) weight = &input.tensor;
        } else if (shape.rank() == 1 && weight && !bias && layers == 1 && shape[0] == weight->shape()[1]) {
            bias = &input.tensor;
        }
    }
    std::vector<NeuronLine> lines;
    if (layers < 2 || weight->shape()[0] != 2 || weight->shape()[1] > most_neurons) return lines;
    for (Dim h = 0; h < weight->shape()[1]; ++h) lines.push_back({weight->at(0, h), weight->at(1, h), bias ? bias->at(h) : 0.0});
    return lines;
}

int RegionField::classes_in_data() const {
    return points.labels.empty() ? rule.classes()
                                 : std::max(rule.classes(), *std::max_element(points.labels.begin(), points.labels.end()) + 1);
}

std::size_t RegionField::wrong() const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < predicted.size(); ++i) count += predicted[i] != points.labels[i];
    return count;
}

std::shared_ptr<const RegionField> region_field(const RegionWish& wish, const std::atomic<bool>& outdated) {
    auto field = std::make_shared<RegionField>();
    field->wish = wish;
    try {
        const auto inputs = forward_inputs(*wish.full, *wish.origin, wish.iteration);
        field->width = input_width(inputs);
        if (field->width != 2) return field;
        DType dtype = DType::f32;
        for (const RecordedTensor& input : inputs)
            if (input.role == Role::parameter) dtype = input.tensor.dtype(); // the Run's own, so that points give its very numbers
        ForwardPass pass(*wish.full, inputs, {dtype, batch, false});
        field->probe = std::make_shared<ForwardPass>(*wish.full, inputs, ForwardPass::Options{dtype, 1, false});
        field->rule = decision_rule(pass);
        field->neurons = first_layer_lines(inputs);
        field->points = plane_points(*wish.full, *wish.origin, wish.iteration);
        field->point_outputs = outputs_at(pass, field->points.x);
        for (std::size_t i = 0; i < field->points.size(); ++i)
            field->predicted.push_back(field->rule.class_of(row_of(field->point_outputs, i, field->rule.outputs)));
        // The square holds the points as they were first too, so that it stands still while one is moved.
        std::vector<double> all = field->points.x;
        if (wish.origin->tensors_of(-1)) {
            const PlanePoints first = plane_points(*wish.origin, *wish.origin, -1);
            all.insert(all.end(), first.x.begin(), first.x.end());
        }
        field->square = wish.square ? *wish.square : square_of(all);
        const double cell = field->square.size / wish.cells;
        field->grid = {field->square.left - cell, field->square.bottom - cell, cell, wish.cells + 2, wish.cells + 2};
        const std::vector<double> outputs = outputs_on(pass, field->grid, wish.urgent ? nullptr : &outdated);
        if (outputs.empty()) return nullptr;
        fill(*field, outputs);
    } catch (const Error& error) {
        field->refusal = error.what();
    }
    return field;
}

} // namespace gradus
