#include "lessons/experiments/run_kernel/launches.hpp"

#include "engine/core/error.hpp"
#include "engine/core/text.hpp"
#include "engine/kernels/kernel_values.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>

namespace gradus::kernels {

namespace {

/// The type of a tensor that holds every value of the buffer's.
DType dtype_of(ElementType type) {
    switch (type) {
    case ElementType::f32: return DType::f32;
    case ElementType::f16: return DType::f16;
    case ElementType::bf16: return DType::bf16;
    case ElementType::f64: return DType::f64;
    case ElementType::i8:
    case ElementType::i32: return DType::i32;
    case ElementType::u32:
    case ElementType::i64: return DType::i64;
    case ElementType::u8: return DType::u8;
    }
    return DType::f64;
}

Shape shape_of(const KernelBuffer& buffer) {
    if (buffer.sizes.size() > 8) return {{buffer.count(), ""}};
    Shape shape;
    for (const std::int64_t size : buffer.sizes) shape.append({size, ""});
    return shape;
}

bool takes(const KernelStep& launch, const KernelBuffer& buffer) {
    return std::any_of(launch.arguments.begin(), launch.arguments.end(), [&](const KernelStep::Argument& argument) {
        const auto* name = std::get_if<std::string>(&argument);
        return name && *name == buffer.name;
    });
}

std::string dim_text(const Dim3& dim) { return fmt::format("{}x{}x{}", dim.x, dim.y, dim.z); }

} // namespace

void describe_interpreter(Manifest& manifest) {
    manifest.device = "simt";
    manifest.isa = "interpreted";
    manifest.threads = 1;
    manifest.processor = "lane by lane on the CPU";
}

EventSite iteration_site(const Cost& cost) {
    EventSite site;
    site.level = Level::iteration;
    site.name = site.path = "iteration";
    site.ordinal = 0;
    site.provenance = Provenance::measured;
    site.cost = cost;
    return site;
}

EventSite planned_launch(const std::string& rung, const KernelStep& step) {
    EventSite site;
    site.level = Level::kernel;
    site.name = step.kernel;
    site.module = rung;
    site.implementation = "simt";
    site.provenance = Provenance::counted;
    site.attributes = {{"grid", dim_text(step.grid), "blocks", Provenance::counted},
                       {"block", dim_text(step.block), "threads", Provenance::counted},
                       {"dynamic_shared", std::to_string(step.shared_bytes), "bytes", Provenance::counted}};
    return site;
}

double max_error(const simt::KernelRun& run) { return simt::worst_of(run.errors).error; }

RungLaunches::RungLaunches(Settings settings, std::uint64_t seed, std::stop_token stop, std::shared_ptr<Evaluating> evaluating)
    : settings_(std::move(settings)), stop_(std::move(stop)), evaluating_(std::move(evaluating)),
      prepared_(*settings_.request.ladder, *settings_.request.rung, settings_.request.sizes, settings_.request.block, seed) {
    for (std::size_t i = 0; i < prepared_.buffers.size(); ++i) {
        const KernelBuffer& buffer = prepared_.buffers[i];
        const StorageRef initial = prepared_.initial(i);
        if (!initial) continue;
        inputs_.push_back(i);
        const bool as_it_is = size_of(dtype_of(buffer.type)) == size_of(buffer.type);
        input_tensors_.push_back(as_it_is ? Tensor(initial, shape_of(buffer), dtype_of(buffer.type)) : tensor_of(buffer, static_cast<const std::byte*>(initial.data())));
    }
}

Tensor RungLaunches::tensor_of(const KernelBuffer& buffer, const std::byte* bytes) {
    const Shape shape = shape_of(buffer);
    const DType dtype = dtype_of(buffer.type);
    const auto count = static_cast<std::size_t>(buffer.count());
    if (size_of(dtype) != size_of(buffer.type)) return Tensor::from_numbers(*pool_, shape, dtype, load_values(buffer.type, bytes, count));
    StorageRef storage = pool_->allocate(count * size_of(dtype));
    std::memcpy(storage.data(), bytes, count * size_of(dtype));
    return Tensor(std::move(storage), shape, dtype);
}

const simt::KernelRun& RungLaunches::run(StepIndex iteration) {
    if (last_ && last_iteration_ == iteration) return *last_;
    last_.reset(); // before the next takes as much again
    simt::KernelRequest request = settings_.request;
    if (request.options.schedule) request.options.schedule += static_cast<std::uint64_t>(iteration);
    if (evaluating_)
        request.progress = [this](std::int64_t done, std::int64_t of) {
            constexpr std::int64_t most = 1'000'000'000;
            evaluating_->done = static_cast<std::int32_t>(std::min(done, most)), evaluating_->of = static_cast<std::int32_t>(std::min(of, most));
        };
    last_ = run_kernel(request, prepared_, stop_);
    if (evaluating_) evaluating_->done = evaluating_->of = 0;
    last_iteration_ = iteration;
    if (last_->end.done) return *last_;
    const std::string why = last_->end.why;
    last_.reset();
    if (stop_.stop_requested()) throw Interrupted();
    throw UnavailableError(fmt::format("{}: the kernel {}", settings_.id(), why));
}

std::vector<SeriesInfo> RungLaunches::series() {
    std::vector<SeriesInfo> out{{"max_error", "", Provenance::computed, true}};
    for (const char* name : {"findings", "warp_instructions", "sectors", "sectors_ideal", "wavefronts", "wavefronts_ideal"}) out.push_back({name, "", Provenance::counted, true});
    out.push_back({"active_lanes", "lanes", Provenance::counted, true});
    out.push_back({"steps_recorded", "", Provenance::counted, true});
    out.push_back({"steps_not_recorded", "", Provenance::counted, true}); // after the log was full
    out.push_back({"error_allowed", "", Provenance::computed, true});      // for these inputs
    return out;
}

std::int32_t RungLaunches::ordinal_of(std::size_t launch) const {
    return 1 + static_cast<std::int32_t>(launch) * KernelTrace::ordinals_of(prepared_.plan.steps.size());
}

/// Of an output the last launch that is given it: what stands in it then is what it wrote. Of what a rung keeps between its launches the last that
/// wrote to it.
bool RungLaunches::leaves(std::size_t launch, const KernelBuffer& buffer) const {
    const bool scratch = std::any_of(prepared_.plan.scratch.begin(), prepared_.plan.scratch.end(), [&](const KernelBuffer& each) { return each.name == buffer.name; });
    const auto had = [&](std::size_t i) {
        if (!scratch) return buffer.output && takes(prepared_.plan.steps[i], buffer);
        if (i >= last_->steps.size()) return false;
        const auto& lines = last_->steps[i].lines;
        return std::any_of(lines.begin(), lines.end(), [&](const simt::LineCount& line) { return line.buffer == buffer.name && line.space == simt::Space::global && writes_memory(line.op); });
    };
    if (!had(launch)) return false;
    for (std::size_t i = launch + 1; i < prepared_.plan.steps.size(); ++i)
        if (had(i)) return false;
    return true;
}

EventSite RungLaunches::launch_site(std::size_t launch) const {
    const KernelStep& step = prepared_.plan.steps[launch];
    EventSite site = planned_launch(settings_.id(), step);
    site.path = fmt::format("launches/{} {}", launch, step.kernel);
    site.ordinal = ordinal_of(launch);
    site.parent = 0;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        const KernelBuffer& buffer = prepared_.buffers[inputs_[i]];
        if (!takes(step, buffer)) continue;
        TensorRef ref;
        ref.when = TensorRef::When::setup;
        ref.setup_ordinal = static_cast<std::int32_t>(i);
        ref.name = buffer.name;
        ref.dtype = dtype_of(buffer.type);
        ref.shape = shape_of(buffer);
        site.inputs.push_back(std::move(ref));
    }
    for (const KernelBuffer& buffer : prepared_.buffers)
        if (leaves(launch, buffer)) site.outputs.push_back({buffer.name, Role::activation, dtype_of(buffer.type), shape_of(buffer)});
    if (launch >= last_->steps.size()) return site;
    std::int64_t sectors = 0, wavefronts = 0;
    for (const simt::LineCount& line : last_->steps[launch].lines) {
        if (line.space == simt::Space::shared) wavefronts += line.transfers;
        if (line.space != simt::Space::global || !simt::touches_memory(line.op)) continue;
        sectors += line.transfers;
        const auto bytes = static_cast<double>(line.bytes_asked());
        if (line.op != simt::Op::write) site.cost.bytes_read += bytes;
        if (writes_memory(line.op)) site.cost.bytes_written += bytes;
    }
    site.attributes.push_back({"sectors", std::to_string(sectors), "sectors", Provenance::counted});
    site.attributes.push_back({"wavefronts", std::to_string(wavefronts), "wavefronts", Provenance::counted});
    site.attributes.push_back({"sectors_read", std::to_string(last_->steps[launch].sectors_read), "distinct sectors", Provenance::counted});
    site.attributes.push_back({"sectors_written", std::to_string(last_->steps[launch].sectors_written), "distinct sectors", Provenance::counted});
    site.attributes.push_back({"multiply_adds", std::to_string(last_->steps[launch].multiply_adds), "", Provenance::counted});
    site.cost.flops = 2 * static_cast<double>(last_->steps[launch].multiply_adds); // the compiler marks no other arithmetic
    return site;
}

Cost RungLaunches::cost() const {
    Cost sum;
    for (std::size_t i = 0; i < prepared_.plan.steps.size(); ++i) {
        const Cost cost = launch_site(i).cost;
        sum.flops += cost.flops;
        sum.bytes_read += cost.bytes_read;
        sum.bytes_written += cost.bytes_written;
    }
    return sum;
}

std::int32_t RungLaunches::add_sites(RunWriter& writer) {
    first_site_ = static_cast<std::int32_t>(writer.run().sites().size());
    for (std::size_t i = 0; i < prepared_.plan.steps.size(); ++i) writer.add_site(launch_site(i));
    return first_site_;
}

LevelTraffic RungLaunches::traffic() const {
    LevelTraffic sum;
    sum.sectors_read = sum.sectors_written = 0;
    for (std::size_t i = 0; i < last_->steps.size(); ++i) {
        const EventSite event = launch_site(i);
        sum += launch_traffic(*last_->trace, i, &event);
    }
    return sum;
}

void RungLaunches::write_setup(RunWriter& writer) const {
    writer.begin_iteration(-1, true);
    auto tensors = std::make_shared<IterationTensors>();
    tensors->iteration = -1;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        const KernelBuffer& buffer = prepared_.buffers[inputs_[i]];
        EventSite site;
        site.phase = Phase::data;
        site.name = "load";
        site.path = "setup/load " + buffer.name;
        site.module = "setup";
        site.ordinal = static_cast<std::int32_t>(i);
        site.outputs.push_back({buffer.name, Role::data, dtype_of(buffer.type), shape_of(buffer)});
        const std::int32_t number = writer.add_site(std::move(site));
        const auto open = writer.begin();
        tensors->tensors.push_back({{{-1, open.ordinal}, 0}, buffer.name, Role::data, input_tensors_[i], 0});
        writer.end(open, number);
    }
    writer.keep(std::move(tensors));
    writer.end_iteration();
}

void RungLaunches::write_events(RunWriter& writer, std::int32_t iteration_site, Ticks start) const {
    const ClockScale clock = calibrated_clock();
    Ticks at = start;
    for (std::size_t i = 0; i < last_->steps.size(); ++i) {
        const Ticks begun = at;
        at += static_cast<Ticks>(last_->steps[i].seconds * 1e9 / clock.ns_per_tick); // as the interpreter's process measured it
        writer.append_event({ordinal_of(i), first_site_ + static_cast<std::int32_t>(i), begun, at});
    }
    writer.append_event({0, iteration_site, start, std::max(at, now_ticks())});
}

std::shared_ptr<IterationTensors> RungLaunches::kept(StepIndex iteration) {
    auto out = std::make_shared<IterationTensors>();
    out->iteration = iteration;
    out->kernels = last_->trace;
    for (std::size_t i = 0; i < inputs_.size(); ++i)
        out->tensors.push_back({{{-1, static_cast<std::int32_t>(i)}, 0}, prepared_.buffers[inputs_[i]].name, Role::data, input_tensors_[i], 0});
    for (std::size_t launch = 0; launch < last_->steps.size() && last_->answer.whole; ++launch) {
        std::int32_t output = 0;
        for (std::size_t i = 0; i < prepared_.buffers.size(); ++i) {
            const KernelBuffer& buffer = prepared_.buffers[i];
            if (leaves(launch, buffer))
                out->tensors.push_back({{{iteration, ordinal_of(launch)}, output++}, buffer.name, Role::activation, tensor_of(buffer, last_->memory().data() + prepared_.offsets[i]), 0});
        }
    }
    return out;
}

void RungLaunches::observe(RunWriter& writer, StepIndex iteration, std::int32_t iteration_site, Ticks start) {
    run(iteration);
    write_events(writer, iteration_site, start);
    writer.keep(kept(iteration));
}

void RungLaunches::push_counts(RunWriter& writer, StepIndex iteration) {
    const simt::KernelRun& result = run(iteration);
    std::int64_t steps = 0, lanes = 0, transfers[2] = {}, ideal[2] = {};
    for (const simt::StepReport& launch : result.steps)
        for (const simt::LineCount& line : launch.lines) {
            steps += line.steps, lanes += line.lanes;
            if (!simt::touches_memory(line.op) || line.space > simt::Space::shared) continue;
            transfers[static_cast<int>(line.space)] += line.transfers, ideal[static_cast<int>(line.space)] += line.ideal;
        }
    std::size_t at = 0;
    writer.push(at++, max_error(result));
    for (const std::int64_t count : {static_cast<std::int64_t>(result.findings.size()), steps, transfers[0], ideal[0], transfers[1], ideal[1]}) writer.push(at++, static_cast<double>(count));
    writer.push(at++, steps ? static_cast<double>(lanes) / static_cast<double>(steps) : 0);
    writer.push(at++, static_cast<double>(result.trace->steps()));
    writer.push(at++, static_cast<double>(result.trace->log.missed));
    writer.push(at++, simt::worst_of(result.errors).allowed);
}

bool RungLaunches::not_finite() const { return last_ && !settings_.request.recording.alone && !std::isfinite(max_error(*last_)); }

} // namespace gradus::kernels
