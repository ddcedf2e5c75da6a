#include "app/cli/bench/cpu.hpp"
#include "app/cli/bench/op_call.hpp"

#include <cmath>
#include <fmt/format.h>

namespace gradus::cli {

namespace {

/// Whether a library computes what we do: a peer that is fast and wrong is no peer.
bool agrees(const std::vector<float>& theirs, const float* ours) {
    double difference = 0, norm = 0;
    for (std::size_t i = 0; i < theirs.size(); ++i) {
        const double d = static_cast<double>(theirs[i]) - static_cast<double>(ours[i]);
        difference += d * d, norm += static_cast<double>(ours[i]) * static_cast<double>(ours[i]);
    }
    return std::sqrt(difference / norm) <= 1e-5;
}

void square_product(CpuPeers& peers, int size, int threads, bool small, std::vector<BenchRow>& rows) {
    const OpCall ours(ops::matmul(), {{{size, "M"}, {size, "K"}}, {{size, "K"}, {size, "N"}}}, 1, threads);
    const double flops = 2.0 * size * size * size, budget = small ? 0.01 : 0.06;
    std::vector<float> theirs(static_cast<std::size_t>(size) * static_cast<std::size_t>(size));
    std::vector<Contestant> all{{"Gradus", [&] { return least_seconds(ours, budget); }}};
    for (ProductLibrary& library : peers.products) {
        library.set_threads(threads);
        library.product(size, size, size, ours.input(0), ours.input(1), theirs.data());
        if (!agrees(theirs, ours.output())) {
            rows.push_back({"cpu", fmt::format("product {}: {}", size, library.name), 0, "", 0, true, "its result is another one", true});
            continue;
        }
        all.push_back({library.name, [&, threads] {
                           library.set_threads(threads);
                           return least_seconds(
                               [&] { library.product(size, size, size, ours.input(0), ours.input(1), theirs.data()); }, budget);
                       }});
    }
    if (peers.torch && !small)
        all.push_back(peers.torch_turn("PyTorch", {{"cmd", "op"}, {"op", "product"}, {"sizes", {size}}, {"threads", threads},
                                                   {"seconds", budget}}));
    race(all, small ? 5 : 3);
    BenchRow row{"cpu", "", 0, "ratio", small ? 1.4 : 0.98, true, ""};
    double best = 1e300;
    std::string best_name = "none";
    for (const Contestant& one : all) {
        row.beside.emplace_back(one.name, small ? one.seconds * 1e9 : flops / one.seconds / peers.peak[threads]);
        if (one.name != "Gradus" && one.name != "PyTorch" && one.seconds < best) best = one.seconds, best_name = one.name;
    }
    row.name = fmt::format("product {}³, {} thread{}, best library / Gradus", size, threads, threads > 1 ? "s" : "");
    row.beside_unit = small ? "ns" : "of peak";
    row.skipped = all.size() == 1;
    row.value = best / all[0].seconds;
    row.note = fmt::format("{}: {:.4g} GFLOP/s; Gradus {:.4g}", best_name, flops / best * 1e-9, flops / all[0].seconds * 1e-9);
    if (row.skipped) row.note = "no library to compare with";
    const double share = flops / all[0].seconds / peers.peak[threads];
    row.limited_by = small          ? fmt::format("the call and partly filled vectors: {:.2f} of the multiply-adds' rate", share)
                     : size >= 1024 ? fmt::format("multiply-adds: {:.2f} of their rate; the rest is packing and loads", share)
                                    : fmt::format("multiply-adds: {:.2f} of their rate; the rest is packing and edges", share);
    rows.push_back(std::move(row));
}

} // namespace

void product_rows(CpuPeers& peers, std::vector<BenchRow>& rows) {
    for (const int size : {256, 512, 1024, 2048})
        for (const int threads : {1, 2}) square_product(peers, size, threads, false, rows);
    for (const int size : {8, 12, 16, 24, 32, 48}) square_product(peers, size, 1, true, rows);
}

} // namespace gradus::cli
