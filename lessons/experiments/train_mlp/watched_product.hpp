#pragma once

#include "engine/trace/tape_trace.hpp"
#include "lessons/experiments/experiment.hpp"

#include <memory>

namespace gradus::mlp {

/// The product x·W of a layer, run again lane by lane with the numbers of each observed step: one block is recorded, all are counted.
class WatchedProduct {
public:
    /// The tape's device has chosen the rung already. `setup`: of the training.
    WatchedProduct(const Tape& tape, int layer, const Setup& setup);

    NodeIndex node() const { return node_; }
    /// For TapeTrace::watch(); `source`: "own", or the text that stands in for the rung's. It looks into this, which must not move.
    WatchedNode watched(const std::string& source);
    /// With these x and W. Throws UnavailableError where the kernel does not come to its end.
    std::shared_ptr<const KernelTrace> record(const std::vector<Tensor>& inputs);
    void replace(const std::string& source);
    /// Of the last product that was recorded: ‖x·W − fp64‖₂ / ‖fp64‖₂.
    double error() const { return error_; }

private:
    NodeIndex node_ = -1;
    Setup kernel_; ///< of run_kernel
    double error_ = 0;
};

} // namespace gradus::mlp
