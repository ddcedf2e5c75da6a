#include "views/flow/flow_numbers.hpp"

#include "engine/core/element_index.hpp"
#include "engine/core/error.hpp"

#include <algorithm>

namespace gradus {

std::shared_ptr<const FlowNumbers> flow_numbers(const FlowWish& wish) {
    auto out = std::make_shared<FlowNumbers>();
    out->layers = wish.layers;
    out->iteration = wish.iteration;
    if (const auto tensors = wish.full->tensors_of(wish.iteration)) out->flow = gradient_flow(*wish.layers, *tensors);
    return out;
}

std::shared_ptr<const NormHistory> NormBook::look(const std::shared_ptr<const Run>& run,
                                                  const std::vector<GradientLayer>& layers) {
    std::vector<std::shared_ptr<const Run>> chain;
    for (auto at = run; at; at = at->parent()) chain.insert(chain.begin(), at);
    // Runs of another session are no longer asked for.
    if (!pages_.empty() && pages_.front().run.lock() != chain.front()) pages_.clear();
    auto history = std::make_shared<NormHistory>();
    history->run = run;
    for (std::size_t i = 0; i < chain.size(); ++i) {
        auto page = std::find_if(pages_.begin(), pages_.end(), [&](const Page& p) { return p.run.lock() == chain[i]; });
        if (page == pages_.end()) page = pages_.insert(pages_.end(), {chain[i], 0, {}});
        const StepIndex head = chain[i]->head();
        for (; page->seen < chain[i]->observed().size(); ++page->seen) {
            const StepIndex iteration = chain[i]->observed()[page->seen].iteration;
            if (iteration >= head) break; // being written
            const auto tensors = iteration < 0 ? nullptr : chain[i]->tensors_of(iteration);
            if (tensors) page->samples.push_back({iteration, gradient_norms(layers, *tensors)});
        }
        const StepIndex until = i + 1 < chain.size() ? chain[i + 1]->first_iteration() : head;
        for (const NormSample& sample : page->samples)
            if (sample.iteration < until) history->samples.push_back(sample);
    }
    return history;
}

std::shared_ptr<const CheckResult> check_gradient(const CheckWish& wish) {
    auto out = std::make_shared<CheckResult>();
    out->wish = wish;
    try {
        std::vector<Dim> index = wish.index;
        const auto tensors = index.empty() ? wish.full->tensors_of(wish.iteration) : nullptr;
        const RecordedTensor* gradient = tensors ? tensors->find("d" + wish.parameter) : nullptr;
        if (gradient && gradient->tensor.defined())
            index = index_of(gradient->tensor.shape(), std::max<Dim>(0, log_histogram(gradient->tensor).largest));
        out->check = finite_difference(*wish.full, *wish.origin, wish.iteration, wish.parameter, index);
    } catch (const Error& error) {
        out->refusal = error.what();
    }
    return out;
}

} // namespace gradus
