// Ops that read or write where an index points, beyond their rows (tests/golden/op_rows/indexing.py): refusals, order among
// equals, and sums that do not depend on the number of threads.
#include "engine/core/error.hpp"
#include "tests/ops/op_runs.hpp"
#include "tests/support/check.hpp"

#include <cmath>

using namespace gradus;
using namespace gradus::test;

namespace {

Tensor numbers(std::initializer_list<Dim> shape, DType dtype = DType::f32) { return random_tensor(shape_of(shape), dtype, 1); }
Tensor places(std::initializer_list<Dim> shape, std::int32_t below) {
    std::vector<double> values;
    for (const double value : values_of(random_labels(shape_of(shape).elements(), below, 3))) values.push_back(value);
    return tensor_of(shape_of(shape), values, DType::i32);
}
Tensor row_of(const std::vector<double>& values) { return tensor_of(shape_of({static_cast<Dim>(values.size())}), values); }

struct Refusal {
    const Op* op;
    std::vector<Tensor> inputs;
    Attributes attributes;
    std::vector<std::string> says;
    std::size_t outputs = 1;
};

} // namespace

TEST(indexing_ops_refuse_with_a_sentence) {
    const double f32 = static_cast<double>(DType::f32), i32 = static_cast<double>(DType::i32);
    const std::vector<Refusal> rows{
        {&ops::gather_along(), {numbers({3, 4}), places({3}, 3)}, {0}, {"gather_along", "its rank", "(3, 4)", "(3)"}},
        {&ops::gather_along(), {numbers({3, 4}), numbers({3, 4})}, {0}, {"int32 index"}},
        {&ops::gather_along(), {numbers({3, 4}), places({3, 4}, 3)}, {2}, {"gather_along", "axis", "from 0 to 1", "not 2"}},
        {&ops::gather_along(), {numbers({3, 4}), places({3, 4}, 3)}, {-1}, {"axis", "not -1"}},
        {&ops::gather_along(), {numbers({3, 4}), places({3, 4}, 3)}, {0.5}, {"axis", "0.5"}},
        {&ops::gather_along(), {numbers({3, 4}), places({3, 5}, 3)}, {0}, {"no longer than x", "(3, 5)"}},
        {&ops::gather_along(), {numbers({}), places({}, 1)}, {0}, {"at least one axis"}},
        {&ops::scatter(), {numbers({3, 4}), places({3, 2}, 3), numbers({3, 2}, DType::f64)}, {1}, {"scatter", "type", "fp64"}},
        {&ops::scatter(), {numbers({3, 4}), places({3, 2}, 3), numbers({3, 1})}, {1}, {"scatter", "no longer than", "(3, 1)"}},
        {&ops::scatter(), {numbers({3, 4}), places({4, 2}, 3), numbers({4, 2})}, {1}, {"scatter", "no longer", "(4, 2)"}},
        {&ops::scatter_add(), {places({3, 4}, 9), places({3, 2}, 3), places({3, 2}, 9)}, {1}, {"scatter_add", "int32"}},
        {&ops::index_select(), {numbers({3, 4}), places({2, 2}, 3)}, {0}, {"index_select", "(K)", "(2, 2)"}},
        {&ops::index_select(), {numbers({3, 4}), places({2}, 3)}, {5}, {"index_select", "axis", "not 5"}},
        {&ops::embedding(), {numbers({3}), places({2}, 3)}, {}, {"embedding", "table (V, C)", "(3)"}},
        {&ops::embedding(), {numbers({3, 4}), numbers({2})}, {}, {"embedding", "int32"}},
        {&ops::embedding(), {numbers({3, 4}), places({2}, 3)}, {1, 3}, {"embedding", "padding index", "from 0 to 2", "not 3"}},
        {&ops::embedding(), {numbers({3, 4}), places({1, 1, 1, 1, 1, 2}, 3)}, {}, {"embedding", "5 axes"}},
        {&ops::one_hot(), {numbers({3})}, {4, f32}, {"one_hot", "int32"}},
        {&ops::one_hot(), {places({3}, 3)}, {0, f32}, {"one_hot", "number of classes", "not 0"}},
        {&ops::one_hot(), {places({3}, 3)}, {4, i32}, {"one_hot", "floating", "int32"}},
        {&ops::top_k(), {numbers({3, 4})}, {5}, {"top_k", "from 0 to 4", "not 5"}, 2},
        {&ops::top_k(), {places({3, 4}, 9)}, {1}, {"top_k", "floating"}, 2},
        {&ops::top_k(), {numbers({})}, {1}, {"top_k", "one axis"}, 2},
        {&ops::sort(), {numbers({})}, {}, {"sort", "one axis"}, 2},
    };
    for (const Refusal& row : rows) {
        const Row named(std::string(row.op->name));
        check_throws<ShapeError>([&] { OpRun(*row.op, row.inputs, row.outputs, row.attributes); }, "apply", row.says);
    }
}

TEST(indexing_ops_refuse_places_out_of_range) {
    for (const std::int32_t bad : {-1, 4, 2147483647, -2147483647 - 1}) {
        const Row row(std::to_string(bad));
        const Tensor line = labels_of({0, bad, 3});
        const Tensor column = tensor_of(shape_of({3, 1}), std::vector<double>{0, static_cast<double>(bad), 3}, DType::i32);
        const Tensor x = numbers({4, 4}), source = numbers({3, 1});
        const std::vector<Refusal> runs{
            {&ops::gather_along(), {x, column}, {0}, {}},
            {&ops::scatter(), {x, column, source}, {0}, {}},
            {&ops::scatter_add(), {x, column, source}, {0}, {}},
            {&ops::index_select(), {x, line}, {1}, {}},
            {&ops::embedding(), {x, line}, {}, {}},
            {&ops::one_hot(), {line}, {4, static_cast<double>(DType::f32)}, {}},
        };
        for (const Refusal& run : runs) {
            OpRun one(*run.op, run.inputs, 1, run.attributes);
            check_throws<Error>([&] { one.execute(); }, "execute", {std::string(run.op->name), "part", "outside"});
        }
        for (const char* kernel :
             {"gather_along_backward", "scatter_backward", "scatter_source_backward", "scatter_add_source_backward"})
            CHECK_THROWS(call_kernel(*cpu(), kernel, {x, column}, {{shape_of({4, 4}), DType::f32}}, {0}), Error, kernel);
        for (const char* kernel : {"index_select_backward", "embedding_backward"})
            CHECK_THROWS(call_kernel(*cpu(), kernel, {numbers({3, 4}), line}, {{shape_of({4, 4}), DType::f32}}, {0}), Error,
                         kernel);
    }
}

TEST(order_of_equals_and_of_nan) {
    const Tensor x = row_of({2, NAN, -0.0, 5, 2, 0.0, NAN, -INFINITY, INFINITY, 5});
    for (const std::string& isa : isa_paths()) {
        const Row row(isa);
        OpRun up(ops::sort(), {x}, 2, {0}, cpu(isa)), down(ops::sort(), {x}, 2, {1}, cpu(isa));
        OpRun top(ops::top_k(), {x}, 2, {5}, cpu(isa));
        for (OpRun* run : {&up, &down, &top}) run->execute();
        CHECK_EQUAL(values_of(up.output(1)), (std::vector<double>{7, 2, 5, 0, 4, 3, 9, 8, 1, 6}));
        CHECK_EQUAL(values_of(down.output(1)), (std::vector<double>{1, 6, 8, 3, 9, 0, 4, 2, 5, 7}));
        CHECK_EQUAL(values_of(top.output(1)), (std::vector<double>{1, 6, 8, 3, 9}));
        CHECK(std::isnan(top.output(0).at(1)) && top.output(0).at(2) == INFINITY && top.output(0).at(4) == 5);
        CHECK(std::signbit(up.output(0).at(1)) && !std::signbit(up.output(0).at(2))); // -0 and 0 are alike and keep their order
    }
}

TEST(indexing_sums_do_not_depend_on_threads) {
    // Many entries for few places, in fp32: another order would give other bits.
    const std::vector<Refusal> runs{
        {&ops::gather_along(), {numbers({300, 70}), places({900, 70}, 300)}, {0}, {}},
        {&ops::gather_along(), {numbers({90, 200}), places({90, 700}, 200)}, {1}, {}},
        {&ops::scatter_add(), {numbers({64, 90}), places({800, 90}, 64), numbers({800, 90})}, {0}, {}},
        {&ops::scatter(), {numbers({64, 90}), places({800, 90}, 64), numbers({800, 90})}, {0}, {}},
        {&ops::index_select(), {numbers({7, 50, 300}), places({120}, 50)}, {1}, {}},
        {&ops::embedding(), {numbers({90, 300}), places({60, 50}, 90)}, {1, 3}, {}},
        {&ops::top_k(), {numbers({500, 90})}, {20}, {}, 2},
        {&ops::sort(), {numbers({500, 90})}, {1}, {}, 2},
    };
    for (const Refusal& run : runs) {
        const Row row(std::string(run.op->name));
        std::vector<Tensor> first;
        for (const int threads : {1, 2, 3}) {
            OpRun one(*run.op, run.inputs, run.outputs, run.attributes, cpu("", threads));
            one.differentiate(random_tensor(one.tape.value(one.outputs[0]).shape, DType::f32, 5));
            one.execute();
            const std::vector<Tensor> now = one.results();
            if (first.empty()) first = now;
            REQUIRE(now.size() == first.size() && now.size() > run.outputs);
            for (std::size_t i = 0; i < now.size(); ++i)
                CHECK(same_bits(now[i], first[i]), fmt::format("{} with {} threads", i, threads));
        }
    }
}

TEST(embedding_sums_many_rows_to_fp32) {
    // 40 000 uses of one row: in fp32 one after the other, the sum would be off by some 1e-4.
    const Dim uses = 40'000;
    const std::vector<double> ones(static_cast<std::size_t>(uses), 1), tenths(static_cast<std::size_t>(3 * uses), 0.1);
    OpRun run(ops::embedding(), {numbers({2, 3}), tensor_of(shape_of({uses}), ones, DType::i32)}, 1);
    run.differentiate(tensor_of(shape_of({uses, 3}), tenths, DType::f32));
    run.execute();
    const double wanted = static_cast<double>(uses) * static_cast<double>(0.1f);
    for (Dim j = 0; j < 3; ++j) {
        CHECK_EQUAL(run.gradient(0).at(0, j), 0.0);
        CHECK_ERROR(std::abs(run.gradient(0).at(1, j) / wanted - 1), 1e-6, "sum of one row's gradient");
    }
}

TEST(gather_is_found_for_the_types_it_takes) {
    const auto found = [](DType rows, DType out) {
        GradusCall call{};
        call.input_count = 2;
        call.output_count = 1;
        for (GradusArray* array : {&call.inputs[0], &call.inputs[1], &call.outputs[0]}) {
            array->rank = 1;
            array->sizes[0] = array->strides[0] = 1;
        }
        call.inputs[0].dtype = static_cast<std::int32_t>(rows);
        call.inputs[1].dtype = static_cast<std::int32_t>(DType::i32);
        call.outputs[0].dtype = static_cast<std::int32_t>(out);
        try {
            return cpu()->find("gather", call).kernel != nullptr;
        } catch (const UnavailableError&) {
            return false;
        }
    };
    for (const DType dtype : {DType::f32, DType::f64, DType::i32, DType::f16, DType::bf16})
        CHECK(found(dtype, dtype), std::string(name_of(dtype)));
    for (const DType dtype : {DType::f32, DType::f64, DType::f16, DType::bf16})
        CHECK(found(DType::u8, dtype), std::string(name_of(dtype)));
    for (const auto& [rows, out] : {std::pair{DType::f64, DType::f32}, {DType::f32, DType::f64}, {DType::i32, DType::f32},
                                    {DType::u8, DType::i32}, {DType::f32, DType::i32}, {DType::i64, DType::i64}})
        CHECK(!found(rows, out), fmt::format("{} to {}", name_of(rows), name_of(out)));
}
