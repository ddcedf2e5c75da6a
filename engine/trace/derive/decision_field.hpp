#pragma once

#include "engine/trace/derive/forward_pass.hpp"

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gradus {

/// What a net's outputs say about a class, told by its loss and its width.
struct DecisionRule {
    enum class Kind : std::uint8_t {
        threshold, ///< one output, mean squared error: class 1 where z > 0.5
        logit,     ///< one output, binary cross-entropy: class 1 where z > 0, p = σ(z)
        softmax,   ///< the class of the largest logit, p = softmax(z)
        largest    ///< the class of the largest output, mean squared error
    };
    Kind kind = Kind::softmax;
    int outputs = 1;
    int classes() const { return outputs == 1 ? 2 : outputs; }
    bool one_boundary() const { return classes() == 2; }
    /// The value of score() on the boundary between two classes: ½ for a probability or a threshold, else 0.
    double boundary() const { return kind == Kind::largest ? 0.0 : 0.5; }

    /// Class of the largest score; -1 where an output is not finite.
    int class_of(std::span<const double> outputs) const;
    /// Of two classes: how much for class 1. threshold: z; logit: σ(z); softmax: p₁; largest: z₁ - z₀.
    double score(std::span<const double> outputs) const;
    /// Probability of each class; empty for mean squared error.
    std::vector<double> probabilities(std::span<const double> outputs) const;
};
DecisionRule decision_rule(const ForwardPass& pass);

/// The outputs of a net at the centres of a grid of square cells.
struct PlaneGrid {
    double left = 0, bottom = 0, cell = 1; ///< in the units of the data; the corner of cell (0, 0)
    int columns = 0, rows = 0;
    double x(int column) const { return left + (column + 0.5) * cell; }
    double y(int row) const { return bottom + (row + 0.5) * cell; } ///< rows count upwards
};

/// Outputs at points (x₁, x₂) that lie side by side in `points`; as many numbers per point as the net has outputs. Gives up
/// and returns nothing once `outdated` is true. Throws ShapeError for a net whose input is not two numbers wide.
std::vector<double> outputs_at(ForwardPass& pass, std::span<const double> points,
                               const std::atomic<bool>* outdated = nullptr);
std::vector<double> outputs_on(ForwardPass& pass, const PlaneGrid& grid, const std::atomic<bool>* outdated = nullptr);

/// The points that a Run learns from, as an iteration found them, with their classes.
struct PlanePoints {
    std::string tensor;      ///< "data", or "x" where the batch is the whole set
    std::vector<double> x;   ///< (N, 2)
    std::vector<int> labels; ///< (N)
    std::size_t size() const { return labels.size(); }
};
/// Throws UnavailableError where the data are no points in the plane or are not kept. See forward_inputs for `origin`.
PlanePoints plane_points(const Run& run, const Run& origin, StepIndex iteration);

/// A straight piece of the curve on which `values` equal `level`, in cell units: (0, 0) is the centre of cell (0, 0).
struct ContourPiece {
    double x0, y0, x1, y1;
};
/// Marching squares with linear interpolation over (rows, columns) values; cells next to a NaN have none.
std::vector<ContourPiece> contour(std::span<const double> values, int columns, int rows, double level);

} // namespace gradus
