#pragma once

#include "views/graph/graph_model.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace gradus {

/// The numbers of one iteration, one entry per node of the model.
struct GraphValues {
    StepIndex iteration = -1;
    std::vector<std::optional<double>> value;   ///< computed: the number, or ‖·‖₂ of the node's tensor where it has more
    std::vector<std::optional<double>> updated; ///< the same of a parameter as its update left it
    std::vector<std::optional<double>> seconds; ///< measured: of the node's ops together
};

/// Takes the values from a Run that holds the iteration in full.
GraphValues values_of(const GraphModel& model, const Run& run, StepIndex iteration);

/// What values are asked for.
struct GraphValuesWish {
    std::shared_ptr<const GraphModel> model;
    std::shared_ptr<const Run> run;
    StepIndex iteration = -1;
};

/// The values with the model whose nodes they belong to.
struct ModelValues {
    std::shared_ptr<const GraphModel> model;
    GraphValues values;
};

} // namespace gradus
