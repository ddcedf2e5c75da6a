#include "engine/kernels/faulty/product_index/ladder.hpp"

#include "engine/kernels/matmul/ladder.hpp"

namespace gradus::faulty::product_index {

namespace {

/// `rows_in_x`: the grid covers the rows in x, and the columns in y.
Rung over_product(const char* id, const char* title, const char* kernel, bool rows_in_x) {
    return {id, title, {{16, 16}, {32, 8}, {8, 32}, {32, 32}},
            [kernel, rows_in_x](const Problem& problem, Dim3 block) -> KernelPlan {
                const auto size = [&](const char* name) { return static_cast<int>(problem.at(name)); };
                const int across = size(rows_in_x ? "M" : "N"), down = size(rows_in_x ? "N" : "M");
                return {{}, {{kernel, {pieces(across, block.x), pieces(down, block.y)}, block, 0, {"A", "B", "C", size("M"), size("N"), size("K")}}}};
            },
            1e-6};
}

} // namespace

FaultyLadder ladder() {
    FaultyLadder out;
    Ladder& ladder = out.ladder;
    ladder.id = "faulty/product_index", ladder.title = "Product by a 2-D grid";
    ladder.sizes = {{"M", 96, {}}, {"N", 160, {}}, {"K", 8, {}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t M = problem.at("M"), N = problem.at("N"), K = problem.at("K");
        return {{.name = "A", .sizes = {M, K}}, {.name = "B", .sizes = {K, N}}, {.name = "C", .sizes = {M, N}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = matmul::reference;
    ladder.rungs = {
        over_product("1_column_from_x", "The column from x", "product_index_column_from_x", false),
        over_product("2_row_from_x", "The row from x", "product_index_row_from_x", true),
        over_product("3_sides_swapped", "The sides of the grid are swapped", "product_index_sides_swapped", true),
        over_product("4_no_test", "Without the test", "product_index_no_test", false),
    };
    out.faults = {{""}, {""}, {"the grid covers rows in x, the kernel columns"}, {"threads beyond the edges are not sent away", {{"M", 100}, {"N", 100}}}};
    return out;
}

} // namespace gradus::faulty::product_index
