#pragma once

#include "engine/autograd/tape.hpp"

#include <vector>

namespace gradus {

/// G = 1/n · Σ g_i, the mean of the gradients of n micro-batches, for a batch that is too large for one: values that keep a sum
/// from one backward pass to the next. The nodes before and with its own run once for each micro-batch, those of the update once
/// after the last. The same gradient as one batch of all rows, but for rounding, where the loss is a mean over rows and the
/// micro-batches are alike in size. Shapes, types and units are the gradients'. Source: Huang et al. 2019, GPipe (micro-batches).
class GradientAccumulation {
public:
    /// Appends one accumulate node per gradient, to a value named "sum_" + the gradient's name. Throws ArgumentError for fewer
    /// than one.
    GradientAccumulation(Tape& tape, const std::vector<ValueIndex>& gradients, int micro_batches);

    /// To be called before micro-batch `number`, from 0: the first starts the sums anew.
    void begin(Tape& tape, int number) const;

    /// The sums, to be handed to clipping and the optimizer; also the state of an unfinished batch.
    const std::vector<ValueIndex>& gradients() const { return sums_; }
    const std::vector<NodeIndex>& nodes() const { return nodes_; }

private:
    std::vector<ValueIndex> sums_;
    std::vector<NodeIndex> nodes_;
};

} // namespace gradus
