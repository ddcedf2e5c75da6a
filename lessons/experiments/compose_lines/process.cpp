#include "lessons/experiments/compose_lines/process.hpp"

#include "engine/core/text.hpp"
#include "engine/ops/ops.hpp"
#include "lessons/experiments/compose_lines/polynomial_basis.hpp"

#include <algorithm>
#include <cmath>

namespace gradus::lines {

namespace {

std::vector<double> points(Dim count = point_count) {
    std::vector<double> out;
    for (Dim i = 0; i < count; ++i)
        out.push_back(first_point + (last_point - first_point) * static_cast<double>(i) / static_cast<double>(count - 1));
    return out;
}

double parameter(const Setup& setup, const std::string& name) { return parse_number(setup.parameters.at(name)).value_or(0); }

} // namespace

LinesProcess::LinesProcess(const Setup& setup) : TapeProcess(setup) {
    x_ = add_input("x", {{point_count, "point"}, {1, "x"}}, points(), Role::data);
    std::vector<ValueIndex> state;
    for (int i = 0; i < static_cast<int>(parameter(setup, "lines")); ++i) {
        const std::string name(1, "fghk"[i]);
        names_.push_back(name);
        slopes_.push_back(add_input("slope_" + name, {{1, "x"}, {1, "y"}}, {parameter(setup, "slope_" + name)}, Role::parameter));
        intercepts_.push_back(add_input("intercept_" + name, {{1, "y"}}, {parameter(setup, "intercept_" + name)}, Role::parameter));
        state.push_back(slopes_.back());
        state.push_back(intercepts_.back());
    }
    for (std::size_t i = 0; i < names_.size(); ++i) lines_.push_back(line(i, x_, names_[i], names_[i]));
    const ValueIndex result = combined(setup.parameters.at("operation"));
    count_ = static_cast<Dim>(names_.size()) + 1;
    fit(result);
    if (setup.parameters.at("surface") == "plane") plane(setup, state);
    ready(std::move(state), result);
}

ValueIndex LinesProcess::line(std::size_t which, ValueIndex x, const std::string& module, const std::string& name) {
    const ValueIndex product = apply_op(ops::matmul(), module, {x, slopes_[which]}, name + " without intercept");
    return apply_op(ops::add_bias(), module, {product, intercepts_[which]}, name);
}

ValueIndex LinesProcess::combined(const std::string& operation) {
    ValueIndex result = no_value;
    if (operation == "sum" || operation == "product") {
        const Op& op = operation == "sum" ? ops::add() : ops::multiply();
        result = lines_[0];
        for (std::size_t i = 1; i < lines_.size(); ++i)
            result = apply_op(op, "result", {result, lines_[i]}, i + 1 == lines_.size() ? "result" : "result of " + std::to_string(i + 1));
        return result;
    }
    // f(g(x)): the last line is innermost; g(f(x)): the first is.
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < lines_.size(); ++i) order.push_back(i);
    if (operation == "f_of_g") std::reverse(order.begin(), order.end());
    result = lines_[order[0]];
    std::string name = names_[order[0]];
    for (std::size_t i = 1; i < order.size(); ++i) {
        name = names_[order[i]] + "(" + name + ")";
        result = line(order[i], result, "result", i + 1 == order.size() ? "result" : name);
    }
    return result;
}

// Least squares: in the orthonormal basis Q the best coefficients are r = Qᵀ · y; T turns them into those of powers.
void LinesProcess::fit(ValueIndex result) {
    const PolynomialBasis basis = polynomial_basis(points(), static_cast<int>(count_));
    const ValueIndex q = add_input("Q", {{point_count, "point"}, {count_, "k"}}, basis.q, Role::data);
    const ValueIndex t = add_input("T", {{count_, "k"}, {count_, "power"}}, basis.to_powers, Role::data);
    const ValueIndex powers = add_input("powers", {{point_count, "point"}, {count_, "power"}}, basis.powers, Role::data);
    const ValueIndex r = apply_op(ops::matmul(), "fit", {q, result}, "parts", {1, 0});
    const ValueIndex c = apply_op(ops::matmul(), "fit", {r, t}, "coefficients", {1, 0});
    const ValueIndex fitted = apply_op(ops::matmul(), "fit", {powers, c}, "fitted", {0, 1});
    apply_op(ops::mean_squared_error(), "fit", {fitted, result}, "residual");
}

// z[i, j] = slope_x1 · x1[j] + (slope_x2 · x2[i] + intercept_z): every row is a line in x1, and the intercepts of the rows are
// a line in x2. The first row is the largest x2, so that a picture of the plane has x2 upwards.
void LinesProcess::plane(const Setup& setup, std::vector<ValueIndex>& state) {
    const std::vector<double> across = points(plane_points);
    const auto size = static_cast<std::size_t>(plane_points);
    const Shape column{{plane_points, "x2"}, {1, "z"}}, row{{1, "z"}, {plane_points, "x1"}}, single{{1, "z"}, {1, "z"}};
    const ValueIndex x1 = add_input("x1", row, across, Role::data);
    const ValueIndex x2 = add_input("x2", column, {across.rbegin(), across.rend()}, Role::data);
    const ValueIndex every_x1 = add_input("1 at every x1", row, std::vector<double>(size, 1.0), Role::data);
    const ValueIndex every_x2 = add_input("1 at every x2", column, std::vector<double>(size, 1.0), Role::data);
    const ValueIndex slope_x1 = add_input("slope_x1", single, {parameter(setup, "slope_x1")}, Role::parameter);
    const ValueIndex slope_x2 = add_input("slope_x2", single, {parameter(setup, "slope_x2")}, Role::parameter);
    const ValueIndex intercept = add_input("intercept_z", {{1, "z"}}, {parameter(setup, "intercept_z")}, Role::parameter);
    for (const ValueIndex each : {slope_x1, slope_x2, intercept}) state.push_back(each);
    const ValueIndex climb = apply_op(ops::matmul(), "plane", {slope_x1, x1}, "line in x1");
    const ValueIndex lift = apply_op(ops::add_bias(), "plane", {apply_op(ops::matmul(), "plane", {x2, slope_x2}, "line in x2 without intercept"), intercept}, "line in x2");
    const ValueIndex along_x1 = apply_op(ops::matmul(), "plane", {every_x2, climb}, "line in x1 in every row");
    const ValueIndex along_x2 = apply_op(ops::matmul(), "plane", {lift, every_x1}, "line in x2 in every column");
    apply_op(ops::add(), "plane", {along_x1, along_x2}, "plane");
}

int LinesProcess::degree() const {
    double whole = 0;
    for (Dim k = 0; k < count_; ++k) whole += number("parts", k) * number("parts", k);
    int degree = 0;
    for (Dim k = 0; k < count_; ++k)
        if (std::abs(number("parts", k)) > 1e-9 * std::sqrt(whole)) degree = static_cast<int>(k);
    return degree;
}

std::vector<SeriesInfo> LinesProcess::series() const {
    std::vector<SeriesInfo> out{{"x", "", Provenance::computed, true}, {"result", "", Provenance::computed, true}};
    for (const std::string& name : names_) out.push_back({name, "", Provenance::computed, true});
    out.push_back({"degree", "", Provenance::computed, true});
    for (Dim k = 0; k < count_; ++k) out.push_back({"c" + std::to_string(k), "", Provenance::computed, true});
    out.push_back({"residual", "", Provenance::computed, true});
    return out;
}

void LinesProcess::push(RunWriter& writer, StepIndex iteration) {
    const Dim point = iteration % point_count;
    std::size_t at = 0;
    writer.push(at++, number("x", point));
    writer.push(at++, number("result", point));
    for (const std::string& name : names_) writer.push(at++, number(name, point));
    writer.push(at++, degree());
    for (Dim k = 0; k < count_; ++k) writer.push(at++, coefficient(k));
    writer.push(at++, number("residual"));
}

} // namespace gradus::lines
