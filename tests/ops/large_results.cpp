// Results that are too large for a cache are written past it, and long lines are summed in stretches: neither changes what they are.
#include "tests/ops/op_runs.hpp"
#include "tests/support/check.hpp"

#include <cmath>
#include <fmt/format.h>

using namespace gradus;
using namespace gradus::test;

namespace {

Tensor waves(Dim rows, Dim columns) {
    std::vector<float> values(static_cast<std::size_t>(rows * columns));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(static_cast<int>(i * 2654435761u >> 20) % 257 - 128) / 16;
    static const auto pool = std::make_shared<BufferPool>();
    return Tensor::from<float>(*pool, shape_of({rows, columns}), values);
}

} // namespace

TEST(rows_written_past_the_cache_are_the_same) {
    struct RowOp {
        const char* name;
        const Op& op;
        int weights;
        std::size_t outputs;
        Attributes attributes;
    };
    const RowOp ops_tried[] = {{"softmax", ops::softmax_along(), 0, 1, {1}},
                               {"layer_norm", ops::layer_norm(), 2, 3, {1e-5}},
                               {"rms_norm", ops::rms_norm(), 1, 2, {1e-6}},
                               {"gelu", ops::gelu(), 0, 1, {}},
                               {"tanh", ops::tanh(), 0, 1, {}}};
    const Dim columns = 1021, few = 40, many = (Dim{25} << 20) / 4 / columns; // rows that begin anywhere in a vector
    const Tensor large = waves(many, columns), weight = waves(1, columns);
    const Tensor small = large.rows(many - few, many).contiguous_copy(*std::make_shared<BufferPool>());
    for (const std::string& isa : isa_paths())
        for (const RowOp& one : ops_tried) {
            const Row row(fmt::format("{} {}", one.name, isa));
            const auto run = [&](const Tensor& x, int threads) {
                std::vector<Tensor> inputs{x};
                for (int i = 0; i < one.weights; ++i) inputs.push_back(Tensor(weight.storage(), shape_of({columns}), DType::f32));
                OpRun made(one.op, inputs, one.outputs, one.attributes, cpu(isa, threads));
                made.execute();
                return made.output(0);
            };
            const Tensor last = run(small, 1), whole = run(large, 1), threads = run(large, 2);
            CHECK(same_bits(whole.rows(many - few, many).contiguous_copy(*std::make_shared<BufferPool>()), last), "last rows");
            CHECK(same_bits(whole, threads), "with 2 threads");
        }
}

TEST(long_running_sums_start_from_what_came_before) {
    const Dim count = 40'000;
    const Tensor x = waves(2, count); // multiples of 1/16: every sum is exact
    for (const bool exclusive : {false, true})
        for (const bool backwards : {false, true})
            for (const int threads : {1, 3}) {
                const Row row(fmt::format("exclusive {} backwards {} threads {}", exclusive, backwards, threads));
                OpRun run(ops::prefix_scan(), {x}, 1, {1, exclusive ? 1.0 : 0.0, backwards ? 1.0 : 0.0}, cpu("", threads));
                run.execute();
                Dim wrong = 0;
                for (Dim line = 0; line < 2; ++line) {
                    double sum = 0;
                    for (Dim i = 0; i < count; ++i) {
                        const Dim at = line * count + (backwards ? count - 1 - i : i);
                        const double before = sum;
                        sum += x.at(at);
                        wrong += run.output(0).at(at) != static_cast<double>(static_cast<float>(exclusive ? before : sum));
                    }
                }
                CHECK(wrong == 0, fmt::format("{} numbers", wrong));
            }
}
