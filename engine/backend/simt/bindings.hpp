#pragma once

#include "engine/backend/interface.h"
#include "engine/core/dtype.hpp"
#include "engine/kernels/ladder.hpp"

#include <optional>
#include <span>

namespace gradus::simt {

/// How a ladder computes an op: which of the call's arrays are which buffers, how large the problem is, and what stands in the place of the
/// numbers that the ladder's own launches have.
struct Binding {
    const char* op; ///< the name a backend knows it by
    const char* ladder;
    const char* rung;                 ///< the usual one
    std::vector<const char*> inputs;  ///< buffers in the order of the call's arrays; "" for one that the kernels do not read
    std::vector<const char*> outputs; ///< those of the ladder that are missing here are computed and thrown away
    /// The problem of a call whose arrays have the right number; nothing where the ladder does not compute it. Types and shapes are held
    /// against the buffers afterwards.
    std::optional<Problem> (*problem)(const GradusCall& call);
    /// What the fp32 arguments of the launches are, in their order.
    std::vector<float> (*numbers)(const GradusCall& call) = nullptr;
    int index = -1;         ///< an input that holds whole numbers from 0 on,
    const char* below = ""; ///< all less than this size
    double bound = 0; ///< ‖y − cpu's‖₂ ≤ bound · ‖cpu's‖₂ for each output; 0: the cpu's bits, and the rung is marked exact
    bool transposes = false;  ///< input 0 lies column by column: the one layout beside row by row that is taken
    DType dtype = DType::f32; ///< of output 0
    const char* zero = ""; ///< a buffer that the call leaves out and that counts as zeros: a bias that there is not
};

/// All of them; the first that fits a call computes it.
std::span<const Binding> bindings();

/// The families of which the list is made.
std::vector<Binding> product_bindings();
std::vector<Binding> elementwise_bindings();
std::vector<Binding> row_bindings();
std::vector<Binding> update_bindings();
std::vector<Binding> image_bindings();

} // namespace gradus::simt
