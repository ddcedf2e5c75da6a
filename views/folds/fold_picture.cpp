#include "views/folds/fold_picture.hpp"

#include "engine/trace/derive/tensor_statistics.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

/// One number far beyond the others would leave them all without a colour: the end is where the tensor view has it.
void widen(double& end, double& largest, const Tensor& tensor) {
    if (tensor.elements() == 0) return;
    const TensorStatistics statistics = statistics_of(tensor, 1);
    end = std::max(end, statistics.clip);
    largest = std::max({largest, std::abs(statistics.least), std::abs(statistics.greatest)});
}

Shape shape_of(const IterationTensors& tensors, const std::string& name) {
    const RecordedTensor* found = tensors.find(name);
    return found && found->tensor.defined() ? found->tensor.shape() : Shape();
}

} // namespace

std::shared_ptr<const FoldResult> fold_result(const FoldWish& wish, const std::atomic<bool>& outdated) {
    auto out = std::make_shared<FoldResult>();
    out->wish = wish;
    const auto& chain = *wish.chain;
    out->folds = legal_folds(chain, *wish.full, wish.iteration);
    if (!out->folds || chain.empty()) return out;
    if (const auto tensors = wish.full->tensors_of(wish.iteration)) {
        out->input = shape_of(*tensors, chain.front().input);
        out->output = shape_of(*tensors, chain.back().output);
    }
    for (const ChainStep& step : chain) {
        out->weights.push_back(step.kind == ChainStep::Kind::matrix ? operand_of(step, *wish.full, *wish.origin, wish.iteration) : Tensor());
        if (out->weights.back().defined()) widen(out->weight_end, out->largest_weight, out->weights.back());
    }
    out->matrices = folded_matrices(chain, *out->folds, *wish.full, *wish.origin, wish.iteration, &outdated);
    if (outdated) return nullptr;
    for (const auto& matrix : out->matrices)
        if (matrix && matrix->matrix.defined()) widen(out->folded_end, out->largest_folded, matrix->matrix);
    return out;
}

} // namespace gradus
