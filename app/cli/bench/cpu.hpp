#pragma once

#include "app/cli/bench/bench.hpp"
#include "app/cli/bench/libraries.hpp"
#include "app/cli/bench/peer.hpp"
#include "app/cli/bench/race.hpp"

#include <memory>

/// What the rows of `gradus bench cpu` share; for the files of this folder only.
namespace gradus::cli {

struct CpuPeers {
    std::vector<ProductLibrary> products;
    std::unique_ptr<Peer> torch;      ///< null where there is no PyTorch
    std::vector<std::string> missing; ///< "oneDNN, not installed (…)"
    double peak[3] = {0, 0, 0};       ///< operations per second, by threads

    /// A turn of PyTorch, which answers a question of tests/bench/peer_pytorch_cpu.py with seconds per call.
    Contestant torch_turn(const std::string& name, const nlohmann::json& question) const;
};

void product_rows(CpuPeers& peers, std::vector<BenchRow>& rows);
void row_op_rows(CpuPeers& peers, std::vector<BenchRow>& rows);
void convolution_rows(CpuPeers& peers, std::vector<BenchRow>& rows);
void gpt_rows(CpuPeers& peers, std::vector<BenchRow>& rows);

} // namespace gradus::cli
