// Softmax along an axis and the new losses beyond their rows (tests/golden/op_rows/softmax.py): refusals, edges, threads.
#include "engine/core/error.hpp"
#include "tests/ops/op_runs.hpp"
#include "tests/support/check.hpp"

#include <cmath>

using namespace gradus;
using namespace gradus::test;

namespace {

Tensor numbers(std::initializer_list<Dim> shape, DType dtype = DType::f32) {
    return random_tensor(shape_of(shape), dtype, 1, 2.0);
}
Tensor labels(std::initializer_list<Dim> shape, std::int32_t classes) {
    const std::vector<double> drawn = values_of(random_labels(shape_of(shape).elements(), classes, 3));
    return tensor_of(shape_of(shape), drawn, DType::i32);
}
Tensor one(double value, DType dtype) { return tensor_of(Shape{}, std::vector<double>{value}, dtype); }

struct Call {
    const Op* op;
    std::vector<Tensor> inputs;
    Attributes attributes;
    std::vector<std::string> says = {};
    std::size_t outputs = 1;
};

} // namespace

TEST(softmax_and_losses_refuse_with_a_sentence) {
    const std::vector<Call> rows{
        {&ops::softmax_along(), {numbers({})}, {0}, {"softmax_along", "one axis"}},
        {&ops::softmax_along(), {numbers({3, 4})}, {2}, {"softmax_along", "axis", "not 2"}},
        {&ops::log_softmax(), {numbers({3, 4})}, {-1}, {"log_softmax", "axis", "not -1"}},
        {&ops::log_softmax(), {labels({3}, 2)}, {0}, {"log_softmax", "floating"}},
        {&ops::cross_entropy_with_logits(), {numbers({3, 4}), labels({4}, 4)}, {}, {"with_logits", "(3, 4)", "(4)"}, 2},
        {&ops::cross_entropy_with_logits(), {numbers({3, 4}), numbers({3})}, {}, {"int32"}, 2},
        {&ops::cross_entropy_with_logits(), {numbers({3, 0}), labels({3}, 1)}, {}, {"at least one class"}, 2},
        {&ops::cross_entropy_with_logits(), {numbers({3, 4}), labels({3}, 4)}, {2}, {"reduction", "not 2"}, 2},
        {&ops::cross_entropy_with_logits(), {numbers({3, 4}), labels({3}, 4)}, {0, 0, 0, 1.5}, {"smoothing", "1.5"}, 2},
        {&ops::cross_entropy_with_logits(), {numbers({3, 4}), labels({3}, 4)}, {0, 1, 0.5}, {"ignored label", "0.5"}, 2},
        {&ops::nll_loss(), {numbers({3, 4, 2}), labels({3}, 4)}, {}, {"nll_loss", "(3, 4, 2)"}},
        {&ops::bce(), {numbers({3, 4}), numbers({3, 1})}, {}, {"bce", "(3, 4)", "(3, 1)"}},
        {&ops::bce(), {numbers({3}), numbers({3}, DType::f64)}, {}, {"bce", "fp64"}},
        {&ops::kl_div(), {numbers({}), numbers({})}, {}, {"kl_div", "axis of examples"}},
        {&ops::kl_div(), {numbers({3}), numbers({3})}, {3}, {"kl_div", "reduction", "not 3"}},
        {&ops::l1_loss(), {numbers({3}), numbers({3})}, {0, 1}, {"l1_loss", "smooth_l1_loss"}},
        {&ops::smooth_l1_loss(), {numbers({3}), numbers({3})}, {0, -1}, {"smooth_l1_loss", "beta", "-1"}},
        {&ops::smooth_l1_loss(), {numbers({3}), numbers({3})}, {0, NAN}, {"smooth_l1_loss", "beta"}},
    };
    for (const Call& row : rows) {
        const Row named(std::string(row.op->name));
        check_throws<ShapeError>([&] { OpRun(*row.op, row.inputs, row.outputs, row.attributes); }, "apply", row.says);
    }
}

TEST(losses_refuse_labels_out_of_range) {
    for (const std::int32_t bad : {-1, 4, 2147483647, -2147483647 - 1}) {
        const Row row(std::to_string(bad));
        for (const Op* op : {&ops::cross_entropy_with_logits(), &ops::nll_loss()}) {
            const std::size_t outputs = op == &ops::nll_loss() ? 1 : 2;
            OpRun run(*op, {numbers({3, 4}), labels_of({0, bad, 3})}, outputs);
            check_throws<Error>([&] { run.execute(); }, "execute", {std::string(op->name), "part", "outside"});
            OpRun passed_over(*op, {numbers({3, 4}), labels_of({0, bad, 3})}, outputs, {0, 1, static_cast<double>(bad)});
            passed_over.execute();
            CHECK(std::isfinite(passed_over.output(0).at(0)));
        }
    }
}

TEST(softmax_along_is_softmax_for_rows) {
    for (const std::string& isa : isa_paths())
        for (const DType dtype : {DType::f32, DType::f64}) {
            const Row row(fmt::format("{} {}", isa, name_of(dtype)));
            OpRun plain(ops::softmax(), {numbers({9, 37}, dtype)}, 1, {}, cpu(isa));
            OpRun along(ops::softmax_along(), {numbers({9, 37}, dtype)}, 1, {1}, cpu(isa));
            plain.execute();
            along.execute();
            CHECK_ERROR(relative_error(along.output(0), plain.output(0)), dtype == DType::f32 ? 1e-6 : 1e-14, "p");
        }
}

TEST(cross_entropy_with_logits_is_its_steps) {
    for (const std::string& isa : isa_paths())
        for (const double reduction : {0.0, 1.0}) {
            const Row row(fmt::format("{} reduction {}", isa, reduction));
            const Tensor z = numbers({6, 5, 7}, DType::f64), y = labels({6, 7}, 5), dl = one(0.7, DType::f64);
            const Attributes attributes{reduction, 1, 2};
            OpRun fused(ops::cross_entropy_with_logits(), {z, y}, 2, attributes, cpu(isa));
            fused.differentiate(dl);
            fused.execute();
            OpRun steps(ops::log_softmax(), {z}, 1, {1}, cpu(isa));
            const ValueIndex target = steps.tape.input("y", y, Role::data);
            const NodeIndex end =
                steps.tape.apply(ops::nll_loss(), Phase::forward, "loss", {steps.outputs[0], target}, {"loss"}, attributes);
            const ValueIndex loss = steps.tape.node(end).outputs[0];
            steps.tape.backward_from(std::vector{loss}, std::vector{steps.tape.input("upstream", dl, Role::gradient)});
            steps.execute();
            CHECK_ERROR(relative_error(fused.output(0), steps.tape.tensor(loss)), 1e-14, "L");
            CHECK_ERROR(relative_error(fused.gradient(0), steps.gradient(0)), 1e-13, "dz");
        }
}

TEST(cross_entropy_keeps_the_digits_of_what_is_learned) {
    const double p = std::exp(-18.0) / (1 + std::exp(-18.0)); // of the other class: 1 - p is 1 in fp32
    for (const std::string& isa : isa_paths())
        for (const bool column : {false, true}) {
            const Row row(isa + (column ? " columns" : " rows"));
            // one example of two classes, as a row and, twice side by side, as columns
            const Tensor z = column ? tensor_of(shape_of({1, 2, 2}), std::vector<double>{17, 17, -1, -1}, DType::f32)
                                    : tensor_of(shape_of({1, 2}), std::vector<double>{17, -1}, DType::f32);
            OpRun run(ops::cross_entropy_with_logits(), {z, column ? labels({1, 2}, 1) : labels({1}, 1)}, 2, {}, cpu(isa));
            run.differentiate(one(1, DType::f32));
            run.execute();
            const double examples = column ? 2 : 1;
            CHECK_ERROR(std::abs(run.output(0).at(0) / std::log1p(std::exp(-18.0)) - 1), 1e-6, "L");
            CHECK_ERROR(std::abs(run.gradient(0).at(0) / (-p / examples) - 1), 1e-6, "dz at the label");
            CHECK_ERROR(std::abs(run.gradient(0).at(column ? 2 : 1) / (p / examples) - 1), 1e-6, "dz at the other");
        }
}

TEST(bce_keeps_the_digits_of_small_probabilities) {
    for (const std::string& isa : isa_paths())
        for (const double p : {0.0, 1e-300, 1e-20, 3e-9, 0.1, 0.4999, 0.5, 0.75, 1 - 1e-12}) {
            const Row row(fmt::format("{} p {}", isa, p));
            OpRun run(ops::bce(), {one(p, DType::f64), one(0, DType::f64)}, 1, {}, cpu(isa));
            run.execute();
            CHECK_ERROR(std::abs(run.output(0).at(0) + std::log1p(-p)), 1e-15 * -std::log1p(-p), "-ln(1 - p)");
        }
}

TEST(mean_of_nothing_is_nan) {
    const Tensor none = numbers({0, 3}), nothing = labels({0}, 1), all = labels({4}, 1);
    const auto loss = [](const Op& op, std::vector<Tensor> inputs, Attributes attributes, std::size_t outputs = 1) {
        OpRun run(op, inputs, outputs, attributes);
        run.differentiate(one(1, DType::f32));
        run.execute();
        for (const double d : values_of(run.gradient(0))) CHECK_EQUAL(d, 0.0);
        return run.output(0).at(0);
    };
    for (const Op* op : {&ops::cross_entropy_with_logits(), &ops::nll_loss()}) {
        const Row row(std::string(op->name));
        const std::size_t outputs = op == &ops::nll_loss() ? 1 : 2;
        CHECK(std::isnan(loss(*op, {none, nothing}, {0}, outputs)));
        CHECK_EQUAL(loss(*op, {none, nothing}, {1}, outputs), 0.0);
        CHECK(std::isnan(loss(*op, {numbers({4, 3}), all}, {0, 1, 0}, outputs))); // every label is ignored
        CHECK_EQUAL(loss(*op, {numbers({4, 3}), all}, {1, 1, 0}, outputs), 0.0);
    }
    for (const Op* op : {&ops::bce(), &ops::l1_loss(), &ops::smooth_l1_loss()}) {
        const Row row(std::string(op->name));
        CHECK(std::isnan(loss(*op, {none, none}, {0})));
        CHECK_EQUAL(loss(*op, {none, none}, {1}), 0.0);
    }
    CHECK_EQUAL(loss(ops::kl_div(), {none, none}, {0}), 0.0); // as PyTorch: a batch of none does not divide
    CHECK(std::isnan(loss(ops::kl_div(), {none, none}, {2})));
}

TEST(cross_entropy_has_no_gradient_through_what_it_saves) {
    OpRun run(ops::cross_entropy_with_logits(), {numbers({3, 4}), labels({3}, 4)}, 2);
    const ValueIndex target = run.tape.input("target", numbers({3}), Role::data);
    const NodeIndex end = run.tape.apply(ops::mean_squared_error(), Phase::forward, "loss", {run.outputs[1], target}, {"loss"});
    CHECK_THROWS(run.tape.backward(run.tape.node(end).outputs[0]), Error, "cross_entropy_with_logits", "out1", "saved");
}

TEST(softmax_and_losses_do_not_depend_on_threads) {
    const Tensor p = tensor_of(shape_of({300, 170}), [] {
        std::vector<double> values = values_of(numbers({300, 170}));
        for (double& value : values) value = 1 / (1 + std::exp(-value));
        return values;
    }(), DType::f32);
    const std::vector<Call> calls{
        {&ops::softmax_along(), {numbers({300, 170})}, {1}},
        {&ops::softmax_along(), {numbers({300, 170})}, {0}},
        {&ops::log_softmax(), {numbers({4, 300, 70})}, {1}},
        {&ops::log_softmax(), {numbers({4, 70, 300})}, {2}},
        {&ops::cross_entropy_with_logits(), {numbers({700, 90}), labels({700}, 90)}, {0, 1, 3, 0.1}, {}, 2},
        {&ops::cross_entropy_with_logits(), {numbers({6, 90, 170}), labels({6, 170}, 90)}, {0, 0, 0, 0.1}, {}, 2},
        {&ops::nll_loss(), {numbers({50'000, 2}), labels({50'000}, 2)}, {}},
        {&ops::bce(), {p, p}, {}},
        {&ops::kl_div(), {numbers({300, 170}), p}, {}},
        {&ops::l1_loss(), {numbers({300, 170}), p}, {}},
        {&ops::smooth_l1_loss(), {numbers({300, 170}), p}, {1, 0.5}},
    };
    for (const Call& call : calls) {
        const Row row(std::string(call.op->name));
        std::vector<Tensor> first;
        for (const int threads : {1, 2, 3}) {
            OpRun run(*call.op, call.inputs, call.outputs, call.attributes, cpu("", threads));
            run.differentiate(random_tensor(run.tape.value(run.outputs[0]).shape, DType::f32, 5));
            run.execute();
            const std::vector<Tensor> now = run.results();
            if (first.empty()) first = now;
            REQUIRE(now.size() == first.size() && now.size() > call.outputs);
            for (std::size_t i = 0; i < now.size(); ++i)
                CHECK(same_bits(now[i], first[i]), fmt::format("{} with {} threads", i, threads));
        }
    }
}
