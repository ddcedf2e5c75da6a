#pragma once

#include "lessons/experiments/tape_process.hpp"

#include <string>
#include <vector>

namespace gradus::lines {

constexpr Dim point_count = 400;
constexpr double first_point = -4, last_point = 4;

/// Two to four lines a·x + b on 400 points, their sum, product or composition point by point, and the polynomial that
/// least squares finds through the result. Iteration i tells the values at point i.
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

    std::vector<std::string> names_; ///< "f", "g", …
    std::vector<ValueIndex> slopes_, intercepts_, lines_;
    ValueIndex x_ = no_value;
    Dim count_ = 3; ///< powers in the fit
};

} // namespace gradus::lines
