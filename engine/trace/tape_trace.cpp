#include "engine/trace/tape_trace.hpp"

#include "engine/ops/ops.hpp"
#include "engine/trace/kernel/kernel_trace.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace gradus {

namespace {
constexpr Dim largest_constant = Dim{1} << 15; ///< elements

/// Records what an allocator does, for as long as it lives.
class AllocatorRecording {
public:
    explicit AllocatorRecording(CachingAllocator& allocator) : allocator_(allocator) { allocator.start_recording(); }
    ~AllocatorRecording() { allocator_.stop_recording(); }
    AllocatorRecording(const AllocatorRecording&) = delete;
    AllocatorRecording& operator=(const AllocatorRecording&) = delete;
    std::shared_ptr<const AllocatorRecord> take() { return std::make_shared<const AllocatorRecord>(allocator_.stop_recording()); }

private:
    CachingAllocator& allocator_;
};
} // namespace

TapeTrace::TapeTrace(Tape& tape, std::vector<ValueIndex> state, std::vector<ValueIndex> fed)
    : tape_(tape), state_(std::move(state)), fed_(std::move(fed)) {
    for (std::size_t i = 0; i < tape_.values().size(); ++i) {
        const auto index = static_cast<ValueIndex>(i);
        const auto in = [index](const std::vector<ValueIndex>& list) {
            return std::find(list.begin(), list.end(), index) != list.end();
        };
        if (tape_.value(index).producer < 0 && !in(state_) && !in(fed_)) constants_.push_back(index);
    }
    std::int32_t ordinal = 0;
    for (const auto* list : {&state_, &constants_})
        for (const ValueIndex value : *list) setup_ordinal_[value] = ordinal++;
    plan();
}

std::int32_t TapeTrace::plan_open(Level level, Phase phase, const std::string& name, const std::string& path,
                                  std::int32_t parent) {
    EventSite site;
    site.level = level;
    site.phase = phase;
    site.name = name;
    site.path = path;
    site.module = level == Level::module ? name : "";
    site.ordinal = static_cast<std::int32_t>(sites_.size());
    site.parent = parent;
    site.provenance = Provenance::measured;
    sites_.push_back(site);
    plan_.push_back({PlanStep::Kind::open, site.ordinal, -1});
    return site.ordinal;
}

TensorRef TapeTrace::reference(ValueIndex value, NodeIndex reader) const {
    TensorRef ref;
    ref.name = tape_.value(value).name;
    ref.dtype = tape_.value(value).dtype;
    ref.shape = tape_.value(value).shape;
    if (std::find(fed_.begin(), fed_.end(), value) != fed_.end()) {
        ref.ordinal = first_edit_ordinal + value;
        return ref;
    }
    const auto setup = setup_ordinal_.find(value);
    if (setup != setup_ordinal_.end()) ref.setup_ordinal = setup->second;
    for (NodeIndex node = reader - 1; node >= 0; --node) { // the latest write before the reader wins
        const auto& outputs = tape_.node(node).outputs;
        const auto at = std::find(outputs.begin(), outputs.end(), value);
        if (at == outputs.end()) continue;
        ref.ordinal = ordinal_of_node_[static_cast<std::size_t>(node)];
        ref.output = static_cast<std::int32_t>(at - outputs.begin());
        return ref;
    }
    if (std::find(state_.begin(), state_.end(), value) == state_.end()) {
        ref.when = TensorRef::When::setup;
        return ref;
    }
    ref.when = TensorRef::When::setup; // state that nothing writes stays as setup, or an edit, left it
    for (NodeIndex node = static_cast<NodeIndex>(tape_.nodes().size()) - 1; node >= reader; --node) {
        const auto& outputs = tape_.node(node).outputs;
        const auto at = std::find(outputs.begin(), outputs.end(), value);
        if (at == outputs.end()) continue;
        ref.when = TensorRef::When::previous_iteration;
        ref.ordinal = -2 - node; // resolved once every node has its ordinal
        ref.output = static_cast<std::int32_t>(at - outputs.begin());
        break;
    }
    return ref;
}

void TapeTrace::plan_op(NodeIndex index, std::int32_t parent, const std::string& path) {
    const Node& node = tape_.node(index);
    EventSite site;
    site.level = Level::op;
    site.phase = node.phase;
    site.name = node.op->name;
    site.path = fmt::format("{}/{} {}", path, node.op->name, node.label);
    site.module = node.module;
    site.implementation = node.implementation;
    site.formula = formula_of(*node.op, node.call.attributes);
    site.ordinal = static_cast<std::int32_t>(sites_.size());
    site.parent = parent;
    site.forward = node.forward >= 0 ? ordinal_of_node_[static_cast<std::size_t>(node.forward)] : -1;
    site.cost = node.cost;
    for (const ValueIndex input : node.inputs) site.inputs.push_back(reference(input, index));
    for (const ValueIndex output : node.outputs) {
        const Value& value = tape_.value(output);
        site.outputs.push_back({value.name, value.role, value.dtype, value.shape});
    }
    ordinal_of_node_[static_cast<std::size_t>(index)] = site.ordinal;
    plan_.push_back({PlanStep::Kind::op, site.ordinal, index});
    sites_.push_back(std::move(site));
}

void TapeTrace::plan() {
    ordinal_of_node_.assign(tape_.nodes().size(), -1);
    const std::int32_t iteration = plan_open(Level::iteration, Phase::data, "iteration", "iteration", -1);
    const auto count = static_cast<NodeIndex>(tape_.nodes().size());
    for (NodeIndex node = 0; node < count;) {
        const Phase phase = tape_.node(node).phase;
        const std::string phase_name(name_of(phase));
        const std::int32_t phase_site = plan_open(Level::phase, phase, phase_name, phase_name, iteration);
        while (node < count && tape_.node(node).phase == phase) {
            const std::string module = tape_.node(node).module, path = phase_name + "/" + module;
            const std::int32_t module_site = plan_open(Level::module, phase, module, path, phase_site);
            for (; node < count && tape_.node(node).phase == phase && tape_.node(node).module == module; ++node)
                plan_op(node, module_site, path);
            plan_.push_back({PlanStep::Kind::close, module_site, -1});
        }
        plan_.push_back({PlanStep::Kind::close, phase_site, -1});
    }
    plan_.push_back({PlanStep::Kind::close, iteration, -1});
    for (EventSite& site : sites_)
        for (TensorRef& ref : site.inputs)
            if (ref.ordinal <= -2) ref.ordinal = ordinal_of_node_[static_cast<std::size_t>(-2 - ref.ordinal)];
    // What an outer event costs is the sum of what it holds.
    for (auto site = sites_.rbegin(); site != sites_.rend(); ++site) {
        if (site->parent < 0) continue;
        Cost& outer = sites_[static_cast<std::size_t>(site->parent)].cost;
        outer.flops += site->cost.flops;
        outer.bytes_read += site->cost.bytes_read;
        outer.bytes_written += site->cost.bytes_written;
    }
}

void TapeTrace::watch(WatchedNode node) {
    const std::int32_t parent = ordinal_of_node_[static_cast<std::size_t>(node.node)];
    for (std::size_t i = 0; i < node.launches.size(); ++i) {
        EventSite& site = node.launches[i];
        site.level = Level::kernel;
        site.path = fmt::format("{}/{} {}", sites_[static_cast<std::size_t>(parent)].path, i, site.name);
        site.ordinal = first_kernel_ordinal + static_cast<std::int32_t>(i) * KernelTrace::ordinals_of(node.launches.size());
        site.parent = parent;
        site.phase = sites_[static_cast<std::size_t>(parent)].phase;
    }
    watched_ = std::move(node);
}

void TapeTrace::begin(RunWriter& writer, bool setup) {
    first_site_ = static_cast<std::int32_t>(writer.run().sites().size());
    for (const EventSite& site : sites_) writer.add_site(site);
    if (watched_)
        for (const EventSite& site : watched_->launches) writer.add_site(site);
    if (!setup) return;
    writer.begin_iteration(-1, true);
    auto kept = std::make_shared<IterationTensors>();
    kept->iteration = -1;
    for (const auto* list : {&state_, &constants_})
        for (const ValueIndex index : *list) {
            const Value& value = tape_.value(index);
            EventSite site;
            site.level = Level::op;
            site.phase = Phase::data;
            site.name = value.role == Role::data ? "load" : "init";
            site.path = fmt::format("setup/{} {}", site.name, value.name);
            site.module = "setup";
            site.ordinal = setup_ordinal_.at(index);
            site.outputs.push_back({value.name, value.role, value.dtype, value.shape});
            site.cost.bytes_written =
                static_cast<double>(value.shape.elements()) * static_cast<double>(size_of(value.dtype));
            const std::int32_t number = writer.add_site(std::move(site));
            const auto open = writer.begin();
            // A whole data set is named here by its hash in the manifest, not kept again; a constant is.
            if (value.role != Role::data || value.shape.elements() <= largest_constant)
                kept->tensors.push_back({{{-1, open.ordinal}, 0}, value.name, value.role, tape_.tensor(index), 0});
            writer.end(open, number);
        }
    writer.keep(std::move(kept));
    writer.end_iteration();
}

void TapeTrace::step(RunWriter&) {
    if (lifetimes_) execute_step(tape_, *lifetimes_);
    else
        for (NodeIndex node = 0; node < static_cast<NodeIndex>(tape_.nodes().size()); ++node) tape_.execute(node);
}

TensorId TapeTrace::state_id(ValueIndex value, StepIndex iteration) const {
    const auto edited = edited_at_.find(value);
    if (edited != edited_at_.end() && edited->second == iteration)
        return {{iteration, first_edit_ordinal + value}, 0};
    for (NodeIndex node = static_cast<NodeIndex>(tape_.nodes().size()) - 1; node >= 0 && iteration > 0; --node) {
        const auto& outputs = tape_.node(node).outputs;
        const auto at = std::find(outputs.begin(), outputs.end(), value);
        if (at != outputs.end())
            return {{iteration - 1, ordinal_of_node_[static_cast<std::size_t>(node)]},
                    static_cast<std::int32_t>(at - outputs.begin())};
    }
    if (edited != edited_at_.end() && edited->second <= iteration) return {{edited->second, first_edit_ordinal + value}, 0};
    return {{-1, setup_ordinal_.at(value)}, 0};
}

void TapeTrace::step_observed(RunWriter& writer, StepIndex iteration) {
    auto kept = std::make_shared<IterationTensors>();
    kept->iteration = iteration;
    for (const ValueIndex value : state_)
        kept->tensors.push_back(
            {state_id(value, iteration), tape_.value(value).name, tape_.value(value).role, tape_.tensor(value), 0});
    for (const ValueIndex value : fed_)
        kept->tensors.push_back({{{iteration, first_edit_ordinal + value}, 0}, tape_.value(value).name,
                                 tape_.value(value).role, tape_.tensor(value), 0});
    open_.clear();
    tape_.prepare_buffers();
    CachingAllocator& allocator = tape_.pool().allocator();
    AllocatorRecording recording(allocator);
    std::vector<Tensor> watched_inputs; // as they are when the node reads them
    Ticks watched_start = 0, watched_end = 0;
    for (const PlanStep& step : plan_) {
        switch (step.kind) {
        case PlanStep::Kind::open: open_.push_back(writer.begin()); break;
        case PlanStep::Kind::close:
            writer.end(open_.back(), first_site_ + step.site);
            open_.pop_back();
            break;
        case PlanStep::Kind::op: {
            allocator.set_ordinal(step.site);
            const RunWriter::Open open = writer.begin();
            tape_.execute(step.node);
            writer.end(open, first_site_ + step.site);
            const Node& node = tape_.node(step.node);
            if (watched_ && watched_->node == step.node) {
                watched_start = open.start, watched_end = now_ticks();
                for (const ValueIndex input : node.inputs) watched_inputs.push_back(tape_.tensor(input));
            }
            for (std::size_t i = 0; i < node.outputs.size(); ++i) {
                const Value& value = tape_.value(node.outputs[i]);
                kept->tensors.push_back({{{iteration, open.ordinal}, static_cast<std::int32_t>(i)},
                                         value.name, value.role, tape_.tensor(node.outputs[i]), 0});
            }
            if (lifetimes_)
                for (const ValueIndex value : lifetimes_->ended[static_cast<std::size_t>(step.node)]) tape_.release(value);
            break;
        }
        }
    }
    kept->memory = recording.take();
    if (watched_) { // behind the step, so that none of its clocks contains it
        kept->kernels = watched_->record(watched_inputs);
        for (std::size_t i = 0; i < watched_->launches.size(); ++i)
            writer.append_event({watched_->launches[i].ordinal, first_site_ + static_cast<std::int32_t>(sites_.size() + i), watched_start, watched_end});
    }
    writer.keep(std::move(kept));
}

void TapeTrace::mark_edited(ValueIndex value, StepIndex iteration) { edited_at_[value] = iteration; }

TensorId input_of(const Run& run, const EventSite& site, std::size_t i, StepIndex iteration) {
    const TensorRef& ref = site.inputs[i];
    if (ref.when == TensorRef::When::same_iteration) return ref.at(iteration);
    const auto tensors = run.tensors_of(iteration);
    if (tensors)
        for (const RecordedTensor& recorded : tensors->tensors)
            if (recorded.name == ref.name && recorded.id.event.ordinal >= first_edit_ordinal) return recorded.id;
    return ref.at(iteration);
}

} // namespace gradus
