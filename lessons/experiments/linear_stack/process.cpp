#include "lessons/experiments/linear_stack/process.hpp"

#include "engine/core/error.hpp"
#include "engine/core/philox.hpp"
#include "engine/core/text.hpp"
#include "engine/ops/ops.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace gradus::stack {

namespace {

constexpr std::uint64_t weight_stream = std::uint64_t{7} << 32, input_stream = std::uint64_t{8} << 32,
                        shuffle_stream = std::uint64_t{9} << 32;
constexpr double scale_factor = 0.1;

std::vector<double> normals(std::size_t count, const Philox& random, double spread) {
    std::vector<double> out(count);
    for (std::size_t i = 0; i < count; ++i) out[i] = spread * random.normal(i);
    return out;
}

} // namespace

std::vector<int> read_layers(const std::string& after) {
    std::vector<int> out;
    for (const std::string_view part : split(after, ',')) out.push_back(static_cast<int>(parse_integer(trimmed(part)).value_or(0)));
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    if (!out.empty() && out.front() == 0) out.clear();
    return out;
}

Settings read_settings(const Setup& setup) {
    const auto integer = [&](const char* name) { return parse_integer(setup.parameters.at(name)).value_or(0); };
    Settings s;
    s.width = integer("width");
    s.depth = static_cast<int>(integer("depth"));
    s.inputs = integer("inputs");
    s.between = setup.parameters.at("between");
    s.after = read_layers(setup.parameters.at("after"));
    s.bias = parse_number(setup.parameters.at("bias")).value_or(0);
    s.dtype = setup.parameters.at("dtype") == "fp64" ? DType::f64 : DType::f32;
    s.seed = setup.seed;
    if (s.bias != 0 && s.after.empty())
        throw ArgumentError("linear_stack: a bias stands in front of what follows chosen layers; choose them with after");
    if (!s.after.empty() && s.after.back() >= s.depth && s.depth > 1)
        throw ArgumentError(fmt::format("linear_stack: after must be at most {}, so that a layer follows, not {}", s.depth - 1, s.after.back()));
    return s;
}

// x (B, d), every W (d, d) with entries of spread 1/√d, so that the numbers neither grow nor vanish with depth.
StackProcess::StackProcess(const Setup& setup) : TapeProcess(setup), settings_(read_settings(setup)) {
    const Settings& s = settings_;
    const Dim d = s.width;
    const auto size = static_cast<std::size_t>(d);
    const Shape square{{d, "in"}, {d, "out"}}, rows{{s.inputs, "B"}, {d, "in"}};
    x_ = add_input("x", rows, std::vector<double>(static_cast<std::size_t>(rows.elements())), Role::data, false, s.dtype);
    for (int layer = 1; layer <= s.depth; ++layer)
        weights_.push_back(add_input(fmt::format("W{}", layer), square,
                                     normals(size * size, Philox(s.seed, weight_stream + static_cast<std::uint64_t>(layer)),
                                             1 / std::sqrt(static_cast<double>(d))),
                                     Role::parameter, false, s.dtype));
    if (s.bias != 0) {
        bias_ = add_input("b", {{d, "out"}}, std::vector<double>(size, s.bias), Role::parameter, false, s.dtype);
        bias_rows_ = add_input("b as rows", rows, std::vector<double>(static_cast<std::size_t>(rows.elements()), s.bias),
                               Role::data, false, s.dtype);
    }
    if (s.between == "scale")
        scale_ = add_input("0.1", rows, std::vector<double>(static_cast<std::size_t>(rows.elements()), scale_factor), Role::data,
                           false, s.dtype);
    if (s.between == "shuffle") {
        std::vector<std::size_t> order(size);
        std::iota(order.begin(), order.end(), std::size_t{0});
        const Philox random(s.seed, shuffle_stream);
        for (std::size_t i = size; i-- > 1;) std::swap(order[i], order[random.below(i, static_cast<std::uint32_t>(i + 1))]);
        std::vector<double> one(size * size, 0.0);
        for (std::size_t i = 0; i < size; ++i) one[i * size + order[i]] = 1;
        shuffle_ = add_input("P", square, one, Role::data, false, s.dtype);
    }

    ValueIndex a = x_;
    for (int layer = 1; layer <= s.depth; ++layer) {
        const bool last = layer == s.depth;
        a = apply_op(ops::matmul(), fmt::format("layer{}", layer), {a, weights_[static_cast<std::size_t>(layer - 1)]},
                     last ? std::string("y") : fmt::format("z{}", layer));
        if (s.follows(layer)) a = add_between(a, layer);
    }
    y_ = a;
    count(0, 0);
    for (const Node& node : tape_.nodes())
        for (const ValueIndex out : node.outputs)
            if (out != y_) intermediate_bytes_ += static_cast<double>(tape_.value(out).shape.elements()) * static_cast<double>(size_of(s.dtype));

    const auto fold_from = static_cast<NodeIndex>(tape_.nodes().size());
    ValueIndex folded = weights_[0], shift = no_value; // the bias, led through the layers behind it
    for (int layer = 1; layer <= s.depth; ++layer) {
        if (layer > 1)
            folded = apply_op(ops::matmul(), "fold", {folded, weights_[static_cast<std::size_t>(layer - 1)]}, fmt::format("W1…W{}", layer));
        if (shift != no_value)
            shift = apply_op(ops::matmul(), "fold", {shift, weights_[static_cast<std::size_t>(layer - 1)]}, fmt::format("b…W{}", layer));
        if (!s.follows(layer)) continue;
        if (bias_rows_ != no_value) // one more of them where one is on its way already
            shift = shift == no_value ? bias_rows_ : apply_op(ops::add(), "fold", {shift, bias_rows_}, fmt::format("b…W{} + b", layer));
        folded = fold(layer, folded);
        if (shift != no_value) shift = fold(layer, shift);
    }
    count(1, fold_from);
    const auto folded_from = static_cast<NodeIndex>(tape_.nodes().size());
    folded_y_ = apply_op(ops::matmul(), "folded", {x_, folded}, shift == no_value ? "y folded" : "x·W");
    if (shift != no_value) folded_y_ = apply_op(ops::add(), "folded", {folded_y_, shift}, "y folded");
    count(2, folded_from);
    apply_op(ops::mean_squared_error(), "compare", {folded_y_, y_}, "MSE");
    ready(weights_, y_, {x_});
}

/// What stands behind a layer: a bias if there is one, then the step itself.
ValueIndex StackProcess::add_between(ValueIndex z, int layer) {
    const std::string module = fmt::format("layer{}", layer);
    if (bias_ != no_value) z = apply_op(ops::add_bias(), module, {z, bias_}, fmt::format("z{} + b", layer));
    const std::string name = fmt::format("a{}", layer);
    if (settings_.between == "scale") return apply_op(ops::multiply(), module, {z, scale_}, name);
    if (settings_.between == "shuffle") return apply_op(ops::matmul(), module, {z, shuffle_}, name);
    if (!settings_.nonlinear()) return z;
    const ValueIndex a = apply_op(settings_.between == "relu" ? ops::relu() : ops::tanh(), module, {z}, name);
    nonlinearities_.emplace_back(z, a);
    return a;
}

/// The linear steps fold too; a non-linear one is left out, which is what folding across it would mean.
ValueIndex StackProcess::fold(int layer, ValueIndex folded) {
    if (settings_.between == "shuffle") return apply_op(ops::matmul(), "fold", {folded, shuffle_}, fmt::format("P after W{}", layer));
    if (settings_.between != "scale") return folded;
    const Value& value = tape_.value(folded);
    const ValueIndex factor = add_input(fmt::format("0.1 for W{}", layer), value.shape,
                                        std::vector<double>(static_cast<std::size_t>(value.shape.elements()), scale_factor), Role::data,
                                        false, settings_.dtype);
    return apply_op(ops::multiply(), "fold", {folded, factor}, fmt::format("0.1·W1…W{}", layer));
}

void StackProcess::count(std::size_t group, NodeIndex from) {
    for (auto node = from; node < static_cast<NodeIndex>(tape_.nodes().size()); ++node) flops_[group] += tape_.node(node).cost.flops;
}

void StackProcess::feed(StepIndex iteration) {
    const Shape& shape = tape_.value(x_).shape;
    tape_.set(x_, tensor_of_numbers(tape_.pool(), shape, settings_.dtype,
                                    normals(static_cast<std::size_t>(shape.elements()),
                                            Philox(settings_.seed, input_stream + static_cast<std::uint64_t>(iteration)), 1)));
}

double StackProcess::largest_difference() const {
    const Tensor y = tape_.tensor(y_), folded = tape_.tensor(folded_y_);
    double largest = 0;
    for (Dim i = 0; i < y.elements(); ++i) {
        const double difference = std::abs(y.at(i) - folded.at(i));
        if (!(difference <= largest)) largest = difference; // a NaN shows
    }
    return largest;
}

int StackProcess::matrices_left() const {
    int left = 1;
    for (const auto& [z, a] : nonlinearities_) {
        const Tensor before = tape_.tensor(z), after = tape_.tensor(a);
        bool same = true;
        for (Dim i = 0; i < before.elements() && same; ++i) same = before.at(i) == after.at(i);
        left += !same;
    }
    return left;
}

std::vector<SeriesInfo> StackProcess::series() const {
    return {{"largest_difference", "", Provenance::computed, true}, {"matrices_left", "", Provenance::computed, true}};
}

void StackProcess::push(RunWriter& writer, StepIndex) {
    writer.push(0, largest_difference());
    writer.push(1, matrices_left());
}

} // namespace gradus::stack
