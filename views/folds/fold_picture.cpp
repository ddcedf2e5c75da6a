#include "views/folds/fold_picture.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

double largest(const Tensor& tensor) {
    double out = 0;
    for (Dim i = 0; i < tensor.elements(); ++i)
        if (const double size = std::abs(tensor.at(i)); std::isfinite(size)) out = std::max(out, size);
    return out;
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
        if (out->weights.back().defined()) out->weight_end = std::max(out->weight_end, largest(out->weights.back()));
    }
    out->matrices = folded_matrices(chain, *out->folds, *wish.full, *wish.origin, wish.iteration, &outdated);
    if (outdated) return nullptr;
    for (const auto& matrix : out->matrices)
        if (matrix) out->folded_end = std::max(out->folded_end, largest(matrix->matrix));
    return out;
}

} // namespace gradus
