// Tensors of every type and of any strides, as a Run keeps them of a tape with views: written, and read again.
#include "tests/file/support.hpp"

#include "engine/core/hash.hpp"
#include "engine/ops/ops.hpp"
#include "engine/trace/derive/diff.hpp"
#include "engine/trace/file/save.hpp"
#include "engine/trace/tape_trace.hpp"
#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"

#include <map>
#include <set>

namespace gradus::test {

namespace {

std::shared_ptr<Run> run_with_views() {
    Tape tape(cpu(), std::make_shared<BufferPool>());
    const auto value = [&](const Op& op, std::vector<ValueIndex> inputs, const char* name, Attributes attributes) {
        return tape.node(tape.apply(op, Phase::forward, "m", std::move(inputs), {name}, attributes)).outputs[0];
    };
    const ValueIndex w = tape.input("w", random_tensor({{3, "in"}, {4, "out"}}, DType::f32, 1), Role::parameter, true);
    tape.input("mask", tensor_of(shape_of({5}), std::vector<double>{1, 0, 1, 1, 0}, DType::boolean), Role::data);
    const ValueIndex y = value(ops::tanh(), {w}, "y", {});
    const ValueIndex turned = value(ops::transpose(), {y}, "turned", {0, 1});
    value(ops::slice(), {turned}, "part", slice_of(0, 1, 4, 2));
    value(ops::expand(), {y}, "repeated", reshape_to({2, 3, 4}));
    value(ops::cast(), {turned}, "fp16", {static_cast<double>(DType::f16)});
    value(ops::cast(), {turned}, "bf16", {static_cast<double>(DType::bf16)});
    const ValueIndex y64 = value(ops::cast(), {turned}, "fp64", {static_cast<double>(DType::f64)});
    const ValueIndex loss = value(ops::mean_squared_error(),
                                  {y64, tape.input("t", random_tensor(shape_of({4, 3}), DType::f64, 2), Role::data)}, "loss", {});
    tape.backward(loss);
    tape.apply_onto(ops::sgd(), Phase::update, "m", {w, tape.value(w).gradient}, {w}, {0.5});

    Manifest manifest;
    manifest.id = "views";
    manifest.experiment = "by hand";
    manifest.planned_steps = 3;
    auto run = std::make_shared<Run>(manifest, std::vector<SeriesInfo>{{"loss", "", Provenance::computed, true}}, nullptr);
    RunWriter writer(run);
    TapeTrace trace(tape, {w});
    trace.begin(writer, true);
    for (StepIndex i = 0; i < 3; ++i) {
        writer.begin_iteration(i, true);
        trace.step_observed(writer, i);
        writer.push(0, tape.scalar(loss));
        writer.end_iteration();
    }
    writer.finish(RunState::finished);
    return run;
}

const RecordedTensor& named(const IterationTensors& tensors, std::string_view name) {
    const RecordedTensor* found = tensors.find(name);
    REQUIRE(found != nullptr, std::string(name));
    return *found;
}

} // namespace

TEST(tensors_of_every_type_and_of_any_strides_are_read_as_they_were) {
    const Folder folder;
    const std::shared_ptr<Run> live = run_with_views();
    save_runs({live}, folder / "views.gradus");
    const RunFile file = read_run_file(folder / "views.gradus");
    REQUIRE(file.runs.size() == 1);
    const DiffResult result = diff_runs(*live, *file.runs[0]);
    CHECK(!result.first, result.first ? result.first->sentence() : "");
    const std::map<std::string, DType> types{{"y", DType::f32},        {"turned", DType::f32}, {"part", DType::f32},
                                             {"repeated", DType::f32}, {"fp16", DType::f16},   {"bf16", DType::bf16},
                                             {"fp64", DType::f64}};
    std::vector<std::vector<double>> seen;
    for (StepIndex i = 0; i < 3; ++i) {
        const auto ours = live->tensors_of(i), theirs = file.runs[0]->tensors_of(i);
        REQUIRE(ours && theirs);
        for (const auto& [name, dtype] : types) {
            const Row row(fmt::format("{} of iteration {}", name, i));
            const Tensor &a = named(*ours, name).tensor, &b = named(*theirs, name).tensor;
            CHECK(a.dtype() == dtype);
            CHECK(same_bits(a, b));
            CHECK(b.contiguous());
            CHECK_EQUAL(a.shape().text_with_names(), b.shape().text_with_names());
            CHECK_EQUAL(hash_tensor(a), hash_tensor(b));
        }
        REQUIRE(ours->memory && theirs->memory);
        CHECK(*ours->memory == *theirs->memory);
        CHECK(!ours->memory->events.empty());
        const Tensor &y = named(*ours, "y").tensor, &turned = named(*ours, "turned").tensor;
        CHECK(turned.storage() == y.storage()); // kept once
        CHECK_EQUAL(values_of(turned), values_of(y.transposed(0, 1)));
        seen.push_back(values_of(y));
        CHECK(i == 0 || seen[static_cast<std::size_t>(i)] != seen[static_cast<std::size_t>(i - 1)]);
    }
    const auto setup = file.runs[0]->tensors_of(-1);
    REQUIRE(setup != nullptr);
    CHECK(named(*setup, "mask").tensor.dtype() == DType::boolean);
    CHECK_EQUAL(values_of(named(*setup, "mask").tensor), (std::vector<double>{1, 0, 1, 1, 0}));
}

TEST(events_of_views_cost_nothing_and_say_what_they_are) {
    const std::shared_ptr<Run> run = run_with_views();
    int views = 0;
    std::set<std::string> paths;
    for (std::size_t i = 0; i < run->sites().size(); ++i) {
        const EventSite& site = run->sites()[i];
        CHECK(paths.insert(site.path).second, site.path);
        if (site.implementation != "view") continue;
        ++views;
        CHECK_EQUAL(site.cost.flops + site.cost.bytes_read + site.cost.bytes_written, 0.0);
        CHECK(site.name == "transpose" || site.name == "slice" || site.name == "expand", site.path);
    }
    CHECK_EQUAL(views, 4); // and the gradient of the transposition
}

} // namespace gradus::test
