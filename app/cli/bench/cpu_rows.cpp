#include "app/cli/bench/cpu.hpp"
#include "app/cli/bench/op_call.hpp"
#include "engine/hardware/ceilings.hpp"
#include "engine/core/window2d.hpp"

#include <fmt/format.h>

namespace gradus::cli {

namespace {

struct RowOp {
    const char* name; ///< as the peer knows it
    const Op& (*op)();
    int weights; ///< inputs of one row
    int outputs;
    Attributes attributes;
};

const RowOp row_ops[] = {
    {"softmax", ops::softmax_along, 0, 1, {1}},
    {"layer_norm", ops::layer_norm, 2, 3, {1e-5}},
    {"rms_norm", ops::rms_norm, 1, 2, {1e-5}},
    {"gelu", ops::gelu, 0, 1, {}},
};

std::vector<Contestant> entrants(const CpuPeers& peers, const RowOp& one, const OpCall& ours, int rows, int columns, int threads) {
    std::vector<Contestant> all{{"Gradus", [&ours] { return least_seconds(ours, 0.15); }}};
    if (peers.torch)
        all.push_back(peers.torch_turn("PyTorch", {{"cmd", "op"}, {"op", one.name}, {"sizes", {rows, columns}},
                                                   {"threads", threads}, {"seconds", 0.15}}));
    return all;
}

OpCall call_of(const RowOp& one, int rows, int columns, int threads) {
    std::vector<Shape> inputs{{{rows, "N"}, {columns, "C"}}};
    for (int i = 0; i < one.weights; ++i) inputs.push_back({{columns, "C"}});
    return {one.op(), inputs, one.outputs, threads, one.attributes};
}

/// The copy takes its turns among the others: what memory gives changes within seconds on a machine that others share.
void against_copies(CpuPeers& peers, const RowOp& one, int threads, std::vector<BenchRow>& rows) {
    constexpr int height = 8192, width = 1024;
    constexpr std::size_t bytes = std::size_t{2} * 4 * height * width; // as many read as written
    const OpCall ours = call_of(one, height, width, threads);
    std::vector<Contestant> all = entrants(peers, one, ours, height, width, threads);
    all.push_back({"a copy", [threads] { return static_cast<double>(bytes) / copy_bandwidth(bytes, threads); }});
    race(all);
    const double copy = all.back().seconds, moved = static_cast<double>(bytes) * 1e-9;
    all.pop_back();
    BenchRow row{"cpu", fmt::format("{} 8192 × 1024, {} thread{}, / copy", one.name, threads, threads > 1 ? "s" : ""),
                 copy / all[0].seconds, "ratio", threads == 2 ? 0.75 : 0, true, fmt::format("{:.1f} of {:.1f} GB/s", moved / all[0].seconds, moved / copy)};
    for (const Contestant& each : all) row.beside.emplace_back(each.name, copy / each.seconds);
    row.beside_unit = "of copy";
    row.limited_by = row.value > 0.7 ? "memory" : "arithmetic";
    rows.push_back(std::move(row));
}

void in_cache(CpuPeers& peers, const RowOp& one, double bandwidth, std::vector<BenchRow>& rows) {
    constexpr int height = 64, width = 1024;
    const OpCall ours = call_of(one, height, width, 1);
    std::vector<Contestant> all = entrants(peers, one, ours, height, width, 1);
    race(all);
    const double copy = 2.0 * 4 * height * width / bandwidth;
    BenchRow row{"cpu", fmt::format("{} 64 × 1024, in cache, 1 thread, PyTorch / Gradus", one.name), 0, "ratio", 2.5, true,
                 fmt::format("a copy takes {:.3g} µs", copy * 1e6)};
    row.skipped = all.size() == 1;
    row.value = all.back().seconds / all[0].seconds;
    if (row.skipped) row.note = "no PyTorch to compare with";
    for (const Contestant& each : all) row.beside.emplace_back(each.name, each.seconds * 1e6);
    row.beside_unit = "µs";
    row.limited_by = fmt::format("arithmetic: {:.1f} copies", all[0].seconds / copy);
    rows.push_back(std::move(row));
}

} // namespace

void row_op_rows(CpuPeers& peers, std::vector<BenchRow>& rows) {
    for (const int threads : {1, 2})
        for (const RowOp& one : row_ops) against_copies(peers, one, threads, rows);
    const double bandwidth = copy_bandwidth(std::size_t{512} << 10, 1);
    for (const RowOp& one : {row_ops[0], row_ops[1]}) in_cache(peers, one, bandwidth, rows);
}

void convolution_rows(CpuPeers& peers, std::vector<BenchRow>& rows) {
    constexpr int images = 64, channels = 32, outputs = 64, side = 28;
    constexpr double flops = 2.0 * images * outputs * side * side * channels * 9;
    Window2d window;
    window.padding_h = window.padding_w = 1;
    for (const int threads : {1, 2}) {
        const OpCall ours(ops::conv2d(), {{{images, "N"}, {channels, "C"}, {side, "H"}, {side, "W"}},
                                          {{outputs, "O"}, {channels, "C"}, {3, "kh"}, {3, "kw"}}, {{outputs, "O"}}},
                          1, threads, window.attributes());
        std::vector<Contestant> all{{"Gradus", [&] { return least_seconds(ours, 0.15); }}};
        if (peers.torch)
            all.push_back(peers.torch_turn("PyTorch", {{"cmd", "op"}, {"op", "conv2d"}, {"sizes", {images, channels, outputs, side}},
                                                       {"threads", threads}, {"seconds", 0.15}}));
        race(all);
        BenchRow row{"cpu", fmt::format("3×3 convolution 32 → 64, 28 × 28, batch 64, {} thread{}, PyTorch / Gradus", threads,
                                        threads > 1 ? "s" : ""),
                     all.back().seconds / all[0].seconds, "ratio", 1.0, true, ""};
        row.skipped = all.size() == 1;
        if (row.skipped) row.note = "no PyTorch to compare with";
        for (const Contestant& each : all) row.beside.emplace_back(each.name, flops / each.seconds / peers.peak[threads]);
        row.beside_unit = "of peak";
        row.limited_by = "multiply-adds, and making the columns";
        rows.push_back(std::move(row));
    }
}

} // namespace gradus::cli
