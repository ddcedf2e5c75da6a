// Single ops and their gradients against PyTorch (tests/golden/ops_fp64), on every ISA path.
#include "tests/support/check.hpp"
#include "tests/support/safetensors.hpp"
#include "tests/support/tensors.hpp"

#include <set>

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr double tolerance = 1e-13;

void compare(const Tensor& got, const Tensor& wanted, const std::string& what) {
    REQUIRE(got.elements() == wanted.elements());
    CHECK_ERROR(relative_error(got, wanted), tolerance, what);
}

} // namespace

TEST(ops_reach_pytorch) {
    const Golden golden = read_golden("ops_fp64");
    std::set<std::string> examples;
    for (const auto& [name, tensor] : golden.tensors) examples.insert(name.substr(0, name.rfind('.')));
    std::set<std::string> ops;
    for (const std::string& isa : isa_paths())
        for (const std::string& example : examples) {
            const Row row(fmt::format("{} {}", example, isa));
            const auto at = [&](const char* name) { return golden.at(example + "." + name); };
            const Device& device = *cpu(isa);
            const std::string op = example.substr(0, example.find('.'));
            ops.insert(op);
            const Tensor x = at("x");
            const auto like = [](const Tensor& tensor) { return std::pair{tensor.shape(), DType::f64}; };
            const std::pair<Shape, DType> scalar{Shape{}, DType::f64};
            if (op == "matmul") {
                compare(call_kernel(device, "matmul", {x, at("w")}, {like(at("y"))})[0], at("y"), "y");
                compare(call_kernel(device, "matmul", {at("dy"), at("w")}, {like(x)}, {0, 1})[0], at("dx"), "dx");
                compare(call_kernel(device, "matmul", {x, at("dy")}, {like(at("w"))}, {1, 0})[0], at("dw"), "dw");
            } else if (op == "bias") {
                compare(call_kernel(device, "add_bias", {x, at("b")}, {like(x)})[0], at("y"), "y");
                compare(call_kernel(device, "sum_rows", {at("dy")}, {like(at("b"))})[0], at("db"), "db");
                compare(at("dy"), at("dx"), "dx");
            } else if (op == "softmax_cross_entropy") {
                const auto out = call_kernel(device, "softmax_cross_entropy", {x, at("target")}, {like(x), scalar});
                compare(out[0], at("p"), "p");
                compare(out[1], at("loss"), "loss");
                compare(call_kernel(device, "softmax_cross_entropy_backward", {out[0], at("target")}, {like(x)})[0], at("dx"), "dx");
            } else if (op == "bce_with_logits") {
                const auto out = call_kernel(device, "binary_cross_entropy", {x, at("target")}, {like(x), scalar});
                compare(out[1], at("loss"), "loss");
                compare(call_kernel(device, "binary_cross_entropy_backward", {out[0], at("target")}, {like(x)})[0], at("dx"), "dx");
            } else if (op == "mse") {
                compare(call_kernel(device, "mean_squared_error", {x, at("target")}, {scalar})[0], at("loss"), "loss");
                compare(call_kernel(device, "mean_squared_error_backward", {x, at("target")}, {like(x)})[0], at("dx"), "dx");
            } else { // an activation; gelu's gradient is made from x, the others' from y
                const Tensor y = call_kernel(device, op.c_str(), {x}, {like(x)})[0];
                compare(y, at("y"), "y");
                compare(call_kernel(device, (op + "_backward").c_str(), {op == "gelu" ? x : y, at("dy")}, {like(x)})[0], at("dx"), "dx");
            }
        }
    CHECK_EQUAL(ops.size(), 9u);
}
