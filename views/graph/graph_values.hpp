#pragma once

#include "views/graph/graph_model.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace gradus {

/// A tensor of a branch beside the one that the parent has in its place.
struct Compared {
    Dim differing = 0, elements = 0; ///< so many of its elements have other bits
    std::optional<double> before;    ///< the parent's number, as in GraphValues::value
};

/// The numbers of one iteration, one entry per node of the model.
struct GraphValues {
    StepIndex iteration = -1;
    std::vector<std::optional<double>> value;   ///< computed: the number, or ‖·‖₂ of the node's tensor where it has more
    std::vector<std::optional<double>> updated; ///< the same of a parameter as its update left it
    std::vector<std::optional<double>> seconds; ///< measured: of the node's ops together
    double clock_step = 0; ///< seconds: of these times no digit finer than that is told
    std::shared_ptr<const Run> left; ///< the Run they are compared with; null: with none
    /// What the edits of a branch reach: of `value` and of `updated`.
    std::vector<std::optional<Compared>> reached, reached_update;
};

/// Takes the values from a Run that holds the iteration in full; so does `left`, which it is compared with, unless null.
GraphValues values_of(const GraphModel& model, const Run& run, StepIndex iteration, const std::shared_ptr<const Run>& left = nullptr);

/// What values are asked for.
struct GraphValuesWish {
    std::shared_ptr<const GraphModel> model;
    std::shared_ptr<const Run> run;
    StepIndex iteration = -1;
    std::shared_ptr<const Run> left = {}; ///< what it is compared with; may be null
};

/// The values with the model whose nodes they belong to.
struct ModelValues {
    std::shared_ptr<const GraphModel> model;
    GraphValues values;
};

} // namespace gradus
