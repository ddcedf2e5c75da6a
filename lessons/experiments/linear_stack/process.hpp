#pragma once

#include "lessons/experiments/tape_process.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace gradus::stack {

/// The parameters of linear_stack, read and checked.
struct Settings {
    Dim width = 64;
    int depth = 3;
    Dim inputs = 256;
    std::string between; ///< "none", "scale", "shuffle", "relu", "tanh"
    std::vector<int> after; ///< the layers it follows, ascending; empty: every layer but the last
    double bias = 0;        ///< added in front of each
    DType dtype = DType::f32;
    std::uint64_t seed = 1;

    bool nonlinear() const { return between == "relu" || between == "tanh"; }
    bool follows(int layer) const {
        return layer < depth && (after.empty() || std::find(after.begin(), after.end(), layer) != after.end());
    }
};
/// "9,3, 5" as 3, 5, 9; with a 0 among them, which is every layer but the last, none.
std::vector<int> read_layers(const std::string& after);
/// Throws ArgumentError where the parameters do not fit each other.
Settings read_settings(const Setup& setup);

/// Linear layers in a row on random inputs, x · W1 · W2 · …, with something between them; beside it the same matrices
/// folded into one, whatever stands between ignored if it is not linear. Each iteration draws new inputs.
class StackProcess : public TapeProcess {
public:
    explicit StackProcess(const Setup& setup);

    std::vector<SeriesInfo> series() const override;
    const Settings& settings_read() const { return settings_; }

    /// Largest |difference| between an entry of the stack's result and of the folded one's, after an iteration.
    double largest_difference() const;
    /// Matrices that are left when only legal folds are made: a non-linearity that changed no number on these inputs
    /// is none.
    int matrices_left() const;
    double stack_flops() const { return flops_[0]; }  ///< x through all layers
    double fold_flops() const { return flops_[1]; }   ///< W1 · W2 · …, once
    double folded_flops() const { return flops_[2]; } ///< x through the folded matrix
    /// What the stack writes between x and its result.
    double intermediate_bytes() const { return intermediate_bytes_; }

protected:
    void feed(StepIndex iteration) override;
    void push(RunWriter& writer, StepIndex iteration) override;

private:
    ValueIndex add_between(ValueIndex z, int layer);
    ValueIndex fold(int layer, ValueIndex folded);
    void count(std::size_t group, NodeIndex from);

    Settings settings_;
    ValueIndex x_ = no_value, y_ = no_value, folded_y_ = no_value;
    std::vector<ValueIndex> weights_;
    ValueIndex bias_ = no_value, bias_rows_ = no_value, scale_ = no_value, shuffle_ = no_value;
    std::vector<std::pair<ValueIndex, ValueIndex>> nonlinearities_; ///< what goes in and what comes out
    double flops_[3] = {0, 0, 0};
    double intermediate_bytes_ = 0;
};

} // namespace gradus::stack
