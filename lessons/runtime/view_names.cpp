#include "lessons/runtime/view_names.hpp"

#include <algorithm>

namespace gradus {

const std::vector<ViewName>& view_names() {
    static const std::vector<ViewName> names{
        {"graph", "Graph"},
        {"tensor", "Tensor"},
        {"series", "Loss"},
        {"accuracy", "Accuracy"},
        {"gradient-flow", "Gradient flow"},
        {"regions", "Decision regions"},
        {"folds", "Folds"},
        {"probabilities", "Probabilities"},
        {"neuron", "Neuron"},
        {"activation", "Activation"},
        {"valley", "Valley"},
        {"timeline", "Timeline"},
        {"listing", "Code listing"},
        {"kernel-theatre", "Kernel theatre"},
        {"attention-tiles", "Attention tiles"},
        {"memory-hierarchy", "Memory hierarchy"},
        {"roofline", "Roofline"},
        {"kernel-comparison", "Kernel comparison"},
    };
    return names;
}

bool is_view(std::string_view id) {
    constexpr std::string_view series = "series:";
    if (id.starts_with(series)) return id.size() > series.size();
    const auto& names = view_names();
    return std::any_of(names.begin(), names.end(), [&](const ViewName& name) { return name.id == id; });
}

} // namespace gradus
