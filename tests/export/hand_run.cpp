#include "tests/export/hand_run.hpp"

#include "engine/trace/tape_trace.hpp"
#include "lessons/runtime/session.hpp"
#include "tests/support/check.hpp"

#include <fstream>
#include <limits>
#include <sstream>

namespace gradus::test {

namespace {

constexpr Ticks origin = 1'000'000;

Manifest hand_manifest(const std::string& id) {
    Manifest manifest;
    manifest.id = id;
    manifest.experiment = "by hand";
    manifest.parameters = {{"note", odd_name}};
    manifest.planned_steps = 4;
    manifest.device = "cpu";
    manifest.isa = "baseline";
    manifest.clock = {origin, 1'700'000'000'000'000'000, 0.5};
    return manifest;
}

std::vector<SeriesInfo> hand_series() {
    return {{"loss", "", Provenance::computed, true},
            {"step_seconds", "s", Provenance::measured, true},
            {"odd, \"series\"", "s", Provenance::computed, false},
            {"seed_loss", "", Provenance::computed, false}};
}

EventSite site(Level level, std::string name, std::int32_t ordinal, std::int32_t parent) {
    EventSite out;
    out.level = level;
    out.name = name;
    out.path = "path of " + name;
    out.ordinal = ordinal;
    out.parent = parent;
    return out;
}

void add_sites(RunWriter& writer) {
    writer.add_site(site(Level::iteration, "iteration", 0, -1));
    writer.add_site(site(Level::phase, "forward", 1, 0));
    writer.add_site(site(Level::module, odd_name, 2, 1));
    EventSite matmul = site(Level::op, "matmul", 3, 2);
    matmul.implementation = "baseline";
    matmul.module = odd_name;
    matmul.cost = {24, 80, 16};
    matmul.inputs = {{TensorRef::When::setup, -1, 0, 0, "x", DType::f64, {{2, "B"}, {3, "in"}}},
                     {TensorRef::When::previous_iteration, 4, 0, 1, "W1", DType::f32, {{3, "in"}, {2, "out"}}}};
    matmul.outputs = {{"x·W1", Role::activation, DType::f32, {{2, "B"}, {2, "out"}}}};
    writer.add_site(matmul);
    EventSite sgd = site(Level::op, "sgd", 4, 1);
    sgd.implementation = "baseline";
    sgd.outputs = {{"W1", Role::parameter, DType::f32, {{3, "in"}, {2, "out"}}}};
    writer.add_site(sgd);
    EventSite roofline = site(Level::op, "roofline", 5, 1);
    roofline.implementation = "a formula";
    roofline.provenance = Provenance::modelled;
    writer.add_site(roofline);
    EventSite load = site(Level::op, "load", 0, -1);
    load.outputs = {{"x", Role::data, DType::f64, {{2, "B"}, {3, "in"}}}};
    writer.add_site(load);
}

/// In the order in which they ended, as an engine writes them.
void add_events(RunWriter& writer, StepIndex iteration) {
    const Ticks start = origin + static_cast<Ticks>(2000 * iteration);
    const std::size_t first = writer.run().event_count();
    writer.append_event({3, 3, start, start + 401});
    writer.append_event({2, 2, start, start + 500});
    writer.append_event({4, 4, start + 600, start + 1001});
    writer.append_event({5, 5, start + 1000, start + 9000});
    writer.append_event({1, 1, start, start + 1200});
    writer.append_event({0, 0, start, start + 1600});
    writer.append_observed({iteration, first, 6});
}

RecordedTensor recorded(TensorId id, std::string name, Role role, Tensor tensor) {
    return {id, std::move(name), role, std::move(tensor), 0};
}

void add_tensors(RunWriter& writer, StepIndex iteration) {
    const std::vector<double> w{1, 2, 3, 4, 5, 6};
    const Tensor weights = tensor_of(shape_of({3, 2}), w, DType::f32);
    auto kept = std::make_shared<IterationTensors>();
    kept->iteration = iteration;
    const auto id = [&](std::int32_t ordinal, std::int32_t output = 0) {
        return TensorId{{iteration, ordinal}, output};
    };
    const auto add = [&](TensorId at, std::string name, Role role, Tensor tensor) {
        kept->tensors.push_back(recorded(at, std::move(name), role, std::move(tensor)));
    };
    const std::vector<double> halves{0.5};
    add({{iteration - 1, 4}, 0}, "W1", Role::parameter, weights);
    add(id(first_edit_ordinal + 7), "b1", Role::parameter, tensor_of(shape_of({1}), halves, DType::f32)); // edited
    add(id(3), "x·W1", Role::activation, weights.transposed(0, 1));
    add(id(3, 1), "rows", Role::activation, weights.rows(1, 3));
    add(id(4), "loss", Role::loss, tensor_of({}, halves, DType::f64));
    add(id(4, 1), "labels", Role::data, labels_of({3, 1, 2}));
    add(id(4, 2), odd_name, Role::metric, tensor_of(shape_of({1}), halves));
    add(id(4, 3), "twice", Role::metric, tensor_of(shape_of({1}), halves));
    add(id(5), "twice", Role::metric, tensor_of(shape_of({2}), std::vector<double>{7, 8}));
    RecordedTensor hash_only = recorded(id(4, 4), "gone", Role::gradient, {});
    hash_only.hash = 0xabcd;
    kept->tensors.push_back(hash_only);
    writer.keep(std::move(kept));
}

} // namespace

std::shared_ptr<Run> hand_run() {
    auto run = std::make_shared<Run>(hand_manifest("run \"A\""), hand_series(), nullptr);
    RunWriter writer(run);
    add_sites(writer);
    constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    const double losses[] = {0.1, nan, -infinity, 1.0 / 3};
    for (StepIndex i = 0; i < 4; ++i) {
        if (i == 2) {
            writer.log_edit(Edit::parse("lr = 0.05"), i);
            writer.log_edit(Edit::parse("W1[1, 0] = 3"), i);
        }
        const bool observed = i % 2 == 0;
        writer.begin_iteration(i, false);
        writer.push(0, losses[i]);
        writer.push(1, 700e-9);
        if (observed) writer.push(2, 2.5e-300);
        if (observed) add_events(writer, i);
        if (i == 0) add_tensors(writer, i); // those of iteration 2 have been given up
        writer.append_iteration_end(origin + static_cast<Ticks>(2000 * i + 1600));
    }
    writer.push_at(3, 0, 0.25);
    writer.push_at(3, 1, 0.75);
    writer.finish(RunState::finished);
    return run;
}

std::shared_ptr<Run> hand_fork(std::shared_ptr<const Run> parent) {
    Manifest manifest = hand_manifest("fork 1");
    manifest.parent = parent->manifest().id;
    manifest.fork_iteration = 3;
    manifest.clock.origin_ticks = origin + 50'000;
    auto run = std::make_shared<Run>(manifest, hand_series(), std::move(parent));
    RunWriter writer(run);
    add_sites(writer);
    writer.log_edit(Edit::parse("lr = 0.5"), 3);
    for (StepIndex i = 3; i < 5; ++i) {
        writer.begin_iteration(i, false);
        writer.push(0, static_cast<double>(i));
        writer.push(1, 1e-6);
        writer.append_iteration_end(origin + 50'000 + static_cast<Ticks>(4000 * (i - 2)));
    }
    writer.finish(RunState::stopped);
    return run;
}

std::shared_ptr<Run> empty_run() {
    auto run = std::make_shared<Run>(hand_manifest("empty"), hand_series(), nullptr);
    return run;
}

std::shared_ptr<const Run> trained_run(const std::map<std::string, std::string>& parameters, StepIndex steps,
                                       StepIndex observe) {
    RunRequest request;
    request.parameters = parameters;
    request.steps = steps;
    request.observe_every = observe;
    request.device.threads = 1;
    Session session(request);
    session.play();
    session.wait();
    const Session::Status status = session.status();
    if (!status.failure.empty()) throw std::runtime_error(status.failure);
    return session.run(0);
}

std::string exported(const TemporaryFolder& folder, const Run& run, std::string_view format, const std::string& name,
                     const ExportOptions& options) {
    const std::string path = folder.path() + "/" + name;
    export_run(run, format, path, options);
    return path;
}

std::string contents_of(const std::string& path) {
    std::ostringstream out;
    out << std::ifstream(path, std::ios::binary).rdbuf();
    return out.str();
}

} // namespace gradus::test
