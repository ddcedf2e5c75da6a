#pragma once

#include "engine/backend/simt/bindings.hpp"

/// What the files of this folder share; for them only.
namespace gradus::simt {

inline std::int64_t elements(const GradusArray& array) {
    std::int64_t product = 1;
    for (int i = 0; i < array.rank; ++i) product *= array.sizes[i];
    return product;
}

/// The sizes as they are, unless there is nothing to compute.
inline std::optional<Problem> of_sizes(const Problem& problem) {
    for (const auto& [name, size] : problem)
        if (size < 1) return std::nullopt;
    return problem;
}

inline std::int64_t last(const GradusArray& array) { return array.rank > 0 ? array.sizes[array.rank - 1] : 1; }
inline std::int64_t before_last(const GradusArray& array) { return last(array) ? elements(array) / last(array) : 0; }

/// n: the elements of output 0, which all inputs have too.
inline std::optional<Problem> n_of_output(const GradusCall& call) { return of_sizes({{"n", elements(call.outputs[0])}}); }
/// n: the elements of input 0.
inline std::optional<Problem> n_of_input(const GradusCall& call) { return of_sizes({{"n", elements(call.inputs[0])}}); }
/// Rows of the last axis of input 0.
inline std::optional<Problem> rows_of_input(const GradusCall& call) {
    return of_sizes({{"rows", before_last(call.inputs[0])}, {"columns", last(call.inputs[0])}});
}
/// The same by the letters of a batch of logits.
inline std::optional<Problem> logits(const GradusCall& call) {
    return of_sizes({{"B", before_last(call.inputs[0])}, {"C", last(call.inputs[0])}});
}

inline float number(const GradusCall& call, int attribute) { return static_cast<float>(call.attributes[attribute]); }

} // namespace gradus::simt
