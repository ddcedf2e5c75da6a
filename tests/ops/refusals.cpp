#include "engine/autograd/tape.hpp"
#include "engine/core/error.hpp"
#include "engine/ops/ops.hpp"
#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"

#include <set>

using namespace gradus;
using namespace gradus::test;

namespace {

Tensor matrix(Dim m, Dim n, DType dtype = DType::f32) { return random_tensor(shape_of({m, n}), dtype, 1); }
Tensor vector(Dim n, DType dtype = DType::f32) { return random_tensor(shape_of({n}), dtype, 1); }
Tensor labels(Dim n) { return random_labels(n, 2, 1); }

struct Refusal {
    const Op* op;
    std::vector<Tensor> inputs;
    std::vector<std::string> says; ///< besides the op's name
    Attributes attributes{};
};

} // namespace

TEST(ops_refuse_wrong_shapes_with_a_sentence) {
    const std::vector<Refusal> rows{
        {&ops::matmul(), {matrix(3, 4), matrix(5, 6)}, {"inner sizes", "in0 (3, 4)", "in1 (5, 6)"}},
        {&ops::matmul(), {matrix(3, 4), matrix(4, 6)}, {"inner sizes"}, {1, 0}},
        {&ops::matmul(), {matrix(3, 4), matrix(4, 6)}, {"inner sizes"}, {0, 1}},
        {&ops::matmul(), {matrix(3, 4), vector(4)}, {"two matrices", "(4)"}},
        {&ops::matmul(), {matrix(3, 4), matrix(4, 2, DType::f64)}, {"fp32", "fp64"}},
        {&ops::matmul(), {labels(3), labels(3)}, {"int32"}},
        {&ops::add_bias(), {matrix(3, 4), vector(3)}, {"(3, 4)", "(3)"}},
        {&ops::add_bias(), {matrix(3, 4), matrix(1, 4)}, {"(1, 4)"}},
        {&ops::add_bias(), {matrix(3, 4), vector(4, DType::f64)}, {"fp64"}},
        {&ops::sum_rows(), {vector(4)}, {"a matrix"}},
        {&ops::relu(), {labels(4)}, {"floating"}},
        {&ops::gelu(), {labels(4)}, {"floating"}},
        {&ops::silu(), {labels(4)}, {"floating"}},
        {&ops::step(), {labels(4)}, {"floating"}},
        {&ops::softmax_cross_entropy(), {matrix(3, 4), labels(4)}, {"(3, 4)", "(4)", "labels (B)"}},
        {&ops::softmax_cross_entropy(), {matrix(3, 4), vector(3)}, {"int32"}},
        {&ops::softmax_cross_entropy(), {vector(3), labels(3)}, {"logits (B, C)"}},
        {&ops::binary_cross_entropy(), {matrix(3, 1), vector(3)}, {"(3, 1)", "(3)"}},
        {&ops::binary_cross_entropy(), {matrix(3, 1), matrix(3, 1, DType::f64)}, {"fp64"}},
        {&ops::mean_squared_error(), {matrix(3, 2), matrix(2, 3)}, {"(3, 2)", "(2, 3)"}},
        {&ops::mean_squared_error(), {random_tensor(shape_of({2, 3, 2}), DType::f32, 1), random_tensor(shape_of({2, 3, 2}), DType::f32, 2)},
         {"(2, 3, 2)", "(B, C)"}},
        {&ops::binary_cross_entropy(), {random_tensor(shape_of({2, 3, 2}), DType::f32, 1), random_tensor(shape_of({2, 3, 2}), DType::f32, 2)},
         {"(2, 3, 2)", "(B, C)"}},
        {&ops::binary_accuracy(), {random_tensor(Shape{}, DType::f32, 1), random_tensor(Shape{}, DType::f32, 2)}, {"(B, C)"}},
        {&ops::accuracy(), {matrix(3, 4), labels(2)}, {"(3, 4)", "(2)"}},
        {&ops::accuracy(), {matrix(3, 4), vector(3)}, {"int32"}},
        {&ops::accuracy(), {vector(3), labels(3)}, {"(3)"}},
        {&ops::one_hot_accuracy(), {matrix(3, 4), matrix(3, 3)}, {"(3, 4)", "(3, 3)"}},
        {&ops::one_hot_accuracy(), {matrix(3, 4), labels(3)}, {"int32"}},
        {&ops::binary_accuracy(), {matrix(3, 1), matrix(2, 1)}, {"(3, 1)", "(2, 1)"}},
        {&ops::binary_accuracy(), {matrix(3, 1), matrix(3, 1, DType::f64)}, {"fp64"}},
        {&ops::add(), {matrix(3, 2), matrix(2, 3)}, {"(3, 2)", "(2, 3)"}},
        {&ops::sgd(), {matrix(3, 2), vector(3)}, {"(3, 2)", "(3)"}},
        {&ops::momentum(), {matrix(3, 2), matrix(3, 2), matrix(2, 3)}, {"velocity"}},
        {&ops::gather(), {matrix(3, 2), vector(3)}, {"int32 index"}},
        {&ops::gather(), {matrix(3, 2), matrix(1, 1)}, {"index"}},
        {&ops::multiply(), {matrix(3, 2), matrix(2, 3)}, {"(3, 2)", "(2, 3)"}},
        {&ops::multiply(), {matrix(3, 2), matrix(3, 2, DType::f64)}, {"fp64"}},
        {&ops::quadratic(), {vector(3), vector(2)}, {"curvatures"}},
        {&ops::softmax(), {vector(3)}, {"logits (B, C)"}},
        {&ops::cross_entropy(), {matrix(3, 4), labels(4)}, {"(3, 4)", "labels (B)"}},
        {&ops::cross_entropy(), {matrix(3, 4), vector(3)}, {"int32"}},
        // an empty batch
        {&ops::softmax_cross_entropy(), {matrix(0, 4), labels(0)}, {"(0, 4)"}},
        {&ops::softmax_cross_entropy(), {matrix(3, 0), labels(3)}, {"(3, 0)"}},
        {&ops::binary_cross_entropy(), {matrix(0, 1), matrix(0, 1)}, {"(0, 1)"}},
        {&ops::mean_squared_error(), {matrix(0, 4), matrix(0, 4)}, {"(0, 4)"}},
        {&ops::accuracy(), {matrix(0, 4), labels(0)}, {"(0, 4)"}},
        {&ops::one_hot_accuracy(), {matrix(0, 4), matrix(0, 4)}, {"(0, 4)"}},
        {&ops::binary_accuracy(), {matrix(0, 1), matrix(0, 1)}, {"(0, 1)"}},
    };
    for (const Refusal& row : rows) {
        const Row named(std::string(row.op->name));
        Tape tape(cpu(), std::make_shared<BufferPool>());
        std::vector<ValueIndex> inputs;
        for (std::size_t i = 0; i < row.inputs.size(); ++i)
            inputs.push_back(tape.input("in" + std::to_string(i), row.inputs[i], Role::data));
        std::vector<std::string> says = row.says;
        const bool shared = row.op == &ops::relu() || row.op == &ops::gelu() || row.op == &ops::silu() || row.op == &ops::step() || row.op == &ops::add() || row.op == &ops::sgd();
        if (!shared) says.emplace_back(row.op->name); // these share a rule, whose sentence says "an activation", "an update"
        const std::size_t nodes = tape.nodes().size();
        check_throws<ShapeError>([&] { tape.apply(*row.op, Phase::forward, "m", inputs, {"out"}, row.attributes); }, "apply", says);
        CHECK_EQUAL(tape.nodes().size(), nodes);
    }
}

TEST(ops_refuse_labels_and_rows_out_of_range) {
    for (const std::int32_t bad : {-1, 4, 2147483647, -2147483647 - 1}) {
        const Row row(std::to_string(bad));
        const Tensor wrong = labels_of({0, bad, 3});
        for (const Op* op : {&ops::softmax_cross_entropy(), &ops::cross_entropy(), &ops::accuracy(), &ops::gather()}) {
            Tape tape(cpu(), std::make_shared<BufferPool>());
            const ValueIndex x = tape.input("x", matrix(op == &ops::gather() ? 4 : 3, 4), Role::data);
            const ValueIndex y = tape.input("y", wrong, Role::data);
            const std::vector<std::string> names = op == &ops::softmax_cross_entropy() ? std::vector<std::string>{"p", "loss"} : std::vector<std::string>{"out"};
            const NodeIndex node = tape.apply(*op, Phase::forward, "part", {x, y}, names,
                                              {1.0, static_cast<double>(DType::f32)});
            check_throws<Error>([&] { tape.execute(node); }, "execute", {std::string(op->name), "part", "outside"});
        }
    }
}

TEST(ops_refuse_rows_of_bytes_out_of_range) {
    const std::vector<std::uint8_t> bytes(6, 9);
    const auto pool = std::make_shared<BufferPool>();
    const Tensor rows = Tensor::from<std::uint8_t>(*pool, shape_of({3, 2}), bytes);
    CHECK_THROWS(call_kernel(*cpu(), "gather", {rows, labels_of({0, 3})}, {{shape_of({2, 2}), DType::f32}}, {1}), Error, "gather");
    CHECK_THROWS(call_kernel(*cpu(), "gather", {rows, labels_of({-1, 0})}, {{shape_of({2, 2}), DType::f64}}, {1}), Error, "gather");
    const Tensor none = Tensor::from<std::uint8_t>(*pool, shape_of({0, 2}), std::span(bytes).first(0));
    CHECK_THROWS(call_kernel(*cpu(), "gather", {none, labels_of({0})}, {{shape_of({1, 2}), DType::f32}}, {1}), Error, "gather");
}

TEST(backend_finds_every_op) {
    std::set<std::string> found;
    for (const std::string& isa : isa_paths())
        for (const DType dtype : {DType::f32, DType::f64})
            for (const Op* op : lesson_ops()) {
                const Row row(fmt::format("{} {} {}", op->name, isa, name_of(dtype)));
                GradusCall call{};
                call.input_count = op == &ops::momentum() ? 3 : 2;
                call.output_count = 1;
                for (GradusArray* array : {&call.inputs[0], &call.inputs[1], &call.inputs[2], &call.outputs[0]}) {
                    array->rank = 2;
                    array->sizes[0] = array->sizes[1] = 3;
                    array->strides[0] = 3;
                    array->strides[1] = 1;
                    array->dtype = static_cast<std::int32_t>(dtype);
                }
                const Device::Found kernel = cpu(isa)->find(op->kernel, call);
                CHECK(kernel.kernel != nullptr);
                CHECK_EQUAL(std::string(kernel.implementation), isa);
                CHECK(call.context != nullptr);
                found.insert(std::string(op->name));
                // rows that do not lie one after another are refused rather than misread; the product takes them
                call.inputs[0].strides[0] = 7;
                if (op == &ops::matmul()) CHECK(cpu(isa)->find(op->kernel, call).kernel != nullptr);
                else CHECK_THROWS(cpu(isa)->find(op->kernel, call), UnavailableError, op->kernel, "(3, 3)");
            }
    CHECK_EQUAL(found.size(), lesson_ops().size());
    std::set<std::string_view> names;
    for (const Op* op : all_ops()) {
        const Row row{std::string(op->name)};
        CHECK(names.insert(op->name).second);
        if (op->view) continue;
        const std::vector<DType> types = cpu()->dtypes_of(op->kernel);
        if (op == &ops::count_step()) CHECK(types == std::vector{DType::i32});
        else CHECK(types.size() >= 4 && types[0] == DType::f32 && types[1] == DType::f64 && types[2] == DType::f16 && types[3] == DType::bf16);
    }
}

TEST(backend_says_what_it_lacks) {
    GradusCall call{};
    call.input_count = call.output_count = 1;
    call.inputs[0].dtype = call.outputs[0].dtype = static_cast<std::int32_t>(DType::f32);
    CHECK_THROWS(cpu()->find("convolution", call), UnavailableError, "cpu", "convolution", "fp32");
    call.inputs[0].dtype = call.outputs[0].dtype = static_cast<std::int32_t>(DType::i64);
    for (const Op* op : lesson_ops()) CHECK_THROWS(cpu()->find(op->kernel, call), UnavailableError, op->kernel, "int64");
}

TEST(devices_say_why_they_cannot_be_used) {
    CHECK_THROWS(Device({"cuda", "", 1}), UnavailableError, "cuda");
    CHECK_THROWS(Device({"tpu", "", 1}), ArgumentError, "tpu", "cpu");
    CHECK_THROWS(Device({"cpu", "sse9", 1}), UnavailableError, "sse9", "baseline");
    CHECK_THROWS(Device({"cpu", "", 1000}), UnavailableError, "1000");
    const Device device({"cpu", "baseline", 3});
    CHECK_EQUAL(device.threads(), 3);
    CHECK_EQUAL(device.isa(), "baseline");
    CHECK_EQUAL(device.name(), "cpu");
    CHECK(!device.description().empty());
    CHECK_EQUAL(Device({"cpu", "", 1}).isa(), isa_paths().back()); // the best there is
    const auto devices = list_devices();
    REQUIRE(devices.size() == 3);
    CHECK(devices[0].available && devices[0].id == "cpu" && devices[0].reason.empty());
    for (const DeviceInfo& info : devices) CHECK(info.available != !info.reason.empty(), info.id);
}
