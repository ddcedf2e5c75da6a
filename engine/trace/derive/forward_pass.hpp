#pragma once

#include "engine/trace/run.hpp"

#include <memory>
#include <span>
#include <vector>

namespace gradus {

/// What the forward pass of an iteration read and did not compute (the batch, parameters before their update), each once,
/// in the order of the pass. `run` holds the iteration in full; constants, which the re-computation of a fork leaves out,
/// are asked of `origin`, the Run that was recorded.
/// Throws UnavailableError where there is no forward pass or one of the tensors is not kept.
std::vector<RecordedTensor> forward_inputs(const Run& run, const Run& origin, StepIndex iteration);

/// The forward pass of a Run, written again from its sites on a tape of its own, with the engine's ops: computed on other
/// numbers than the Run's (a nudged parameter, any point of the plane), or in another precision. Not thread-safe.
///
/// Sites keep no attributes, so only ops that need none are taken: matmul of operands that are not transposed, add_bias,
/// the activations and the three losses. Metrics are left out.
class ForwardPass {
public:
    struct Options {
        DType dtype = DType::f64; ///< of every floating number
        Dim rows = 0;             ///< examples at a time; 0: as many as the Run's batch, and its numbers
        bool loss = true;         ///< false: up to the prediction, so that no labels are needed
    };
    /// Throws UnavailableError naming an op that it does not know or cannot write again.
    ForwardPass(const Run& run, const std::vector<RecordedTensor>& inputs, Options options);
    ~ForwardPass();
    ForwardPass(ForwardPass&&) noexcept;
    ForwardPass& operator=(ForwardPass&&) noexcept;

    /// Computes every node. The loss is NaN where options.loss is false.
    double run();
    /// As run(), on these examples instead, row by row. Throws ShapeError if there are not as many as `rows`.
    double run(std::span<const double> examples);

    /// Element `flat` of an input; throws ArgumentError for a name that is none, ShapeError out of range.
    double element(const std::string& input, Dim flat) const;
    void set_element(const std::string& input, Dim flat, double value);
    /// A value of the pass by its name in the Run, as the last run() left it: "z1". Throws ArgumentError where there is none.
    Tensor tensor(const std::string& name) const;
    /// What the last product gives: logits or outputs (rows, out).
    Tensor prediction() const;
    Shape prediction_shape() const; ///< known before the first run()
    /// Name of the op that makes the loss: "softmax_cross_entropy".
    const std::string& loss_op() const { return loss_op_; }
    /// For every entry that a ReLU reads, whether it is let through.
    std::vector<bool> gates() const;
    Dim rows() const { return rows_; }
    Dim width() const { return width_; } ///< of one example

private:
    struct Pass;
    std::unique_ptr<Pass> pass_;
    std::string loss_op_;
    Dim rows_ = 0, width_ = 0;
};

} // namespace gradus
