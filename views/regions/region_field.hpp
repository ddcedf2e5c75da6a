#pragma once

#include "engine/trace/derive/decision_field.hpp"

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gradus {

/// The square of the plane that is shown.
struct PlaneSquare {
    double left = -1, bottom = -1, size = 2;
    bool operator==(const PlaneSquare&) const = default;
};

/// What is to be seen of the plane: the net of an iteration on so many cells across.
struct RegionWish {
    std::shared_ptr<const Run> full, origin;
    StepIndex iteration = -1;
    int cells = 0;
    bool urgent = false; ///< while it plays: finished even when something newer is wanted
    std::optional<PlaneSquare> square; ///< while a point is dragged: what is shown stays where it is
    bool operator==(const RegionWish&) const = default;
};

/// Where a neuron of the first hidden layer is 0 before its activation: w₁·x₁ + w₂·x₂ + b = 0. On the side that (w₁, w₂)
/// points to it is positive.
struct NeuronLine {
    double w1 = 0, w2 = 0, b = 0;
};

/// Of the first layer of a net with a hidden one, from what its forward pass reads; none where there are more than can be
/// told apart.
std::vector<NeuronLine> first_layer_lines(const std::vector<RecordedTensor>& inputs);

/// Holds all points with some room round them.
PlaneSquare square_of(const std::vector<double>& points);

/// A net's outputs over the plane, the points it learns from and what it makes of them.
struct RegionField {
    RegionWish wish;
    DecisionRule rule;
    PlanePoints points;
    std::vector<double> point_outputs; ///< (N, outputs)
    std::vector<int> predicted;        ///< (N) classes; -1: not finite
    PlaneSquare square;
    PlaneGrid grid;                    ///< one cell wider than the square on every side, for the contours
    std::vector<int> classes;          ///< (rows, columns); -1: not finite
    std::vector<double> scores;        ///< (rows, columns), of two classes; see DecisionRule::score
    std::vector<ContourPiece> boundary;
    std::vector<NeuronLine> neurons;   ///< of the first hidden layer
    std::size_t not_finite = 0;        ///< cells inside the square
    std::shared_ptr<ForwardPass> probe; ///< of one row, for the GUI thread alone
    std::string refusal;               ///< a sentence where there is nothing to be shown
    Dim width = 2;                     ///< of the net's input; other than 2: nothing to be shown
    int classes_in_data() const;
    std::size_t wrong() const;
};

/// Null once `outdated` is true, unless the wish is urgent.
std::shared_ptr<const RegionField> region_field(const RegionWish& wish, const std::atomic<bool>& outdated);

} // namespace gradus
