#pragma once

#include "engine/autograd/tape.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace gradus {

/// Appends one update node per parameter that has a gradient, and owns their settings.
class Optimizer {
public:
    enum class Kind : std::uint8_t { sgd, momentum };
    struct Settings {
        Kind kind = Kind::sgd;
        double lr = 0.1;
        double momentum = 0.9; ///< only for Kind::momentum
    };

    /// `gradients[i]` belongs to `parameters[i]`. Momentum's velocities start at zero and are named "v_W1".
    Optimizer(Tape& tape, Settings settings, const std::vector<ValueIndex>& parameters,
              const std::vector<ValueIndex>& gradients);

    const Settings& settings() const { return settings_; }
    const std::vector<NodeIndex>& nodes() const { return nodes_; }
    const std::vector<ValueIndex>& state() const { return state_; }
    void set_lr(Tape& tape, double lr);
    void set_momentum(Tape& tape, double momentum);

private:
    Settings settings_;
    std::vector<NodeIndex> nodes_;
    std::vector<ValueIndex> state_;
};

} // namespace gradus
