#include "engine/trace/derive/decision_field.hpp"

#include "engine/core/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace gradus {

int DecisionRule::class_of(std::span<const double> z) const {
    for (const double value : z)
        if (!std::isfinite(value)) return -1;
    if (outputs == 1) return z[0] > (kind == Kind::logit ? 0.0 : 0.5) ? 1 : 0;
    return static_cast<int>(std::max_element(z.begin(), z.end()) - z.begin());
}

double DecisionRule::score(std::span<const double> z) const {
    switch (kind) {
    case Kind::threshold: return z[0];
    case Kind::logit: return 1 / (1 + std::exp(-z[0]));
    case Kind::softmax: return probabilities(z)[1];
    case Kind::largest: return z[1] - z[0];
    }
    return 0;
}

std::vector<double> DecisionRule::probabilities(std::span<const double> z) const {
    if (kind == Kind::logit) {
        const double p = score(z);
        return {1 - p, p};
    }
    if (kind != Kind::softmax) return {};
    const double most = *std::max_element(z.begin(), z.end());
    std::vector<double> p;
    double sum = 0;
    for (const double value : z) {
        p.push_back(std::exp(value - most));
        sum += p.back();
    }
    for (double& value : p) value /= sum;
    return p;
}

DecisionRule decision_rule(const ForwardPass& pass) {
    const Shape shape = pass.prediction_shape();
    DecisionRule rule;
    rule.outputs = shape.rank() > 1 ? static_cast<int>(shape[1]) : 1;
    if (pass.loss_op() == "binary_cross_entropy") rule.kind = DecisionRule::Kind::logit;
    else if (pass.loss_op() == "mean_squared_error")
        rule.kind = rule.outputs == 1 ? DecisionRule::Kind::threshold : DecisionRule::Kind::largest;
    else rule.kind = DecisionRule::Kind::softmax;
    return rule;
}

std::vector<double> outputs_at(ForwardPass& pass, std::span<const double> points, const std::atomic<bool>* outdated) {
    if (pass.width() != 2)
        throw ShapeError(fmt::format("a point of the plane is two numbers wide, but this net reads {}", pass.width()));
    const auto batch = static_cast<std::size_t>(pass.rows()) * 2;
    std::vector<double> rows(batch, 0.0), out;
    for (std::size_t from = 0; from < points.size(); from += batch) {
        if (outdated && *outdated) return {};
        const std::size_t count = std::min(batch, points.size() - from);
        std::copy_n(points.begin() + static_cast<std::ptrdiff_t>(from), count, rows.begin());
        pass.run(rows);
        const Tensor z = pass.prediction();
        const auto kept = static_cast<std::size_t>(z.elements() / pass.rows()) * (count / 2);
        if (z.dtype() == DType::f32) out.insert(out.end(), z.data<float>(), z.data<float>() + kept);
        else out.insert(out.end(), z.data<double>(), z.data<double>() + kept);
    }
    return out;
}

std::vector<double> outputs_on(ForwardPass& pass, const PlaneGrid& grid, const std::atomic<bool>* outdated) {
    std::vector<double> points;
    points.reserve(static_cast<std::size_t>(grid.columns) * static_cast<std::size_t>(grid.rows) * 2);
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 0; column < grid.columns; ++column) {
            points.push_back(grid.x(column));
            points.push_back(grid.y(row));
        }
    return outputs_at(pass, points, outdated);
}

PlanePoints plane_points(const Run& run, const Run& origin, StepIndex iteration) {
    const auto tensors = run.tensors_of(iteration), setup = origin.tensors_of(-1);
    const auto find = [&](const char* name) -> const Tensor* {
        for (const IterationTensors* at : {tensors.get(), setup.get()})
            for (std::size_t i = 0; at && i < at->tensors.size(); ++i)
                if (at->tensors[i].name == name && at->tensors[i].tensor.defined()) return &at->tensors[i].tensor;
        return nullptr;
    };
    // Batches are gathered from "data" and "labels"; a batch that is the whole set is "x" and "y" itself.
    PlanePoints out;
    const Tensor *x = find("data"), *y = find("labels");
    out.tensor = "data";
    if (!y) {
        x = find("x");
        y = find("y");
        out.tensor = "x";
    }
    if (!x || !y) throw UnavailableError("the points of this run are not kept");
    if (x->shape().rank() != 2 || x->shape()[1] != 2)
        throw UnavailableError(fmt::format("the data are no points in the plane: {}", x->shape().text_with_names()));
    for (Dim i = 0; i < x->elements(); ++i) out.x.push_back(x->at(i));
    const bool one_hot = y->shape().rank() == 2 && y->shape()[1] > 1;
    for (Dim i = 0; i < x->shape()[0]; ++i) {
        int label = 0;
        if (one_hot) {
            for (Dim k = 1; k < y->shape()[1]; ++k)
                if (y->at(i, k) > y->at(i, label)) label = static_cast<int>(k);
        } else {
            label = static_cast<int>(std::lround(y->at(i)));
        }
        out.labels.push_back(label);
    }
    return out;
}

std::vector<ContourPiece> contour(std::span<const double> values, int columns, int rows, double level) {
    std::vector<ContourPiece> pieces;
    for (int row = 0; row + 1 < rows; ++row)
        for (int column = 0; column + 1 < columns; ++column) {
            const auto at = [&](int dx, int dy) {
                return values[static_cast<std::size_t>((row + dy) * columns + column + dx)] - level;
            };
            const std::array<double, 4> v{at(0, 0), at(1, 0), at(1, 1), at(0, 1)};
            const std::array<std::array<double, 2>, 4> corner{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
            std::array<std::array<double, 2>, 4> crossing{};
            int count = 0;
            bool finite = true;
            for (const double value : v) finite &= std::isfinite(value);
            if (!finite) continue;
            for (int edge = 0; edge < 4; ++edge) {
                const auto a = static_cast<std::size_t>(edge), b = static_cast<std::size_t>((edge + 1) % 4);
                if ((v[a] > 0) == (v[b] > 0)) continue;
                const double t = v[a] / (v[a] - v[b]);
                crossing[static_cast<std::size_t>(count)] = {column + corner[a][0] + t * (corner[b][0] - corner[a][0]),
                                                             row + corner[a][1] + t * (corner[b][1] - corner[a][1])};
                ++count;
            }
            const auto join = [&](std::size_t a, std::size_t b) {
                pieces.push_back({crossing[a][0], crossing[a][1], crossing[b][0], crossing[b][1]});
            };
            if (count == 2) join(0, 1);
            if (count != 4) continue;
            // A saddle: the middle says which corners belong together.
            const bool middle = v[0] + v[1] + v[2] + v[3] > 0;
            if (middle == (v[0] > 0)) { // corners 1 and 3 stand alone
                join(0, 1);
                join(2, 3);
            } else {
                join(3, 0);
                join(1, 2);
            }
        }
    return pieces;
}

} // namespace gradus
