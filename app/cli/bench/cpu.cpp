#include "app/cli/bench/cpu.hpp"

#include "engine/core/error.hpp"
#include "engine/hardware/ceilings.hpp"

#include <fmt/format.h>

namespace gradus::cli {

Contestant CpuPeers::torch_turn(const std::string& name, const nlohmann::json& question) const {
    return {name, [this, question] { return torch->ask(question)["seconds"].get<double>(); }};
}

std::vector<std::string> cpu_parts() { return {"cpu-products", "cpu-rows", "cpu-convolution", "cpu-gpt"}; }

std::vector<BenchRow> bench_cpu(const std::string& python, const std::string& part) {
    CpuPeers peers;
    peers.products = product_libraries(peers.missing);
    try {
        peers.torch = std::make_unique<Peer>(python, "peer_pytorch_cpu.py");
        peers.torch->ask({{"cmd", "info"}});
    } catch (const Error& error) {
        peers.torch.reset();
        peers.missing.push_back(fmt::format("PyTorch: {}", error.what()));
    }
    std::vector<BenchRow> rows;
    for (const int threads : {1, 2}) {
        peers.peak[threads] = peak_flops(threads);
        rows.push_back({"cpu", fmt::format("limit: fp32 multiply-adds in registers, {} thread{}", threads, threads > 1 ? "s" : ""),
                        peers.peak[threads] * 1e-9, "GFLOP/s", 0, true, ""});
    }
    for (const std::string& one : peers.missing) rows.push_back({"cpu", "peer", 0, "", 0, true, one, true});
    const auto wanted = [&](const char* name) { return part == "cpu" || part == name; };
    if (wanted("cpu-products")) product_rows(peers, rows);
    if (wanted("cpu-rows")) row_op_rows(peers, rows);
    if (wanted("cpu-convolution")) convolution_rows(peers, rows);
    if (wanted("cpu-gpt")) gpt_rows(peers, rows);
    return rows;
}

} // namespace gradus::cli
