#include "tests/gpu/large_problems.hpp"

#include "engine/core/error.hpp"
#include "tests/kernels/problems.hpp"

#include <algorithm>
#include <cmath>

namespace gradus::gpu {

namespace {

double size(const Problem& problem, const char* name) { return static_cast<double>(problem.at(name)); }

/// So many for each element of a vector of n, or of a matrix.
template <int each> double of_n(const Problem& p) { return each * size(p, "n"); }
template <int each> double of_matrix(const Problem& p) { return each * size(p, "rows") * size(p, "columns"); }
template <int each> double of_mnk(const Problem& p) { return each * size(p, "M") * size(p, "N") * size(p, "K"); }
template <int each> double of_mk(const Problem& p) { return each * size(p, "M") * size(p, "K"); }
template <int each> double of_rope(const Problem& p) { return each * size(p, "T") * size(p, "H") * size(p, "D"); }
template <int each> double of_logits(const Problem& p) { return each * size(p, "B") * size(p, "C"); }
template <int each> double of_planes(const Problem& p) { return each * size(p, "N") * size(p, "C") * size(p, "S"); }
/// A multiplication and an addition for each element of each window, of each pair of channels.
double of_windows(const Problem& p) {
    const auto positions = [&](const char* axis) { return static_cast<double>((p.at(axis) + 2 * p.at("padding") - p.at("kernel")) / p.at("stride") + 1); };
    return 2 * size(p, "N") * size(p, "O") * size(p, "C") * positions("H") * positions("W") * size(p, "kernel") * size(p, "kernel");
}
/// So many products of (T, D) and (D, T), of which `causal` leaves half.
template <int products> double of_attention(const Problem& p) {
    return 2 * products * size(p, "BH") * size(p, "T") * size(p, "T") * size(p, "D") / (p.at("causal") ? 2 : 1);
}

constexpr std::int64_t many = 1 << 26; // elements of a vector: 256 MiB in fp32

const Problem images{{"N", 32}, {"C", 64}, {"H", 56}, {"W", 56}, {"O", 64}, {"kernel", 3}, {"stride", 1}, {"padding", 1}};

const std::vector<LargeProblem> problems{
    {"vector_add", {{"n", many}}, of_n<1>},
    {"index_2d", {{"rows", 8192}, {"columns", 8192}}, of_matrix<1>},
    {"index_3d", {{"C", 64}, {"H", 1024}, {"W", 1024}}, [](const Problem& p) { return size(p, "C") * size(p, "H") * size(p, "W"); }},
    {"copy", {{"n", many}}},
    {"fill", {{"n", many}}},
    {"copy_2d", {{"rows", 8192}, {"columns", 8192}}},
    {"strided_copy", {{"n", many}}},
    {"strided_read", {{"n", many / 4}, {"stride", 4}, {"offset", 0}}},
    {"misaligned_copy", {{"n", many}}},
    {"struct_layout", {{"n", many / 4}}, of_n<3>, {"_pack", "_unpack", "_copy"}},
    {"reverse", {{"n", many}}, nullptr, {"_copy"}},
    {"transpose", {{"rows", 8192}, {"columns", 8192}}},
    {"transpose_padding", {{"rows", 8192}, {"columns", 8192}, {"padding", 1}}},
    {"reduction", {{"n", many}}, of_n<1>},
    {"prefix_scan", {{"n", many}}, of_n<1>},
    {"histogram", {{"n", 4 * many}}, of_n<1>},
    {"stencil", {{"n", many}, {"radius", 4}}, [](const Problem& p) { return (2 * size(p, "radius") + 1) * size(p, "n"); }},
    {"branch_parity", {{"n", many}}, of_n<16>},
    {"branch_switch", {{"n", many}, {"k", 8}}, of_n<1>},
    {"uneven_loops", {{"n", many / 4}}, of_n<63>}, // 2 for each round, of which there are 0 to 63, evenly spread
    {"one_long_loop", {{"n", many / 4}, {"usual", 10}, {"longest", 100}}},
    {"matmul", {{"M", 4096}, {"N", 4096}, {"K", 4096}}, of_mnk<2>},
    {"batched_matmul", {{"batch", 64}, {"M", 512}, {"N", 512}, {"K", 512}}, [](const Problem& p) { return size(p, "batch") * of_mnk<2>(p); }},
    {"matmul_nt", {{"M", 4096}, {"N", 4096}, {"K", 4096}}, of_mnk<2>},
    {"matmul_tn", {{"M", 4096}, {"N", 4096}, {"K", 4096}}, of_mnk<2>},
    {"matmul_half", {{"M", 4096}, {"N", 4096}, {"K", 4096}}, of_mnk<2>},
    {"matmul_int8", {{"M", 4096}, {"N", 4096}, {"K", 4096}}, of_mnk<2>},
    {"matmul_int8_scaled", {{"M", 4096}, {"N", 4096}, {"K", 4096}}, of_mnk<2>},
    {"matvec", {{"M", 16384}, {"K", 8192}}, of_mk<2>},
    {"matvec_int4", {{"M", 32768}, {"K", 8192}}, of_mk<3>},
    {"quantise", {{"rows", 16384}, {"columns", 4096}}, of_matrix<2>},
    {"dequantise_tensor", {{"n", many}}, of_n<1>},
    {"dequantise_channel", {{"rows", 16384}, {"columns", 4096}}, of_matrix<1>},
    {"dequantise_group", {{"rows", 16384}, {"columns", 4096}}, of_matrix<1>},
    {"softmax", {{"rows", 16384}, {"columns", 4096}}, of_matrix<7>},
    {"layernorm", {{"rows", 16384}, {"columns", 4096}}, of_matrix<8>},
    {"layernorm_backward", {{"rows", 65536}, {"columns", 1024}}, of_matrix<16>}, // rung 2 holds 8 · columns bytes for each warp of a block
    {"rmsnorm", {{"rows", 16384}, {"columns", 4096}}, of_matrix<4>},
    {"rmsnorm_backward", {{"rows", 65536}, {"columns", 1024}}, of_matrix<11>},
    {"attention", {{"BH", 16}, {"T", 2048}, {"D", 64}, {"causal", 0}}, of_attention<2>},
    {"attention_backward", {{"BH", 16}, {"T", 2048}, {"D", 64}, {"causal", 0}}, of_attention<5>},
    {"attention_decode", {{"BH", 256}, {"T", 4096}, {"D", 64}}, [](const Problem& p) { return 4 * size(p, "BH") * size(p, "T") * size(p, "D"); }},
    // A sequence's last key is drawn at random: half of the cache is read on average.
    {"attention_decode_paged", {{"B", 32}, {"H", 16}, {"T", 4096}, {"D", 64}}, [](const Problem& p) { return 2 * size(p, "B") * size(p, "H") * size(p, "T") * size(p, "D"); }},
    {"rope_interleaved", {{"T", 4096}, {"H", 48}, {"D", 128}}, of_rope<3>},
    {"rope_half_split", {{"T", 4096}, {"H", 48}, {"D", 128}}, of_rope<3>},
    {"activation_relu", {{"n", many}}, of_n<1>},
    {"activation_relu_backward", {{"n", many}}, of_n<1>},
    {"activation_sigmoid", {{"n", many}}, of_n<3>},
    {"activation_sigmoid_backward", {{"n", many}}, of_n<6>},
    {"activation_tanh", {{"n", many}}, of_n<1>},
    {"activation_tanh_backward", {{"n", many}}, of_n<4>},
    {"activation_silu", {{"n", many}}, of_n<3>},
    {"activation_silu_backward", {{"n", many}}, of_n<8>},
    {"activation_gelu", {{"n", many}}, of_n<4>},
    {"activation_gelu_backward", {{"n", many}}, of_n<10>},
    {"activation_gelu_tanh", {{"n", many}}, of_n<8>},
    {"activation_gelu_tanh_backward", {{"n", many}}, of_n<18>},
    {"bias_add", {{"rows", 16384}, {"columns", 4096}}, of_matrix<1>},
    {"bias_gelu", {{"rows", 16384}, {"columns", 4096}}, of_matrix<5>},
    {"scale_add", {{"n", many}}, of_n<2>},
    {"sum_rows", {{"rows", 16384}, {"columns", 4096}}, of_matrix<1>},
    {"sum_columns", {{"rows", 16384}, {"columns", 4096}}, of_matrix<1>},
    {"embedding", {{"V", 50000}, {"T", 65536}, {"C", 768}}},
    {"embedding_backward", {{"V", 8192}, {"T", 65536}, {"C", 768}}, [](const Problem& p) { return size(p, "T") * size(p, "C"); }},
    {"cross_entropy", {{"B", 16384}, {"C", 4096}}, of_logits<7>}, // with the usual ignore_index, which no row has
    {"cross_entropy_backward", {{"B", 16384}, {"C", 4096}}, of_logits<9>},
    {"softmax_cross_entropy", {{"B", 16384}, {"C", 4096}}, of_logits<7>},
    {"gather_bytes", {{"V", 60000}, {"T", 65536}, {"C", 784}}, [](const Problem& p) { return size(p, "T") * size(p, "C"); }},
    {"gather_labels", {{"V", 60000}, {"n", many}}},
    {"vector_multiply", {{"n", many}}, of_n<1>},
    {"activation_step", {{"n", many}}, of_n<1>},
    {"activation_step_backward", {{"n", many}}, of_n<1>},
    {"activation_tanh_backward_of_y", {{"n", many}}, of_n<3>},
    {"activation_sigmoid_backward_of_y", {{"n", many}}, of_n<3>},
    {"softmax_cross_entropy_backward", {{"B", 16384}, {"C", 4096}}, of_logits<2>},
    {"mean_squared_error", {{"n", 1 << 20}}, of_n<3>}, // in one block, and in one thread at first
    {"mean_squared_error_backward", {{"n", many}}, of_n<2>},
    {"binary_cross_entropy", {{"n", 1 << 20}}, of_n<10>},
    {"binary_cross_entropy_backward", {{"n", many}}, of_n<2>},
    {"accuracy", {{"B", 65536}, {"C", 16}}, of_logits<1>},
    {"one_hot_accuracy", {{"B", 65536}, {"C", 16}}, of_logits<2>},
    {"binary_accuracy", {{"n", 1 << 20}}, of_n<2>},
    {"sgd", {{"n", many}}, of_n<2>},
    {"momentum", {{"n", many}}, of_n<4>},
    {"adam", {{"n", many}}, of_n<12>},
    {"count_step", {{"n", 1}}},
    {"adamw", {{"inputs", 4096}, {"hidden", 4096}, {"outputs", 4096}}, [](const Problem& p) { return 16 * size(p, "hidden") * (size(p, "inputs") + size(p, "outputs")); }},
    {"conv2d", images, of_windows},
    {"conv2d_backward_input", images, of_windows},
    {"conv2d_backward_weights", images, of_windows},
    {"im2col", {{"N", 32}, {"C", 64}, {"H", 56}, {"W", 56}, {"kernel", 3}, {"stride", 1}, {"padding", 1}}},
    {"max_pool2d", {{"planes", 2048}, {"H", 128}, {"W", 128}}, [](const Problem& p) { return 3 * size(p, "planes") * size(p, "H") / 2 * size(p, "W") / 2; }},
    {"avg_pool2d", {{"planes", 2048}, {"H", 128}, {"W", 128}}, [](const Problem& p) { return 5 * size(p, "planes") * size(p, "H") / 2 * size(p, "W") / 2; }},
    {"batch_norm", {{"N", 32}, {"C", 256}, {"S", 3136}}, of_planes<8>}, // images of 56 × 56
    {"batch_norm_inference", {{"N", 32}, {"C", 256}, {"S", 3136}}, of_planes<7>},
    {"selective_scan", {{"batch", 8}, {"channels", 2048}, {"states", 16}, {"T", 2048}},
     [](const Problem& p) { return 9 * size(p, "batch") * size(p, "channels") * size(p, "states") * size(p, "T"); }},
};

} // namespace

const std::vector<LargeProblem>& large_problems() { return problems; }

const LargeProblem& large_problem(const Ladder& ladder) {
    const auto found = std::find_if(problems.begin(), problems.end(), [&](const LargeProblem& one) { return one.ladder == ladder.id; });
    if (found == problems.end()) throw ArgumentError("tests/gpu/large_problems.cpp has no problem for the ladder " + ladder.id);
    return *found;
}

std::vector<Problem> all_problems(const Ladder& ladder) {
    std::vector<Problem> out = test::problems_of(ladder);
    out.push_back(simt::usual_problem(ladder, large_problem(ladder).sizes));
    return out;
}

double least_bytes(const Ladder& ladder, const Problem& problem) {
    double bytes = 0;
    for (const KernelBuffer& buffer : ladder.buffers(problem)) bytes += static_cast<double>(buffer.count()) * static_cast<double>(size_of(buffer.type));
    return bytes;
}

} // namespace gradus::gpu
