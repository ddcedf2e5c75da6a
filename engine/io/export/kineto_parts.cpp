#include "engine/io/export/kineto_parts.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace gradus::exporting {

using nlohmann::json;

namespace {

/// The inside of an object, to stand among other fields.
std::string fields(const json& object) {
    const std::string text = dumped(object);
    return text.substr(1, text.size() - 2);
}

/// Shapes and types under the names PyTorch gives them.
void add_tensors(json& about, const EventSite& site) {
    const auto add = [&](const std::string& prefix, const std::string& name, const Shape& shape, std::string_view type) {
        json sizes = json::array();
        for (int axis = 0; axis < shape.rank(); ++axis) sizes.push_back(shape[axis]);
        about[prefix + " names"].push_back(name);
        about[prefix + " Dims"].push_back(std::move(sizes));
        about[prefix + " type"].push_back(type);
    };
    for (const TensorRef& input : site.inputs)
        add("Input", input.name, input.shape, input.dtype ? name_of(*input.dtype) : "");
    for (const OutputInfo& output : site.outputs) add("Output", output.name, output.shape, name_of(output.dtype));
}

} // namespace

std::string dumped(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

int thread_of(const EventSite& site) { return std::clamp(site.lane, 0, 1 << 20) + 1; }

std::string lane_name(const EventSite& site) {
    const std::string& path = site.path;
    const std::size_t from = site.module.size() + 1, end = path.find('/', from);
    if (!site.module.empty() && path.starts_with(site.module + "/") && end != std::string::npos)
        return fmt::format("{}: {}", site.module, path.substr(from, end - from));
    return fmt::format("engine {}", thread_of(site));
}

SiteText site_text(const Run& run, const EventSite& site) {
    SiteText text;
    text.seen = true;
    text.is_iteration = site.level == Level::iteration;
    const bool modelled = site.provenance == Provenance::modelled, op = site.level == Level::op;
    text.has_kernel = op && !modelled && !site.implementation.empty();
    // What has no category is a bar to Perfetto and nothing to HTA, which must not add modelled to measured time.
    const char* category = modelled ? "" : op ? R"("cat":"cpu_op",)" : R"("cat":"user_annotation",)";
    text.event = fmt::format(R"({{"ph":"X",{}"name":{},"pid":{},"tid":{},"ts":)", category, dumped(site.name),
                             modelled ? modelled_process : engine_process, thread_of(site));
    json cost{{"flops", site.cost.flops},
              {"bytes read", site.cost.bytes_read},
              {"bytes written", site.cost.bytes_written}};
    json times{{"device", run.manifest().device},
               {"time is", modelled ? "modelled" : "measured"},
               {"flops and bytes are", "counted"}};
    json about{{"path", site.path}, {"level", name_of(site.level)}, {"phase", name_of(site.phase)}};
    if (!site.module.empty()) about["module"] = site.module;
    if (!site.implementation.empty()) about["implementation"] = site.implementation;
    if (!site.formula.empty()) about["formula"] = site.formula;
    if (site.forward >= 0) about["differentiates ordinal"] = site.forward;
    about.update(cost);
    about.update(times);
    add_tensors(about, site);
    text.event_args = fields(about);
    if (text.has_kernel) {
        text.kernel = fmt::format(R"({{"ph":"X","cat":"kernel","name":{},"pid":{},"tid":{},"ts":)",
                                  dumped(fmt::format("{} ({})", site.name, site.implementation)), kernel_process,
                                  thread_of(site));
        json kernel{{"stream", thread_of(site)}, {"path", site.path}, {"implementation", site.implementation}};
        kernel.update(cost);
        kernel.update(times);
        text.kernel_args = fields(kernel);
    }
    return text;
}

MemoryTotals::MemoryTotals(std::shared_ptr<const AllocatorRecord> of) : record(std::move(of)) {
    if (!record) return;
    allocated = record->before.statistics.allocated.now;
    reserved = record->before.statistics.reserved.now;
    for (const SegmentState& segment : record->before.segments)
        for (const BlockState& block : segment.blocks)
            if (block.kind == BlockState::Kind::awaiting) awaiting.emplace(segment.number, block.offset);
}

std::optional<std::int64_t> MemoryTotals::counted(const AllocatorEvent& event) {
    using Kind = AllocatorEvent::Kind;
    std::int64_t bytes = 0;
    if (event.kind == Kind::segment_requested) reserved += event.bytes;
    else if (event.kind == Kind::segment_released) reserved -= event.bytes;
    else if (event.kind == Kind::block_allocated) bytes = event.bytes;
    else if (event.kind == Kind::free_requested && awaiting.emplace(event.segment, event.offset).second) bytes = -event.bytes;
    else if (event.kind == Kind::block_freed && awaiting.erase({event.segment, event.offset}) == 0) bytes = -event.bytes;
    else return std::nullopt;
    allocated += bytes;
    return bytes;
}

} // namespace gradus::exporting
