#include "tests/ops/simt_calls.hpp"

#include "engine/core/window2d.hpp"

#include <array>

using namespace gradus;
using namespace gradus::test;

std::vector<Call> gradus::test::table_calls(std::span<const Size> sizes) {
    std::vector<Call> out;
    std::uint64_t seed = 40;
    for (const ParityRow& row : parity_rows())
        for (const Size s : sizes) {
            Call call{row.kernel, {}, {}, row.attributes, s.columns > 1000 ? 20. : 1.};
            ++seed;
            for (const Operand kind : row.operands) call.inputs.push_back(operand(kind, s, DType::f32, seed * 10 + call.inputs.size()));
            for (const Result result : row.results)
                call.outputs.emplace_back(result == Result::matrix          ? shape_of({s.rows, s.columns})
                                          : result == Result::column_vector ? shape_of({s.columns})
                                                                            : Shape{},
                                          DType::f32);
            out.push_back(std::move(call));
        }
    return out;
}

std::vector<Call> gradus::test::further_calls() {
    const auto f32 = [](std::initializer_list<Dim> sizes) { return std::pair{shape_of(sizes), DType::f32}; };
    const auto step = [](double t) { return tensor_of(Shape{}, std::array{t}, DType::i32); };
    std::vector<Call> out{{"count_step", {step(41)}, {{Shape{}, DType::i32}}}};
    struct {
        Dim m, n, k;
    } const products[] = {{1, 1, 1}, {5, 7, 3}, {65, 67, 33}, {128, 10, 100}, {64, 130, 70}};
    for (const auto& [m, n, k] : products) {
        out.push_back({"matmul", {normal({m, k}, 1), normal({k, n}, 2)}, {f32({m, n})}, {0, 0}});
        out.push_back({"matmul", {normal({m, k}, 3), normal({n, k}, 4)}, {f32({m, n})}, {0, 1}});
        out.push_back({"matmul", {normal({k, m}, 5), normal({k, n}, 6)}, {f32({m, n})}, {1, 0}});
        out.push_back({"batched_matmul", {normal({3, m, k}, 7), normal({3, k, n}, 8)}, {f32({3, m, n})}, {0, 0}});
        // the table's rate is a power of two, which hides how often a product is rounded
        out.push_back({"sgd", {normal({m, n}, 46), normal({m, n}, 47)}, {f32({m, n})}, {0.1}});
        out.push_back({"momentum", {normal({m, n}, 48), normal({m, n}, 49), normal({m, n}, 50)}, {f32({m, n}), f32({m, n})}, {0.1, 0.9}});
        const Tensor squares = tensor_of(shape_of({m, n}), Numbers(static_cast<std::size_t>(m * n), 0.3), DType::f32);
        for (const std::string op : {"adam", "adamw"})
            out.push_back({op,
                           {normal({m, n}, 51), normal({m, n}, 52), normal({m, n}, 53), squares, step(3)},
                           {f32({m, n}), f32({m, n}), f32({m, n})},
                           {0.01, 0.9, 0.999, 1e-8, 0.1}});
        out.push_back({"contiguous", {normal({m, k}, 9).transposed(0, 1)}, {f32({k, m})}});
        out.push_back({"contiguous", {normal({m, 2, k}, 9)}, {f32({m, 2, k})}});
        out.push_back({"bias_gelu", {normal({m, n}, 10), normal({n}, 11)}, {f32({m, n})}});
        out.push_back({"softmax_along", {normal({m, 2, n}, 12)}, {f32({m, 2, n})}, {2}});
        out.push_back({"gelu_tanh", {normal({m, n}, 13)}, {f32({m, n})}});
        out.push_back({"gelu_tanh_backward", {normal({m, n}, 14), normal({m, n}, 15)}, {f32({m, n})}});
        out.push_back({"layer_norm",
                       {normal({m, 2, n + 4}, 16), normal({n + 4}, 17), normal({n + 4}, 18)},
                       {f32({m, 2, n + 4}), f32({m, 2, 1}), f32({m, 2, 1})},
                       {1e-3}});
        out.push_back({"rms_norm", {normal({m, n}, 19), normal({n}, 20)}, {f32({m, n}), f32({m, 1})}, {1e-3}});
        const Tensor x = normal({m, n + 4}, 33), dy = normal({m, n + 4}, 34), w = normal({n + 4}, 35);
        const std::pair rows = f32({m, n + 4}), row = f32({n + 4}), statistic = f32({m, 1});
        const std::vector<Tensor> layer =
            call_kernel(*cpu(), "layer_norm", {x, w, normal({n + 4}, 36)}, {rows, statistic, statistic}, {1e-3});
        out.push_back({"layer_norm_backward", {dy, x, w, layer[1], layer[2]}, {rows, row, row}, {1e-3}});
        const std::vector<Tensor> rms = call_kernel(*cpu(), "rms_norm", {x, w}, {rows, statistic}, {1e-3});
        out.push_back({"rms_norm_backward", {dy, x, w, rms[1]}, {rows, row}, {1e-3}});
        const Tensor variance = tensor_of(shape_of({n}), Numbers(static_cast<std::size_t>(n), 1.5), DType::f32);
        out.push_back({"batch_norm_inference",
                       {normal({m, n, 3}, 40), normal({n}, 41), normal({n}, 42), normal({n}, 43), variance},
                       {f32({m, n, 3})},
                       {1e-3}});
        out.push_back({"prefix_scan",
                       {tensor_of(shape_of({m * n}), Numbers(static_cast<std::size_t>(m * n), 0.3), DType::f32)},
                       {f32({m * n})},
                       {0}});
        const Tensor index = random_labels(9, static_cast<std::int32_t>(m), 21), table = normal({m, n}, 22);
        out.push_back({"gather", {table, index}, {f32({9, n})}, {1, 0}});
        out.push_back({"embedding", {table, index}, {f32({9, n})}});
        out.push_back({"embedding_backward", {normal({9, n}, 44), index}, {f32({m, n})}, {0, 0, static_cast<double>(m)}});
        out.push_back({"gather", {random_labels(m, 1000, 23), index}, {{shape_of({9}), DType::i32}}, {1, 2}});
        std::vector<double> bytes(static_cast<std::size_t>(m * n));
        for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<double>(i * 37 % 256);
        out.push_back({"gather", {tensor_of(shape_of({m, n}), bytes, DType::u8), index}, {f32({9, n})}, {1.0 / 255, 0}});
    }
    const auto window = [](const Window2d& w) {
        const auto numbers = w.attributes();
        return std::vector<double>(numbers.begin(), numbers.end());
    };
    for (const Dim stride : {1, 2}) {
        const std::vector<double> attributes = window({.stride_h = stride,
                                                       .stride_w = stride,
                                                       .padding_h = 1,
                                                       .padding_w = 1,
                                                       .kernel_h = 3,
                                                       .kernel_w = 3,
                                                       .image_h = 9,
                                                       .image_w = 13});
        const Dim h = (9 + 2 - 3) / stride + 1, w = (13 + 2 - 3) / stride + 1;
        const Tensor x = normal({2, 3, 9, 13}, 24), weight = normal({5, 3, 3, 3}, 25), bias = normal({5}, 26),
                     dy = normal({2, 5, h, w}, 27);
        for (const std::string op : {"conv2d", "conv2d_direct"}) {
            out.push_back({op, {x, weight, bias}, {f32({2, 5, h, w})}, attributes});
            out.push_back({op, {x, weight}, {f32({2, 5, h, w})}, attributes});
            out.push_back({op + "_backward_input", {dy, weight}, {f32({2, 3, 9, 13})}, attributes});
            out.push_back({op + "_backward_weight", {dy, x}, {f32({5, 3, 3, 3})}, attributes});
        }
    }
    const std::vector<double> pairs = window({.stride_h = 2, .stride_w = 2, .kernel_h = 2, .kernel_w = 2});
    const Window2d columns{.stride_h = 2, .stride_w = 2, .padding_h = 1, .padding_w = 1, .kernel_h = 3, .kernel_w = 3};
    out.push_back({"im2col", {normal({2, 3, 9, 13}, 46)}, {f32({2, 27, columns.positions_h(9) * columns.positions_w(13)})}, window(columns)});
    out.push_back({"max_pool2d", {normal({2, 3, 9, 12}, 28)}, {f32({2, 3, 4, 6}), {shape_of({2, 3, 4, 6}), DType::i32}}, pairs});
    out.push_back({"avg_pool2d", {normal({2, 3, 9, 12}, 29)}, {f32({2, 3, 4, 6})}, pairs});
    for (const double causal : {0.0, 1.0}) {
        const auto heads = [&](std::uint64_t seed) { return normal({2, 3, 20, 32}, seed); };
        const std::pair whole = f32({2, 3, 20, 32}), rows = f32({2, 3, 20});
        const std::vector<Tensor> inputs{heads(30), heads(31), heads(32)};
        out.push_back({"flash_attention", inputs, {whole, rows}, {causal}});
        const std::vector<Tensor> outputs = call_kernel(*cpu(), "flash_attention", inputs, {whole, rows}, {causal});
        out.push_back({"flash_attention_backward",
                       {inputs[0], inputs[1], inputs[2], outputs[0], outputs[1], heads(45)},
                       {whole, whole, whole},
                       {causal}});
    }
    return out;
}
