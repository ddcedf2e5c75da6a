#pragma once

#include "engine/autograd/tape.hpp"
#include "engine/optim/schedule.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace gradus {

/// Appends one update node per parameter that has a gradient, and owns their settings: W' = W - lr · g for sgd, each other kind
/// as its op in engine/ops/ops.hpp and update.hpp, where formulas, shapes, units and sources stand. A parameter and its gradient
/// have one shape and floating type (fp16/bf16/fp32/fp64); the states take them over.
class Optimizer {
public:
    enum class Kind : std::uint8_t { sgd, momentum, momentum_lr, nesterov, rmsprop, adam, adamw };
    struct Settings {
        Kind kind = Kind::sgd;
        /// Units of W per unit of g; rmsprop, adam, adamw: unit of W. Not checked: a negative one climbs, as torch's maximize does, and
        /// with weight decay lets the parameters grow; torch.optim refuses it.
        double lr = 0.1;
        double momentum = 0.9;     ///< only for the three kinds with a velocity
        double alpha = 0.99;       ///< rmsprop: what the mean of squares keeps
        double beta1 = 0.9;        ///< adam, adamw: what the mean keeps
        double beta2 = 0.999;      ///< adam, adamw: what the mean of squares keeps
        double eps = 1e-8;         ///< rmsprop, adam, adamw; unit of g
        double weight_decay = 0;   ///< adamw: of the parameter itself; others: added to the gradient, by an l2_gradient node
    };
    /// Parameters with settings of their own. `gradients[i]` belongs to `parameters[i]`.
    struct Group {
        Settings settings;
        std::vector<ValueIndex> parameters, gradients;
    };

    /// One group. States start at zero: "v_W1" is a velocity or a mean of squares, "m_W1" a mean; adam's count is "t" of all
    /// parameters. Throws ArgumentError for another number of gradients than of parameters, ShapeError where one does not fit the
    /// other.
    Optimizer(Tape& tape, Settings settings, const std::vector<ValueIndex>& parameters,
              const std::vector<ValueIndex>& gradients);
    /// Some groups, in this order. Throws ArgumentError for none, and what one group throws. Source: torch.optim.Optimizer.
    Optimizer(Tape& tape, std::vector<Group> groups);

    /// Those of the first group.
    const Settings& settings() const { return groups_.front().settings; }
    const std::vector<NodeIndex>& nodes() const { return nodes_; }
    /// All there is beside the parameters to go on from a step: velocities, means, the count.
    const std::vector<ValueIndex>& state() const { return state_; }
    /// Sets the rate of every group.
    void set_lr(Tape& tape, double lr);
    /// Sets the rate of one group, in the order they were given. Throws ArgumentError for a group there is not.
    void set_lr(Tape& tape, std::size_t group, double lr);
    /// Each group's first rate times the schedule's factor in this step. Throws ArgumentError where factor_at does.
    void follow(Tape& tape, const Schedule& schedule, std::int64_t step);
    /// Of every group with a velocity.
    void set_momentum(Tape& tape, double momentum);

private:
    struct Updates {
        Settings settings;
        double first_lr = 0;
        std::vector<NodeIndex> nodes;
    };
    void append(Tape& tape, Updates& group, ValueIndex parameter, ValueIndex gradient);
    ValueIndex add_state(Tape& tape, const char* prefix, ValueIndex parameter);

    std::vector<Updates> groups_;
    std::vector<NodeIndex> nodes_;
    std::vector<ValueIndex> state_;
    ValueIndex count_ = no_value;
};

} // namespace gradus
