#pragma once

#include "lessons/experiments/tape_process.hpp"

#include <string>
#include <vector>

namespace gradus::lines {

constexpr Dim point_count = 400;
constexpr double first_point = -4, last_point = 4;
constexpr Dim plane_points = 64; // along x1 and along x2

/// Two to four lines a·x + b on 400 points, their sum, product or composition point by point, and the polynomial that
/// least squares finds through the result. Iteration i tells the values at point i. If asked for, beside them a plane
/// z = slope_x1 · x1 + slope_x2 · x2 + intercept_z on a grid (x2 64, x1 64) over the same range.
class LinesProcess : public TapeProcess {
public:
    explicit LinesProcess(const Setup& setup);

    std::vector<SeriesInfo> series() const override;
    /// Coefficient of x^k in the fitted polynomial, after an iteration.
    double coefficient(Dim k) const { return number("coefficients", k); }
    Dim coefficient_count() const { return count_; }
    /// The highest power that the result really contains: its part is above rounding, 1e-9 of the whole.
    int degree() const;
    double result_at(Dim point) const { return number("result", point); }

protected:
    void push(RunWriter& writer, StepIndex iteration) override;

private:
    ValueIndex line(std::size_t which, ValueIndex x, const std::string& module, const std::string& name);
    ValueIndex combined(const std::string& operation);
    void fit(ValueIndex result);
    /// Adds its parameters to `state`.
    void plane(const Setup& setup, std::vector<ValueIndex>& state);

    std::vector<std::string> names_; ///< "f", "g", …
    std::vector<ValueIndex> slopes_, intercepts_, lines_;
    ValueIndex x_ = no_value;
    Dim count_ = 3; ///< powers in the fit
};

} // namespace gradus::lines
