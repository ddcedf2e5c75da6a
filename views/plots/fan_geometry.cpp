#include "views/plots/fan_geometry.hpp"

#include "engine/trace/derive/trailing_mean.hpp"
#include "views/theme/polyline.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

constexpr double label_height = 15, reach = 22; // pixels; reach: how far the pointer may be from a line

/// Which futures get a name where only `room` do.
std::vector<std::size_t> named(std::size_t count, std::size_t room, int chosen) {
    std::vector<std::size_t> out;
    room = std::min(room, count);
    for (std::size_t k = 0; k < room; ++k)
        out.push_back(room > 1 ? (k * (count - 1) + (room - 1) / 2) / (room - 1) : count / 2);
    if (chosen < 0 || out.empty()) return out;
    const auto at = static_cast<std::size_t>(chosen);
    if (std::find(out.begin(), out.end(), at) != out.end()) return out;
    *std::min_element(out.begin(), out.end(), [&](std::size_t a, std::size_t b) { // its neighbour makes room
        const auto away = [at](std::size_t i) { return i > at ? i - at : at - i; };
        return away(a) < away(b);
    }) = at;
    return out;
}

} // namespace

FanCurves fan_curves(const Fan& fan, std::string_view name) {
    FanCurves out;
    // Batches differ more from step to step than rates do; where one step sees all the data there is nothing to smooth.
    const auto in_batches = [](const Run& run) {
        for (std::size_t i = 0; i < run.sites().size(); ++i)
            if (run.sites()[i].name == "gather") return true;
        return false;
    };
    std::vector<double> values;
    for (const Future& future : fan.futures) {
        out.curves.emplace_back();
        out.broken_at.push_back(-1);
        if (!future.run) continue;
        if (in_batches(*future.run)) out.smoothing = std::max<StepIndex>(1, fan.horizon / 6);
        out.curves.back() = trailing_mean(*future.run, name, out.smoothing, fan.iteration, future.run->head());
        for (const SeriesPoint& point : out.curves.back()) values.push_back(point.value);
        const StepIndex ends = fan.iteration + static_cast<StepIndex>(out.curves.back().size());
        if (ends < future.run->head()) out.broken_at.back() = ends;
    }
    if (values.empty()) return out;
    // What explodes leaves through the top: the axis is for the others.
    std::sort(values.begin(), values.end());
    const auto part = [&](double share) { return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))]; };
    out.least = values.front();
    out.greatest = std::min(values.back(), part(0.5) + 3 * std::max(part(0.9) - part(0.5), part(0.5) - out.least));
    if (!(out.greatest > out.least)) out.greatest = out.least + std::max(1e-6, std::abs(out.least) / 10);
    return out;
}

int FanPicture::at(QPointF pixel) const {
    int nearest = -1;
    double best = reach;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const FanLine& line = lines[i];
        if (line.labelled && line.label.contains(pixel)) return static_cast<int>(i);
        const double away = distance_to(line.points, pixel);
        if (away >= best) continue;
        best = away;
        nearest = static_cast<int>(i);
    }
    return nearest;
}

FanPicture lay_out_fan(const Fan& fan, const FanCurves& curves, const QRectF& area, double labels_from,
                       const std::function<QPointF(const SeriesPoint&)>& pixel) {
    FanPicture picture;
    for (std::size_t i = 0; i < curves.curves.size(); ++i) {
        FanLine line;
        for (const SeriesPoint& point : curves.curves[i]) line.points.push_back(pixel(point));
        line.broken = i < fan.futures.size() && fan.futures[i].broken;
        if (!line.points.empty()) {
            line.end = line.points.back();
            if (line.broken && curves.broken_at[i] >= 0)
                line.end.setX(pixel({curves.broken_at[i], curves.curves[i].back().value}).x());
        } else { // it broke at once
            line.end = pixel({fan.iteration, curves.greatest});
        }
        line.left = line.end.y() < area.top() - 1;
        line.end.setY(std::clamp(line.end.y(), area.top(), area.bottom()));
        picture.lines.push_back(std::move(line));
    }
    const auto room = static_cast<std::size_t>(std::max(0.0, std::floor(area.height() / label_height)));
    std::vector<std::size_t> order = named(picture.lines.size(), room, fan.chosen);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const FanLine &x = picture.lines[a], &y = picture.lines[b];
        if (x.broken != y.broken) return x.broken; // at the top, where they left
        return x.end.y() < y.end.y();
    });
    double y = area.top();
    std::vector<double> tops;
    for (const std::size_t i : order) {
        y = std::max(y, picture.lines[i].end.y() - label_height / 2);
        tops.push_back(y);
        y += label_height;
    }
    double until = area.bottom(); // what was pushed below the foot is pushed back up
    for (std::size_t k = order.size(); k-- > 0;) {
        tops[k] = std::max(area.top(), std::min(tops[k], until - label_height));
        until = tops[k];
        FanLine& line = picture.lines[order[k]];
        line.labelled = true;
        line.label = QRectF(labels_from, tops[k], std::max(0.0, area.right() - labels_from), label_height);
    }
    return picture;
}

} // namespace gradus
