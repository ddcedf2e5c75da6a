#pragma once

#include "engine/optim/optimizer.hpp"
#include "lessons/experiments/tape_process.hpp"

#include <string>
#include <vector>

namespace gradus::descent {

/// w ← w - lr · f'(w), one update per iteration, on a parabola ½·a·w², a bowl ½·(a₁·w₁² + a₂·w₂²), or the mean
/// squared error of y = m·x + b on noisy points.
class DescendProcess : public TapeProcess {
public:
    explicit DescendProcess(const Setup& setup);

    std::vector<SeriesInfo> series() const override;
    /// The coordinates by name: "w"; "w1", "w2"; "m", "b".
    const std::vector<std::string>& coordinates() const { return names_; }
    double coordinate(std::size_t i) const;
    double slope(std::size_t i) const; ///< of f along coordinate i, where the last update left from
    double loss() const { return tape_.scalar(loss_); }
    void set_lr(double lr);
    void move(std::size_t i, double to);
    /// Besides those of any tape: in a bowl, `point 0 = 0.5, -1` sets w1 and w2 at once.
    void apply(const Edit& edit, StepIndex iteration) override;

protected:
    void before_step() override;
    void push(RunWriter& writer, StepIndex iteration) override;
    void set_setting(const std::string& name, double value, StepIndex iteration) override;
    std::vector<std::pair<std::string, double>> settings() const override;

private:
    struct Place {
        ValueIndex value = no_value;
        Dim element = 0;
    };
    void add_bowl(const Setup& setup, bool two);
    void add_line(const Setup& setup);

    std::vector<std::string> names_;
    std::vector<Place> places_;
    std::vector<ValueIndex> parameters_;
    std::vector<double> left_from_;
    ValueIndex loss_ = no_value, curvature_ = no_value;
    std::optional<Optimizer> optimizer_;
};

} // namespace gradus::descent
