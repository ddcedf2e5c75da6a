#include "lessons/experiments/descend/process.hpp"

#include "engine/core/error.hpp"
#include "engine/core/philox.hpp"
#include "engine/core/text.hpp"
#include "engine/ops/ops.hpp"

#include <fmt/format.h>

namespace gradus::descent {

namespace {

constexpr std::uint64_t point_stream = std::uint64_t{10} << 32;
constexpr Dim point_count = 100;
constexpr double true_slope = 2, true_intercept = -1;

double parameter(const Setup& setup, const std::string& name) { return parse_number(setup.parameters.at(name)).value_or(0); }

} // namespace

DescendProcess::DescendProcess(const Setup& setup) : TapeProcess(setup) {
    const std::string& objective = setup.parameters.at("objective");
    if (objective == "line") add_line(setup);
    else add_bowl(setup, objective == "bowl");
    tape_.backward(loss_);
    std::vector<ValueIndex> gradients;
    for (const ValueIndex value : parameters_) gradients.push_back(tape_.value(value).gradient);
    Optimizer::Settings settings;
    settings.lr = parameter(setup, "lr");
    optimizer_.emplace(tape_, settings, parameters_, gradients);
    std::vector<ValueIndex> state = parameters_;
    if (curvature_ != no_value) state.push_back(curvature_);
    ready(std::move(state), loss_);
}

void DescendProcess::add_bowl(const Setup& setup, bool two) {
    std::vector<double> start{parameter(setup, "start")}, curvature{parameter(setup, "curvature")};
    names_ = {"w"};
    if (two) {
        start.push_back(parameter(setup, "start2"));
        curvature.push_back(parameter(setup, "curvature2"));
        names_ = {"w1", "w2"};
    }
    const Shape shape{{static_cast<Dim>(start.size()), "w"}};
    parameters_ = {add_input("w", shape, start, Role::parameter, true)};
    curvature_ = add_input("a", shape, curvature, Role::data);
    for (std::size_t i = 0; i < start.size(); ++i) places_.push_back({parameters_[0], static_cast<Dim>(i)});
    loss_ = apply_op(ops::quadratic(), "f", {parameters_[0], curvature_}, "loss");
}

void DescendProcess::add_line(const Setup& setup) {
    const Philox random(setup.seed, point_stream);
    std::vector<double> x, y;
    for (Dim i = 0; i < point_count; ++i) {
        const auto n = static_cast<std::uint64_t>(i);
        x.push_back(2 * random.uniform(n) - 1);
        y.push_back(true_slope * x.back() + true_intercept + parameter(setup, "noise") * random.normal(1000 + n));
    }
    const Shape column{{point_count, "point"}, {1, "y"}};
    const ValueIndex points = add_input("x", {{point_count, "point"}, {1, "x"}}, x, Role::data);
    const ValueIndex targets = add_input("y", column, y, Role::data);
    const ValueIndex m = add_input("m", {{1, "x"}, {1, "y"}}, {parameter(setup, "start")}, Role::parameter, true);
    const ValueIndex b = add_input("b", {{1, "y"}}, {parameter(setup, "start2")}, Role::parameter, true);
    names_ = {"m", "b"};
    parameters_ = {m, b};
    places_ = {{m, 0}, {b, 0}};
    const ValueIndex product = apply_op(ops::matmul(), "line", {points, m}, "m·x");
    const ValueIndex line = apply_op(ops::add_bias(), "line", {product, b}, "m·x + b");
    loss_ = apply_op(ops::mean_squared_error(), "f", {line, targets}, "loss");
}

double DescendProcess::coordinate(std::size_t i) const { return tape_.tensor(places_[i].value).at(places_[i].element); }
double DescendProcess::slope(std::size_t i) const {
    return tape_.tensor(tape_.value(places_[i].value).gradient).at(places_[i].element);
}
void DescendProcess::set_lr(double lr) { optimizer_->set_lr(tape_, lr); }

void DescendProcess::move(std::size_t i, double to) {
    const Place& place = places_[i];
    const Value& value = tape_.value(place.value);
    set_element(value.name, value.shape.rank() == 2 ? std::vector<Dim>{0, 0} : std::vector<Dim>{place.element}, to);
}

void DescendProcess::apply(const Edit& edit, StepIndex iteration) {
    const bool bowl = curvature_ != no_value && places_.size() == 2;
    if (edit.kind != Edit::Kind::point || !bowl || edit.index != std::vector<Dim>{0} || edit.values.size() != 2)
        return TapeProcess::apply(edit, iteration);
    for (std::size_t i = 0; i < places_.size(); ++i) {
        Edit one;
        one.kind = Edit::Kind::element;
        one.target = tape_.value(places_[i].value).name;
        one.index = {places_[i].element};
        one.values = {edit.values[i]};
        TapeProcess::apply(one, iteration);
    }
}

std::vector<SeriesInfo> DescendProcess::series() const {
    std::vector<SeriesInfo> out{{"loss", "", Provenance::computed, true}};
    for (const std::string& name : names_) out.push_back({name, "", Provenance::computed, true});
    for (const std::string& name : names_) out.push_back({"gradient_" + name, "", Provenance::computed, true});
    return out;
}

void DescendProcess::before_step() {
    left_from_.clear();
    for (std::size_t i = 0; i < places_.size(); ++i) left_from_.push_back(coordinate(i));
}

void DescendProcess::push(RunWriter& writer, StepIndex) {
    std::size_t at = 0;
    writer.push(at++, loss());
    for (const double value : left_from_) writer.push(at++, value);
    for (std::size_t i = 0; i < places_.size(); ++i) writer.push(at++, slope(i));
}

void DescendProcess::set_setting(const std::string& name, double value, StepIndex iteration) {
    if (name != "lr") return TapeProcess::set_setting(name, value, iteration);
    if (!(value >= 0)) throw ArgumentError("lr must be a number, 0 or more");
    set_lr(value);
}

std::vector<std::pair<std::string, double>> DescendProcess::settings() const {
    return {{"lr", optimizer_->settings().lr}};
}

} // namespace gradus::descent
