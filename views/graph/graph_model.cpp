#include "views/graph/graph_model.hpp"

#include "engine/trace/tape_trace.hpp"
#include "views/derive/event_words.hpp"
#include "views/theme/numbers.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace gradus {

namespace {

/// Everything the builder knows while it goes over the sites.
class Builder {
public:
    Builder(const Run& run, Fold fold, const std::vector<std::string>& open) : open_(open) {
        model_.fold = fold;
        read(run);
    }

    GraphModel build() {
        for (const EventSite* site : forward_) add_forward(*site);
        note_alone();
        for (const EventSite* site : forward_) add_operands(*site);
        for (const EventSite* site : backward_) add_gradients(*site);
        for (const EventSite* site : backward_) add_gradient_edges(*site);
        return std::move(model_);
    }

private:
    using Row = GraphNode::Row;

    void read(const Run& run) {
        // A fork's sites are its parent's; only the first Run has those of the setup, which know every shape.
        for (const Run* at = &run; at; at = at->parent().get())
            for (std::size_t i = 0; i < at->sites().size(); ++i) note_outputs(at->sites()[i]);
        for (std::size_t i = 0; i < run.sites().size(); ++i) {
            const EventSite& site = run.sites()[i];
            if (site.level != Level::op || site.ordinal < 0 || site.module == "setup" || site.outputs.empty()) continue;
            const bool metric = site.outputs[0].role == Role::metric;
            if (site.phase == Phase::forward && !metric) {
                forward_.push_back(&site);
                note_fed(site);
            }
            if (site.phase == Phase::backward) backward_.push_back(&site);
            if (site.phase == Phase::update)
                for (const OutputInfo& out : site.outputs)
                    if (out.role == Role::parameter) updates_.try_emplace(out.name, op_of(site));
        }
    }

    /// What is fed to the tape from outside has no event that made it: its readers know its shape.
    void note_fed(const EventSite& site) {
        for (const TensorRef& input : site.inputs)
            if (is_fed(input) && input.dtype)
                tensors_.try_emplace(input.name, GraphTensor{input.name, Role::data, *input.dtype, input.shape, input.ordinal, input.output});
    }

    void note_outputs(const EventSite& site) {
        for (std::size_t i = 0; i < site.outputs.size(); ++i) {
            const OutputInfo& out = site.outputs[i];
            const bool carried = site.module == "setup" || site.phase == Phase::update; // then it is state
            tensors_.try_emplace(out.name, GraphTensor{out.name, out.role, out.dtype, out.shape,
                                                       carried ? -1 : site.ordinal, static_cast<std::int32_t>(i)});
        }
    }

    static GraphOp op_of(const EventSite& site) {
        return {site.ordinal, site.name, site.formula, site.implementation, site.cost.flops, site.cost.bytes_read + site.cost.bytes_written};
    }

    bool joins_last(const EventSite& site) const {
        if (model_.fold == Fold::ops || model_.nodes.empty()) return false;
        if (std::find(open_.begin(), open_.end(), site.module) != open_.end()) return false;
        const GraphNode& last = model_.nodes.back();
        if (model_.fold == Fold::modules) return last.module == site.module;
        const auto producer = node_of_.find(site.inputs.empty() ? "" : site.inputs[0].name);
        return site.name == "add_bias" && last.ops.back().name == "matmul" && producer != node_of_.end() &&
               producer->second + 1 == model_.nodes.size();
    }

    void add_forward(const EventSite& site) {
        if (!joins_last(site)) {
            GraphNode node;
            node.id = site.path;
            node.title = site.name;
            node.module = site.module;
            node.column = model_.columns++;
            node.is_op = true;
            model_.nodes.push_back(std::move(node));
        }
        GraphNode& node = model_.nodes.back();
        node.ops.push_back(op_of(site));
        const bool closed = model_.fold == Fold::modules && std::find(open_.begin(), open_.end(), site.module) == open_.end();
        if (closed && site.module == "fold") node.title = site.module; // of one product as of two: the box beside the layers' products
        if (node.ops.size() > 1) node.title = model_.fold == Fold::modules ? site.module : "linear";
        const std::size_t last = site.outputs.size() - 1;
        node.tensor = tensors_.at(site.outputs[last].name);
        if (node.tensor.role == Role::loss && node.ops.size() == 1) node.title = node.tensor.name;
        for (const OutputInfo& out : site.outputs) node_of_[out.name] = model_.nodes.size() - 1;
    }

    std::size_t add_node(const std::string& name, Row row, int column) {
        GraphNode node;
        node.tensor = tensors_.at(name);
        node.id = name;
        node.row = row;
        node.column = column;
        node.slot = slots_[{row, column}]++;
        if (const auto update = updates_.find(name); update != updates_.end()) node.update = update->second;
        model_.nodes.push_back(std::move(node));
        return node_of_[name] = model_.nodes.size() - 1;
    }

    void connect(std::size_t from, std::size_t to, Role role, const std::string& label) {
        if (from == to || !connected_.emplace(from, to).second) return;
        model_.edges.push_back({from, to, role, label});
    }

    /// Closed modules that read no other's results, and whose results no other reads. Before there are operands.
    void note_alone() {
        const bool apparatus = model_.fold == Fold::modules && backward_.empty(); // a net's single layer shows its parameters
        alone_.assign(model_.nodes.size(), apparatus);
        for (const EventSite* site : forward_) {
            const std::size_t reader = node_of_.at(site->outputs[0].name);
            for (const TensorRef& input : site->inputs) {
                const auto from = node_of_.find(input.name);
                if (from != node_of_.end() && from->second != reader) alone_[reader] = alone_[from->second] = false;
            }
        }
    }

    /// Constants that only the ops of one closed module read are part of it; so are the parameters of one that stands alone.
    bool is_inside(const TensorRef& input, std::size_t reader) const {
        if (model_.fold != Fold::modules || model_.nodes[reader].ops.size() < 2) return false;
        return std::all_of(forward_.begin(), forward_.end(), [&](const EventSite* site) {
            const bool reads = std::any_of(site->inputs.begin(), site->inputs.end(), [&](const TensorRef& other) { return other.name == input.name; });
            return !reads || node_of_.at(site->outputs[0].name) == reader;
        });
    }

    void add_operands(const EventSite& site) {
        const std::size_t reader = node_of_.at(site.outputs[0].name);
        for (const TensorRef& input : site.inputs) {
            const auto known = tensors_.find(input.name);
            if (known == tensors_.end()) continue;
            if (!node_of_.contains(input.name)) {
                // The first op's data starts the row; all else comes from above the op that reads it.
                const bool starts = reader == 0 && known->second.role == Role::data && !started_;
                if (!starts && is_inside(input, reader) && (known->second.role == Role::data || alone_[reader])) {
                    model_.holds_constants = true;
                    continue;
                }
                const std::size_t added = add_node(input.name, starts ? Row::forward : Row::operand,
                                                   starts ? -1 : model_.nodes[reader].column);
                if (starts) started_ = true;
                add_producer(input, added);
            }
            const bool flows = model_.nodes[node_of_.at(input.name)].row == Row::forward;
            connect(node_of_.at(input.name), reader, known->second.role, flows ? input.name : "");
        }
        if (started_ && !shifted_) { // make room for the data's column
            slots_.clear();
            for (GraphNode& node : model_.nodes) slots_[{node.row, ++node.column}]++;
            ++model_.columns;
            shifted_ = true;
        }
    }

    /// The op that loaded the data, for its formula and its time.
    void add_producer(const TensorRef& input, std::size_t node) {
        if (input.when == TensorRef::When::same_iteration && !is_fed(input))
            model_.nodes[node].ops.push_back({input.ordinal, "", "", "", 0});
    }

    /// What a gradient's name says it is the gradient of: "dz2" and "dz2 sum" of z2.
    static std::string of_what(const std::string& gradient) {
        if (gradient.empty() || gradient[0] != 'd') return {};
        return gradient.substr(1, gradient.ends_with(" sum") ? gradient.size() - 5 : std::string::npos);
    }

    void add_gradients(const EventSite& site) {
        for (const OutputInfo& out : site.outputs) {
            const auto of = node_of_.find(of_what(out.name));
            if (out.role != Role::gradient || of == node_of_.end()) continue;
            const GraphNode target = model_.nodes[of->second]; // a copy: adding a node moves them
            const bool parameter = target.row == Row::operand;
            const auto shown = parameter ? gradient_at_.end() : gradient_at_.find(target.column);
            // Backward runs from the last value of a box to its first, so the first gradient met is the one shown.
            const std::size_t node = shown != gradient_at_.end()
                                         ? shown->second
                                         : add_node(out.name, parameter ? Row::parameter_gradient : Row::gradient, target.column);
            if (!parameter) gradient_at_[target.column] = node;
            node_of_[out.name] = node;
            model_.nodes[node].ops.push_back(op_of(site));
            model_.nodes[node].module = site.module;
            if (parameter) model_.nodes[node].slot = target.slot; // beneath its parameter
        }
    }

    void add_gradient_edges(const EventSite& site) {
        for (const OutputInfo& out : site.outputs) {
            const auto to = node_of_.find(out.name);
            if (to == node_of_.end()) continue;
            bool from_gradient = false;
            for (const TensorRef& input : site.inputs) {
                const auto from = node_of_.find(input.name);
                if (from == node_of_.end() || tensors_.at(input.name).role != Role::gradient) continue;
                connect(from->second, to->second, Role::gradient, "");
                from_gradient = true;
            }
            if (from_gradient) continue;
            for (std::size_t node = 0; node < model_.nodes.size(); ++node) // backward starts at the loss
                if (model_.nodes[node].loss()) connect(node, to->second, Role::gradient, "");
        }
    }

    GraphModel model_;
    const std::vector<std::string>& open_;
    std::vector<const EventSite*> forward_, backward_;
    std::map<std::string, GraphTensor> tensors_;
    std::map<std::string, GraphOp> updates_; ///< by the parameter that they write
    std::vector<bool> alone_;                    ///< by box: see note_alone()
    std::map<std::string, std::size_t> node_of_; ///< the box that stands for a tensor
    std::map<std::pair<Row, int>, int> slots_;               ///< taken, by row and column
    std::map<int, std::size_t> gradient_at_;                  ///< the box of Row::gradient in a column
    std::set<std::pair<std::size_t, std::size_t>> connected_; ///< edges there are
    bool started_ = false, shifted_ = false;
};

} // namespace

const GraphNode* GraphModel::find(std::string_view id) const {
    for (const GraphNode& node : nodes)
        if (node.id == id) return &node;
    return nullptr;
}

namespace {

GraphModel keep(const GraphModel& model, const std::function<bool(const GraphNode&)>& wanted) {
    GraphModel kept = model;
    kept.nodes.clear();
    kept.edges.clear();
    std::vector<std::ptrdiff_t> place(model.nodes.size(), -1);
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
        if (!wanted(model.nodes[i])) continue;
        place[i] = static_cast<std::ptrdiff_t>(kept.nodes.size());
        kept.nodes.push_back(model.nodes[i]);
    }
    for (const GraphEdge& edge : model.edges)
        if (place[edge.from] >= 0 && place[edge.to] >= 0)
            kept.edges.push_back({static_cast<std::size_t>(place[edge.from]), static_cast<std::size_t>(place[edge.to]), edge.role, edge.label});
    return kept;
}

} // namespace

GraphModel keep_rows(const GraphModel& model, int first_row, int rows) {
    GraphModel kept = keep(model, [=](const GraphNode& node) {
        const int row = static_cast<int>(node.row);
        return row >= first_row && row < first_row + rows;
    });
    kept.first_row = first_row;
    kept.rows = rows;
    return kept;
}

GraphModel essentials(const GraphModel& model, bool with_input) {
    GraphModel kept = keep(model, [with_input](const GraphNode& node) {
        const bool of_parameters = node.row == GraphNode::Row::operand || node.row == GraphNode::Row::parameter_gradient;
        if (node.tensor.role == Role::data) return with_input && node.row == GraphNode::Row::forward;
        return node.is_op || !(of_parameters && node.tensor.shape.rank() < 2);
    });
    int first = kept.columns;
    for (const GraphNode& node : kept.nodes) first = std::min(first, node.column);
    for (GraphNode& node : kept.nodes) {
        node.column -= first;
        node.slot = 0;
        for (const GraphNode& other : kept.nodes)
            if (&other < &node && other.row == node.row && other.column == node.column) ++node.slot;
    }
    kept.columns -= first;
    return kept;
}

QString GraphNode::words() const {
    return is_op && title != tensor.name ? module_word(title) : written_name(tensor.name, tensor.role == Role::gradient);
}

GraphModel make_graph(const Run& run, Fold fold, const std::vector<std::string>& open) {
    return Builder(run, fold, open).build();
}

} // namespace gradus
