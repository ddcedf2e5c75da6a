#pragma once

#include "engine/trace/run.hpp"

#include <optional>
#include <string>

namespace gradus {

/// Where two Runs part for the first time.
struct Difference {
    std::string what;           ///< "tensor", "kernel", "series", "edit", "event", "length"
    StepIndex iteration = 0;
    std::string event;          ///< path of the event that wrote it: "forward/layer1/matmul x·W1"
    TensorId tensor;            ///< of the first tensor that differs
    std::string name;           ///< "W1", or the series
    std::vector<Dim> index;     ///< first element that differs, where both contents are kept
    double a = 0, b = 0;        ///< its values
    std::uint64_t ulps = 0;     ///< between them
    Dim differing = 0;          ///< how many elements differ
    std::string only;           ///< "first" or "second" where only one has it; of a length, the longer one
    std::string kinds;          ///< "f32 [4, 3] and f64 [4, 3]" where values cannot be compared; else empty
    std::string sentence() const;
};

/// Edits of a Run that change what is computed: all but breakpoints.
std::vector<LoggedEdit> computing_edits(const Run& run);

/// What was compared to say that two Runs are equal.
struct DiffResult {
    std::optional<Difference> first;
    StepIndex iterations = 0;
    std::size_t tensors = 0, series_values = 0;
};

/// Compares computed and counted values of two Runs, in the order in which they came to be: setup, then each
/// iteration's tensors (by hash, where both kept them), then its scalars; a series that only one has is a difference.
/// Times and lanes may differ, and so may which iterations were observed.
DiffResult diff_runs(const Run& a, const Run& b);

} // namespace gradus
