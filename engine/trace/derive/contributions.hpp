#pragma once

#include "engine/trace/run.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gradus {

/// What one number gave to an element that an op made of it.
struct Contribution {
    const RecordedTensor* from = nullptr; ///< an input of the op, or, for a loss, its own probabilities
    std::vector<Dim> element;             ///< of that tensor
    double value = 0;                     ///< that element's own value
    double part = 0;                      ///< what it gave: a product, a term of a mean, a share of a softmax's sum
    std::string partner = {};             ///< of a product, the other factor's tensor; empty: none
    std::vector<Dim> partner_element = {};
    double partner_value = 1;
    bool finite() const;                  ///< neither the value nor its partner is NaN or inf
};

/// A Run that holds an iteration in full, and the one that was recorded: a re-computation leaves constants out.
struct IterationSource {
    const Run& run;
    const Run& origin;
    StepIndex iteration = 0;
    std::shared_ptr<const IterationTensors> tensors; ///< of `run`; null if there are none

    IterationSource(const Run& full, const Run& recorded, StepIndex at)
        : run(full), origin(recorded), iteration(at), tensors(full.tensors_of(at)) {}
    /// What input `i` of a site's event read; null where it is not kept. Valid as long as this.
    const RecordedTensor* input(const EventSite& site, std::size_t i);

private:
    std::vector<std::unique_ptr<RecordedTensor>> borrowed_; ///< from the origin
};

/// Everything that an element of output `output` of a site's event was made from, by the op's own formula in double
/// precision: the terms of a product or a sum, the examples of a mean, the logits of a softmax, the value behind a gate. A
/// product's term is named by the factor that the iteration computed, else the data, else the parameter; by the one that is
/// not finite, if one is. Nothing for an op without a rule, an index that is no element's, and operands that are not kept.
std::vector<Contribution> contributions(IterationSource& source, const EventSite& site, int output,
                                        std::span<const Dim> element);

} // namespace gradus
