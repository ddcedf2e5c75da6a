#include "lessons/experiments/batch_source.hpp"

#include "engine/ops/ops.hpp"

#include <cstring>
#include <fmt/format.h>

namespace gradus {

BatchSource::BatchSource(Tape& tape, const Tensor& set_x, const Tensor& set_y, const Settings& settings) {
    if (settings.workers > 0) feed(tape, set_x, set_y, settings);
    else gather(tape, set_x, set_y, settings);
}

void BatchSource::gather(Tape& tape, const Tensor& set_x, const Tensor& set_y, const Settings& s) {
    all_x = tape.input("data", set_x, Role::data);
    all_y = tape.input("labels", set_y, Role::data);
    const std::vector<std::int32_t> none(static_cast<std::size_t>(s.batch), 0);
    index_ = tape.input("index", Tensor::from<std::int32_t>(tape.pool(), {{s.batch, "B"}}, none), Role::data);
    fed_ = {index_};
    sampler_.emplace(set_x.shape()[0], s.batch, s.seed);
    const auto rows = [&](ValueIndex set, const std::string& name, double scale, DType dtype) {
        const NodeIndex node = tape.apply(ops::gather(), Phase::data, "batch", {set, index_}, {name}, {scale, static_cast<double>(dtype)});
        return tape.node(node).outputs[0];
    };
    x = rows(all_x, s.x_name, s.scale, s.dtype);
    y = rows(all_y, "y", 1, set_y.dtype());
}

void BatchSource::feed(Tape& tape, const Tensor& set_x, const Tensor& set_y, const Settings& s) {
    const auto examples = std::make_shared<TensorExamples>(std::vector{s.x_name, std::string("y")}, std::vector{set_x, set_y});
    loader_ = std::make_unique<Loader>(examples,
                                       SamplerSettings{.examples = set_x.shape()[0], .batch = s.batch, .seed = s.seed},
                                       stack_scaled(examples->fields(), 0, s.scale, s.dtype),
                                       with_type(examples->fields(), 0, s.dtype), Loader::Settings{.workers = s.workers});
    const auto input = [&](const Field& field) {
        Shape shape{{s.batch, "B"}};
        for (int axis = 0; axis < field.shape.rank(); ++axis) shape.append({field.shape[axis], field.shape.name(axis)});
        StorageRef storage = tape.pool().allocate(static_cast<std::size_t>(shape.elements()) * size_of(field.dtype));
        std::memset(storage.data(), 0, storage.bytes());
        return tape.input(field.name, Tensor(std::move(storage), shape, field.dtype), Role::data);
    };
    x = input(loader_->fields()[0]);
    y = input(loader_->fields()[1]);
    fed_ = {x, y};
}

void BatchSource::load(Tape& tape, StepIndex iteration) {
    if (loader_) {
        loader_->seek(iteration);
        loader_->next();
        loader_->copy(0, static_cast<std::byte*>(tape.writable(x)));
        loader_->copy(1, static_cast<std::byte*>(tape.writable(y)));
        return;
    }
    const auto rows = sampler_->batch(iteration);
    std::memcpy(tape.writable(index_), rows.data(), rows.size_bytes());
}

void BatchSource::load_rows(Tape& tape, Dim from) {
    auto* index = static_cast<std::int32_t*>(tape.writable(index_));
    for (Dim i = 0; i < tape.value(index_).shape.elements(); ++i) index[i] = static_cast<std::int32_t>(from + i);
}

void LoaderLanes::begin(RunWriter& writer, const Loader* loader) {
    if (!loader) return;
    std::vector<std::string> lanes{"engine"};
    std::vector<LaneTrace::Work> works;
    for (int worker = 1; worker <= loader->workers(); ++worker) lanes.push_back(fmt::format("worker {}", worker));
    lanes.push_back("stager");
    const auto [loaded, made] = loader->batch_bytes();
    const auto moves = [](double from, double to) { return Cost{.bytes_read = from, .bytes_written = to}; };
    works = {{std::string(name_of(BatchWork::load)), moves(loaded, loaded)},   {std::string(name_of(BatchWork::collate)), moves(loaded, made)},
             {std::string(name_of(BatchWork::stage)), moves(made, made)},      {std::string(name_of(BatchWork::wait)), {}},
             {std::string(name_of(BatchWork::copy)), moves(made, made)}};
    lanes_.emplace("loader", std::move(lanes), std::move(works));
    lanes_->begin(writer);
}

void LoaderLanes::write(RunWriter& writer, const Loader* loader) const {
    if (!lanes_ || !writer.observing()) return;
    std::vector<LaneTrace::Event> events;
    for (const BatchRecord& record : loader->records())
        events.push_back({record.lane, static_cast<int>(record.work), record.start, record.end});
    lanes_->write(writer, events);
}

ParameterInfo workers_parameter() {
    return {"workers", ParameterInfo::Type::integer, "0", "threads", 0, most_workers, {},
            "threads that make batches ahead, each a lane of the run; 0: the tape gathers them, and so holds the whole data set (peak_memory, step_bytes and "
            "step_flops count that); what is learned does not depend on it"};
}

} // namespace gradus
