#include "engine/trace/derive/objective_curve.hpp"

#include "engine/core/error.hpp"
#include "engine/ops/ops.hpp"
#include "engine/trace/derive/run_device.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace gradus {

namespace {

std::vector<double> numbers_of(const Tensor& tensor) {
    std::vector<double> out;
    for (Dim i = 0; i < tensor.elements(); ++i) out.push_back(tensor.at(i));
    return out;
}

/// Sites of the forward ops, in the order in which they run.
std::vector<const EventSite*> forward_ops(const Run& run) {
    std::vector<const EventSite*> out;
    for (std::size_t i = 0; i < run.sites().size(); ++i) {
        const EventSite& site = run.sites()[i];
        if (site.level == Level::op && site.phase == Phase::forward) out.push_back(&site);
    }
    std::sort(out.begin(), out.end(), [](const EventSite* a, const EventSite* b) { return a->ordinal < b->ordinal; });
    return out;
}

} // namespace

ObjectiveConstants objective_constants(const Run& run, const Run& origin, StepIndex iteration) {
    const auto ops = forward_ops(run);
    const auto inputs = forward_inputs(run, origin, iteration);
    const auto input = [&](const TensorRef& ref) -> const Tensor& {
        const auto at = std::find_if(inputs.begin(), inputs.end(), [&](const RecordedTensor& one) { return one.name == ref.name; });
        if (at == inputs.end()) throw UnavailableError(fmt::format("'{}' is not at hand, so the forward pass cannot be computed again", ref.name));
        return at->tensor;
    };
    ObjectiveConstants out;
    out.isa = run.manifest().isa;
    if (ops.size() == 1 && ops[0]->name == "quadratic" && ops[0]->inputs.size() == 2) {
        out.a = numbers_of(input(ops[0]->inputs[1]));
        out.kind = out.a.size() == 1 ? ObjectiveConstants::Kind::parabola : ObjectiveConstants::Kind::bowl;
        if (out.a.size() <= 2) return out;
    } else if (ops.size() == 3 && ops[0]->name == "matmul" && ops[1]->name == "add_bias" && ops[2]->name == "mean_squared_error") {
        const Tensor &x = input(ops[0]->inputs[0]), &m = input(ops[0]->inputs[1]), &y = input(ops[2]->inputs[1]);
        out.kind = ObjectiveConstants::Kind::line;
        out.x = numbers_of(x);
        out.y = numbers_of(y);
        if (m.elements() == 1 && out.x.size() == out.y.size() && !out.x.empty()) return out;
    }
    throw UnavailableError("what this run makes small is no function of one or two parameters that could be drawn");
}

struct Objective::Pass {
    explicit Pass(const ObjectiveConstants& constants)
        : tape(run_device(constants.isa), std::make_shared<BufferPool>()) {
        const auto input = [this](const char* name, const Shape& shape, const std::vector<double>& values, Role role) {
            return tape.input(name, Tensor::from<double>(tape.pool(), shape, values), role);
        };
        const auto apply = [this](const Op& op, std::vector<ValueIndex> inputs, const char* name) {
            return tape.node(tape.apply(op, Phase::forward, "f", std::move(inputs), {name})).outputs[0];
        };
        const auto count = static_cast<Dim>(constants.parameters());
        if (constants.kind != ObjectiveConstants::Kind::line) {
            const Shape shape{{count, "w"}};
            const ValueIndex w = input("w", shape, std::vector<double>(constants.parameters()), Role::parameter);
            parameters = {{w, 0}};
            if (count == 2) parameters.push_back({w, 1});
            f = apply(ops::quadratic(), {w, input("a", shape, constants.a, Role::data)}, "f");
            return;
        }
        const auto points = static_cast<Dim>(constants.x.size());
        const ValueIndex x = input("x", {{points, "point"}, {1, "x"}}, constants.x, Role::data);
        const ValueIndex y = input("y", {{points, "point"}, {1, "y"}}, constants.y, Role::data);
        const ValueIndex m = input("m", {{1, "x"}, {1, "y"}}, {0.0}, Role::parameter), b = input("b", {{1, "y"}}, {0.0}, Role::parameter);
        parameters = {{m, 0}, {b, 0}};
        line = apply(ops::add_bias(), {apply(ops::matmul(), {x, m}, "m·x"), b}, "m·x + b");
        f = apply(ops::mean_squared_error(), {line, y}, "f");
    }
    void run(std::span<const double> at) {
        if (at.size() != parameters.size())
            throw ShapeError(fmt::format("this objective has {} parameters, not {}", parameters.size(), at.size()));
        void* data = nullptr;
        for (std::size_t i = 0; i < at.size(); ++i) { // those of one tensor are written together: a fresh buffer holds nothing
            if (parameters[i].second == 0) data = tape.writable(parameters[i].first);
            static_cast<double*>(data)[parameters[i].second] = at[i];
        }
        for (NodeIndex node = 0; node < static_cast<NodeIndex>(tape.nodes().size()); ++node) tape.execute(node);
    }
    Tape tape;
    std::vector<std::pair<ValueIndex, Dim>> parameters; ///< value and element
    ValueIndex f = no_value, line = no_value;
};

Objective::Objective(const ObjectiveConstants& constants) : pass_(std::make_unique<Pass>(constants)) {}
Objective::~Objective() = default;
Objective::Objective(Objective&&) noexcept = default;
Objective& Objective::operator=(Objective&&) noexcept = default;

double Objective::at(std::span<const double> parameters) {
    pass_->run(parameters);
    return pass_->tape.scalar(pass_->f);
}

std::vector<double> Objective::line(std::span<const double> parameters) {
    if (pass_->line == no_value) return {};
    pass_->run(parameters);
    return numbers_of(pass_->tape.tensor(pass_->line));
}

std::vector<double> objective_curve(Objective& objective, double from, double until, int count) {
    std::vector<double> out;
    for (int i = 0; i < count; ++i) {
        const double w = count > 1 ? from + (until - from) * i / (count - 1) : from;
        out.push_back(objective.at(std::span(&w, 1)));
    }
    return out;
}

std::vector<double> objective_grid(Objective& objective, const PlaneGrid& grid, const std::atomic<bool>* outdated) {
    std::vector<double> out;
    out.reserve(static_cast<std::size_t>(grid.columns) * static_cast<std::size_t>(grid.rows));
    for (int row = 0; row < grid.rows; ++row) {
        if (outdated && *outdated) return {};
        for (int column = 0; column < grid.columns; ++column) {
            const double at[] = {grid.x(column), grid.y(row)};
            out.push_back(objective.at(at));
        }
    }
    return out;
}

} // namespace gradus
