// conv2d against conv2d_direct, forwards and backwards, at sizes that the op rows do not reach: more than one block of positions,
// of channels, of output channels and of images.
#include "engine/core/error.hpp"
#include "engine/ops/ops.hpp"
#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"

#include <array>
#include <cmath>

using namespace gradus;
using namespace gradus::test;

namespace {

struct Case {
    std::string name;
    Shape x, w;
    Window2d window;
};

std::vector<Case> cases() {
    return {
        {"blocks of positions", shape_of({1, 2, 140, 144}), shape_of({3, 2, 4, 4}), {.padding_h = 2, .padding_w = 1}},
        {"blocks of positions with strides", shape_of({1, 4, 150, 151}), shape_of({2, 4, 4, 4}), {.stride_h = 1, .stride_w = 2}},
        {"many rows of columns", shape_of({2, 300, 14, 15}), shape_of({5, 300, 3, 3}), {.padding_h = 1, .padding_w = 1}},
        {"many outputs", shape_of({2, 3, 6, 6}), shape_of({530, 3, 2, 2}), {}},
        {"many images", shape_of({150, 2, 5, 5}), shape_of({4, 2, 3, 3}), {.padding_h = 1, .padding_w = 1}},
        {"1 × 1", shape_of({3, 40, 20, 21}), shape_of({37, 40, 1, 1}), {}},
        {"depthwise", shape_of({3, 48, 17, 19}), shape_of({48, 1, 3, 3}), {.padding_h = 1, .padding_w = 1, .groups = 48}},
        {"a window of more rows than a block", shape_of({1, 2, 40, 37}), shape_of({2, 2, 36, 33}), {}},
        {"groups",
         shape_of({2, 12, 19, 18}),
         shape_of({8, 3, 3, 5}),
         {.stride_h = 2, .padding_w = 2, .dilation_h = 3, .groups = 4}},
    };
}

/// y, dx, dw and db of one implementation.
std::vector<Tensor> results(const Op& op, const Case& c, DType dtype, const std::shared_ptr<Device>& device) {
    Tape tape(device, std::make_shared<BufferPool>());
    const ValueIndex x = tape.input("x", random_tensor(c.x, dtype, 1), Role::data, true);
    const ValueIndex w = tape.input("w", random_tensor(c.w, dtype, 2), Role::parameter, true);
    const ValueIndex b = tape.input("b", random_tensor(shape_of({c.w[0]}), dtype, 3), Role::parameter, true);
    const NodeIndex node = tape.apply(op, Phase::forward, "conv", {x, w, b}, {"y"}, c.window.attributes());
    const ValueIndex y = tape.node(node).outputs[0];
    const ValueIndex dy = tape.input("g", random_tensor(tape.value(y).shape, dtype, 4), Role::gradient);
    tape.backward_from(std::span(&y, 1), std::span(&dy, 1));
    for (NodeIndex i = 0; i < static_cast<NodeIndex>(tape.nodes().size()); ++i) tape.execute(i);
    std::vector<Tensor> out{tape.tensor(y)};
    for (const ValueIndex value : {x, w, b}) {
        REQUIRE(tape.value(value).gradient != no_value);
        out.push_back(tape.tensor(tape.value(value).gradient));
    }
    return out;
}

} // namespace

TEST(both_convolutions_agree_and_threads_change_no_bit) {
    const char* names[] = {"y", "dx", "dw", "db"};
    for (const Case& c : cases())
        for (const std::string& isa : isa_paths())
            for (const DType dtype : {DType::f32, DType::f64}) {
                const Row row(fmt::format("{} {} {}", c.name, isa, name_of(dtype)));
                const std::vector<Tensor> products = results(ops::conv2d(), c, dtype, cpu(isa));
                const std::vector<Tensor> direct = results(ops::conv2d_direct(), c, dtype, cpu(isa));
                const std::vector<Tensor> threads = results(ops::conv2d(), c, dtype, cpu(isa, 3));
                const std::vector<Tensor> direct_threads = results(ops::conv2d_direct(), c, dtype, cpu(isa, 2));
                for (std::size_t i = 0; i < products.size(); ++i) {
                    // fp32 chains of up to 2700 terms
                    CHECK_ERROR(relative_error(products[i], direct[i]), dtype == DType::f32 ? 4e-6 : 1e-14, names[i]);
                    CHECK(same_bits(products[i], threads[i]), std::string(names[i]) + " with 3 threads");
                    CHECK(same_bits(direct[i], direct_threads[i]), std::string(names[i]) + " of direct with 2 threads");
                }
            }
}

TEST(a_convolution_is_im2col_and_a_product) {
    const Window2d window{.stride_h = 2, .padding_w = 1, .kernel_h = 3, .kernel_w = 2};
    Tape tape(cpu(), std::make_shared<BufferPool>());
    const ValueIndex x = tape.input("x", random_tensor(shape_of({1, 3, 9, 7}), DType::f32, 1), Role::data);
    const ValueIndex w = tape.input("w", random_tensor(shape_of({4, 3, 3, 2}), DType::f32, 2), Role::parameter);
    const ValueIndex flat = tape.input("flat", Tensor(tape.tensor(w).storage(), shape_of({4, 18}), DType::f32), Role::parameter);
    const auto apply = [&](const Op& op, std::vector<ValueIndex> inputs, const char* name, Attributes attributes) {
        const NodeIndex node = tape.apply(op, Phase::forward, "conv", std::move(inputs), {name}, attributes);
        return tape.node(node).outputs[0];
    };
    const ValueIndex y = apply(ops::conv2d(), {x, w}, "y", window.attributes());
    const ValueIndex columns = apply(ops::im2col(), {x}, "columns", window.attributes());
    const ValueIndex matrix = apply(ops::reshape(), {columns}, "matrix", reshape_to({18, tape.value(columns).shape[2]}));
    const ValueIndex z = apply(ops::matmul(), {flat, matrix}, "z", {});
    for (NodeIndex i = 0; i < static_cast<NodeIndex>(tape.nodes().size()); ++i) tape.execute(i);
    CHECK_EQUAL(values_of(tape.tensor(y)).size(), 4u * 4 * 8);
    CHECK(values_of(tape.tensor(y)) == values_of(tape.tensor(z))); // one chain of multiply-adds in the same order
}

TEST(convolutions_and_pools_refuse_with_a_sentence) {
    struct Refusal {
        const Op* op;
        std::vector<Shape> inputs;
        Window2d window;
        std::string says;
    };
    const Shape x = shape_of({2, 4, 5, 6}), w = shape_of({6, 4, 3, 3});
    const std::vector<Refusal> rows{
        {&ops::conv2d(), {x, shape_of({6, 3, 3, 3})}, {}, "1 groups"},
        {&ops::conv2d(), {x, shape_of({5, 2, 3, 3})}, {.groups = 2}, "2 groups"},
        {&ops::conv2d(), {x, w}, {.groups = 0}, "0 groups"},
        {&ops::conv2d(), {x, shape_of({6, 4, 6, 3})}, {}, "fits into the padded plane"},
        {&ops::conv2d(), {x, w}, {.dilation_w = 3}, "fits into the padded plane"},
        {&ops::conv2d(), {x, w}, {.stride_h = 0}, "strides"},
        {&ops::conv2d(), {x, w}, {.padding_h = -1}, "paddings"},
        {&ops::conv2d(), {x, w, shape_of({4})}, {}, "one bias per output channel"},
        {&ops::conv2d(), {shape_of({4, 5, 6}), w}, {}, "images (N, C, H, W)"},
        {&ops::conv2d(), {shape_of({2, 0, 5, 5}), shape_of({3, 0, 1, 1})}, {}, "not empty"},
        {&ops::conv2d_direct(), {x, shape_of({6, 3, 3, 3})}, {}, "1 groups"},
        {&ops::conv_transpose2d(), {x, shape_of({6, 4, 3, 3})}, {}, "C divides"},
        {&ops::conv_transpose2d(), {x, shape_of({4, 6, 3, 3})}, {.output_padding_h = 1}, "output padding"},
        {&ops::conv_transpose2d(), {x, shape_of({4, 6, 1, 1})}, {.padding_h = 3}, "leaves something"},
        {&ops::im2col(), {x}, {}, "window of at least 1 × 1"},
        {&ops::im2col(), {x}, {.kernel_h = 6, .kernel_w = 1}, "fits into the padded plane"},
        {&ops::col2im(), {shape_of({1, 8, 9})}, {.kernel_h = 2, .kernel_w = 2, .image_h = 4, .image_w = 5}, "3 × 4 positions"},
        {&ops::col2im(), {shape_of({1, 7, 9})}, {.kernel_h = 2, .kernel_w = 2, .image_h = 4, .image_w = 4}, "2 × 2 window"},
        {&ops::max_pool2d(), {x}, {.padding_h = 2, .kernel_h = 3, .kernel_w = 3}, "half the window"},
        {&ops::max_pool2d(),
         {shape_of({1, 1, 1, 1})},
         {.padding_h = 1, .padding_w = 1, .dilation_h = 2, .dilation_w = 2, .kernel_h = 2, .kernel_w = 2},
         "meets the plane"},
        {&ops::avg_pool2d(), {x}, {.dilation_h = 2, .kernel_h = 2, .kernel_w = 2}, "without dilation"},
        {&ops::avg_pool2d(), {x}, {.kernel_h = 2, .kernel_w = 7}, "fits into the padded plane"},
        {&ops::global_avg_pool(), {shape_of({1, 2, 0, 3})}, {}, "not empty"},
    };
    for (const Refusal& refusal : rows) {
        const Row row(fmt::format("{}: {}", refusal.op->name, refusal.says));
        Tape tape(cpu(), std::make_shared<BufferPool>());
        std::vector<ValueIndex> inputs;
        for (const Shape& shape : refusal.inputs)
            inputs.push_back(tape.input("in" + std::to_string(inputs.size()), random_tensor(shape, DType::f32, 1), Role::data));
        CHECK_THROWS(refusal.op->infer(tape, inputs, refusal.window.attributes()), ShapeError, std::string(refusal.op->name),
                     refusal.says);
    }
}

TEST(max_pool_takes_a_nan_for_the_largest) {
    const std::vector<double> values{1, NAN, 2, 3, 4, 5};
    const Tensor x = tensor_of(shape_of({1, 1, 1, 6}), values);
    const Window2d window{.stride_w = 3, .kernel_h = 1, .kernel_w = 3};
    const std::array<double, 16> attributes = window.attributes();
    const auto out =
        call_kernel(*cpu(), "max_pool2d", {x}, {{shape_of({1, 1, 1, 2}), DType::f64}, {shape_of({1, 1, 1, 2}), DType::i32}},
                    {attributes.begin(), attributes.end()});
    CHECK(std::isnan(out[0].at(0)));
    CHECK_EQUAL(out[1].at(0), 1.0);
    CHECK_EQUAL(out[0].at(1), 5.0);
    CHECK_EQUAL(out[1].at(1), 5.0);
}
