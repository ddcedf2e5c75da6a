// Matrix products. Every element of the engine's is one chain of multiply-adds in the order of k, and so is every rung's.
#include "engine/backend/simt/binding_parts.hpp"

namespace gradus::simt {

namespace {

/// C (M, N) = op(A) · op(B) where the attributes say which of the two are stored transposed.
template <bool a_transposed, bool b_transposed> std::optional<Problem> product(const GradusCall& call) {
    const GradusArray &a = call.inputs[0], &c = call.outputs[0];
    if (a.rank != 2 || c.rank != 2 || (call.attributes[0] != 0) != a_transposed || (call.attributes[1] != 0) != b_transposed)
        return std::nullopt;
    return of_sizes({{"M", c.sizes[0]}, {"N", c.sizes[1]}, {"K", a.sizes[a_transposed ? 0 : 1]}});
}

/// One product for each matrix of equally many.
std::optional<Problem> batched_product(const GradusCall& call) {
    const GradusArray &a = call.inputs[0], &b = call.inputs[1], &c = call.outputs[0];
    if (call.attributes[0] != 0 || call.attributes[1] != 0 || a.rank < 3 || a.rank != b.rank || a.rank != c.rank) return std::nullopt;
    std::int64_t batch = 1;
    for (int axis = 0; axis < c.rank - 2; ++axis) {
        if (a.sizes[axis] != c.sizes[axis] || b.sizes[axis] != c.sizes[axis]) return std::nullopt;
        batch *= c.sizes[axis];
    }
    return of_sizes({{"batch", batch}, {"M", c.sizes[c.rank - 2]}, {"N", last(c)}, {"K", last(a)}});
}

} // namespace

std::vector<Binding> product_bindings() {
    return {
        {.op = "matmul",
         .ladder = "matmul",
         .rung = "6_vectorised",
         .inputs = {"A", "B"},
         .outputs = {"C"},
         .problem = product<false, false>},
        {.op = "matmul",
         .ladder = "matmul_nt",
         .rung = "3_tile_2d",
         .inputs = {"A", "B"},
         .outputs = {"C"},
         .problem = product<false, true>},
        {.op = "matmul",
         .ladder = "matmul_tn",
         .rung = "3_tile_2d",
         .inputs = {"A", "B"},
         .outputs = {"C"},
         .problem = product<true, false>},
        {.op = "batched_matmul",
         .ladder = "batched_matmul",
         .rung = "1_naive",
         .inputs = {"A", "B"},
         .outputs = {"C"},
         .problem = batched_product},
    };
}

} // namespace gradus::simt
