#pragma once

#include "engine/trace/derive/decision_field.hpp"
#include "engine/trace/run.hpp"

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gradus {

/// What the number that a Run of one or two parameters makes small is made of, besides these.
struct ObjectiveConstants {
    enum class Kind : std::uint8_t {
        parabola, ///< f(w) = ½·a·w²
        bowl,     ///< f(w₁, w₂) = ½·(a₁·w₁² + a₂·w₂²)
        line      ///< f(m, b): mean of (m·x + b − y)² over points (x, y)
    };
    Kind kind = Kind::parabola;
    std::vector<double> a;    ///< curvatures, one per parameter; empty for a line
    std::vector<double> x, y; ///< of the points; else empty
    std::string isa;          ///< the Run's instruction set
    std::size_t parameters() const { return kind == Kind::parabola ? 1 : 2; }
    bool operator==(const ObjectiveConstants&) const = default;
};

/// As an iteration of a Run found them; see forward_inputs for `origin`. Throws UnavailableError where the forward pass is
/// neither one `quadratic` of one or two parameters nor a line through points with mean_squared_error.
ObjectiveConstants objective_constants(const Run& run, const Run& origin, StepIndex iteration);

/// f at any parameters, by the kernels that the Run's own steps use, in fp64. Not thread-safe.
class Objective {
public:
    explicit Objective(const ObjectiveConstants& constants);
    ~Objective();
    Objective(Objective&&) noexcept;
    Objective& operator=(Objective&&) noexcept;

    /// f(w), f(w₁, w₂) or f(m, b). Throws ShapeError for another count of numbers.
    double at(std::span<const double> parameters);
    /// m·x + b at every point; empty where the objective is no line.
    std::vector<double> line(std::span<const double> parameters);

private:
    struct Pass;
    std::unique_ptr<Pass> pass_;
};

/// f at `count` evenly spaced places from `from` to `until`, both included, of an objective with one parameter.
std::vector<double> objective_curve(Objective& objective, double from, double until, int count);

/// f at the centres of a grid's cells, row by row, of an objective with two. Gives up and returns nothing once `outdated` is true.
std::vector<double> objective_grid(Objective& objective, const PlaneGrid& grid, const std::atomic<bool>* outdated = nullptr);

} // namespace gradus
