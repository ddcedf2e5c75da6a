#include "views/derive/main_series.hpp"

#include <cmath>
#include <utility>

namespace gradus {

std::string main_series(const Run& run) {
    if (run.find_series("loss")) return "loss";
    std::string first;
    for (const auto& series : run.series()) {
        if (series->info().name == abscissa_name) continue;
        if (first.empty()) first = series->info().name;
        if (series->info().name != "max_error" || series->size() == 0 || !std::isnan(series->at(series->size() - 1).value)) return series->info().name; // an error that nobody compared is no outcome
    }
    return first;
}

const RecordedTensor* tensor_of_series(const IterationTensors& tensors, std::string name) {
    const RecordedTensor* found = tensors.find(name);
    while (!found && name.size() > 1 && name.back() >= '0' && name.back() <= '9') {
        name.pop_back();
        found = tensors.find(name);
    }
    return found;
}

std::optional<Role> series_role(const Run& run, std::string name) {
    std::shared_ptr<const IterationTensors> tensors = run.tensors_of(run.head() - 1);
    if (!tensors) tensors = run.tensors_of(0);
    if (!tensors) return std::nullopt;
    const RecordedTensor* found = tensor_of_series(*tensors, std::move(name));
    return found ? found->role : Role::metric;
}

} // namespace gradus
